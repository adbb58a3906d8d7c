/* Markdown: headings and sections. */
#include "operator/markdown.h"

#include "base/ascii.h"
#include "operator/text.h"

#include "base/utf8.h"

enum { MAX_HEADING_INDENT = 3, MAX_HEADING_LEVEL = 6 };

/* Number of `#` at `at`. */
static unsigned count_hashes(Str text, size_t at)
{
    unsigned count = 0;
    while (at + count < text.length && text.at[at + count] == '#' && count <= MAX_HEADING_LEVEL) {
        count++;
    }
    return count;
}

/* Moves over at most three characters of white space, not beyond `end`. */
static size_t skip_indent(Str text, size_t at, size_t end)
{
    for (int i = 0; i < MAX_HEADING_INDENT && at < end; i++) {
        size_t next = at;
        if (!code_point_is_space(utf8_next(text, &next))) {
            break;
        }
        at = next;
    }
    return at;
}

/* --- heading set */

/* A heading that begins on the line from `at` to `line_end`: its title may stand on a later line.
 * Where reading goes on, or 0 if it is not one. */
static size_t read_heading(Str body, size_t at, size_t line_end, Heading *heading)
{
    at = skip_indent(body, at, line_end);
    heading->level = count_hashes(body, at);
    if (heading->level == 0 || heading->level > MAX_HEADING_LEVEL) {
        return 0;
    }
    at += heading->level;
    size_t title = text_skip_space(body, at);
    if (title == at || title == body.length) {
        return 0;
    }
    Str line;
    size_t next = title;
    text_next_line(body, &next, &line);
    heading->title = text_trim(line);
    return next;
}

Headings markdown_headings(Arena *arena, Str body, uint32_t first_line)
{
    Headings headings = {0};
    LineCounter counter = {body, 0, first_line};
    Str line;
    for (size_t at = 0; at < body.length;) {
        size_t start = at;
        text_next_line(body, &at, &line);
        Heading heading;
        size_t next = read_heading(body, start, start + line.length, &heading);
        if (next > 0) {
            heading.line = line_counter_at(&counter, start);
            VEC_PUSH(arena, &headings, heading);
            at = next;
        }
    }
    return headings;
}

/* `part` trimmed and in lower case, for a search that folds case. It is cut to 64 bytes; no part
 * that is searched for is that long. */
static Str search_part(Str part, char place[static 64])
{
    part = text_trim(part);
    size_t length = part.length < 64 ? part.length : 64;
    for (size_t i = 0; i < length; i++) {
        place[i] = lower_case(part.at[i]);
    }
    return (Str){place, length};
}

const Heading *headings_find(const Headings *headings, Str part)
{
    char place[64];
    Str key = search_part(part, place);
    for (uint32_t i = 0; i < headings->count; i++) {
        if (text_contains_folded(headings->items[i].title, key)) {
            return &headings->items[i];
        }
    }
    return NULL;
}

/* --- sections */

/* Level and trimmed title of a one-line heading, or 0. */
static unsigned markdown_heading_level(Str line, Str *title)
{
    size_t at = 0;
    while (at < MAX_HEADING_INDENT && at < line.length && line.at[at] == ' ') {
        at++;
    }
    unsigned level = count_hashes(line, at);
    at += level;
    size_t rest = text_skip_space(line, at);
    if (level == 0 || level > MAX_HEADING_LEVEL || rest == at) {
        return 0;
    }
    *title = text_trim(str_slice(line, rest, line.length));
    /* Without a title it takes two characters of white space to make a heading. */
    size_t first = at;
    utf8_next(line, &first);
    return title->length == 0 && first == rest ? 0 : level;
}

Section markdown_section(Str body, uint32_t first_line, Str part)
{
    Section section = {.title = STR(""), .raw = STR(""), .text = STR("")};
    char place[64];
    Str key = search_part(part, place);
    uint32_t number = first_line;
    Str line, title;
    size_t start = 0, end = body.length;
    for (size_t at = 0; at < body.length; number++) {
        size_t line_start = at;
        text_next_line(body, &at, &line);
        unsigned level = markdown_heading_level(line, &title);
        if (level == 0) {
            continue;
        }
        if (section.line > 0 && level <= section.level) {
            end = line_start;
            break;
        }
        if (section.line == 0 && text_contains_folded(title, key)) {
            section.line = number;
            section.level = level;
            section.title = title;
            start = at;
        }
    }
    if (section.line > 0) {
        section.raw = str_slice(body, start, end);
        section.first_line = section.line + 1;
        section.text = text_trim(section.raw);
    }
    return section;
}

Section markdown_first_section(Str body, uint32_t first_line, const char *const *parts,
                               size_t count)
{
    Section found = {.title = STR(""), .raw = STR(""), .text = STR("")};
    for (size_t i = 0; i < count; i++) {
        Section section = markdown_section(body, first_line, str_from(parts[i]));
        if (section.text.length > 0) {
            return section;
        }
        if (found.line == 0) {
            found = section;
        }
    }
    return found;
}
