/* Map; see map.h. Open addressing, at most half full. */
#include "base/map.h"

__extension__ typedef unsigned __int128 Wide;

/* Both halves of the product: each bit of either factor reaches all of the result. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    Wide product = (Wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Up to eight bytes, by copies whose sizes the compiler knows. */
static uint64_t word_at(const char *at, size_t length)
{
    uint64_t word = 0;
    uint32_t low = 0, high = 0;
    if (length >= sizeof word) {
        memcpy(&word, at, sizeof word);
        return word;
    }
    if (length >= sizeof low) {
        memcpy(&low, at, sizeof low);
        memcpy(&high, at + length - sizeof high, sizeof high);
        return (uint64_t)high << 32 | low;
    }
    for (size_t i = 0; i < length; i++) {
        word = word << 8 | (unsigned char)at[i];
    }
    return word;
}

/* Eight bytes a step, since most keys are names. Mixed with the place of the table, so that a file
 * cannot be made to collide. */
static uint64_t hash_of(const Map *map, Str key)
{
    uint64_t seed = 14695981039346656037u ^ (uint64_t)(uintptr_t)map->slots;
    uint64_t hash = seed ^ key.length;
    const char *at = key.at;
    size_t left = key.length;
    for (; left > sizeof hash; at += sizeof hash, left -= sizeof hash) {
        hash = fold(hash ^ word_at(at, left), 0x9E3779B97F4A7C15u ^ seed);
    }
    return fold(hash ^ word_at(at, left), 0xD6E8FEB86659FD93u ^ seed);
}

static uint32_t *slot_of(const Map *map, Str key)
{
    uint64_t hash = hash_of(map, key);
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
