/* Spec facts: facts for scaffolding from the front matter of SPEC.md. */
#ifndef PYPTO_LINT_HARNESS_PLAN_SPEC_FACTS_H
#define PYPTO_LINT_HARNESS_PLAN_SPEC_FACTS_H

#include "kernel/kernel.h"
#include "operator/value.h"

/* `tolerance` may have one for a dtype, besides those for all: `float32: {atol: …, rtol: …}`. */
typedef struct DtypeTolerance {
    Str dtype; /* in canonical spelling */
    double atol, rtol;
} DtypeTolerance;

typedef struct SpecFacts {
    bool present; /* the file exists and has a front matter */
    Strs dtypes;  /* of supported_dtypes, in canonical spelling, each once; unknown ones are left
                           out */
    const Value *p0_shapes; /* as written, or NULL */
    bool has_atol, has_rtol;
    double atol, rtol;              /* in `tolerance`, else at the top level */
    VEC(DtypeTolerance) tolerances; /* of single dtypes, each once */
    Strs dynamic_axes;              /* those that are names in Python */
    Strs pairs; /* cancellation_pairs: expressions "A - B" besides those of the golden */
} SpecFacts;

/* Reads the document at `path`. A missing one gives no facts when `may_lack`. False with one line
 * in `*error` when it cannot be read or has no front matter. */
bool spec_facts_read(Arena *arena, Str path, bool may_lack, SpecFacts *facts, Str *error);

/* The shortest decimal digits that are read as the same number, at most 20 of them after the point:
 * "0.00001". */
Str number_text(Arena *arena, double number);

#endif
