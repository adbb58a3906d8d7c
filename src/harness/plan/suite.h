/* Suite: the cases of an operator, eval/adversarial_suite.json (docs/kernel-authors/verify.md, "The
 * suite"). */
#ifndef PYPTO_LINT_HARNESS_PLAN_SUITE_H
#define PYPTO_LINT_HARNESS_PLAN_SUITE_H

#include "harness/plan/phase.h"

#define SUITE_DEFAULT_TOLERANCE 1e-3
enum {
    SUITE_MOST_MODULES = PHASE_MOST_MODULES,
    SUITE_MOST_CASES = 10000, /* ids are compared each with each */
};

typedef struct SuiteCase {
    Str id;
    Str level;      /* as suite_level gives it; empty when there is none */
    bool precision; /* false: only the structure is compared */
    double atol, rtol;
    Str json;   /* the whole case as one line of JSON */
    Str inputs; /* the same without names, tolerances and comments: what inputs may depend on */
    Str duplicate_of; /* the id of an earlier case with the same `inputs`; empty = none */
} SuiteCase;
typedef VEC(SuiteCase) SuiteCases;

typedef struct Suite {
    Str path;               /* as given */
    Str op_dir;             /* absolute: the parent of the folder that the suite lies in */
    Str op_name;            /* `op_name`, else the name of op_dir */
    uint32_t total_modules; /* 0 = the suite does not say */
    SuiteCases cases;       /* in the order of the file */
} Suite;

/* Everything in the arena. False with one line in `*error`: no such file, no JSON (with line), no
 * list of cases, a case that is not an object or has no usable id, a repeated id, a tolerance that
 * is not a number, a misspelt key. Then the suite has its path, op_dir and what was read so far. */
bool suite_read(Arena *arena, Str path, Suite *suite, Str *error);

/* The same from the text of the file; `suite` has its path, op_dir and a default for op_name. */
bool suite_parse(Arena *arena, Str text, Suite *suite, Str *error);

/* The parent of the folder that `path` lies in, absolute, without symlinks; empty when that folder
 * does not exist. */
Str suite_op_dir(Arena *arena, Str path);

/* A level in the form in which it is compared: "L2" for "L2", "l2" and "2"; other texts
 * unchanged. */
Str suite_level(Arena *arena, Str text);

/* Case by id, or NULL. */
const SuiteCase *suite_find(const Suite *suite, Str id);

#endif
