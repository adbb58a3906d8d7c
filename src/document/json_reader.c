/* The reader of JSON; see json_reader.h. */
#include "document/json_reader.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* Always false, for `return fail(…)`. */
static bool fail(JsonReader *reader, size_t at, const char *message)
{
    reader->at = at;
    reader->error = message;
    return false;
}

/* The byte at the reader's place; NUL at the end, which no grammar below accepts. */
static char peek(const JsonReader *reader)
{
    return reader->at < reader->text.length ? reader->text.at[reader->at] : '\0';
}

static void skip_space(JsonReader *reader)
{
    while (peek(reader) == ' ' || peek(reader) == '\t' || peek(reader) == '\n' ||
           peek(reader) == '\r') {
        reader->at++;
    }
}

void json_begin(JsonReader *reader, Str text, JsonForm form, uint32_t most_depth)
{
    reader->text = text;
    reader->form = form;
    reader->most_depth = most_depth;
    reader->error = NULL;
    reader->depth = 0;
    reader->after_value = false;
    bool marked = form == JSON_LENIENT && str_starts(text, STR("\xEF\xBB\xBF"));
    reader->at = marked ? 3 : 0;
    size_t bad = form == JSON_LENIENT ? SIZE_MAX : utf8_first_error(text);
    if (bad != SIZE_MAX) {
        fail(reader, bad, "a byte that is not UTF-8");
    }
}

/* --- strings */

