/* ParseMemory; see parse_memory.h. */
#include "python/parse_memory.h"

#include "base/heap.h"
#include "python/parser_language.h"

#include <stdlib.h>

/* Files that are remembered, and memory for one of them. */
enum { MOST_FILES = 16, FILE_BUDGET = 64 * 1024 * 1024, MOST_TEXT = 1024 * 1024 };

typedef struct Remembered {
    Heap heap;  /* of parser and tree */
    char *path; /* malloc, as the text; NULL: the place is free */
    char *text;
    size_t length;
    uint64_t used; /* by the clock of the table */
    TSParser *parser;
    TSTree *tree;
} Remembered;

static bool remembers;
static uint64_t clock_of_table;
static Remembered table[MOST_FILES];

static void forget(Remembered *file)
{
    if (file->path != NULL) {
        heap_free(&file->heap);
        free(file->path);
        free(file->text);
        *file = (Remembered){0};
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

void parse_memory_pause(bool paused)
{
    remembers = !paused;
}

/* The file of that name; else a free place, or that of the file that was not used for longest. */
static Remembered *place_for(Str path)
{
    Remembered *oldest = &table[0];
    for (int i = 0; i < MOST_FILES; i++) {
        if (table[i].path != NULL && str_is(path, table[i].path)) {
            return &table[i];
        }
        if (table[i].used < oldest->used) {
            oldest = &table[i];
        }
    }
    forget(oldest);
    return oldest;
}

/* --- what has changed */

static TSPoint point_at(const char *text, size_t offset)
{
    TSPoint point = {0, 0};
    size_t start = 0;
    const char *end;
    while ((end = memchr(text + start, '\n', offset - start)) != NULL) {
        start = (size_t)(end - text) + 1;
        point.row++;
    }
    point.column = (uint32_t)(offset - start);
    return point;
}

/* The one range in which the texts differ; false when they are the same. */
static bool find_edit(const Remembered *file, Str text, TSInputEdit *edit)
{
    size_t shorter = file->length < text.length ? file->length : text.length;
    size_t start = 0, end = 0;
    while (start < shorter && file->text[start] == text.at[start]) {
        start++;
    }
    if (start == file->length && start == text.length) {
        return false;
    }
    while (end < shorter - start &&
           file->text[file->length - 1 - end] == text.at[text.length - 1 - end]) {
        end++;
    }
    *edit = (TSInputEdit){.start_byte = (uint32_t)start,
                          .old_end_byte = (uint32_t)(file->length - end),
                          .new_end_byte = (uint32_t)(text.length - end),
                          .start_point = point_at(text.at, start),
                          .old_end_point = point_at(file->text, file->length - end),
                          .new_end_point = point_at(text.at, text.length - end)};
    return true;
}

/* --- parsing */

typedef struct Attempt {
    Arena *arena;
    Remembered *file;
    Str text;
    TSTree *tree; /* NULL: it has an error */
} Attempt;

static void keep(Remembered *file, Str text, TSTree *tree)
{
    char *grown = realloc(file->text, text.length + 1);
    if (file->tree != NULL) {
        ts_tree_delete(file->tree);
    }
    file->tree = tree;
    if (grown == NULL) {
        arena_fail(&file->heap.memory);
    }
    file->text = grown;
    memcpy(file->text, text.at, text.length);
    file->length = text.length;
}

static void attempt(void *argument)
{
    Attempt *work = argument;
    Remembered *file = work->file;
    TSInputEdit edit;
    heap_enter(&file->heap, work->arena);
    if (file->parser == NULL) {
        file->parser = ts_parser_new();
        ts_parser_set_language(file->parser, tree_sitter_python());
    }
    bool same = file->tree != NULL && !find_edit(file, work->text, &edit);
    if (same) {
        work->tree = file->tree;
        return;
    }
    TSTree *old = file->tree == NULL ? NULL : ts_tree_copy(file->tree);
    if (old != NULL) {
        ts_tree_edit(old, &edit);
    }
    TSTree *tree = ts_parser_parse_string(file->parser, old, work->text.at,
                                          (uint32_t)work->text.length);
    if (old != NULL) {
        ts_tree_delete(old);
    }
    if (ts_node_has_error(ts_tree_root_node(tree))) {
        ts_tree_delete(tree);
        return;
    }
    keep(file, work->text, tree);
    work->tree = tree;
}

TSTree *parse_memory_tree(Arena *arena, Str path, Str text, uint64_t traffic)
{
    if (!remembers || text.length > MOST_TEXT) {
        return NULL;
    }
    Remembered *file = place_for(path);
    if (file->path == NULL) {
        file->path = strndup(path.at, path.length);
        if (file->path == NULL) {
            return NULL;
        }
        heap_init(&file->heap, FILE_BUDGET, 0);
    }
    file->used = ++clock_of_table;
    file->heap.traffic = 0;
    file->heap.traffic_limit = traffic;
    Attempt work = {arena, file, text, NULL};
    bool good = arena_try(arena, attempt, &work);
    heap_leave(&file->heap);
    if (!good) {
        forget(file); /* too large: what is parsed from the start has limits of its own */
        return NULL;
    }
    return work.tree;
}
