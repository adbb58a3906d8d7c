/* Case result: the verdict on one case in one mode, from the worker's result and its end. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_CASE_RESULT_H
#define PYPTO_LINT_HARNESS_JUDGE_CASE_RESULT_H

#include "harness/judge/category.h"
#include "harness/judge/symptoms.h"
#include "harness/plan/suite.h"
#include "harness/pool/pool.h"
#include "harness/pool/worker_result.h"
#include "harness/report/redaction.h"

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
    bool compared;      /* there are leaves or steps of an inspection */
    bool blocked;       /* by the environment: SKIPPED, `unavailable` says why */
    bool own_tolerance; /* compared with other tolerances than the case's */
    Unavailable unavailable;
    Str summary;    /* one sentence for FAIL, ERROR and `blocked`, without values; else empty */
    Str summary_zh; /* the same in Chinese; empty: warning_text.h knows it, or it is English only */
    Leaves leaves;
    Inspection inspection;
    Provenance provenance;
    Str code;                          /* of an exception: "F74006"; empty = none */
    SourcePlace raised_at;             /* of an exception */
    const char *cause;                 /* a row of ADVICE_CAUSE, or NULL */
    Strs warnings;                     /* in a fixed order */
    SimFindings findings;              /* warnings of the simulator */
    int64_t launches, ops;             /* -1 = not counted */
    Metric max_abs_diff, max_rel_diff; /* over all leaves and steps */
    uint64_t nonfinite;
    CaseEnvironment environment;
    CaseSeconds seconds;
    Repeat repeat;
    Blame blame; /* blame_run.c fills it in after the judgement */
    InputFacts inputs;
    bool claimed; /* `blocked` only by a claim of the kernel's process, after the mode was set up */
    Str log;      /* filtered, valid UTF-8, at most WORKER_LOG_LIMIT bytes; what others wrote */
} CaseResult;

typedef struct CaseContext {
    CaseKind kind;
    Mode mode;
    const SuiteCase *source;
    const Redaction *redaction; /* NULL = no reference is known */
    unsigned timeout_ms;        /* limits, for sentences; 0 = unknown */
    uint64_t memory;
    const Strs *outputs; /* names of the phase's outputs by the contract, or NULL */
} CaseContext;

/* Reads what a worker left behind, which may be any bytes. Everything in the arena. A case result
 * that the environment blocked is SKIPPED here; judge() makes it ERROR if other cases of its mode
 * ran. */
void case_result_read(Arena *arena, const CaseContext *context, const WorkerOutcome *outcome,
                      CaseResult *case_result);

/* The result of a case that did not run: the mode was not asked for (`why` NULL), or cannot run. */
void case_result_skip(CaseResult *case_result, const Unavailable *why);

/* Reads the outcome of a `probe` job. True when the mode can run, else why not. */
bool probe_read(Arena *arena, const WorkerOutcome *outcome, Mode mode, Unavailable *why);

#endif
