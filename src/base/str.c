/* Str and Buf: slices of text and text that grows. */
#include "base/str.h"

#include "base/ascii.h"
#include "base/search.h"

#include <stdio.h>
#include <stdlib.h>

bool str_is_any(Str text, const char *const *words, size_t count)
{
    char first = '\0';
    if (text.length > 0) {
        first = *text.at;
    }
    for (size_t i = 0; i < count; i++) {
        if (words[i] != NULL && *words[i] == first && str_is(text, words[i])) {
            return true;
        }
    }
    return false;
}

bool str_is_word(Str text, const char *words)
{
    Str list = str_from(words);
    if (text.length == 0) {
        return false;
    }
    for (size_t at = str_find(list, text, 0); at != SIZE_MAX; at = str_find(list, text, at + 1)) {
        bool starts = at == 0 || list.at[at - 1] == ' ';
        bool ends = at + text.length == list.length || list.at[at + text.length] == ' ';
        if (starts && ends) {
            return true;
        }
    }
    return false;
}

bool strs_have(const Strs *list, Str text)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (str_equal(list->items[i], text)) {
            return true;
        }
    }
    return false;
}

static int by_text(const void *a, const void *b)
{
    return str_compare(*(const Str *)a, *(const Str *)b);
}

void strs_sort_unique(Strs *list)
{
    if (list->count < 2) {
        return;
    }
    qsort(list->items, list->count, sizeof *list->items, by_text);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < list->count; i++) {
        if (!str_equal(list->items[i], list->items[kept - 1])) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

bool strs_sorted_have(const Strs *sorted, Str text)
{
    uint32_t low;
    LOWER_BOUND(low, sorted->count, str_compare(text, sorted->items[low]) > 0);
    return low < sorted->count && str_equal(text, sorted->items[low]);
}

bool str_starts(Str text, Str prefix)
{
    return text.length >= prefix.length && memcmp(text.at, prefix.at, prefix.length) == 0;
}

bool str_ends(Str text, Str suffix)
{
    return text.length >= suffix.length &&
           memcmp(text.at + text.length - suffix.length, suffix.at, suffix.length) == 0;
}

size_t str_find(Str text, Str part, size_t from)
{
    if (from > text.length || part.length > text.length - from) {
        return SIZE_MAX;
    }
    if (part.length == 0) {
        return from;
    }
    const char *hit = memmem(text.at + from, text.length - from, part.at, part.length);
    return hit == NULL ? SIZE_MAX : (size_t)(hit - text.at);
}

bool str_contains(Str text, Str part)
{
    return str_find(text, part, 0) != SIZE_MAX;
}

Str str_slice(Str text, size_t start, size_t end)
{
    if (end > text.length) {
        end = text.length;
    }
    if (start > end) {
        start = end;
    }
    /* The text may be empty and nowhere: NULL + 0 is undefined. */
    return (Str){start == 0 ? text.at : text.at + start, end - start};
}

Str str_trim(Str text)
{
    while (text.length > 0 && is_space(text.at[0])) {
        text.at++;
        text.length--;
    }
    while (text.length > 0 && is_space(text.at[text.length - 1])) {
        text.length--;
    }
    return text;
}

int str_compare(Str a, Str b)
{
    size_t shared = a.length < b.length ? a.length : b.length;
    int order = shared == 0 ? 0 : memcmp(a.at, b.at, shared);
    if (order != 0) {
        return order;
    }
    return a.length < b.length ? -1 : a.length > b.length;
}

char *str_dup(Arena *arena, Str text)
{
    char *copy = arena_alloc(arena, text.length + 1);
    if (text.length > 0) {
        memcpy(copy, text.at, text.length);
    }
    copy[text.length] = '\0';
    return copy;
}

static void reserve(Buf *buf, size_t more)
{
    size_t need = buf->length + more + 1;
    if (need <= buf->capacity) {
        return;
    }
    size_t wanted = buf->capacity * 2 > need ? buf->capacity * 2 : need + 64;
    buf->at = arena_grow(buf->arena, buf->at, buf->length, wanted);
    buf->capacity = wanted;
}

void buf_add(Buf *buf, Str text)
{
    reserve(buf, text.length);
    if (text.length > 0) {
        memcpy(buf->at + buf->length, text.at, text.length);
    }
    buf->length += text.length;
    buf->at[buf->length] = '\0';
}

void buf_add_char(Buf *buf, char c)
{
    buf_add(buf, (Str){&c, 1});
}

void buf_vaddf(Buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    reserve(buf, 0);
    size_t room = buf->capacity - buf->length;
    int length = vsnprintf(buf->at + buf->length, room, format, args);
    if (length > 0 && (size_t)length >= room) {
        reserve(buf, (size_t)length);
        vsnprintf(buf->at + buf->length, (size_t)length + 1, format, again);
    }
    buf->length += length > 0 ? (size_t)length : 0;
    buf->at[buf->length] = '\0';
    va_end(again);
}

void buf_addf(Buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_vaddf(buf, format, args);
    va_end(args);
}

Str str_vformat(Arena *arena, const char *format, va_list args)
{
    Buf buf = {.arena = arena};
    buf_add(&buf, STR(""));
    buf_vaddf(&buf, format, args);
    return buf_str(&buf);
}

Str str_format(Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Str text = str_vformat(arena, format, args);
    va_end(args);
    return text;
}
