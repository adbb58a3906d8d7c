/* Sets of bytes; see ranges.h. */
#include "sim/ranges.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

void ranges_init(Ranges *ranges, int64_t size)
{
    *ranges = (Ranges){.size = size};
}

void ranges_free(Ranges *ranges)
{
    free(ranges->items);
    free(ranges->bits);
    *ranges = (Ranges){.size = ranges->size};
}

/* ---- bits ---- */

static size_t word_count(int64_t size)
{
    return (size_t)(size / WORD_BITS) + 1;
}

/* The bits of word number `word` that lie in [begin, end). */
static uint64_t mask_of(int64_t word, int64_t begin, int64_t end)
{
    int64_t first = word * WORD_BITS;
    int64_t low = begin > first ? begin - first : 0;
    int64_t high = end - first < WORD_BITS ? end - first : WORD_BITS;
    uint64_t upper = high == WORD_BITS ? UINT64_MAX : (UINT64_C(1) << high) - 1;
    return upper & (UINT64_MAX << low);
}

static void set_bits(Ranges *ranges, int64_t begin, int64_t end, bool value)
{
    for (int64_t word = begin / WORD_BITS; word * WORD_BITS < end; word++) {
        uint64_t mask = mask_of(word, begin, end);
        ranges->bits[word] = value ? ranges->bits[word] | mask : ranges->bits[word] & ~mask;
    }
}

/* The first byte from `at` on, before `end`, whose bit is `value`; `end` when there is none. */
static int64_t next_bit(const Ranges *ranges, int64_t at, int64_t end, bool value)
{
    for (int64_t word = at / WORD_BITS; word * WORD_BITS < end; word++) {
        uint64_t bits = value ? ranges->bits[word] : ~ranges->bits[word];
        bits &= mask_of(word, at, end);
        if (bits != 0) {
            return word * WORD_BITS + __builtin_ctzll(bits);
        }
    }
    return end;
}

static bool become_bits(Ranges *ranges)
{
    uint64_t *bits = calloc(word_count(ranges->size), sizeof *bits);
    if (bits == NULL) {
        return false;
    }
    ranges->bits = bits;
    ranges->tag = ranges->items[0].tag;
    for (size_t i = 0; i < ranges->count; i++) {
        set_bits(ranges, ranges->items[i].begin, ranges->items[i].end, true);
    }
    free(ranges->items);
    ranges->items = NULL;
    ranges->count = ranges->capacity = 0;
    return true;
}

/* ---- ranges ---- */

/* The number of the first range that ends behind `at`. */
static size_t first_after(const Ranges *ranges, int64_t at)
{
    size_t low = 0;
    size_t high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->items[middle].end > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Replaces the ranges from `first` to before `last` by `count` others. */
static bool replace(Ranges *ranges, size_t first, size_t last, const Range *others, size_t count)
{
    size_t rest = ranges->count - last;
    size_t wanted = first + count + rest;
    if (wanted > ranges->capacity) {
        size_t capacity = wanted < 8 ? 8 : wanted * 2;
        Range *items = realloc(ranges->items, capacity * sizeof *items);
        if (items == NULL) {
            return false;
        }
        ranges->items = items;
        ranges->capacity = capacity;
    }
    memmove(ranges->items + first + count, ranges->items + last, rest * sizeof *others);
    if (count > 0) {
        memcpy(ranges->items + first, others, count * sizeof *others);
    }
    ranges->count = wanted;
    return ranges->count <= RANGES_MOST || become_bits(ranges);
}

static bool cut(int64_t size, int64_t *begin, int64_t *end)
{
    *begin = *begin < 0 ? 0 : *begin;
    *end = *end > size ? size : *end;
    return *begin < *end;
}

/* What stays of the ranges around [begin, end) when it is replaced: at most one on each side. */
typedef struct Sides {
    size_t first, last; /* the ranges that it touches */
    Range before, after;
    bool has_before, has_after;
} Sides;

static Sides sides_of(const Ranges *ranges, int64_t begin, int64_t end)
{
    Sides sides = {.first = first_after(ranges, begin)};
    sides.last = sides.first;
    while (sides.last < ranges->count && ranges->items[sides.last].begin < end) {
        sides.last++;
    }
    if (sides.first < sides.last) {
        sides.before = ranges->items[sides.first];
        sides.after = ranges->items[sides.last - 1];
        sides.has_before = sides.before.begin < begin;
        sides.has_after = sides.after.end > end;
        sides.before.end = begin;
        sides.after.begin = end;
    }
    return sides;
}

bool ranges_add(Ranges *ranges, int64_t begin, int64_t end, uint32_t tag)
{
    if (!cut(ranges->size, &begin, &end)) {
        return true;
    }
    if (ranges->bits != NULL) {
        set_bits(ranges, begin, end, true);
        return true;
    }
    Sides sides = sides_of(ranges, begin, end);
    Range own = {begin, end, tag};
    /* Neighbours with the same tag become one with it. */
    if (sides.has_before && sides.before.tag == tag) {
        own.begin = sides.before.begin;
        sides.has_before = false;
    } else if (!sides.has_before && sides.first > 0 &&
               ranges->items[sides.first - 1].end == begin &&
               ranges->items[sides.first - 1].tag == tag) {
        own.begin = ranges->items[--sides.first].begin;
    }
    if (sides.has_after && sides.after.tag == tag) {
        own.end = sides.after.end;
        sides.has_after = false;
    } else if (!sides.has_after && sides.last < ranges->count &&
               ranges->items[sides.last].begin == end && ranges->items[sides.last].tag == tag) {
        own.end = ranges->items[sides.last++].end;
    }
    Range others[3];
    size_t count = 0;
    if (sides.has_before) {
        others[count++] = sides.before;
    }
    others[count++] = own;
    if (sides.has_after) {
        others[count++] = sides.after;
    }
    return replace(ranges, sides.first, sides.last, others, count);
}

bool ranges_remove(Ranges *ranges, int64_t begin, int64_t end)
{
    if (!cut(ranges->size, &begin, &end)) {
        return true;
    }
    if (ranges->bits != NULL) {
        set_bits(ranges, begin, end, false);
        return true;
    }
    Sides sides = sides_of(ranges, begin, end);
    Range others[2];
    size_t count = 0;
    if (sides.has_before) {
        others[count++] = sides.before;
    }
    if (sides.has_after) {
        others[count++] = sides.after;
    }
    return sides.first == sides.last || replace(ranges, sides.first, sides.last, others, count);
}

bool ranges_find(const Ranges *ranges, int64_t begin, int64_t end, Range *found)
{
    if (!cut(ranges->size, &begin, &end)) {
        return false;
    }
    if (ranges->bits != NULL) {
        found->begin = next_bit(ranges, begin, end, true);
        found->end = next_bit(ranges, found->begin, end, false);
        found->tag = ranges->tag;
        return found->begin < end;
    }
    size_t first = first_after(ranges, begin);
    if (first == ranges->count || ranges->items[first].begin >= end) {
        return false;
    }
    *found = ranges->items[first];
    found->begin = found->begin > begin ? found->begin : begin;
    found->end = found->end < end ? found->end : end;
    return true;
}

bool ranges_is_empty(const Ranges *ranges)
{
    return ranges->bits != NULL ? next_bit(ranges, 0, ranges->size, true) == ranges->size
                                : ranges->count == 0;
}
