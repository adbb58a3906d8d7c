/* Evaluation report: evaluation_report.json, the record of a run
 * (docs/kernel-authors/verify-report.md, "The report"). Keys in a fixed order; two reports of the
 * same run differ only in `timing`. */
#ifndef PYPTO_LINT_HARNESS_REPORT_EVALUATION_REPORT_H
#define PYPTO_LINT_HARNESS_REPORT_EVALUATION_REPORT_H

#include "harness/verify.h"

enum {
    REPORT_LOG_LIMIT = 1024 * 1024, /* bytes of the log file, and of the key `stdout` */
};

/* The report as JSON text with a line end, in the arena of the verification. False when memory ran
 * out. */
bool evaluation_report(const Verification *verification, Str *json);

/* Removes the keys `golden_tensors`, `golden_values`, `golden_source`, `raw_inputs`,
 * `input_tensors`, `truth` and `truth_tuple` with their values, in objects and arrays of any depth:
 * the last step before a report is written. Memory for the walk is the arena's. */
void sanitize(Arena *arena, json_t *root);

/* The log file: what the processes of all cases wrote, each under `=== case <id> mode <mode> ===`,
 * cut in the middle to REPORT_LOG_LIMIT, after two lines that say what it is. */
Str report_log(Arena *arena, const Judgement *judgement);

/* The key `checks` of the report (report_checks.c). */
json_t *report_checks(JsonTree *tree, const Judgement *judgement);
/* A number, or null: JSON has no NaN. */
void report_put_metric(JsonTree *tree, json_t *object, const char *key, Metric metric);
/* Code and line of an exception, where they are known. */
void report_put_raised(JsonTree *tree, json_t *object, const CaseResult *case_result);

#endif
