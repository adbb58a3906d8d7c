/* Text: white space, word characters, case and lines. */
#include "operator/text.h"

#include "base/ascii.h"
#include "base/utf8.h"

typedef struct CodeRange {
    uint32_t first, last;
} CodeRange;

static const CodeRange word_ranges[] = {
#include "operator/word_table.inc"
};

bool code_point_is_space(uint32_t c)
{
    if (c < 0x80) {
        return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
    }
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
           c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool code_point_is_word(uint32_t c)
{
    if (c < 0x80) {
        return is_word_char((char)c);
    }
    size_t low = 0, high = sizeof word_ranges / sizeof *word_ranges;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (word_ranges[middle].last < c) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < sizeof word_ranges / sizeof *word_ranges && word_ranges[low].first <= c;
}

size_t text_skip_space(Str text, size_t at)
{
    while (at < text.length) {
        size_t next = at;
        if (!code_point_is_space(utf8_next(text, &next))) {
            return at;
        }
        at = next;
    }
    return text.length;
}

/* Start of the code point that ends before `end`. */
static size_t code_point_before(Str text, size_t end)
{
    size_t at = end - 1;
    while (at > 0 && end - at < 4 && ((unsigned char)text.at[at] & 0xc0) == 0x80) {
        at--;
    }
    return at;
}

Str text_trim(Str text)
{
    text = str_slice(text, text_skip_space(text, 0), text.length);
    while (text.length > 0) {
        size_t start = code_point_before(text, text.length), next = start;
        if (!code_point_is_space(utf8_next(text, &next)) || next != text.length) {
            break;
        }
        text.length = start;
    }
    return text;
}

Str text_first_word(Str text)
{
    size_t end = 0;
    while (end < text.length && !is_blank(text.at[end])) {
        end++;
    }
    return str_slice(text, 0, end);
}

Str text_lower(Arena *arena, Str text)
{
    char *out = str_dup(arena, text);
    for (size_t i = 0; i < text.length; i++) {
        out[i] = lower_case(out[i]);
    }
    return (Str){out, text.length};
}

/* The offset of a byte of `part` that is not a letter, preferably not a blank either, because lines
 * are full of blanks; the length of `part` if it has only letters. */
static size_t caseless_byte(Str part)
{
    size_t best = part.length;
    for (size_t at = 0; at < part.length; at++) {
        bool caseless = part.at[at] < 'a' || part.at[at] > 'z';
        if (caseless && (best == part.length || part.at[best] == ' ')) {
            best = at;
        }
    }
    return best;
}

static bool is_folded_at(Str text, Str part, size_t at)
{
    size_t i = 0;
    while (i < part.length && lower_case(text.at[at + i]) == part.at[i]) {
        i++;
    }
    return i == part.length;
}

/* Goes from one place of a byte without case to the next, which memchr finds fast; a part of
 * letters only is looked for everywhere. */
size_t text_find_folded(Str text, Str part, size_t from)
{
    size_t pivot = caseless_byte(part);
    for (size_t at = from; at <= text.length && part.length <= text.length - at; at++) {
        if (pivot < part.length) {
            const char *start = text.at + at + pivot;
            const char *next = memchr(start, part.at[pivot], text.length - at - part.length + 1);
            if (next == NULL) {
                return SIZE_MAX;
            }
            at += (size_t)(next - start);
        }
        if (is_folded_at(text, part, at)) {
            return at;
        }
    }
    return SIZE_MAX;
}

bool text_contains_folded(Str text, Str part)
{
    return text_find_folded(text, part, 0) != SIZE_MAX;
}

Str text_with_line_feeds(Arena *arena, Str text)
{
    if (text.length == 0 || memchr(text.at, '\r', text.length) == NULL) {
        return text;
    }
    char *out = arena_alloc(arena, text.length + 1);
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if (c == '\r') {
            c = '\n';
            if (i + 1 < text.length && text.at[i + 1] == '\n') {
                i++;
            }
        }
        out[length++] = c;
    }
    out[length] = '\0';
    return (Str){out, length};
}

bool text_next_line(Str text, size_t *at, Str *line)
{
    if (*at >= text.length) {
        return false;
    }
    const char *newline = memchr(text.at + *at, '\n', text.length - *at);
    size_t end = newline == NULL ? text.length : (size_t)(newline - text.at);
    *line = str_slice(text, *at, end);
    *at = end + 1;
    return true;
}

uint32_t text_count_lines(Str text)
{
    LineCounter counter = {text, 0, 0};
    return line_counter_at(&counter, text.length);
}

uint32_t line_counter_at(LineCounter *counter, size_t offset)
{
    size_t end = offset < counter->text.length ? offset : counter->text.length;
    while (counter->at < end) {
        const char *from = counter->text.at + counter->at;
        const char *newline = memchr(from, '\n', end - counter->at);
        if (newline == NULL) {
            counter->at = end;
            break;
        }
        counter->line++;
        counter->at = (size_t)(newline - counter->text.at) + 1;
    }
    return counter->line;
}
