/* ParseMemory; see parse_memory.h. */
#include "python/parse_memory.h"

#include <stdlib.h>

/* Files that are kept, and the largest of them: a byte of source takes up to 20 bytes of nodes. */
enum { MOST_FILES = 16, MOST_TEXT = 512 * 1024 };

static bool remembers;
static uint64_t clock_of_table;
static KeptParse table[MOST_FILES];

static void forget(KeptParse *kept)
{
    if (kept->path != NULL) {
        free(kept->path);
        free(kept->text);
        free(kept->clean);
        free(kept->nodes);
        arena_free(&kept->names);
        *kept = (KeptParse){0};
    }
}

void parse_memory_begin(void)
{
    remembers = true;
}

void parse_memory_end(void)
{
    for (int i = 0; i < MOST_FILES; i++) {
        forget(&table[i]);
    }
    remembers = false;
}

bool parse_memory_is_on(void)
{
    return remembers;
}

void parse_memory_pause(bool paused)
{
    remembers = !paused;
}

static KeptParse *find(Str path)
{
    for (int i = 0; i < MOST_FILES; i++) {
        if (table[i].path != NULL && str_is(path, table[i].path)) {
            return &table[i];
        }
    }
    return NULL;
}

const KeptParse *parse_memory_find(Str path)
{
    KeptParse *kept = remembers ? find(path) : NULL;
    if (kept != NULL) {
        kept->used = ++clock_of_table;
    }
    return kept;
}

/* The place of the file; else a free one, or that of the file that was not used for longest. */
static KeptParse *place_for(Str path)
{
    KeptParse *place = find(path);
    if (place != NULL) {
        return place;
    }
    place = &table[0];
    for (int i = 1; i < MOST_FILES; i++) {
        if (table[i].used < place->used) {
            place = &table[i];
        }
    }
    forget(place);
    place->path = strndup(path.at, path.length);
    return place->path == NULL ? NULL : place;
}

/* --- copying */

static bool copy_bytes(char **to, const char *from, size_t length)
{
    char *grown = realloc(*to, length + 1);
    if (grown != NULL) {
        *to = grown;
        memcpy(grown, from, length);
    }
    return grown != NULL;
}

typedef struct Names {
    KeptParse *kept;
    Str text;
} Names;

static void take_names(void *argument)
{
    const Names *work = argument;
    KeptParse *kept = work->kept;
    uintptr_t from = (uintptr_t)work->text.at;
    for (uint32_t i = 0; i < kept->node_count; i++) {
        Node *node = &kept->nodes[i];
        uintptr_t offset = (uintptr_t)node->name - from;
        if (node->name_length == 0) {
            node->name = "";
        } else if (offset < work->text.length) {
            node->name = kept->text + offset;
        } else {
            node->name = str_dup(&kept->names, node_name_bytes(node));
        }
    }
}

static bool copy_all(KeptParse *kept, const Module *module, const Lexed *lexed)
{
    const Source *source = module->source;
    size_t size = module->node_count * sizeof *kept->nodes;
    Node *nodes = realloc(kept->nodes, size);
    if (nodes == NULL) {
        return false;
    }
    kept->nodes = nodes;
    memcpy(nodes, module->nodes, size);
    kept->node_count = module->node_count;
    kept->length = (uint32_t)source->text.length;
    kept->text_start = source->text_start;
    arena_free(&kept->names);
    arena_init(&kept->names, 0);
    Names work = {kept, source->text};
    return copy_bytes(&kept->text, source->text.at, kept->length) &&
           copy_bytes(&kept->clean, lexed->clean, kept->length) &&
           arena_try(&kept->names, take_names, &work);
}

void parse_memory_keep(const Module *module, const Lexed *lexed)
{
    const Source *source = module->source;
    if (!remembers || source->text.length > MOST_TEXT) {
        return;
    }
    KeptParse *kept = place_for(source->path);
    if (kept == NULL) {
        return;
    }
    kept->used = ++clock_of_table;
    if (!copy_all(kept, module, lexed)) {
        forget(kept);
    }
}
