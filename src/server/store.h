/* Store: the diagnostics last found in each file, to answer pulls and to notice changes. */
#ifndef PYPTO_LINT_SERVER_STORE_H
#define PYPTO_LINT_SERVER_STORE_H

#include "base/str.h"

typedef struct StoredFile {
    char *path;   /* malloc, like the others */
    char *target; /* the operator directory that it was checked with; empty without one */
    char *items;  /* of a JSON list */
    uint64_t hash;
    bool fresh; /* part of the check result being taken */
} StoredFile;

typedef struct Store {
    StoredFile *items;
    uint32_t count, capacity;
} Store;

StoredFile *store_find(const Store *store, Str path);
/* Sets what was found in a file; `*changed` says whether the list differs from before. NULL when
 * memory runs out. Pointers are valid until the next set or drop. */
StoredFile *store_set(Store *store, Str path, Str target, Str items, bool *changed);
void store_drop(Store *store, StoredFile *file);
void store_free(Store *store);

/* The result id of a list of diagnostics; lists that differ have different ones. */
uint64_t diagnostics_hash(Str items);

#endif
