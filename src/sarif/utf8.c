/*
 * Reading UTF-8 that may be broken. */
#include "utf8.h"

/* What may follow a lead byte: the number of continuation bytes and the range of the first one. */
typedef struct Lead {
    unsigned count;
    unsigned char low;
    unsigned char high;
    unsigned char bits;
} Lead;

/* Unicode's table of well-formed sequences: overlong forms, surrogates and > U+10FFFF are out. */
static Lead lead_of(unsigned char byte)
{
    if (byte >= 0xC2 && byte <= 0xDF) {
        return (Lead){1, 0x80, 0xBF, byte & 0x1F};
    }
    if (byte >= 0xE0 && byte <= 0xEF) {
        return (Lead){2, byte == 0xE0 ? 0xA0 : 0x80, byte == 0xED ? 0x9F : 0xBF, byte & 0x0F};
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        return (Lead){3, byte == 0xF0 ? 0x90 : 0x80, byte == 0xF4 ? 0x8F : 0xBF, byte & 0x07};
    }
    return (Lead){0, 0, 0, 0};
}

size_t sarif_utf8_next(const char *data, size_t size, uint32_t *code_point, bool *valid)
{
    unsigned char first = (unsigned char)data[0];
    if (first < 0x80) {
        *code_point = first;
        *valid = true;
        return 1;
    }
    Lead lead = lead_of(first);
    uint32_t value = lead.bits;
    size_t used = 1;
    while (used <= lead.count && used < size) {
        unsigned char byte = (unsigned char)data[used];
        unsigned char low = used == 1 ? lead.low : 0x80;
        unsigned char high = used == 1 ? lead.high : 0xBF;
        if (byte < low || byte > high) {
            break;
        }
        value = (value << 6) | (byte & 0x3FU);
        used++;
    }
    *valid = lead.count > 0 && used == lead.count + 1;
    *code_point = *valid ? value : SARIF_REPLACEMENT;
    return used;
}

/* UTF-16 units of a code point: 1 or 2. */
static unsigned sarif_utf16_units(uint32_t code_point)
{
    return code_point > 0xFFFF ? 2 : 1;
}

size_t sarif_utf8_prefix(SarifText text, size_t limit)
{
    size_t units = 0;
    size_t at = 0;
    while (at < text.size) {
        uint32_t code_point;
        bool valid;
        size_t used = sarif_utf8_next(text.data + at, text.size - at, &code_point, &valid);
        units += sarif_utf16_units(code_point);
        if (units > limit) {
            break;
        }
        at += used;
    }
    return at;
}
