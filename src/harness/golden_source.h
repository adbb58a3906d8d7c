/* Golden source: what scaffolding reads in a golden file without running it: the parameters and
 * outputs of the reference, and where it subtracts one accumulation from another. */
#ifndef PYPTO_LINT_HARNESS_GOLDEN_SOURCE_H
#define PYPTO_LINT_HARNESS_GOLDEN_SOURCE_H

#include "kernel/kernel.h"

typedef struct GoldenParameter {
    Str name;
    Str scalar; /* "int", "float" or "bool" by its annotation or its default; empty: a tensor */
    Str value; /* of a scalar: its default as the file has it, if that is a number, True or False */
} GoldenParameter;
typedef VEC(GoldenParameter) GoldenParameters;

/* A subtraction whose two sides are accumulations. */
typedef struct GoldenPair {
    Str expression; /* "dp - delta", as the file has it, on one line */
    Str target;     /* the name that it is assigned to, else empty */
    uint32_t line;
} GoldenPair;
typedef VEC(GoldenPair) GoldenPairs;

/* What the reference returns. */
typedef struct GoldenOutputs {
    uint32_t count; /* at least 1; at most GOLDEN_MAX_OUTPUTS */
    Strs names;   /* the local name that is returned as each, or empty; no names where count is 1 */
    bool differs; /* its return statements have tuples of different lengths: the longest counts */
} GoldenOutputs;

typedef struct GoldenSource {
    Str function; /* the first module-level function that ends in `_golden`, one of the file's own
                     name before others */
    GoldenParameters parameters;
    bool variadic; /* it has *args or **kwargs: the parameters do not say it all */
    GoldenOutputs outputs;
    GoldenPairs pairs; /* of all functions of the file, each expression once */
} GoldenSource;

/* Most pairs that are reported: each becomes a case. */
enum { GOLDEN_MAX_PAIRS = 8, GOLDEN_MAX_OUTPUTS = 64 };

/* Reads the file at `path`. False with one line in `*error`: unreadable, a syntax error (with
 * line), no function that ends in `_golden`. */
bool golden_source_read(Arena *arena, Str path, GoldenSource *golden, Str *error);

#endif
