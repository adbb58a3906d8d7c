/* Store: the diagnostics of each file as they were last found, for the client that asks and to see
 * what has changed. */
#ifndef PYPTO_LINT_SERVER_STORE_H
#define PYPTO_LINT_SERVER_STORE_H

#include "base/str.h"

typedef struct StoredFile {
    char *path;   /* malloc, as the others */
    char *target; /* the operator directory that it was checked with; empty without one */
    char *items;  /* of a JSON list */
    uint64_t hash;
    bool fresh; /* in the check that is being taken over */
} StoredFile;

typedef struct Store {
    StoredFile *items;
    uint32_t count, capacity;
} Store;

StoredFile *store_find(const Store *store, Str path);
/* Sets what was found in a file; `*changed`: it is another list than before. NULL when memory runs
 * out. */
StoredFile *store_set(Store *store, Str path, Str target, Str items, bool *changed);
void store_drop(Store *store, StoredFile *file);
void store_free(Store *store);

/* The result id of a list of diagnostics: another one for another list. */
uint64_t diagnostics_hash(Str items);

#endif
