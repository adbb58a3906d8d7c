/* Launch results: which returned values of a function that launches a kernel have nothing to do
 * with what the kernel wrote. For plain code, where torch arithmetic beside a kernel is allowed. */
#ifndef PYPTO_LINT_RULES_LAUNCH_RESULTS_H
#define PYPTO_LINT_RULES_LAUNCH_RESULTS_H

#include "kernel/kernel.h"
#include "rules/bindings.h"

/* What is known of one function. */
typedef struct LaunchResults {
    const PyFile *file;
    Arena *arena;
    NodeId function;
    Bindings bound; /* Name nodes that the function assigns to, by name */
    Strs outputs;   /* names that hold what a launch wrote, or something made with it, sorted */
    VEC(NodeId) bypassing; /* what returned values are made of that contain no output */
} LaunchResults;

/* Reads a function. Without a launch, or when it is unclear what the kernel writes, nothing is
 * bypassing. */
void launch_results_read(LaunchResults *results, Arena *arena, const PyFile *file, NodeId function);
/* Is the node part of a value that the function returns in place of what the kernel wrote? */
bool is_bypassing(const LaunchResults *results, NodeId id);

#endif
