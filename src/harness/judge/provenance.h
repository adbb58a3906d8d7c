/* Provenance: the worker's evidence that kernels made the outputs (docs/internals/harness.md,
 * "Provenance"), and sentences about it. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_PROVENANCE_H
#define PYPTO_LINT_HARNESS_JUDGE_PROVENANCE_H

#include "document/json.h"
#include "kernel/kernel.h" /* Strs */
#include "lint/rule.h"     /* Lang */

/* Where something was made: an operation of torch, the file (relative to the operator), the
 * line. */
typedef struct MadePlace {
    Str operation, file; /* empty = unknown */
    int64_t line;        /* 0 = unknown */
} MadePlace;
typedef VEC(MadePlace) MadePlaces;

/* The bounds, on one axis, of elements that were never written. */
typedef struct AxisBounds {
    int64_t first, last, extent;
} AxisBounds;

/* One output, in elements. */
typedef struct OutputOrigin {
    Str name;
    uint64_t elements;
    uint64_t written;       /* by launches, whether moved since or not */
    uint64_t never_written; /* by anything */
    uint64_t computed;      /* by torch */
    uint64_t host;          /* other content: allocated, an input, memory from elsewhere */
    VEC(AxisBounds) never;
    Str input;          /* the input whose elements it holds unchanged; empty = none */
    Str passed_through; /* the input that this output of the reference is; empty = none */
    MadePlace made;
    Strs conversions; /* operations of torch that moved what launches wrote */
} OutputOrigin;

typedef struct Provenance {
    bool known; /* false: the worker could not follow it (`why`), or did not have to */
    Str why;
    VEC(OutputOrigin) outputs;
    MadePlaces prepared; /* where torch computed what launches read */
} Provenance;

enum { PROVENANCE_MOST = 4096 }; /* outputs; further ones are dropped */

/* Reads "provenance" of the result. Parts of another form count as missing. Texts keep only
 * letters, digits, spaces and "_-./". Everything in the arena. */
void provenance_read(Arena *arena, const json_t *root, Provenance *provenance);

/* The output of that name, or NULL. */
const OutputOrigin *provenance_of(const Provenance *provenance, Str name);

/* The sentence about the first output that no kernel made; empty if there is none or nothing is
 * known. `mode` is for the text; *cause becomes the failure's row of ADVICE_CAUSE. */
Str provenance_failure(Arena *arena, const Provenance *provenance, const char *mode,
                       const char **cause);
/* "never written: rows 64–76 of 77"; empty when all was written. */
Str provenance_never(Arena *arena, const OutputOrigin *output, Lang lang);
/* Adds warnings, one sentence each. */
void provenance_warnings(Arena *arena, const Provenance *provenance, const char *mode,
                         Strs *sentences);

#endif
