/* Plan of a verification: what is asked for, made into files, names and cases
 * (docs/kernel-authors/verify.md). Nothing is executed and nothing written while it is made. */
#ifndef PYPTO_LINT_HARNESS_VERIFY_PLAN_H
#define PYPTO_LINT_HARNESS_VERIFY_PLAN_H

#include "harness/judgement.h"

/* As on the command line; empty texts and zeros stand for what was not given. */
typedef struct VerifyOptions {
    Str impl, suite, op_dir, case_id, levels, report, modes, inspect;
    uint32_t module; /* --up-to-module */
    bool has_module, self_test, no_lint_gate;
    Str working_dir; /* absolute */
    Lang lang;
} VerifyOptions;

typedef enum Planned {
    PLANNED_READY,
    PLANNED_ERROR,   /* the workspace is not in order: `error` is what the report says */
    PLANNED_REFUSED, /* wrong usage: `refusal` says why, and there is no report */
} Planned;

typedef struct VerifyPlan {
    CaseKind kind;
    Str op_dir, op_name; /* op_dir: absolute */
    uint32_t module;     /* k */
    Str suffix;
    uint32_t total_modules; /* 0 = unknown */
    Str impl;               /* absolute; empty for a self-test */
    Str impl_as;            /* the contract's path of the phase's implementation */
    Str impl_file;          /* as given, else relative to op_dir */
    Str wrapper;            /* its function; empty for RESULT_OF_TESTS and RESULT_OF_SELF_TEST */
    Str golden, golden_function;
    Str reference, reference_function; /* RESULT_OF_SELF_TEST: <op>_golden.py */
    Str inputs;                        /* eval/test_inputs.py; empty for RESULT_OF_TESTS */
    Str test_file;                     /* RESULT_OF_TESTS */
    Str suite;                         /* empty: there is none */
    Str inspect;                       /* or empty */
    bool inspectable;                  /* the wrapper has a parameter `inspection_…` */
    Strs outputs;                      /* of the phase, by the contract; empty = unknown */
    SuiteCases cases;                  /* selected, in the order of the file */
    bool modes[MODE_COUNT];            /* asked for */
    Region wrapper_place;              /* its `def` in impl; all zero when not found */
    Strs hidden; /* texts of the reference and the inputs, for the redaction */
    Strs known;  /* texts of the author of the kernel */
    RunError error;
    Str refusal;
} VerifyPlan;

Planned verify_plan_make(VerifyPlan *plan, Arena *arena, const VerifyOptions *options);

/* Is this, by whatever path, a file that the run reads? Then nothing may be written there. */
bool verify_plan_reads(Arena *arena, const VerifyPlan *plan, Str path);

/* The report's place when none is named: <op_dir>/eval/evaluation_report.json. */
Str verify_report_path(Arena *arena, const VerifyPlan *plan);

#endif
