/*
 * Allocation through the caller's hook, and the small hash table over it. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static void *call_hook(const SarifAllocator *allocator, void *block, size_t size)
{
    if (allocator != NULL && allocator->reallocate != NULL) {
        return allocator->reallocate(allocator->context, block, size);
    }
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

void *sarif_resize(const SarifAllocator *allocator, void *block, size_t count, size_t size)
{
    if (count > SIZE_MAX / size) {
        return NULL;
    }
    return call_hook(allocator, block, count == 0 ? size : count * size);
}

void sarif_release(const SarifAllocator *allocator, void *block)
{
    if (block != NULL) {
        call_hook(allocator, block, 0);
    }
}

size_t *sarif_indices_new(const SarifAllocator *allocator, size_t count)
{
    size_t *indices = sarif_resize(allocator, NULL, count, sizeof *indices);
    for (size_t i = 0; indices != NULL && i < count; i++) {
        indices[i] = SARIF_NO_INDEX;
    }
    return indices;
}

bool sarif_table_init(SarifTable *table, const SarifAllocator *allocator, size_t count)
{
    size_t capacity = 8;
    while (capacity / 2 < count) {
        if (capacity > SIZE_MAX / 2 / sizeof *table->slots) {
            return false;
        }
        capacity *= 2;
    }
    table->slots = sarif_resize(allocator, NULL, capacity, sizeof *table->slots);
    if (table->slots == NULL) {
        return false;
    }
    memset(table->slots, 0, capacity * sizeof *table->slots);
    table->mask = capacity - 1;
    return true;
}

void sarif_table_free(SarifTable *table, const SarifAllocator *allocator)
{
    sarif_release(allocator, table->slots);
    table->slots = NULL;
}

/* Spreads the bits (the finaliser of splitmix64): the slots come from the low ones only. */
static uint64_t mix(uint64_t hash)
{
    hash ^= hash >> 30;
    hash *= UINT64_C(0xbf58476d1ce4e5b9);
    hash ^= hash >> 27;
    hash *= UINT64_C(0x94d049bb133111eb);
    return hash ^ (hash >> 31);
}

size_t sarif_table_slot(const SarifTable *table, uint64_t hash)
{
    return (size_t)mix(hash) & table->mask;
}

size_t sarif_table_next(const SarifTable *table, size_t slot)
{
    return (slot + 1) & table->mask;
}

uint64_t sarif_hash_text(uint64_t hash, SarifText text)
{
    hash ^= UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text.size; i++) {
        hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t sarif_hash_number(uint64_t hash, uint64_t number)
{
    return mix(hash ^ (number + UINT64_C(0x9e3779b97f4a7c15)));
}

bool sarif_text_equal(SarifText left, SarifText right)
{
    return left.size == right.size &&
           (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}
