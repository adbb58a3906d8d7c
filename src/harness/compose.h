/* Compose: does the composed golden of all modules compute the same as the operator's golden? Both
 * run on the inputs that composition_verification of the module contract asks for. */
#ifndef PYPTO_LINT_HARNESS_COMPOSE_H
#define PYPTO_LINT_HARNESS_COMPOSE_H

#include "harness/judge/case_result.h"
#include "harness/plan/contract.h"

typedef struct ComposeCheck {
    int64_t seed;
    const Variables *shape;
    CaseResult case_result;
} ComposeCheck;

typedef struct Composition {
    Contract contract;
    Str op_name;
    ComposeCheck *checks; /* every shape with every seed, in their order */
    size_t count;
    Verdict verdict; /* the worst: PASS, FAIL (values or structure differ), ERROR */
} Composition;

typedef enum ComposeEnd {
    COMPOSE_DONE,
    COMPOSE_REFUSED,     /* `*error`: something is missing, or the contract cannot be used */
    COMPOSE_INTERRUPTED, /* by `*signal` */
} ComposeEnd;

/* Everything in the arena. */
ComposeEnd compose_run(Arena *arena, Str op_dir, Str op_name, const PoolOptions *options,
                       Composition *out, Str *error, int *signal);

#endif
