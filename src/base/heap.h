/* Heap: malloc, realloc and free within a budget, dropped as a whole.
 *
 * For a library that frees its blocks one by one and cannot be handed an arena (the parser
 * runtime takes four functions without a context): heap_enter makes a heap the current one of this
 * thread. When memory or budget runs out, control goes to the guard of the arena given to
 * heap_enter. */
#ifndef PYPTO_LINT_BASE_HEAP_H
#define PYPTO_LINT_BASE_HEAP_H

#include "base/arena.h"

/* Blocks up to 1 KiB have a free list for every 16 bytes of size, larger ones one for every power
 * of two. */
enum { HEAP_SMALL_CLASSES = 65, HEAP_LARGE_CLASSES = 40 };

typedef struct Heap {
    Arena memory;
    uint64_t traffic;       /* bytes handed out so far, those given back included */
    uint64_t traffic_limit; /* beyond this it fails as if over budget; 0 = no limit */
    void *free_small[HEAP_SMALL_CLASSES];
    void *free_large[HEAP_LARGE_CLASSES];
} Heap;

/* A heap that takes up to `budget` bytes from the system, and hands out up to `traffic_limit` bytes
 * in all: a library that copies growing arrays is stopped, deterministically, before it takes
 * seconds. */
void heap_init(Heap *heap, size_t budget, uint64_t traffic_limit);
/* Gives all its memory back, whatever is still in use. */
void heap_free(Heap *heap);
/* Makes it the current heap of this thread; its failures go to the present guard of `arena`. */
void heap_enter(Heap *heap, const Arena *arena);
void heap_leave(Heap *heap);

/* As in <stdlib.h>, from the current heap of this thread; without one, from the system. They never
 * return NULL for a size above 0. */
void *heap_malloc(size_t size);
void *heap_calloc(size_t count, size_t size);
void *heap_realloc(void *old, size_t size);
void heap_release(void *block);

#endif
