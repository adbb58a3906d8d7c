/* Redaction: finds source lines of references in a text; see redaction.h. redaction_dumps.c finds
 * the output of comparisons. */
#include "harness/report/redaction.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "harness/report/redaction_dumps.h"
#include "operator/text.h"

enum {
    BUCKETS = 1 << 12, /* a power of two */
    KEY_BYTES = 8,     /* first bytes of a line, by which it is found */
    MESSAGE_LINES = 3, /* first lines of a message, which go into a sentence */
    MESSAGE_BYTES = 240,
};
_Static_assert(REDACTION_LEAST_CHARACTERS >= (int)KEY_BYTES, "a hidden line must have a whole key");

void redaction_init(Redaction *redaction, Arena *arena)
{
    *redaction = (Redaction){.arena = arena, .buckets = ARENA_ARRAY(arena, uint32_t, BUCKETS)};
}

static bool is_significant(Str line)
{
    size_t count = 0;
    for (size_t i = 0; i < line.length && count < REDACTION_LEAST_CHARACTERS; i++) {
        count += !is_space(line.at[i]);
    }
    return count == REDACTION_LEAST_CHARACTERS;
}

/* --- finding */

static uint32_t bucket_of(const char *at)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u; /* spreads the low bytes into the high ones */
    uint64_t key;
    memcpy(&key, at, KEY_BYTES);
    return (uint32_t)((key * odd) >> 32) & (BUCKETS - 1);
}

/* Can a line begin at `at`? Not inside a word. The n of a `\n` that repr() wrote is not part of a
 * word. */
static bool begins_at(Str text, size_t at)
{
    if (at == 0 || !is_word_char(text.at[at]) || !is_word_char(text.at[at - 1])) {
        return true;
    }
    return at >= 2 && text.at[at - 2] == '\\';
}

static bool is_line_at(Str text, size_t at, Str line)
{
    size_t end = at + line.length;
    if (line.length > text.length - at || memcmp(text.at + at, line.at, line.length) != 0) {
        return false;
    }
    return end == text.length || !is_word_char(line.at[line.length - 1]) ||
           !is_word_char(text.at[end]);
}

typedef void (*Found)(RedactionLine *line, bool *found);

/* Calls `found` for the lines that are in the text, until it sets `*stop`. */
static void find_lines(const Redaction *redaction, Str text, Found found, bool *stop)
{
    for (size_t at = 0; at + KEY_BYTES <= text.length && !*stop; at++) {
        uint32_t index = redaction->buckets[bucket_of(text.at + at)];
        for (; index != 0 && !*stop; index = redaction->lines.items[index - 1].next) {
            RedactionLine *line = &redaction->lines.items[index - 1];
            if (!line->allowed && is_line_at(text, at, line->text) && begins_at(text, at)) {
                found(line, stop);
            }
        }
    }
}

static void allow_line(RedactionLine *line, bool *stop)
{
    (void)stop;
    line->allowed = true;
}

static void notice_line(RedactionLine *line, bool *stop)
{
    (void)line;
    *stop = true;
}

/* The same line twice would only lengthen its bucket. */
static bool is_known_line(const Redaction *redaction, uint32_t bucket, Str text)
{
    uint32_t index = redaction->buckets[bucket];
    while (index != 0 && !str_equal(redaction->lines.items[index - 1].text, text)) {
        index = redaction->lines.items[index - 1].next;
    }
    return index != 0;
}

static void allow_lines(Redaction *redaction, Str known)
{
    bool stop = false;
    find_lines(redaction, known, allow_line, &stop);
}

static void hide_line(Redaction *redaction, Str line)
{
    if (!is_significant(line)) {
        return;
    }
    uint32_t bucket = bucket_of(line.at);
    if (!is_known_line(redaction, bucket, line)) {
        RedactionLine hidden = {.text = line, .next = redaction->buckets[bucket]};
        VEC_PUSH(redaction->arena, &redaction->lines, hidden);
        redaction->buckets[bucket] = redaction->lines.count;
    }
}

/* The line without quotes around it and the letter before them, because docstrings also appear
 * without quotes. */
static Str unquoted(Str line)
{
    size_t start = line.length > 1 && (line.at[1] == '"' || line.at[1] == '\'') ? 1 : 0;
    size_t end = line.length;
    while (start < end && (line.at[start] == '"' || line.at[start] == '\'')) {
        start++;
    }
    while (end > start && (line.at[end - 1] == '"' || line.at[end - 1] == '\'')) {
        end--;
    }
    return str_trim(str_slice(line, start, end));
}

void redaction_hide(Redaction *redaction, Str source)
{
    Str line;
    for (size_t at = 0; text_next_line(source, &at, &line);) {
        line = str_trim(line);
        hide_line(redaction, line);
        hide_line(redaction, unquoted(line));
    }
    for (uint32_t i = 0; i < redaction->known.count; i++) {
        allow_lines(redaction, redaction->known.items[i]);
    }
}

void redaction_allow(Redaction *redaction, Str source)
{
    VEC_PUSH(redaction->arena, &redaction->known, source);
    allow_lines(redaction, source);
}

static bool has_lines(const Redaction *redaction)
{
    return redaction != NULL && redaction->lines.count > 0;
}

