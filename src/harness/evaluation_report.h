/* Evaluation report: evaluation_report.json, the record of a run (docs/kernel-authors/verify.md,
 * "The report"). Keys in a fixed order; two runs of the same differ in `timing` only. */
#ifndef PYPTO_LINT_HARNESS_EVALUATION_REPORT_H
#define PYPTO_LINT_HARNESS_EVALUATION_REPORT_H

#include "harness/judgement.h"

typedef struct LintCount {
    Str id; /* "OL48" */
    uint32_t count;
} LintCount;

/* What the lint gate found. */
typedef struct LintRecord {
    bool ran;         /* false: the report has no key `lint` */
    const char *gate; /* "passed", "blocked", "bypassed" */
    uint32_t blocking, warnings;
    const LintCount *rules; /* by id */
    size_t rule_count;
} LintRecord;

typedef struct ReportFacts {
    Str op_name;
    Str impl_file; /* as given on the command line */
    uint32_t up_to_module;
    uint32_t total_modules; /* 0 = unknown, null in the report */
    LintRecord lint;
    bool one_process; /* test, implementation and reference shared one */
    double seconds;   /* of the whole run */
} ReportFacts;

enum {
    REPORT_LOG_LIMIT = 1024 * 1024, /* bytes of the log file, and of the key `stdout` */
};

/* The report as JSON text with a line end, sanitised, in the arena. False when memory ran out. */
bool evaluation_report(Arena *arena, const ReportFacts *facts, const Judgement *judgement,
                       Str *json);

/* The log file: what the processes of all case results wrote, each under `=== case <id> mode
 * <mode> ===`, cut in the middle to REPORT_LOG_LIMIT, after two lines that say what it is. */
Str report_log(Arena *arena, const Judgement *judgement);

#endif
