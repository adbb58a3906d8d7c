/* Base64; see base64.h. */
#include "base/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Str base64_encode(Arena *arena, Str bytes)
{
    const unsigned char *from = (const unsigned char *)bytes.at;
    char *text = arena_alloc(arena, bytes.length / 3 * 4 + 5);
    size_t length = 0;
    for (size_t i = 0; i < bytes.length; i += 3) {
        size_t left = bytes.length - i;
        uint32_t group = (uint32_t)from[i] << 16;
        group |= left > 1 ? (uint32_t)from[i + 1] << 8 : 0;
        group |= left > 2 ? from[i + 2] : 0;
        text[length++] = digits[group >> 18];
        text[length++] = digits[group >> 12 & 63];
        text[length++] = left > 1 ? digits[group >> 6 & 63] : '=';
        text[length++] = left > 2 ? digits[group & 63] : '=';
    }
    text[length] = '\0';
    return (Str){text, length};
}

static int value_of(char digit)
{
    const char *at = digit == '\0' ? NULL : strchr(digits, digit);
    return at == NULL ? -1 : (int)(at - digits);
}

bool base64_decode(Arena *arena, Str text, Str *bytes)
{
    char *out = arena_alloc(arena, text.length / 4 * 3 + 1);
    size_t length = 0;
    if (text.length % 4 != 0) {
        return false;
    }
    for (size_t i = 0; i < text.length; i += 4) {
        const char *group = text.at + i;
        bool last = i + 4 == text.length;
        int padding = last && group[3] == '=' ? (group[2] == '=' ? 2 : 1) : 0;
        uint32_t value = 0;
        for (int k = 0; k < 4; k++) {
            int digit = k < 4 - padding ? value_of(group[k]) : 0;
            if (digit < 0) {
                return false;
            }
            value = value << 6 | (uint32_t)digit;
        }
        for (int k = 0; k < 3 - padding; k++) {
            out[length++] = (char)(value >> (16 - 8 * k) & 0xFF);
        }
    }
    out[length] = '\0';
    *bytes = (Str){out, length};
    return true;
}
