/* Index: node ids grouped by kind (a counting sort, so each group stays in ascending order). */
#include "python/index.h"

#include <stdlib.h>

void module_index(Module *module, Arena *arena)
{
    uint32_t *start = module->kind_start;
    for (NodeId id = 0; id < module->node_count; id++) {
        start[module->nodes[id].kind + 1]++;
    }
    for (int kind = 0; kind < NODE_KIND_COUNT; kind++) {
        start[kind + 1] += start[kind];
    }
    uint32_t next[NODE_KIND_COUNT];
    memcpy(next, start, sizeof next);
    module->ids_by_kind = arena_alloc(arena, sizeof(NodeId) * (module->node_count + 1));
    for (NodeId id = 0; id < module->node_count; id++) {
        module->ids_by_kind[next[module->nodes[id].kind]++] = id;
    }
}

static int by_place(const void *a, const void *b)
{
    const SyntaxError *x = a;
    const SyntaxError *y = b;
    if (x->start != y->start) {
        return x->start < y->start ? -1 : 1;
    }
    return x->end < y->end ? -1 : x->end > y->end;
}

void errors_sort(SyntaxErrors *errors, uint32_t lexical)
{
    if (lexical > 0) {
        /* The parser stumbles over what the lexer has named already; only its errors well before
         * the first lexical one are news. */
        uint32_t kept = lexical;
        for (uint32_t i = lexical; i < errors->count; i++) {
            if (errors->items[i].end < errors->items[0].start) {
                errors->items[kept++] = errors->items[i];
            }
        }
        errors->count = kept;
    }
    if (errors->count > 1) {
        qsort(errors->items, errors->count, sizeof *errors->items, by_place);
    }
}
