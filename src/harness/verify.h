/* Verify: runs an implementation against its reference, each case in each mode in a process of its
 * own, and judges (docs/kernel-authors/verify.md). */
#ifndef PYPTO_LINT_HARNESS_VERIFY_H
#define PYPTO_LINT_HARNESS_VERIFY_H

#include "harness/evaluation_report.h"
#include "harness/lint_gate.h"
#include "harness/verify_plan.h"

enum { PROBE_TIMEOUT_MS = 20 * 1000 };

typedef enum VerifyEnd {
    VERIFY_JUDGED,      /* `judgement` and `report` say what came of it */
    VERIFY_REFUSED,     /* wrong usage, or the means are missing: `error`; no report */
    VERIFY_INTERRUPTED, /* by `signal`; no report */
} VerifyEnd;

typedef struct Verification {
    VerifyPlan plan;
    LintGate lint; /* empty when it did not run */
    bool linted;
    CaseModes *cases;
    size_t count;
    Judgement judgement;
    ReportFacts facts;
    Str report;   /* the JSON text */
    Str log_path; /* where the log was written; empty = nowhere */
    Str error;
    int signal;
} Verification;

/* What the simulator warned of in all cases, in the order in which it came; `count` is the number
 * of cases. In the arena. */
SimFindings verification_findings(Arena *arena, const Verification *verification);

/* The caller has made the plan, as verification->plan, with this end. `options` are the pool's;
 * `scheduler`: address of a cluster that takes the place of the pool, or empty. Everything in the
 * arena. */
VerifyEnd verify_run(Verification *verification, Arena *arena, Planned planned,
                     const VerifyOptions *asked, const PoolOptions *options, Str scheduler);

#endif
