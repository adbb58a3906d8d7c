/* Reach: which functions of a file are reached through bare-name calls from several start functions
 * at once, in graph N (docs/internals/python-model.md, "Call graph"), and by which call. One walk
 * for all starts. */
#ifndef PYPTO_LINT_RULES_REACH_H
#define PYPTO_LINT_RULES_REACH_H

#include "kernel/kernel.h"
#include "rules/bindings.h"

typedef struct Reach {
    const PyFile *file;
    Bindings names;  /* graph N by name */
    bool *reached;   /* by place in file->functions */
    NodeId *by_call; /* the call that reached it first; NO_NODE for a start */
} Reach;

/* Place of a function in file->functions. */
uint32_t function_place(const PyFile *file, NodeId function);
/* The kernels as graph N knows them, by name: of several functions with one name the last in level
 * order, whether it is the kernel or not. */
NodeList reach_kernels(const PyFile *file, Arena *arena);
/* Fills `reach` from these starts, which are explored even if they are not nodes of the graph. */
void reach_from(Reach *reach, Arena *arena, const PyFile *file, NodeList starts);
/* Is the function a start or reached from one? */
bool reach_has(const Reach *reach, NodeId function);
/* The node of graph N that a bare-name call leads to, or NO_NODE. */
NodeId reach_callee(const Reach *reach, NodeId call);

#endif
