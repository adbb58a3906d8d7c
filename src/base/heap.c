/* Heap: size-class free lists over an arena; see heap.h. Each block has a header with its class. */
#include "base/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Header {
    uint32_t size_class; /* small: size / 16; large: 256 + power of two; SYSTEM_CLASS */
    uint32_t magic;
    size_t size; /* usable bytes */
} Header;

enum {
    SMALL_STEP = 16,
    SMALL_LIMIT = 1024,
    LARGE_BASE = 256,
    SYSTEM_CLASS = 1000,
    MAGIC = 0x70797074
};

static _Thread_local Heap *current;

void heap_init(Heap *heap, size_t budget, uint64_t traffic_limit)
{
    *heap = (Heap){.traffic_limit = traffic_limit};
    arena_init(&heap->memory, budget);
}

void heap_free(Heap *heap)
{
    if (current == heap) {
        current = NULL;
    }
    arena_free(&heap->memory);
}

void heap_enter(Heap *heap, const Arena *arena)
{
    heap->memory.guard = arena->guard;
    current = heap;
}

void heap_leave(Heap *heap)
{
    if (current == heap) {
        current = NULL;
    }
}

/* Class of a size, and the usable size of blocks of that class. */
static uint32_t class_of(size_t size, size_t *usable)
{
    if (size <= SMALL_LIMIT) {
        uint32_t step = (uint32_t)((size + SMALL_STEP - 1) / SMALL_STEP);
        *usable = (size_t)step * SMALL_STEP;
        return step;
    }
    uint32_t power = 11;
    while (power < HEAP_LARGE_CLASSES - 1 && ((size_t)1 << power) < size) {
        power++;
    }
    *usable = (size_t)1 << power;
    return LARGE_BASE + power;
}

static void **free_list(Heap *heap, uint32_t size_class)
{
    return size_class >= LARGE_BASE ? &heap->free_large[size_class - LARGE_BASE]
                                    : &heap->free_small[size_class];
}

static void *system_malloc(size_t size)
{
    Header *header = size > SIZE_MAX / 2 ? NULL : malloc(size + sizeof *header);
    if (header == NULL) {
        fputs("pypto-lint: out of memory\n", stderr);
        abort();
    }
    *header = (Header){SYSTEM_CLASS, MAGIC, size};
    return header + 1;
}

void *heap_malloc(size_t size)
{
    Heap *heap = current;
    if (heap == NULL) {
        return system_malloc(size);
    }
    if (size >= (size_t)1 << (HEAP_LARGE_CLASSES - 1)) {
        arena_fail(&heap->memory);
    }
    size_t usable;
    uint32_t size_class = class_of(size == 0 ? 1 : size, &usable);
    heap->traffic += usable;
    if (heap->traffic_limit != 0 && heap->traffic > heap->traffic_limit) {
        heap->memory.over_budget = true;
        arena_fail(&heap->memory);
    }
    void **list = free_list(heap, size_class);
    if (*list != NULL) {
        void *block = *list;
        memcpy(list, block, sizeof *list);
        return block;
    }
    Header *header = arena_alloc(&heap->memory, usable + sizeof *header);
    *header = (Header){size_class, MAGIC, usable};
    return header + 1;
}

void *heap_calloc(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        return heap_malloc(SIZE_MAX); /* which fails as any that is too large */
    }
    void *block = heap_malloc(total);
    memset(block, 0, total);
    return block;
}

void heap_release(void *block)
{
    if (block == NULL) {
        return;
    }
    Header *header = (Header *)block - 1;
    if (header->size_class == SYSTEM_CLASS) {
        free(header);
        return;
    }
    if (current != NULL) {
        void **list = free_list(current, header->size_class);
        memcpy(block, list, sizeof *list);
        *list = block;
    }
}

void *heap_realloc(void *old, size_t size)
{
    if (old == NULL) {
        return heap_malloc(size);
    }
    const Header *header = (const Header *)old - 1;
    size_t have = header->size;
    if (size <= have && header->size_class != SYSTEM_CLASS) {
        return old;
    }
    void *block = heap_malloc(size);
    memcpy(block, old, have < size ? have : size);
    heap_release(old);
    return block;
}
