/* Case result: one case in one mode: what came of it, from what the worker told and how it
 * ended. */
#ifndef PYPTO_LINT_HARNESS_CASE_RESULT_H
#define PYPTO_LINT_HARNESS_CASE_RESULT_H

#include "harness/category.h"
#include "harness/pool.h"
#include "harness/redaction.h"
#include "harness/suite.h"
#include "harness/symptoms.h"
#include "harness/worker_result.h"

typedef enum CaseKind {
    RESULT_OF_CASE,      /* a wrapper against the reference */
    RESULT_OF_TESTS,     /* a function of test_<op>.py */
    RESULT_OF_SELF_TEST, /* two references against each other (also kind `compose`): no kernel */
} CaseKind;

typedef struct CaseResult {
    Verdict verdict;
    Category category; /* CATEGORY_NONE for PASS */
    VerdictCategory route;
    bool dispatched;    /* the implementation was called, or at least imported */
    bool compared;      /* leaves or inspection hold numbers or structures */
    bool blocked;       /* the environment's fault: SKIPPED, `unavailable` tells why */
    bool own_tolerance; /* compared with tolerances that are not the case's */
    Unavailable unavailable;
    Str summary; /* one sentence for FAIL and ERROR, without values; empty for PASS */
    Leaves leaves;
    Inspection inspection;
    Provenance provenance;
    Str code;                          /* of an exception: "F74006"; empty = none */
    SourcePlace raised_at;             /* of an exception */
    const char *cause;                 /* a row of ADVICE_CAUSE, or NULL */
    Strs warnings;                     /* in a fixed order */
    SimFindings findings;              /* what the simulator warned of */
    int64_t launches, ops;             /* -1 = not counted */
    Metric max_abs_diff, max_rel_diff; /* over all leaves and steps */
    uint64_t nonfinite;
    CaseEnvironment environment;
    CaseSeconds seconds;
    Repeat repeat;
    bool claimed; /* `blocked` by what the kernel's process said, after the mode was set up */
    Str log;      /* filtered, valid UTF-8, at most WORKER_LOG_LIMIT bytes; what others wrote */
} CaseResult;

typedef struct CaseContext {
    CaseKind kind;
    Mode mode;
    const SuiteCase *source;
    const Redaction *redaction; /* NULL = no reference is known */
    unsigned timeout_ms;        /* the limits, for sentences; 0 = unknown */
    uint64_t memory;
    const Strs *outputs; /* names of the phase's outputs by the contract, or NULL */
} CaseContext;

/* Reads what a worker left behind; whatever bytes it wrote. Everything in the arena. A case
 * result of a blocked environment is SKIPPED here; judge() makes it ERROR where others of its
 * mode ran. */
void case_result_read(Arena *arena, const CaseContext *context, const WorkerOutcome *outcome,
                      CaseResult *case_result);

/* A case result that was not run: the mode is not asked for (`why` NULL), or cannot run. */
void case_result_skip(CaseResult *case_result, const Unavailable *why);

/* Reads the outcome of a `probe` job. True when the mode can run, else why not. */
bool probe_read(Arena *arena, const WorkerOutcome *outcome, Mode mode, Unavailable *why);

#endif
