/* Preflight: finds and classifies the lines of the preflight section; see preflight.h. Code fences
 * are not known here: a heading inside one is a heading. */
#include "rules/preflight.h"

#include "base/utf8.h"

enum { MAX_HEADING_INDENT = 3, MAX_HEADING_LEVEL = 6 };

static bool is_space(uint32_t c)
{
    return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f) || c == 0x85 ||
           c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
           c == 0x202f || c == 0x205f || c == 0x3000;
}

/* `at` moved over white space. */
static size_t skip_space(Str text, size_t at)
{
    while (at < text.length) {
        size_t next = at;
        if (!is_space(utf8_next(text, &next))) {
            break;
        }
        at = next;
    }
    return at;
}

static Str trim_end(Str text)
{
    size_t end = 0;
    for (size_t at = 0; at < text.length;) {
        if (!is_space(utf8_next(text, &at))) {
            end = at;
        }
    }
    return str_slice(text, 0, end);
}

/* Offset of the body: behind a leading front-matter block, else 0. */
static size_t body_start(Str text)
{
    if (!str_starts(text, STR("---\n"))) {
        return 0;
    }
    size_t end = str_find(text, STR("\n---\n"), 4);
    return end == SIZE_MAX ? 0 : end + 5;
}

/* Level and title of a heading line, or level 0. */
static unsigned heading_level(Str line, Str *title)
{
    size_t at = 0;
    while (at < line.length && at < MAX_HEADING_INDENT && line.at[at] == ' ') {
        at++;
    }
    unsigned level = 0;
    while (at < line.length && line.at[at] == '#') {
        level++;
        at++;
    }
    size_t rest = skip_space(line, at);
    if (level == 0 || level > MAX_HEADING_LEVEL || rest == at) {
        return 0;
    }
    *title = trim_end(str_slice(line, rest, line.length));
    /* Without a title it takes two characters of white space to make a heading. */
    size_t first = at;
    utf8_next(line, &first);
    return title->length == 0 && first == rest ? 0 : level;
}

/* Does the text contain `part` (lower-case ASCII) in any case? */
static bool contains_folded(Str text, Str part)
{
    for (size_t at = 0; at + part.length <= text.length; at++) {
        size_t i = 0;
        while (i < part.length && (char)(text.at[at + i] >= 'A' && text.at[at + i] <= 'Z'
                                             ? text.at[at + i] + ('a' - 'A')
                                             : text.at[at + i]) == part.at[i]) {
            i++;
        }
        if (i == part.length) {
            return true;
        }
    }
    return false;
}

/* `- [c]`: the mark, or empty. */
static Str item_mark(Str line)
{
    static const char *const marks[] = {" ", "x", "X", "✓", "✗", "❌", "-"};
    if (line.length == 0 || line.at[0] != '-') {
        return (Str){0};
    }
    size_t at = skip_space(line, 1);
    if (at == 1 || at >= line.length || line.at[at] != '[') {
        return (Str){0};
    }
    Str rest = str_slice(line, at + 1, line.length);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        Str mark = str_from(marks[i]);
        if (str_starts(rest, mark) && rest.length > mark.length && rest.at[mark.length] == ']') {
            return mark;
        }
    }
    return (Str){0};
}

/* `|`, at least two characters, and another `|`. */
static bool is_table(Str line)
{
    if (line.length == 0 || line.at[0] != '|') {
        return false;
    }
    size_t at = 1;
    for (int i = 0; i < 2 && at < line.length; i++) {
        utf8_next(line, &at);
    }
    return str_find(line, STR("|"), at) != SIZE_MAX;
}

/* `>`, the sign, the words, with optional white space between. */
static bool is_note(Str line, Str sign, Str words)
{
    if (line.length == 0 || line.at[0] != '>') {
        return false;
    }
    Str rest = str_slice(line, skip_space(line, 1), line.length);
    if (!str_starts(rest, sign)) {
        return false;
    }
    return str_starts(str_slice(rest, skip_space(rest, sign.length), rest.length), words);
}

static PreflightKind classify(Str line)
{
    if (line.length == 0) {
        return PREFLIGHT_BLANK;
    }
    Str mark = item_mark(line);
    if (mark.length > 0) {
        return str_is(mark, "-") ? PREFLIGHT_PENDING : PREFLIGHT_ITEM;
    }
    if (is_table(line)) {
        return PREFLIGHT_TABLE;
    }
    if (is_note(line, STR("⚠️"), STR("待验证"))) {
        return PREFLIGHT_TO_VERIFY;
    }
    return is_note(line, STR("✅"), STR("已知风险")) ? PREFLIGHT_ACCEPTED : PREFLIGHT_TEXT;
}

void preflight_read(Preflight *preflight, Arena *arena, Str text)
{
    *preflight = (Preflight){.is_empty = true};
    size_t body = body_start(text), start = 0;
    unsigned section_level = 0;
    uint32_t number = 0;
    for (size_t at = 0; at < text.length; number++) {
        size_t newline = str_find(text, STR("\n"), at);
        size_t end = newline == SIZE_MAX ? text.length : newline;
        Str line = str_slice(text, at, end), title;
        size_t line_start = at;
        at = end + 1;
        unsigned level = line_start < body ? 0 : heading_level(line, &title);
        if (section_level > 0 && level > 0 && level <= section_level) {
            break;
        }
        if (section_level > 0) {
            Str trimmed = trim_end(str_slice(line, skip_space(line, 0), line.length));
            PreflightLine entry = {classify(trimmed), number + 1, trimmed};
            VEC_PUSH(arena, &preflight->lines, entry);
            preflight->is_empty &= entry.kind == PREFLIGHT_BLANK;
            preflight->text = str_slice(text, start, end);
        } else if (level > 0 && contains_folded(title, STR("experience preflight"))) {
            section_level = level;
            preflight->heading = number + 1;
            start = at;
        }
    }
}

PreflightKind preflight_next(const Preflight *preflight, uint32_t index)
{
    for (uint32_t i = index + 1; i < preflight->lines.count; i++) {
        if (preflight->lines.items[i].kind != PREFLIGHT_BLANK) {
            return preflight->lines.items[i].kind;
        }
    }
    return PREFLIGHT_BLANK;
}
