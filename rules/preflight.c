/* Preflight: finds and classifies the lines of the preflight section; see preflight.h. Code fences
 * are not known here: a heading inside one is a heading. */
#include "rules/preflight.h"

#include "base/utf8.h"
#include "operator/markdown.h"
#include "operator/text.h"

/* `- [c]`: the mark, or empty. */
static Str item_mark(Str line)
{
    static const char *const marks[] = {" ", "x", "X", "✓", "✗", "❌", "-"};
    if (line.length == 0 || line.at[0] != '-') {
        return (Str){0};
    }
    size_t at = text_skip_space(line, 1);
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
    Str rest = str_slice(line, text_skip_space(line, 1), line.length);
    if (!str_starts(rest, sign)) {
        return false;
    }
    return str_starts(str_slice(rest, text_skip_space(rest, sign.length), rest.length), words);
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
    uint32_t body_line;
    Str body = front_matter_body(text, &body_line);
    Section section = markdown_section(body, body_line, STR("Experience Preflight"));
    preflight->heading = section.line;
    preflight->text = section.raw;
    preflight->is_empty = section.text.length == 0;
    uint32_t number = section.first_line;
    Str line;
    for (size_t at = 0; text_next_line(section.raw, &at, &line); number++) {
        Str trimmed = text_trim(line);
        PreflightLine entry = {classify(trimmed), number, trimmed};
        VEC_PUSH(arena, &preflight->lines, entry);
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
