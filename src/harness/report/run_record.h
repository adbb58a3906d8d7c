/* Run record: what a report says of a run, in the form in which two runs are compared. */
#ifndef PYPTO_LINT_HARNESS_REPORT_RUN_RECORD_H
#define PYPTO_LINT_HARNESS_REPORT_RUN_RECORD_H

#include "base/map.h"
#include "harness/plan/mode.h"
#include "harness/pool/worker_result.h"
#include "harness/report/run_hashes.h"

struct Verification;

typedef struct RunCase {
    Verdict verdicts[MODE_COUNT];
    Str unknown[MODE_COUNT]; /* a status that is none of the verdicts; empty: there is none */
    Metric max_abs_diff, max_rel_diff; /* over modes and outputs */
    bool is_finite;                    /* false: NaN or infinity where the reference has a number */
    Metric seconds[MODE_COUNT];        /* of the wrapper */
} RunCase;

typedef struct RunRecord {
    Str op_name;
    uint32_t module;
    Map ids;            /* of the cases, in their order */
    VEC(RunCase) cases; /* by the numbers of the map */
    RunHashes hashes;   /* empty in reports of earlier versions */
} RunRecord;

/* Reads the text of a report. False, with the reason, if it is not a report. Everything in the
 * arena. */
bool run_record_read(Arena *arena, Str text, RunRecord *record, Str *error);

/* The same of a verification that has been judged. */
RunRecord run_record_of(const struct Verification *verification);

#endif