static bool shows_source(const Redaction *redaction, Str line)
{
    bool shows = false;
    if (has_lines(redaction)) {
        find_lines(redaction, line, notice_line, &shows);
    }
    return shows;
}

/* The line of a log that was cut in the middle. Its neighbours are parts of lines. */
static bool is_cut(Str line)
{
    return str_starts(line, STR("[… ")) && str_ends(line, STR(" bytes removed …]"));
}

/* Does the line end with the beginning of a hidden one? */
static bool ends_in_source(const Redaction *redaction, Str line)
{
    for (size_t at = 0; has_lines(redaction) && at + KEY_BYTES <= line.length; at++) {
        uint32_t index = redaction->buckets[bucket_of(line.at + at)];
        for (; index != 0; index = redaction->lines.items[index - 1].next) {
            const RedactionLine *hidden = &redaction->lines.items[index - 1];
            Str rest = str_slice(line, at, line.length);
            if (!hidden->allowed && str_starts(hidden->text, rest)) {
                return true;
            }
        }
    }
    return false;
}

/* Is the line the end of a hidden one? */
static bool is_end_of_source(const Redaction *redaction, Str line)
{
    line = str_trim(line);
    for (uint32_t i = 0; has_lines(redaction) && is_significant(line) && i < redaction->lines.count;
         i++) {
        const RedactionLine *hidden = &redaction->lines.items[i];
        if (!hidden->allowed && str_ends(hidden->text, line)) {
            return true;
        }
    }
    return false;
}

/* Is `line`, beside a cut, part of a hidden line? */
static bool shows_cut_source(const Redaction *redaction, Str before, Str line, Str after)
{
    Str next = STR("");
    size_t at = 0;
    (void)text_next_line(after, &at, &next);
    return (is_cut(next) && ends_in_source(redaction, line)) ||
           (is_cut(before) && is_end_of_source(redaction, line));
}

/* --- texts */

typedef struct Filter {
    Buf out;
    Str text;
    size_t kept;     /* everything before it is in `out`, or withheld */
    size_t withheld; /* lines in a row, not yet counted in `out` */
    bool changed, counts;
} Filter;

static void add_count(Filter *filter)
{
    if (filter->withheld > 0 && filter->counts) {
        buf_addf(&filter->out, "[… %zu line%s withheld …]\n", filter->withheld,
                 filter->withheld == 1 ? "" : "s");
    }
    filter->withheld = 0;
}

static Str filtered(Arena *arena, const Redaction *redaction, Str text, bool counts)
{
    Filter filter = {.out = {.arena = arena}, .text = text, .counts = counts};
    DumpFinder finder = {0};
    Str line;
    Str before = STR("");
    for (size_t at = 0, start = 0; text_next_line(text, &at, &line); start = at, before = line) {
        bool dump = dump_finder_next(&finder, line);
        if (dump || shows_source(redaction, line) ||
            shows_cut_source(redaction, before, line, str_slice(text, at, text.length))) {
            buf_add(&filter.out, str_slice(text, filter.kept, start));
            filter.kept = at < text.length ? at : text.length;
            filter.withheld++;
            filter.changed = true;
        } else if (filter.withheld > 0) {
            add_count(&filter);
        }
    }
    if (!filter.changed) {
        return text;
    }
    add_count(&filter);
    buf_add(&filter.out, str_slice(text, filter.kept, text.length));
    return buf_str(&filter.out);
}

Str redaction_filter(Arena *arena, const Redaction *redaction, Str text)
{
    return filtered(arena, redaction, text, true);
}

/* Adds text to a sentence: control characters become blanks, bytes that are not UTF-8 U+FFFD. */
static void add_plain(Buf *out, Str text)
{
    for (size_t at = 0; at < text.length;) {
        size_t start = at;
        uint32_t c = utf8_next(text, &at);
        size_t size = c == 0xFFFD ? 3 : at - start;
        if (out->length + size + sizeof "…" - 1 > MESSAGE_BYTES) {
            buf_add(out, STR("…"));
            return;
        }
        if (c == 0xFFFD && at - start == 1) {
            utf8_add(out, c);
        } else if (c < ' ' || c == 0x7F) {
            buf_add_char(out, ' ');
        } else {
            buf_add(out, str_slice(text, start, at));
        }
    }
}

Str redaction_message(Arena *arena, const Redaction *redaction, Str message)
{
    Str text = filtered(arena, redaction, message, false);
    Buf out = {.arena = arena};
    Str line;
    size_t lines = 0;
    for (size_t at = 0; lines < MESSAGE_LINES && text_next_line(text, &at, &line);) {
        line = str_trim(line);
        size_t dump = dump_begins(line);
        if (line.length > 0 && out.length + 4 <= MESSAGE_BYTES) {
            buf_add(&out, lines > 0 ? STR(" ") : STR(""));
            add_plain(&out, str_slice(line, 0, dump));
            lines++;
        }
        if (dump < line.length) {
            if (out.length + sizeof "…" - 1 <= MESSAGE_BYTES) {
                buf_add(&out, STR("…"));
            }
            break;
        }
    }
    return buf_str(&out);
}
