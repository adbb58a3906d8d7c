/* Keeps the open documents; see documents.h. */
#include "server/documents.h"

#include <stdlib.h>

OpenDocument *documents_by_uri(const Documents *documents, Str uri)
{
    for (uint32_t i = 0; i < documents->count; i++) {
        if (str_is(uri, documents->items[i].uri)) {
            return &documents->items[i];
        }
    }
    return NULL;
}

OpenDocument *documents_by_path(const Documents *documents, Str path)
{
    for (uint32_t i = 0; i < documents->count; i++) {
        if (str_is(path, documents->items[i].path)) {
            return &documents->items[i];
        }
    }
    return NULL;
}

static OpenDocument *add(Documents *documents, Str uri, Str path)
{
    if (documents->count == documents->capacity) {
        uint32_t wanted = documents->capacity == 0 ? 16 : documents->capacity * 2;
        OpenDocument *grown = realloc(documents->items, wanted * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        documents->items = grown;
        documents->capacity = wanted;
    }
    OpenDocument made = {.uri = strndup(uri.at, uri.length), .path = strndup(path.at, path.length)};
    if (made.uri == NULL || made.path == NULL) {
        free(made.uri);
        free(made.path);
        return NULL;
    }
    documents->items[documents->count] = made;
    return &documents->items[documents->count++];
}

OpenDocument *documents_open(Documents *documents, Str uri, Str path, int64_t version, Str text)
{
    OpenDocument *document = documents_by_uri(documents, uri);
    document = document == NULL ? add(documents, uri, path) : document;
    if (document != NULL) {
        document->version = version;
        document->change = ++documents->changes;
        document->lost = !text_set(&document->text, text);
    }
    return document;
}

void documents_close(Documents *documents, OpenDocument *document)
{
    documents->changes++;
    free(document->uri);
    free(document->path);
    text_free(&document->text);
    *document = documents->items[--documents->count];
}

void documents_free(Documents *documents)
{
    while (documents->count > 0) {
        documents_close(documents, &documents->items[0]);
    }
    free(documents->items);
    *documents = (Documents){0};
}
