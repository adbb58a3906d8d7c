/* A set of the bytes of one memory: sorted ranges while they are few, a bit a byte when they are
 * not. Each range has a tag, which says why the bytes are in the set. Private to libptosim. */
#ifndef PTOSIM_RANGES_H
#define PTOSIM_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Range {
    int64_t begin, end;
    uint32_t tag;
} Range;

enum { RANGES_MOST = 256 /* more become bits, which all have one tag: that of the first range */ };

typedef struct Ranges {
    int64_t size; /* of the memory; bytes outside [0, size) are never in the set */
    Range *items; /* neither overlapping nor, with one tag, adjoining */
    size_t count, capacity;
    uint64_t *bits; /* not NULL: instead of ranges */
    uint32_t tag;   /* of the bits */
} Ranges;

/* An empty set. It owns memory as soon as something is added. */
void ranges_init(Ranges *ranges, int64_t size);
void ranges_free(Ranges *ranges);

/* Puts bytes into the set, replacing what tags they had; false when memory ran out. */
bool ranges_add(Ranges *ranges, int64_t begin, int64_t end, uint32_t tag);
/* Takes them out; false when memory ran out. */
bool ranges_remove(Ranges *ranges, int64_t begin, int64_t end);

/* The first part of the set within [begin, end), cut to it; false when there is none. */
bool ranges_find(const Ranges *ranges, int64_t begin, int64_t end, Range *found);
bool ranges_is_empty(const Ranges *ranges);

#endif
