/* Advice table: what patterns of differences, error codes and causes mean, and what to do about
 * each. No words of it come from a kernel or a reference. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_ADVICE_TABLE_H
#define PYPTO_LINT_HARNESS_JUDGE_ADVICE_TABLE_H

#include "lint/rule.h"

typedef enum AdviceKind {
    ADVICE_LIKENESS, /* "transposed": what an output looks like where it differs */
    ADVICE_PLACE,    /* "last": where it differs */
    ADVICE_CODE,     /* "F74006": an error of PyPTO */
    ADVICE_CAUSE,    /* "missing", "no_launch": how an output or a run breaks its contract */
    ADVICE_FINDING,  /* "parallel-accumulation": what the simulator warns of */
} AdviceKind;

typedef struct AdviceRow {
    AdviceKind kind;
    const char *name;
    Text words;  /* a clause; `{}` stands for an axis or a number */
    Text advice; /* one sentence or two: what to do */
} AdviceRow;

/* The row, or NULL. */
const AdviceRow *advice_row(AdviceKind kind, Str name);

/* All rows; a last one without a name ends them. */
extern const AdviceRow advice_table[];

#endif
