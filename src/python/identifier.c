/* Identifiers: normal form (by libutf8proc), extent. */
#include "python/identifier.h"

#include "base/ascii.h"

#include <utf8proc.h>

static bool is_ascii(Str text)
{
    unsigned bits = 0;
    for (size_t i = 0; i < text.length; i++) {
        bits |= (unsigned char)text.at[i];
    }
    return bits < 0x80;
}

Str identifier_normal(Arena *arena, Str name)
{
    if (is_ascii(name)) {
        return name;
    }
    const utf8proc_option_t form = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)name.at;
    utf8proc_ssize_t length = (utf8proc_ssize_t)name.length;
    utf8proc_ssize_t count = utf8proc_decompose(bytes, length, NULL, 0, form);
    if (count < 0) {
        return name; /* not UTF-8: no source gets here */
    }
    /* Code points first, then, in the same place, their bytes and a NUL. */
    utf8proc_int32_t *buffer = ARENA_ARRAY(arena, utf8proc_int32_t, (size_t)count + 1);
    utf8proc_decompose(bytes, length, buffer, count, form);
    utf8proc_ssize_t end = utf8proc_reencode(buffer, count, form);
    return end < 0 ? name : (Str){(const char *)buffer, (size_t)end};
}

size_t identifier_end(Str text, size_t start)
{
    size_t end = start;
    while (end < text.length) {
        char c = text.at[end];
        if (!is_word_char(c) && (unsigned char)c < 0x80) {
            break;
        }
        end++;
    }
    return end;
}
