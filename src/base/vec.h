/* VEC: a growing array in an arena. `typedef VEC(uint32_t) Ids;` declares one; the items are plain
 * memory, `items[0 … count-1]`. Growth at least doubles, so appending is linear overall. */
#ifndef PYPTO_LINT_BASE_VEC_H
#define PYPTO_LINT_BASE_VEC_H

#include "base/arena.h"

#define VEC(Type)                                                                                  \
    struct {                                                                                       \
        Type *items;                                                                               \
        uint32_t count, capacity;                                                                  \
    }

/* Appends `value` (evaluated once). */
#define VEC_PUSH(arena, vec, value)                                                                \
    do {                                                                                           \
        if ((vec)->count == (vec)->capacity) {                                                     \
            (vec)->items =                                                                         \
                vec_grow((arena), (vec)->items, &(vec)->capacity, sizeof *(vec)->items);           \
        }                                                                                          \
        (vec)->items[(vec)->count++] = (value);                                                    \
    } while (0)

/* Doubles the capacity (at least 8); returns the items' new place. Used by VEC_PUSH only. */
void *vec_grow(Arena *arena, void *items, uint32_t *capacity, size_t item_size);

#endif
