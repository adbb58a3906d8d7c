/* Case reading: a case result in the making. For the files case_*.c. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_CASE_READING_H
#define PYPTO_LINT_HARNESS_JUDGE_CASE_READING_H

#include "harness/judge/case_sentences.h"

typedef struct CaseReading {
    Arena *arena;
    const CaseContext *context;
    const WorkerOutcome *outcome;
    WorkerResult result;
    CaseResult *case_result;
} CaseReading;

void case_fail(CaseReading *reading, Verdict verdict, Category category, VerdictCategory route,
               Sentence summary);
void case_warn(CaseReading *reading, Str sentence);
/* The environment is at fault. `symptom` may be NULL, `detail` empty. */
void case_block(CaseReading *reading, const Symptom *symptom, Sentence detail);

/* case_compared.c: outputs were compared, or a test raised AssertionError. */
void case_judge_comparison(CaseReading *reading);
void case_judge_assertion(CaseReading *reading);

/* case_ended.c: there was no comparison. */
void case_judge_raised(CaseReading *reading);
void case_judge_contract(CaseReading *reading);
void case_judge_death(CaseReading *reading);

#endif
