/* Keeps the last diagnostics of each file; see store.h. */
#include "server/store.h"

#include <stdlib.h>

uint64_t diagnostics_hash(Str items)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < items.length; i++) {
        hash = (hash ^ (unsigned char)items.at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

StoredFile *store_find(const Store *store, Str path)
{
    for (uint32_t i = 0; i < store->count; i++) {
        if (str_is(path, store->items[i].path)) {
            return &store->items[i];
        }
    }
    return NULL;
}

static StoredFile *add(Store *store, Str path)
{
    if (store->count == store->capacity) {
        uint32_t wanted = store->capacity == 0 ? 16 : store->capacity * 2;
        StoredFile *grown = realloc(store->items, wanted * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        store->items = grown;
        store->capacity = wanted;
    }
    StoredFile made = {.path = strndup(path.at, path.length),
                       .target = strdup(""),
                       .items = strdup(""),
                       .hash = diagnostics_hash(STR(""))};
    if (made.path == NULL || made.target == NULL || made.items == NULL) {
        free(made.path);
        free(made.target);
        free(made.items);
        return NULL;
    }
    store->items[store->count] = made;
    return &store->items[store->count++];
}

static bool replace(char **text, Str by)
{
    char *made = strndup(by.at == NULL ? "" : by.at, by.length);
    if (made != NULL) {
        free(*text);
        *text = made;
    }
    return made != NULL;
}

StoredFile *store_set(Store *store, Str path, Str target, Str items, bool *changed)
{
    StoredFile *file = store_find(store, path);
    file = file == NULL ? add(store, path) : file;
    if (file == NULL) {
        return NULL;
    }
    uint64_t hash = diagnostics_hash(items);
    *changed = hash != file->hash;
    if ((*changed && !replace(&file->items, items)) || !replace(&file->target, target)) {
        return NULL;
    }
    file->hash = hash;
    return file;
}

void store_drop(Store *store, StoredFile *file)
{
    free(file->path);
    free(file->target);
    free(file->items);
    *file = store->items[--store->count];
}

void store_free(Store *store)
{
    while (store->count > 0) {
        store_drop(store, &store->items[0]);
    }
    free(store->items);
    *store = (Store){0};
}
