/* UTF-8 decoding by the table of well-formed sequences of the Unicode standard. */
#include "base/utf8.h"

#include "sarif/hidden.h"

/* Length of a valid sequence at `s` (`left` bytes remain), or 0. */
static size_t sequence_length(const unsigned char *s, size_t left)
{
    unsigned char lead = s[0];
    if (lead < 0x80) {
        return 1;
    }
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || length > left) {
        return 0;
    }
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (s[1] < low || s[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

size_t utf8_first_error(Str text)
{
    const unsigned char *s = (const unsigned char *)text.at;
    size_t i = 0;
    while (i < text.length) {
        /* Source code is nearly all ASCII: eight bytes at a time. */
        uint64_t word;
        if (text.length - i >= 8) {
            memcpy(&word, s + i, 8);
            if ((word & UINT64_C(0x8080808080808080)) == 0) {
                i += 8;
                continue;
            }
        }
        size_t length = sequence_length(s + i, text.length - i);
        if (length == 0) {
            return i;
        }
        i += length;
    }
    return SIZE_MAX;
}

uint32_t utf8_next(Str text, size_t *offset)
{
    const unsigned char *s = (const unsigned char *)text.at + *offset;
    size_t length = sequence_length(s, text.length - *offset);
    if (length == 0) {
        *offset += 1;
        return 0xFFFD;
    }
    *offset += length;
    if (length == 1) {
        return s[0];
    }
    uint32_t value = s[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        value = value << 6 | (s[i] & 0x3Fu);
    }
    return value;
}

size_t utf8_count(Str text)
{
    size_t count = 0;
    size_t offset = 0;
    while (offset < text.length) {
        utf8_next(text, &offset);
        count++;
    }
    return count;
}

void utf8_add_text(Buf *out, Str text)
{
    for (size_t bad; (bad = utf8_first_error(text)) != SIZE_MAX;) {
        buf_add(out, str_slice(text, 0, bad));
        buf_add(out, STR("\xEF\xBF\xBD"));
        text = str_slice(text, bad + 1, text.length);
    }
    buf_add(out, text);
}

bool code_point_is_hidden(uint32_t code_point)
{
    return sarif_is_hidden(code_point);
}

void utf8_add(Buf *out, uint32_t c)
{
    if (c < 0x80) {
        buf_add_char(out, (char)c);
        return;
    }
    if (c < 0x800) {
        buf_add_char(out, (char)(0xC0 | c >> 6));
    } else {
        if (c < 0x10000) {
            buf_add_char(out, (char)(0xE0 | c >> 12));
        } else {
            buf_add_char(out, (char)(0xF0 | (c >> 18 & 0x07)));
            buf_add_char(out, (char)(0x80 | (c >> 12 & 0x3F)));
        }
        buf_add_char(out, (char)(0x80 | (c >> 6 & 0x3F)));
    }
    buf_add_char(out, (char)(0x80 | (c & 0x3F)));
}
