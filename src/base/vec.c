/* Growth of VEC arrays. */
#include "base/vec.h"

void *vec_grow(Arena *arena, void *items, uint32_t *capacity, size_t item_size)
{
    uint32_t old = *capacity;
    uint32_t wanted = old < 8 ? 8 : old * 2;
    if (wanted < old) {
        arena_fail(arena);
    }
    void *grown = arena_grow(arena, items, old * item_size, wanted * item_size);
    *capacity = wanted;
    return grown;
}
