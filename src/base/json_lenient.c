/* Lenient JSON; see json_lenient.h. Only a text that jansson has refused is copied, with what it
 * does not take replaced, and read once more: jansson still judges all the rest of it. */
#include "base/json_lenient.h"

#include "base/ascii.h"
#include "base/json_string.h"
#include "base/lapse.h"
#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { REPLACEMENT = 0xFFFD };

/* The copy. Nothing becomes more than three times as long, but for a last bracket. */
typedef struct Repair {
    Str text;
    size_t at;
    char *to;
    size_t length;
    uint32_t depth; /* open collections */
    bool in_string, is_key;
} Repair;

static void put(Repair *repair, const char *bytes, size_t count)
{
    memcpy(repair->to + repair->length, bytes, count);
    repair->length += count;
}

static void put_text(Repair *repair, const char *text)
{
    put(repair, text, strlen(text));
}

/* --- strings */

/* Is the string that begins at `at`, behind its quote, a key? */
static bool is_key(Str text, size_t at)
{
    while (at < text.length && text.at[at] != '"') {
        at += text.at[at] == '\\' ? 2 : 1;
    }
    for (at++; at < text.length && is_space(text.at[at]);) {
        at++;
    }
    return at < text.length && text.at[at] == ':';
}

/* The value of the escape `\uXXXX` at `at`, or -1. */
static int32_t escape_at(Str text, size_t at)
{
    bool begins = at + 1 < text.length && text.at[at] == '\\' && text.at[at + 1] == 'u';
    return begins ? json_hex4(text, at + 2) : -1;
}

static void copy_escape(Repair *repair)
{
    Str text = repair->text;
    int32_t first = escape_at(text, repair->at);
    int32_t second = escape_at(text, repair->at + 6);
    bool high = first >= 0xD800 && first <= 0xDBFF;
    bool low = first >= 0xDC00 && first <= 0xDFFF;
    bool pair = high && second >= 0xDC00 && second <= 0xDFFF;
    if (((high || low) && !pair) || (first == 0 && repair->is_key)) {
        put_text(repair, "\\ufffd");
        repair->at += 6;
        return;
    }
    size_t used = pair ? 12 : first >= 0 ? 6 : 2;
    used = used < text.length - repair->at ? used : text.length - repair->at;
    put(repair, text.at + repair->at, used);
    repair->at += used;
}

static void copy_character(Repair *repair)
{
    size_t start = repair->at;
    uint32_t code_point = utf8_next(repair->text, &repair->at);
    if (code_point == REPLACEMENT && repair->at - start == 1) {
        put_text(repair, "\xEF\xBF\xBD");
    } else {
        put(repair, repair->text.at + start, repair->at - start);
    }
}

static void copy_in_string(Repair *repair)
{
    if (repair->text.at[repair->at] == '\\') {
        copy_escape(repair);
        return;
    }
    repair->in_string = repair->text.at[repair->at] != '"';
    copy_character(repair);
}

/* --- numbers */

/* Replaces the number just copied, from `start` on, if it is beyond what a C type holds. */
static void limit_number(Repair *repair, size_t start)
{
    char *number = repair->to + start;
    char *end;
    repair->to[repair->length] = '\0';
    bool negative = *number == '-';
    if (strpbrk(number, ".eE") != NULL) {
        if (isinf(strtod(number, &end))) {
            repair->length = start;
            put_text(repair, negative ? "-1e308" : "1e308");
        }
        return;
    }
    errno = 0;
    (void)strtoll(number, &end, 10);
    if (errno == ERANGE) {
        repair->length = start;
        put_text(repair, negative ? "-9223372036854775808" : "9223372036854775807");
    }
}

/* False when there is no word that is to be replaced. */
static bool copy_word(Repair *repair)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    Str rest = str_slice(repair->text, repair->at, repair->text.length);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        Str word = str_from(words[i]);
        if (str_starts(rest, word)) {
            put_text(repair, "null");
            repair->at += word.length;
            return true;
        }
    }
    return false;
}

/* --- the text */

/* Passes a collection; brackets in strings do not count. */
static void pass_over(Repair *repair)
{
    uint32_t depth = 0;
    bool in_string = false;
    do {
        char c = repair->text.at[repair->at++];
        if (in_string && c == '\\') {
            repair->at++;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string) {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
        }
    } while (depth > 0 && repair->at < repair->text.length);
    put_text(repair, depth == 0 ? "null" : "[");
}

static void copy_outside(Repair *repair)
{
    char c = repair->text.at[repair->at];
    size_t end = json_number_end(repair->text, repair->at);
    if (end > repair->at) {
        size_t start = repair->length;
        put(repair, repair->text.at + repair->at, end - repair->at);
        repair->at = end;
        limit_number(repair, start);
    } else if (c == '{' || c == '[') {
        if (repair->depth == JSON_LENIENT_DEPTH) {
            pass_over(repair);
            return;
        }
        repair->depth++;
        copy_character(repair);
    } else if (c == '"') {
        repair->in_string = true;
        repair->is_key = is_key(repair->text, repair->at + 1);
        copy_character(repair);
    } else if (!copy_word(repair)) {
        repair->depth -= repair->depth > 0 && (c == '}' || c == ']');
        copy_character(repair);
    }
}

json_t *json_read_lenient(Arena *arena, Str text)
{
    const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
    if (str_starts(text, STR("\xEF\xBB\xBF"))) {
        text = str_slice(text, 3, text.length);
    }
    json_t *root = json_read(arena, text, flags, NULL);
    if (root != NULL) {
        return root;
    }
    enum { ROOM = 32 };
    Repair repair = {.text = text, .to = lapse_malloc(text.length * 3 + ROOM)};
    if (repair.to == NULL) {
        return NULL;
    }
    while (repair.at < text.length) {
        if (repair.in_string) {
            copy_in_string(&repair);
        } else {
            copy_outside(&repair);
        }
    }
    /* The copy is not in the arena: it must be given back before the guard is reached. */
    jmp_buf *outer = arena->guard;
    jmp_buf here;
    if (!OOM_GUARD(arena, here)) {
        free(repair.to);
        arena->guard = outer;
        arena_fail(arena);
    }
    root = json_read(arena, (Str){repair.to, repair.length}, flags, NULL);
    arena->guard = outer;
    free(repair.to);
    return root;
}
