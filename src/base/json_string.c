/* Parts of JSON text; see json_string.h. */
#include "base/json_string.h"

#include "base/ascii.h"
#include "base/utf8.h"

int32_t json_hex4(Str text, size_t at)
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

/* The code point of the `\u` escape at `*at`, which is moved to its last character. */
static uint32_t unicode_escape(Str raw, size_t *at)
{
    uint32_t c = (uint32_t)json_hex4(raw, *at + 2);
    *at += 5;
    if (c < 0xD800 || c > 0xDFFF) {
        return c;
    }
    bool pair =
        c < 0xDC00 && *at + 2 < raw.length && raw.at[*at + 1] == '\\' && raw.at[*at + 2] == 'u';
    int32_t low = pair ? json_hex4(raw, *at + 3) : -1;
    if (low < 0xDC00 || low > 0xDFFF) {
        return 0xFFFD;
    }
    *at += 6;
    return 0x10000 + ((c - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
}

Str json_decode(Arena *arena, Str raw)
{
    static const char escapes[] = "bfnrt";
    static const char meanings[] = "\b\f\n\r\t";
    Buf buf = {.arena = arena};
    buf_add(&buf, STR(""));
    for (size_t at = 0; at < raw.length; at++) {
        if (raw.at[at] != '\\') {
            buf_add_char(&buf, raw.at[at]);
        } else if (raw.at[at + 1] == 'u') {
            utf8_add(&buf, unicode_escape(raw, &at));
        } else {
            const char *escape = strchr(escapes, raw.at[++at]);
            buf_add_char(&buf, escape == NULL ? raw.at[at] : meanings[escape - escapes]);
        }
    }
    return buf_str(&buf);
}

static size_t digits_end(Str text, size_t at)
{
    while (at < text.length && is_digit(text.at[at])) {
        at++;
    }
    return at;
}

size_t json_number_end(Str text, size_t start)
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
