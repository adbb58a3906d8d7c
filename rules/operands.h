/* Operands: what surely is a tensor, and which parameter reaches an operation, as far as one
 * function tells. For plain code, where a rule must not report what it does not know as a
 * mistake. */
#ifndef PYPTO_LINT_RULES_OPERANDS_H
#define PYPTO_LINT_RULES_OPERANDS_H

#include "kernel/kernel.h"
#include "rules/bindings.h"

/* What is known of one function. */
typedef struct Operands {
    const PyFile *file;
    NodeId function;
    Bindings bound; /* Name nodes that the function assigns to, by name */
    int steps;      /* left for the current question */
} Operands;

void operands_begin(Operands *operands, Arena *arena, const PyFile *file, NodeId function);
/* Does pypto.<name>(…) give a tensor? Others may give a symbolic scalar. */
bool api_makes_tensor(Str name);
/* Is it a parameter that is annotated as a tensor, the result of an operation, a window of these,
 * or computed from them? A name that is bound in several ways is one only if each gives one. */
bool is_surely_tensor(Operands *operands, NodeId expression);
/* The tensor parameter (NODE_ARG) whose elements reach the expression unchanged: through names that
 * are bound once, windows and layout operations. NO_NODE when something computes or casts. */
NodeId parameter_reaching(Operands *operands, NodeId expression);

#endif
