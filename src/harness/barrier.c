/* Barrier: finding source lines of references in a text; see barrier.h. What comparisons print is
 * found by barrier_dumps.c. */
#include "harness/barrier.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "harness/barrier_dumps.h"
#include "operator/text.h"

enum {
    BUCKETS = 1 << 12, /* a power of two */
    KEY_BYTES = 8,     /* of a line's start, by which it is found */
    MESSAGE_LINES = 3, /* of a message that go into a sentence */
    MESSAGE_BYTES = 240,
};
_Static_assert(BARRIER_LEAST_CHARACTERS >= (int)KEY_BYTES, "a hidden line must have a whole key");

void barrier_init(Barrier *barrier, Arena *arena)
{
    *barrier = (Barrier){.arena = arena, .buckets = ARENA_ARRAY(arena, uint32_t, BUCKETS)};
}

static bool is_significant(Str line)
{
    size_t count = 0;
    for (size_t i = 0; i < line.length && count < BARRIER_LEAST_CHARACTERS; i++) {
        count += !is_space(line.at[i]);
    }
    return count == BARRIER_LEAST_CHARACTERS;
}

/* --- finding */

static uint32_t bucket_of(const char *at)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u; /* spreads the low bytes into the high ones */
    uint64_t key;
    memcpy(&key, at, KEY_BYTES);
    return (uint32_t)((key * odd) >> 32) & (BUCKETS - 1);
}

