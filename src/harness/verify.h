/* Verify: runs an implementation against its reference, each case in each mode in a process of its
 * own, and judges (docs/kernel-authors/verify.md).
 *
 * One struct holds a verification from the question to the verdict: verify_plan fills in what is to
 * run, verify_run what came of it; everything else only reads it. */
#ifndef PYPTO_LINT_HARNESS_VERIFY_H
#define PYPTO_LINT_HARNESS_VERIFY_H

#include "harness/judge/judgement.h"
#include "harness/plan/lint_gate.h"
#include "harness/plan/source_watch.h"
#include "harness/report/run_diff.h"

/* When the line that makes a failing case wrong is searched for. */
typedef enum BlameWish {
    BLAME_USUAL, /* of the first one, if that is quick */
    BLAME_ALWAYS,
    BLAME_NEVER,
} BlameWish;

/* As on the command line; empty texts and zeros where nothing was given. */
typedef struct VerifyRequest {
    Str impl, suite, op_dir, case_id, levels, modes, inspect;
    uint32_t module; /* --up-to-module */
    bool self_test, no_lint_gate;
    BlameWish blame;
    Str working_dir; /* absolute */
    Lang lang;
    PoolOptions pool;
    const RunRecord *baseline; /* an earlier run to compare with; NULL = none */
    Str scheduler;             /* address of a cluster that takes the place of the pool */
} VerifyRequest;

typedef enum VerifyEnd {
    VERIFY_JUDGED,      /* `judgement` and `report` hold the result */
    VERIFY_REFUSED,     /* wrong usage or a missing cluster: `refusal`; no report */
    VERIFY_INTERRUPTED, /* by `signal`; no report */
} VerifyEnd;

typedef struct Verification {
    Arena *arena; /* of everything below */
    VerifyRequest asked;

    /* The plan. */
    CaseKind kind;
    uint32_t module;        /* k */
    uint32_t total_modules; /* 0 = unknown */
    bool inspectable;       /* the wrapper has a parameter `inspection_…` */
    bool modes[MODE_COUNT]; /* asked for */
    Str op_dir, op_name;    /* op_dir: absolute */
    Str suffix;
    Str impl;      /* absolute; empty for a self-test */
    Str impl_as;   /* the contract's path of the phase's implementation */
    Str impl_file; /* as given, else relative to op_dir */
    Str wrapper;   /* its function; empty for a self-test */
    Str golden, golden_function;
    Str reference, reference_function; /* RESULT_OF_SELF_TEST: <op>_golden.py */
    Str inputs;                        /* eval/test_inputs.py; empty for RESULT_OF_TESTS */
    Str test_file;                     /* RESULT_OF_TESTS */
    Str suite;                         /* empty: there is none */
    Region wrapper_place;              /* its `def` in impl; all zero when not found */
    Strs outputs;                      /* of the phase, by the contract; empty = unknown */
    SuiteCases cases;                  /* selected, in the order of the file */
    Redaction redaction;               /* knows the texts of reference, inputs, implementation */

    /* The run. */
    LintGate lint;
    bool linted;           /* the lint gate ran */
    bool able[MODE_COUNT]; /* of the modes asked for: those that can run; else `why` */
    int signal;            /* that interrupted it */
    Unavailable why[MODE_COUNT];
    SourceWatch sources; /* before anything ran */
    CaseModes *results;  /* one for each case */
    RunHashes hashes;    /* before anything ran */

    /* The verdict. */
    RunError error; /* what kept the run from starting or makes it void; no summary: nothing */
    Str refusal;
    Judgement judgement;
    double seconds;
    RunDiff diff; /* from asked.baseline, if there is one */
    Str report;   /* JSON text */
    Str log_path; /* where the caller wrote the log; empty = nowhere */
} Verification;

/* Makes the plan for `asked`, which is copied: files, names and cases. Executes and writes nothing.
 * False with `refusal`; when the workspace is not in order true, with `error`. */
bool verify_plan(Verification *verification, Arena *arena, const VerifyRequest *asked);

/* Runs the plan and judges. */
VerifyEnd verify_run(Verification *verification);

/* The files that the run reads by name, absolute paths. */
Strs verify_files(const Verification *verification);
/* Is this, by whatever path, one of them? Then nothing may be written there. */
bool verify_reads(const Verification *verification, Str path);

/* The job of a case in a mode (docs/internals/harness.md, "Job"). `kind`: "tolerance" or
 * "bisect"; NULL = that of the verification. */
WorkerJob verify_job(const Verification *verification, const SuiteCase *source, Mode mode,
                     const char *kind);
/* The job that searches for the line that makes a failing case wrong. */
WorkerJob verify_blame_job(const Verification *verification, const SuiteCase *source);
/* The job that asks whether mode npu can run. */
WorkerJob verify_probe(Arena *arena);

/* What is needed to read the outcome of a case. */
CaseContext verify_context(const Verification *verification, const SuiteCase *source, Mode mode);

/* Warnings of the simulator in all cases, in the order of their arrival; `count` is the number of
 * cases. */
SimFindings verification_findings(Arena *arena, const Verification *verification);

/* Appends the verdict: what failed, where, by how much, what to do. Without the summary line. */
void verify_text(Buf *out, const Verification *verification, Lang lang);

/* Appends a SARIF log: a result for each failing case, at the line that raised or at the wrapper,
 * and for each warning of the simulator. False when memory ran out. */
bool verify_sarif(Buf *out, const Verification *verification, Lang lang);

#endif
