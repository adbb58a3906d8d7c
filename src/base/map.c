/* Map; see map.h. Open addressing, at most half full. */
#include "base/map.h"

/* Mixed with the place of the table, so that a file cannot be made to collide. */
static uint32_t *slot_of(const Map *map, Str key)
{
    uint64_t hash = 14695981039346656037u ^ (uint64_t)(uintptr_t)map->slots;
    for (size_t i = 0; i < key.length; i++) {
        hash = (hash ^ (unsigned char)key.at[i]) * 1099511628211u;
    }
    hash ^= hash >> 29;
    for (uint32_t at = (uint32_t)hash;; at++) {
        uint32_t *slot = &map->slots[at & (map->slot_count - 1)];
        if (*slot == 0 || str_equal(map->keys.items[*slot - 1], key)) {
            return slot;
        }
    }
}

uint32_t map_find(const Map *map, Str key)
{
    return map->slot_count == 0 ? MAP_NONE : *slot_of(map, key) - 1;
}

uint32_t map_add(Map *map, Arena *arena, Str key)
{
    if (map->keys.count * 2 >= map->slot_count) {
        map->slot_count = map->slot_count == 0 ? 16 : map->slot_count * 2;
        map->slots = ARENA_ARRAY(arena, uint32_t, map->slot_count);
        for (uint32_t i = 0; i < map->keys.count; i++) {
            *slot_of(map, map->keys.items[i]) = i + 1;
        }
    }
    VEC_PUSH(arena, &map->keys, key);
    *slot_of(map, key) = map->keys.count;
    return map->keys.count - 1;
}