/* The value of the four hexadecimal digits at `at`, or -1 when they are not there. */
static int32_t hex4(Str text, size_t at)
{
    int32_t value = 0;
    for (size_t i = at; i < at + 4; i++) {
        int digit = i < text.length ? hex_digit(text.at[i]) : -1;
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* Passes the string whose opening quote is at hand. */
static bool read_string(JsonReader *reader)
{
    Str text = reader->text;
    for (size_t at = reader->at + 1; at < text.length; at++) {
        char c = text.at[at];
        if (c == '"') {
            reader->at = at + 1;
            return true;
        }
        if ((unsigned char)c < 0x20) {
            return fail(reader, at, "a control character in a string");
        }
        if (c != '\\') {
            continue;
        }
        char escape = at + 1 < text.length ? text.at[at + 1] : '\0';
        if (escape == 'u' && (at + 6 >= text.length || hex4(text, at + 2) < 0)) {
            return fail(reader, at + 1, "\\u without four hexadecimal digits");
        }
        if (at + 1 < text.length && (escape == '\0' || strchr("\"\\/bfnrtu", escape) == NULL)) {
            return fail(reader, at, "unknown escape in a string");
        }
        at += escape == 'u' ? 5 : 1;
    }
    return fail(reader, reader->at, "unterminated string");
}

/* The code point of the `\u` escape at `*at`, which is moved past it; 0xFFFD for half a pair. */
static uint32_t unicode_escape(Str raw, size_t *at)
{
    uint32_t c = (uint32_t)hex4(raw, *at + 2);
    *at += 6;
    if (c < 0xD800 || c > 0xDFFF) {
        return c;
    }
    bool pair = c < 0xDC00 && *at + 1 < raw.length && raw.at[*at] == '\\' && raw.at[*at + 1] == 'u';
    int32_t low = pair ? hex4(raw, *at + 2) : -1;
    if (low < 0xDC00 || low > 0xDFFF) {
        return 0xFFFD;
    }
    *at += 6;
    return 0x10000 + ((c - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
}

bool json_decode_to(Buf *out, Str raw)
{
    static const char escapes[] = "bfnrt";
    static const char meanings[] = "\b\f\n\r\t";
    bool good = true;
    buf_add(out, STR(""));
    for (size_t at = 0; at < raw.length;) {
        const char *next = memchr(raw.at + at, '\\', raw.length - at);
        size_t end = next == NULL ? raw.length : (size_t)(next - raw.at);
        utf8_add_text(out, str_slice(raw, at, end));
        at = end;
        if (at < raw.length && raw.at[at + 1] == 'u') {
            bool written = hex4(raw, at + 2) == 0xFFFD;
            uint32_t c = unicode_escape(raw, &at);
            good = good && c != 0 && (c != 0xFFFD || written);
            utf8_add(out, c);
        } else if (at < raw.length) {
            const char *escape = strchr(escapes, raw.at[at + 1]);
            buf_add_char(out, escape == NULL ? raw.at[at + 1] : meanings[escape - escapes]);
            at += 2;
        }
    }
    return good;
}

Str json_decode(Arena *arena, Str raw)
{
    Buf out = {.arena = arena};
    json_decode_to(&out, raw);
    return buf_str(&out);
}

/* --- numbers and words */

static size_t digits_end(Str text, size_t at)
{
    while (at < text.length && is_digit(text.at[at])) {
        at++;
    }
    return at;
}

/* The end of the number at `start`, or `start` without one. A part that is not complete (`1.`,
 * `1e`) does not belong to it. */
static size_t number_end(Str text, size_t start)
{
    size_t at = start + (start < text.length && text.at[start] == '-');
    /* A zero is a number by itself: what follows is not read, so zeros in a row take no time. */
    bool zero = at < text.length && text.at[at] == '0';
    size_t end = zero ? at + 1 : digits_end(text, at);
    if (end == at) {
        return start;
    }
    if (end < text.length && text.at[end] == '.' && digits_end(text, end + 1) > end + 1) {
        end = digits_end(text, end + 1);
    }
    if (end < text.length && (text.at[end] == 'e' || text.at[end] == 'E')) {
        size_t digits = end + 1;
        digits += digits < text.length && (text.at[digits] == '+' || text.at[digits] == '-');
        end = digits_end(text, digits) > digits ? digits_end(text, digits) : end;
    }
    return end;
}

static bool read_plain(JsonReader *reader)
{
    static const struct {
        const char *word;
        JsonToken token;
    } words[] = {{"null", JSON_TOKEN_NULL},     {"true", JSON_TOKEN_BOOL},
                 {"false", JSON_TOKEN_BOOL},    {"NaN", JSON_TOKEN_WORD},
                 {"Infinity", JSON_TOKEN_WORD}, {"-Infinity", JSON_TOKEN_WORD}};
    Str rest = str_slice(reader->text, reader->at, reader->text.length);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool taken = words[i].token != JSON_TOKEN_WORD || reader->form != JSON_AS_SPECIFIED;
        if (taken && str_starts(rest, str_from(words[i].word))) {
            reader->token = words[i].token;
            reader->at += strlen(words[i].word);
            return true;
        }
    }
    size_t end = number_end(reader->text, reader->at);
    if (end == reader->at) {
        return fail(reader, end, "a value is missing");
    }
    reader->token = JSON_TOKEN_NUMBER;
    reader->at = end;
    return true;
}

/* --- collections */

/* `"key":`, with white space around it. */
static bool read_key(JsonReader *reader)
{
    size_t start = reader->at;
    if (peek(reader) != '"') {
        return fail(reader, start, "a key in double quotes is missing");
    }
    if (!read_string(reader)) {
        return false;
    }
    reader->key = str_slice(reader->text, start + 1, reader->at - 1);
    skip_space(reader);
    if (peek(reader) != ':') {
        return fail(reader, reader->at, "':' is missing after a key");
    }
    reader->at++;
    skip_space(reader);
    return true;
}

/* Passes a collection that is too deep in others; brackets in strings do not count. */
static bool pass_over(JsonReader *reader)
{
    uint32_t depth = 0;
    bool in_string = false;
    do {
        char c = reader->text.at[reader->at++];
        if (in_string && c == '\\') {
            reader->at++;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string) {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
        }
    } while (depth > 0 && reader->at < reader->text.length);
    reader->token = JSON_TOKEN_WORD;
    return depth == 0 || fail(reader, reader->text.length, "too deeply nested");
}

static bool read_collection(JsonReader *reader)
{
    if (reader->depth == reader->most_depth) {
        return reader->form == JSON_LENIENT ? pass_over(reader)
                                            : fail(reader, reader->at, "too deeply nested");
    }
    bool object = peek(reader) == '{';
    reader->token = object ? JSON_TOKEN_OBJECT : JSON_TOKEN_ARRAY;
    reader->is_object[reader->depth++] = object;
    reader->at++;
    return true;
}

static bool read_value(JsonReader *reader)
{
    size_t start = reader->at;
    char c = peek(reader);
    if (c == '"') {
        reader->token = JSON_TOKEN_STRING;
    }
    if (!(c == '{' || c == '[' ? read_collection(reader)
          : c == '"'           ? read_string(reader)
                               : read_plain(reader))) {
        return false;
    }
    reader->after_value = reader->token != JSON_TOKEN_OBJECT && reader->token != JSON_TOKEN_ARRAY;
    reader->value = str_slice(reader->text, start, reader->at);
    return true;
}

bool json_next(JsonReader *reader)
{
    if (reader->error != NULL) {
        return false;
    }
    skip_space(reader);
    reader->key = (Str){NULL, 0};
    if (reader->depth == 0) {
        return !reader->after_value ? read_value(reader)
               : reader->at == reader->text.length
                   ? false
                   : fail(reader, reader->at, "unexpected text after the value");
    }
    bool object = reader->is_object[reader->depth - 1];
    if (peek(reader) == (object ? '}' : ']')) {
        reader->depth--;
        reader->token = JSON_TOKEN_CLOSE;
        reader->after_value = true;
        reader->value = str_slice(reader->text, reader->at, reader->at + 1);
        reader->at++;
        return true;
    }
    if (reader->after_value) {
        if (peek(reader) != ',') {
            return fail(reader, reader->at,
                        object ? "',' or '}' is missing after a value"
                               : "',' or ']' is missing after a value");
        }
        reader->at++;
        skip_space(reader);
    }
    return (!object || read_key(reader)) && read_value(reader);
}
