/* Map: bytes to numbers, a hash table in an arena. Keys are numbered in the order in which they
 * come, so what belongs to them can be kept in an array. Empty when all zero. */
#ifndef PYPTO_LINT_BASE_MAP_H
#define PYPTO_LINT_BASE_MAP_H

#include "base/str.h"
#include "base/vec.h"

#define MAP_NONE UINT32_MAX

typedef struct Map {
    VEC(Str) keys;
    uint32_t *slots; /* number of the key + 1; 0: free */
    uint32_t slot_count;
} Map;

/* The number of the key, or MAP_NONE. */
uint32_t map_find(const Map *map, Str key);
/* Adds a key that is not in the map and is not copied; its number. */
uint32_t map_add(Map *map, Arena *arena, Str key);

#endif
