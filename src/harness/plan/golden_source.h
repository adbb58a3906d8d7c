/* Golden source: facts that scaffolding reads from a golden file without running it: parameters and
 * outputs of the reference, and where it subtracts one accumulation from another. */
#ifndef PYPTO_LINT_HARNESS_PLAN_GOLDEN_SOURCE_H
#define PYPTO_LINT_HARNESS_PLAN_GOLDEN_SOURCE_H

#include "kernel/kernel.h"

typedef struct GoldenParameter {
    Str name;
    Str scalar; /* "int", "float" or "bool" by its annotation or its default; empty: a tensor */
    Str value;  /* of a scalar: its default as written, if that is a number, True or False */
} GoldenParameter;
typedef VEC(GoldenParameter) GoldenParameters;

/* A subtraction whose two sides are accumulations. */
typedef struct GoldenPair {
    Str expression; /* "dp - delta", as written, on one line */
    Str target;     /* the name to which it is assigned, or empty */
    uint32_t line;
} GoldenPair;
typedef VEC(GoldenPair) GoldenPairs;

/* The return values of the reference. */
typedef struct GoldenOutputs {
    uint32_t count; /* at least 1; at most GOLDEN_MAX_OUTPUTS */
    Strs names;     /* for each the returned local name, or empty; no names where count is 1 */
    bool differs;   /* its return statements have tuples of different lengths; the longest counts */
} GoldenOutputs;

typedef struct GoldenSource {
    Str function; /* the first module-level function that ends in `_golden`, one of the file's own
                     name before others */
    GoldenParameters parameters;
    bool variadic; /* it has *args or **kwargs: there may be more parameters */
    GoldenOutputs outputs;
    GoldenPairs pairs; /* of all functions of the file, each expression once */
} GoldenSource;

/* Limits; each pair becomes a case. */
enum { GOLDEN_MAX_PAIRS = 8, GOLDEN_MAX_OUTPUTS = 64 };

/* Reads the file at `path`. False with one line in `*error`: unreadable, a syntax error (with
 * line), no function that ends in `_golden`. */
bool golden_source_read(Arena *arena, Str path, GoldenSource *golden, Str *error);

/* The pairs of a parsed file, in its order (golden_pairs.c). */
GoldenPairs golden_pairs(Arena *arena, const PyFile *file);

#endif
