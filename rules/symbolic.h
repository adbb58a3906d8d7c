/* Symbolic: which expressions of a kernel are surely symbols, numbers that only the device knows.
 * For plain code, where a rule must not report what it does not know as a mistake. */
#ifndef PYPTO_LINT_RULES_SYMBOLIC_H
#define PYPTO_LINT_RULES_SYMBOLIC_H

#include "kernel/kernel.h"
#include "rules/bindings.h"

/* What is known of one kernel. */
typedef struct Symbolic {
    const PyFile *file;
    NodeId kernel;
    Bindings bound; /* Name nodes that the kernel assigns to, by name */
    int steps;      /* left for the current question */
} Symbolic;

void symbolic_begin(Symbolic *symbolic, Arena *arena, const PyFile *file, NodeId kernel);
/* Is it the length of a dynamic axis, the index of a graph loop, a parameter that is annotated as a
 * symbol, or computed from one of these? Names are followed within the kernel; one that is bound in
 * several ways is a symbol only if each of them gives one. */
bool is_surely_symbolic(Symbolic *symbolic, NodeId expression);

#endif
