/* Provenance: the worker's evidence that kernels made the outputs (docs/internals/harness.md,
 * "Provenance"), and what is said of it. */
#ifndef PYPTO_LINT_HARNESS_PROVENANCE_H
#define PYPTO_LINT_HARNESS_PROVENANCE_H

#include "document/json.h"
#include "kernel/kernel.h" /* Strs */

/* Where something was made: an operation of torch, the file (relative to the operator), the
 * line. */
typedef struct MadePlace {
    Str operation, file; /* empty = unknown */
    int64_t line;        /* 0 = unknown */
} MadePlace;
typedef VEC(MadePlace) MadePlaces;

/* Elements that are never written lie within these bounds of an axis. */
typedef struct AxisBounds {
    int64_t first, last, extent;
} AxisBounds;

/* One output, in elements. */
typedef struct OutputOrigin {
    Str name;
    uint64_t elements;
    uint64_t written;       /* by launches, whether moved since or not */
    uint64_t never_written; /* memory that nobody wrote */
    uint64_t computed;      /* by torch */
    uint64_t host;          /* other content: what was allocated, an input, memory from elsewhere */
    VEC(AxisBounds) never;
    Str input;          /* the input whose elements it holds unchanged; empty = none */
    Str passed_through; /* the input that this output of the reference is; empty = none */
    MadePlace made;
    Strs conversions; /* operations of torch that moved what launches wrote */
} OutputOrigin;

typedef struct Provenance {
    bool known; /* false: the worker could not follow it (`why`), or was not asked to */
    Str why;
    VEC(OutputOrigin) outputs;
    MadePlaces prepared; /* where torch computed what launches read */
} Provenance;

enum { PROVENANCE_MOST = 4096 }; /* outputs; further ones are dropped */

/* Reads the result's "provenance"; what has another form than it should is as if it were missing.
 * Texts keep letters, digits, spaces and "_-./" only. Everything in the arena. */
void provenance_read(Arena *arena, const json_t *root, Provenance *provenance);

/* The output of that name, or NULL. */
const OutputOrigin *provenance_of(const Provenance *provenance, Str name);

/* Why no kernel made an output: the sentence for the first one that a kernel did not make; empty
 * when all is well or nothing is known. `mode` is for the text; *cause is set to the failure's row
 * of ADVICE_CAUSE. */
Str provenance_failure(Arena *arena, const Provenance *provenance, const char *mode,
                       const char **cause);
/* "never written: rows 64–76 of 77"; empty when all was written. */
Str provenance_never(Arena *arena, const OutputOrigin *output);
/* What else a reader should know: one sentence each. */
void provenance_warnings(Arena *arena, const Provenance *provenance, const char *mode,
                         Strs *sentences);

#endif
