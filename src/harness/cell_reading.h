/* Cell reading: a cell while it is made. For the files cell*.c. */
#ifndef PYPTO_LINT_HARNESS_CELL_READING_H
#define PYPTO_LINT_HARNESS_CELL_READING_H

#include "harness/cell.h"

typedef struct CellReading {
    Arena *arena;
    const CellContext *context;
    const WorkerOutcome *outcome;
    WorkerResult result;
    Cell *cell;
} CellReading;

void cell_fail(CellReading *reading, Verdict verdict, Category category, VerdictCategory route,
               Str summary);
void cell_warn(CellReading *reading, Str sentence);
/* The environment's fault. `symptom` may be NULL. */
void cell_block(CellReading *reading, const Symptom *symptom, Str told);

/* cell_compared.c: outputs were compared, or a test asserts that they differ. */
void cell_judge_comparison(CellReading *reading);
void cell_judge_assertion(CellReading *reading);

/* cell_ended.c: it did not come so far. */
void cell_judge_raised(CellReading *reading);
void cell_judge_contract(CellReading *reading);
void cell_judge_death(CellReading *reading);

#endif
