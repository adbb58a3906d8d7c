/* Arena: blocks that double in size, each with a header; see arena.h for the contract. */
#include "base/arena.h"

#include "base/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ArenaBlock {
    ArenaBlock *previous;
    size_t size;
    bool kept; /* from pages_take: never given back */
};

/* The first block holds what a small file needs; the largest keeps waste bounded. */
enum { FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 1024 * 1024, ALIGNMENT = 16 };

#define HEADER_SIZE ((sizeof(ArenaBlock) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static _Thread_local unsigned long fail_at;

void arena_inject_failure(unsigned long nth)
{
    fail_at = nth;
}

/* Blocks given back, by size, for the next arena of this thread: a run over many files must not ask
 * the system for fresh pages for each of them. */
enum { CACHE_CLASSES = 7, CACHE_DEPTH = 16 }; /* 16 KiB to 1 MiB */

typedef struct BlockCache {
    ArenaBlock *blocks[CACHE_CLASSES]; /* lists by `previous` */
    unsigned count[CACHE_CLASSES];
} BlockCache;

static _Thread_local BlockCache cache;

/* Class of a block size, or CACHE_CLASSES for an odd size. */
static unsigned cache_class(size_t size)
{
    unsigned class = 0;
    while (class < CACHE_CLASSES && (size_t)FIRST_BLOCK << class != size) {
        class ++;
    }
    return class;
}

static ArenaBlock *cache_take(unsigned class)
{
    ArenaBlock *block = cache.blocks[class];
    cache.blocks[class] = block->previous;
    cache.count[class]--;
    return block;
}

static ArenaBlock *system_alloc(size_t size)
{
    if (fail_at > 0 && --fail_at == 0) {
        return NULL;
    }
    unsigned class = cache_class(size);
    if (class < CACHE_CLASSES && cache.count[class] > 0) {
        return cache_take(class);
    }
    ArenaBlock *block = class < CACHE_CLASSES ? pages_take(size) : NULL;
    bool kept = block != NULL;
    block = kept ? block : malloc(size);
    if (block != NULL) {
        block->kept = kept;
    }
    return block;
}

static void system_free(ArenaBlock *block)
{
    unsigned class = cache_class(block->size);
    if (class < CACHE_CLASSES && (block->kept || cache.count[class] < CACHE_DEPTH)) {
        block->previous = cache.blocks[class];
        cache.blocks[class] = block;
        cache.count[class]++;
    } else {
        free(block);
    }
}

void arena_drop_cache(void)
{
    for (unsigned class = 0; class < CACHE_CLASSES; class ++) {
        while (cache.count[class] > 0) {
            ArenaBlock *block = cache_take(class);
            if (!block->kept) {
                free(block);
            }
        }
    }
}

void arena_init(Arena *arena, size_t budget)
{
    *arena = (Arena){.budget = budget};
}

void arena_free(Arena *arena)
{
    ArenaBlock *block = arena->block;
    while (block != NULL) {
        ArenaBlock *previous = block->previous;
        system_free(block);
        block = previous;
    }
    *arena = (Arena){.budget = arena->budget};
}

_Noreturn void arena_fail(Arena *arena)
{
    if (arena->guard == NULL) {
        fputs("pypto-lint: out of memory\n", stderr);
        abort();
    }
    longjmp(*arena->guard, 1);
}

bool arena_try(Arena *arena, void (*function)(void *argument), void *argument)
{
    jmp_buf *const outer = arena->guard;
    jmp_buf here;
    if (!OOM_GUARD(arena, here)) {
        arena->guard = outer;
        return false;
    }
    function(argument);
    arena->guard = outer;
    return true;
}

static void add_block(Arena *arena, size_t need)
{
    size_t size = arena->block == NULL ? FIRST_BLOCK : arena->block->size * 2;
    if (size > LARGEST_BLOCK) {
        size = LARGEST_BLOCK;
    }
    while (size < LARGEST_BLOCK && size < need + HEADER_SIZE) {
        size *= 2; /* a size that the cache has */
    }
    if (size < need + HEADER_SIZE) {
        size = need + HEADER_SIZE;
    }
    if (need > SIZE_MAX / 2 || (arena->budget != 0 && arena->used + size > arena->budget)) {
        arena->over_budget = true;
        arena_fail(arena);
    }
    ArenaBlock *block = system_alloc(size);
    if (block == NULL) {
        arena_fail(arena);
    }
    block->previous = arena->block;
    block->size = size;
    arena->block = block;
    arena->used += size;
    arena->at = (char *)block + HEADER_SIZE;
    arena->end = (char *)block + size;
}

void *arena_alloc(Arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) {
        arena_fail(arena);
    }
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (arena->at == NULL || (size_t)(arena->end - arena->at) < size) {
        add_block(arena, size);
    }
    void *result = arena->at;
    arena->at += size;
    return result;
}

void *arena_zalloc(Arena *arena, size_t size)
{
    void *result = arena_alloc(arena, size);
    memset(result, 0, size);
    return result;
}

void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size)
{
    /* Growing the newest allocation in place keeps long lists from being copied over and over. */
    size_t rounded = (old_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (old != NULL && (char *)old + rounded == arena->at && new_size >= old_size &&
        new_size < SIZE_MAX / 2) {
        size_t more = (new_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - rounded;
        if ((size_t)(arena->end - arena->at) >= more) {
            arena->at += more;
            return old;
        }
    }
    void *result = arena_alloc(arena, new_size);
    if (old != NULL && old_size > 0) {
        memcpy(result, old, old_size);
    }
    return result;
}
