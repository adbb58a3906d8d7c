/* JSON texts; see json_read.h. Every block of jansson's is in a list of its thread, newest first,
 * so those of a reading that failed are the ones in front of what was there before. */
#include "base/json_read.h"

#include "base/lapse.h"

#include <errno.h>
#include <stdlib.h>

typedef struct Block {
    _Alignas(max_align_t) struct Block *next;
    struct Block *previous;
} Block;

static _Thread_local Block *newest;
static _Thread_local jmp_buf *reading; /* where to go while a text is read */

static void *take(size_t size)
{
    Block *block = size > SIZE_MAX / 2 ? NULL : malloc(size + sizeof *block);
    if (block == NULL && reading != NULL) {
        longjmp(*reading, 1);
    }
    if (block == NULL) {
        lapse_note(NULL, ENOMEM);
        return NULL;
    }
    *block = (Block){.next = newest};
    if (newest != NULL) {
        newest->previous = block;
    }
    newest = block;
    return block + 1;
}

static void give_back(void *content)
{
    if (content == NULL) {
        return;
    }
    Block *block = (Block *)content - 1;
    if (block->previous != NULL) {
        block->previous->next = block->next;
    } else {
        newest = block->next;
    }
    if (block->next != NULL) {
        block->next->previous = block->previous;
    }
    free(block);
}

void json_memory_begin(void)
{
    json_set_alloc_funcs(take, give_back);
}

json_t *json_read(Arena *arena, Str text, size_t flags, json_error_t *error)
{
    Block *const before = newest;
    jmp_buf here;
    if (setjmp(here) != 0) {
        reading = NULL;
        while (newest != before) {
            give_back(newest + 1);
        }
        arena_fail(arena);
    }
    reading = &here;
    json_t *root = json_loadb(text.at == NULL ? "" : text.at, text.length, flags, error);
    reading = NULL;
    return root;
}
