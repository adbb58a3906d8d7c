/* Case sentences: the summaries of case results, from names, shapes, counts and differences, never
 * values. For case_*.c. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_CASE_SENTENCES_H
#define PYPTO_LINT_HARNESS_JUDGE_CASE_SENTENCES_H

#include "harness/judge/case_result.h"

/* Reports keep the English form, readers may get the Chinese one. */
typedef struct Sentence {
    Str en, zh; /* zh empty: see CaseResult.summary_zh */
} Sentence;

/* "dq (out0)"; only the name if the contract has none. */
Str leaf_title(Arena *arena, const Leaf *leaf);
Sentence sentence_of_values(Arena *arena, const CaseContext *context, const Leaf *leaf);
Sentence sentence_of_structure(Arena *arena, const CaseContext *context, const Leaf *leaf);
/* `name`: of the inspection buffer. */
Sentence sentence_of_drift(Arena *arena, const CaseContext *context, Str name,
                           const InspectionStep *step);
/* For RESULT_RAISED, RESULT_CONTRACT and RESULT_UNAVAILABLE. */
Sentence sentence_of_raised(Arena *arena, const CaseContext *context, const WorkerResult *result);
/* For REPEAT_FAILED. */
Str sentence_of_repeat(Arena *arena, const CaseContext *context, const Repeat *repeat);
/* For the report: "passed", "flaky", "not checked: …". */
Str repeat_text(const Repeat *repeat);
/* A worker that ended without a result, or at a limit. */
Sentence sentence_of_death(Arena *arena, const CaseContext *context, const WorkerOutcome *outcome,
                           const WorkerResult *result, VerdictCategory route);
/* A worker that died after its result. */
Str sentence_of_late_death(Arena *arena, const WorkerOutcome *outcome);

/* The text in a log that shows that a kernel failed although the wrapper returned; NULL = none. */
const char *fallback_pattern(Str log);

#endif
