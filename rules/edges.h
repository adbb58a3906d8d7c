/* Edges: marks spread over the edges of a graph, from what is marked to all that leads there. */
#ifndef PYPTO_LINT_RULES_EDGES_H
#define PYPTO_LINT_RULES_EDGES_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* `caller` leads to `callee`: two places below the number of nodes. */
typedef struct Edge {
    uint32_t callee, caller;
} Edge;
typedef VEC(Edge) Edges;

/* Marks every node from which a chain of edges leads to a node that is marked. `marked` has `total`
 * items; sorts the edges. */
void edges_mark(Arena *arena, Edges *edges, bool *marked, uint32_t total);

#endif