static bool is_word(char c)
{
    return is_digit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* May a line begin at `at`, rather than in the midst of a word? The n of a `\n` that repr() wrote
 * is no word. */
static bool begins_at(Str text, size_t at)
{
    if (at == 0 || !is_word(text.at[at]) || !is_word(text.at[at - 1])) {
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
    return end == text.length || !is_word(line.at[line.length - 1]) || !is_word(text.at[end]);
}

typedef void (*Found)(BarrierLine *line, bool *found);

/* Calls `found` for the lines that stand somewhere in the text; stops once it has set `*stop`. */
static void find_lines(const Barrier *barrier, Str text, Found found, bool *stop)
{
    for (size_t at = 0; at + KEY_BYTES <= text.length && !*stop; at++) {
        uint32_t index = barrier->buckets[bucket_of(text.at + at)];
        for (; index != 0 && !*stop; index = barrier->lines.items[index - 1].next) {
            BarrierLine *line = &barrier->lines.items[index - 1];
            if (!line->allowed && is_line_at(text, at, line->text) && begins_at(text, at)) {
                found(line, stop);
            }
        }
    }
}

static void allow_line(BarrierLine *line, bool *stop)
{
    (void)stop;
    line->allowed = true;
}

static void notice_line(BarrierLine *line, bool *stop)
{
    (void)line;
    *stop = true;
}

/* The same line twice would only lengthen its bucket. */
static bool is_known_line(const Barrier *barrier, uint32_t bucket, Str text)
{
    uint32_t index = barrier->buckets[bucket];
    while (index != 0 && !str_equal(barrier->lines.items[index - 1].text, text)) {
        index = barrier->lines.items[index - 1].next;
    }
    return index != 0;
}

static void allow_lines(Barrier *barrier, Str known)
{
    bool stop = false;
    find_lines(barrier, known, allow_line, &stop);
}

static void hide_line(Barrier *barrier, Str line)
{
    if (!is_significant(line)) {
        return;
    }
    uint32_t bucket = bucket_of(line.at);
    if (!is_known_line(barrier, bucket, line)) {
        BarrierLine hidden = {.text = line, .next = barrier->buckets[bucket]};
        VEC_PUSH(barrier->arena, &barrier->lines, hidden);
        barrier->buckets[bucket] = barrier->lines.count;
    }
}

/* The line without the quotes around it and the letter before them: a docstring is also seen
 * without. */
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

void barrier_hide(Barrier *barrier, Str source)
{
    Str line;
    for (size_t at = 0; text_next_line(source, &at, &line);) {
        line = str_trim(line);
        hide_line(barrier, line);
        hide_line(barrier, unquoted(line));
    }
    for (uint32_t i = 0; i < barrier->known.count; i++) {
        allow_lines(barrier, barrier->known.items[i]);
    }
}

void barrier_allow(Barrier *barrier, Str source)
{
    VEC_PUSH(barrier->arena, &barrier->known, source);
    allow_lines(barrier, source);
}

static bool has_lines(const Barrier *barrier)
{
    return barrier != NULL && barrier->lines.count > 0;
}

static bool shows_source(const Barrier *barrier, Str line)
{
    bool shows = false;
    if (has_lines(barrier)) {
        find_lines(barrier, line, notice_line, &shows);
    }
    return shows;
}

/* Where a log was cut in the middle the neighbours are parts of lines. */

static bool is_cut(Str line)
{
    return str_starts(line, STR("[… ")) && str_ends(line, STR(" bytes removed …]"));
}

/* Does the line end with the beginning of a hidden one? */
static bool ends_in_source(const Barrier *barrier, Str line)
{
    for (size_t at = 0; has_lines(barrier) && at + KEY_BYTES <= line.length; at++) {
        uint32_t index = barrier->buckets[bucket_of(line.at + at)];
        for (; index != 0; index = barrier->lines.items[index - 1].next) {
            const BarrierLine *hidden = &barrier->lines.items[index - 1];
            Str rest = str_slice(line, at, line.length);
            if (!hidden->allowed && str_starts(hidden->text, rest)) {
                return true;
            }
        }
    }
    return false;
}

/* Is the line the end of a hidden one? */
static bool is_end_of_source(const Barrier *barrier, Str line)
{
    line = str_trim(line);
    for (uint32_t i = 0; has_lines(barrier) && is_significant(line) && i < barrier->lines.count;
         i++) {
        const BarrierLine *hidden = &barrier->lines.items[i];
        if (!hidden->allowed && str_ends(hidden->text, line)) {
            return true;
        }
    }
    return false;
}

/* `line` between the one before it and the text that follows. */
static bool shows_cut_source(const Barrier *barrier, Str before, Str line, Str after)
{
    Str next = STR("");
    size_t at = 0;
    (void)text_next_line(after, &at, &next);
    return (is_cut(next) && ends_in_source(barrier, line)) ||
           (is_cut(before) && is_end_of_source(barrier, line));
}

/* --- texts */

typedef struct Filter {
    Buf out;
    Str text;
    size_t kept;     /* all before is in `out`, or withheld */
    size_t withheld; /* lines in a row, not yet told */
    bool changed, tell;
} Filter;

static void tell_withheld(Filter *filter)
{
    if (filter->withheld > 0 && filter->tell) {
        buf_addf(&filter->out, "[… %zu line%s withheld …]\n", filter->withheld,
                 filter->withheld == 1 ? "" : "s");
    }
    filter->withheld = 0;
}

static Str filtered(Arena *arena, const Barrier *barrier, Str text, bool tell)
{
    Filter filter = {.out = {.arena = arena}, .text = text, .tell = tell};
    DumpFinder finder = {0};
    Str line;
    Str before = STR("");
    for (size_t at = 0, start = 0; text_next_line(text, &at, &line); start = at, before = line) {
        bool dump = dump_finder_next(&finder, line);
        if (dump || shows_source(barrier, line) ||
            shows_cut_source(barrier, before, line, str_slice(text, at, text.length))) {
            buf_add(&filter.out, str_slice(text, filter.kept, start));
            filter.kept = at < text.length ? at : text.length;
            filter.withheld++;
            filter.changed = true;
        } else if (filter.withheld > 0) {
            tell_withheld(&filter);
        }
    }
    if (!filter.changed) {
        return text;
    }
    tell_withheld(&filter);
    buf_add(&filter.out, str_slice(text, filter.kept, text.length));
    return buf_str(&filter.out);
}

Str barrier_filter(Arena *arena, const Barrier *barrier, Str text)
{
    return filtered(arena, barrier, text, true);
}

/* What a sentence cannot hold becomes a blank; bytes that are not UTF-8 become U+FFFD. */
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

Str barrier_message(Arena *arena, const Barrier *barrier, Str message)
{
    Str text = filtered(arena, barrier, message, false);
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
