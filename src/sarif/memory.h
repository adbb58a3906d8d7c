/*
 * Allocation through the caller's hook, and the small hash table over it. Nothing else in the
 * library asks for memory, so that a test which fails call N reaches every allocation. */
#ifndef SARIF_MEMORY_H
#define SARIF_MEMORY_H

#include "sarif/sarif.h"

#define SARIF_NO_INDEX SIZE_MAX

/* As realloc with an overflow check. NULL on failure; `block` is then still valid. `size` > 0. */
void *sarif_resize(const SarifAllocator *allocator, void *block, size_t count, size_t size);

void sarif_release(const SarifAllocator *allocator, void *block);

/* An array of `count` indices, each SARIF_NO_INDEX; NULL on failure. Never NULL for count 0. */
size_t *sarif_indices_new(const SarifAllocator *allocator, size_t count);

/*
 * Open addressing from hash values to indices of an array that the caller keeps. Slots hold index
 * plus one. A look-up walks the slots from sarif_table_slot(hash) with sarif_table_next() until one
 * is 0 (not there: it may be set to index + 1) or the caller finds its key equal. At most half of
 * the slots are ever used, so the walk ends. */
typedef struct SarifTable {
    size_t *slots;
    size_t mask;
} SarifTable;

/* Room for `count` entries; false on failure. */
bool sarif_table_init(SarifTable *table, const SarifAllocator *allocator, size_t count);
void sarif_table_free(SarifTable *table, const SarifAllocator *allocator);
size_t sarif_table_slot(const SarifTable *table, uint64_t hash);
size_t sarif_table_next(const SarifTable *table, size_t slot);

/* Continues a hash (start with 0) over bytes or over a number. */
uint64_t sarif_hash_text(uint64_t hash, SarifText text);
uint64_t sarif_hash_number(uint64_t hash, uint64_t number);

bool sarif_text_equal(SarifText left, SarifText right);

#endif
