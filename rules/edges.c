/* Edges; see edges.h. */
#include "rules/edges.h"

#include "base/search.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    return (a->callee > b->callee) - (a->callee < b->callee);
}

/* The first edge that leads to `callee` or a later node. */
static uint32_t first_edge(const Edges *edges, uint32_t callee)
{
    uint32_t low;
    LOWER_BOUND(low, edges->count, edges->items[low].callee < callee);
    return low;
}

void edges_mark(Arena *arena, Edges *edges, bool *marked, uint32_t total)
{
    uint32_t *queue = ARENA_ARRAY(arena, uint32_t, total + 1), count = 0;
    for (uint32_t i = 0; i < total; i++) {
        if (marked[i]) {
            queue[count++] = i;
        }
    }
    if (edges->count > 1) {
        qsort(edges->items, edges->count, sizeof *edges->items, compare);
    }
    for (uint32_t at = 0; at < count; at++) {
        uint32_t edge = first_edge(edges, queue[at]);
        for (; edge < edges->count && edges->items[edge].callee == queue[at]; edge++) {
            uint32_t caller = edges->items[edge].caller;
            if (!marked[caller]) {
                marked[caller] = true;
                queue[count++] = caller;
            }
        }
    }
}
