/* Judgement: the verdict on a run, from its case results (docs/kernel-authors/verify-report.md,
 * "Status", "Categories"). */
#ifndef PYPTO_LINT_HARNESS_JUDGE_JUDGEMENT_H
#define PYPTO_LINT_HARNESS_JUDGE_JUDGEMENT_H

#include "harness/judge/case_patterns.h"

/* A case with its result in each mode; modes not asked for have case_result_skip(…, NULL). */
typedef struct CaseModes {
    const SuiteCase *source;
    CaseResult by_mode[MODE_COUNT];
} CaseModes;

/* Why the run could not start, or is void: lint findings, a missing or changed file, an empty
 * selection. */
typedef struct RunError {
    Category category;     /* CATEGORY_STRUCTURAL, or CATEGORY_INFRA */
    VerdictCategory route; /* ROUTE_STRUCTURE, or ROUTE_TILE_SHAPE, ROUTE_LAYOUT of the lint gate */
    Str summary;           /* one sentence */
    const Symptom *symptom; /* for CATEGORY_INFRA, else NULL */
} RunError;

typedef enum Divergence {
    DIVERGENCE_NPU_ONLY, /* kernel_ok_npu_only */
    DIVERGENCE_IR,       /* ir_divergence */
    DIVERGENCE_ALL_FAIL, /* all_fail */
} Divergence;

typedef struct Check {
    const CaseModes *result;
    bool passed; /* ran in some mode, and failed in none */
    bool all_close;
    Metric max_abs_diff, max_rel_diff; /* the largest over modes and leaves */
    uint64_t nonfinite;
    Verdict verdicts[MODE_COUNT];
} Check;

typedef struct FirstFailure {
    bool present;
    const CaseModes *result; /* NULL: no case was reached */
    Category category;
    VerdictCategory route;
    Divergence fingerprint;
    bool basis[MODE_COUNT]; /* the modes on which the fingerprint is based */
    Mode mode;              /* of the failure; undefined without result */
    Str summary;
    bool has_drift_onset;
    int64_t drift_onset_iter;
    bool cpu_reproducer_candidate;
    const Symptom *symptom; /* for CATEGORY_INFRA; may be NULL */
} FirstFailure;

typedef struct Judgement {
    Verdict status; /* VERDICT_PASS, VERDICT_FAIL, VERDICT_ERROR */
    Check *checks;  /* one for each case, in order */
    size_t count, passed;
    Verdict modes[MODE_COUNT];
    Unavailable unavailable[MODE_COUNT]; /* of modes that were asked for and are SKIPPED */
    FirstFailure first;
    CasePatterns patterns; /* over the cases whose values were compared */
} Judgement;

/* "kernel_ok_npu_only", "ir_divergence", "all_fail". */
const char *fingerprint_name(Divergence fingerprint);

/* Judges; `error` is NULL when the cases were run. Case results that the environment blocked become
 * ERROR in `cases` if others of their mode ran, or if any case ran and only the kernel's process
 * claims the block (`claimed`). `cases` must outlive the judgement. */
void judge(Arena *arena, CaseModes *cases, size_t count, const RunError *error,
           Judgement *judgement);

/* The exit status: 0 PASS, 1 FAIL, 2 ERROR. */
int judgement_exit_status(const Judgement *judgement);

/* The line that ends the output: `status=<S> cases=<passed>/<total> modes=<m:S,…> report=<path>`,
 * without a line end. */
Str judgement_summary_line(Arena *arena, const Judgement *judgement, Str report);

#endif
