/* Pattern: what a text in a log means. The rows are in patterns.def, each with an example that the
 * tests feed back. A pattern says how sure it is: nothing here may name a cause with confidence
 * that the text does not bear out. */
#ifndef PYPTO_LINT_DIAGNOSE_PATTERN_H
#define PYPTO_LINT_DIAGNOSE_PATTERN_H

#include "harness/judge/category.h"
#include "lint/rule.h"

/* Who has to act. The first ones are the verdicts of `verify`; those from ENVIRONMENT on clear the
 * kernel of the blame. ORDER DIAGNOSIS_CATEGORY: rows of pattern.c. */
typedef enum DiagnosisCategory {
    DIAGNOSIS_STRUCTURE,
    DIAGNOSIS_TILE_SHAPE,
    DIAGNOSIS_LAYOUT,
    DIAGNOSIS_PRECISION,
    DIAGNOSIS_AICORE,
    DIAGNOSIS_OVERLAP,
    DIAGNOSIS_OOM,
    DIAGNOSIS_HOST_CRASH,
    DIAGNOSIS_TIMEOUT,
    DIAGNOSIS_OTHER,
    DIAGNOSIS_ENVIRONMENT,   /* what is installed, and how */
    DIAGNOSIS_DEVICE,        /* the device and its driver */
    DIAGNOSIS_COMMUNICATION, /* between devices */
    DIAGNOSIS_CATEGORIES
} DiagnosisCategory;

/* "tile_shape", "environment" … */
const char *diagnosis_category_name(DiagnosisCategory category);
/* `failure_category` of a report for it: "runtime", "infra" … */
const char *diagnosis_failure_name(DiagnosisCategory category);
/* Who should act, in a few words. */
Text diagnosis_turn(DiagnosisCategory category);

/* Exit statuses of `diagnose`: that of a category is DIAGNOSIS_FIRST_STATUS + category. */
enum { DIAGNOSIS_FIRST_STATUS = 10 };

typedef enum Strength {
    STRENGTH_NONE,
    STRENGTH_SYMPTOM, /* says that something failed, or follows from another failure */
    STRENGTH_LIKELY,  /* has this cause more often than not */
    STRENGTH_CERTAIN, /* cannot be printed for another cause */
} Strength;

typedef struct Pattern {
    const char *id; /* "loader.hccl" */
    DiagnosisCategory category;
    Strength strength;
    const char *globs;  /* glob.h, one a line: any of them */
    const char *page;   /* below docs/, or a rule's id; "" without one */
    Text cause, change; /* NULL: ask those below */
} Pattern;

/* The cause, a clause; what to do, a sentence or more. */
Text pattern_cause(const Pattern *pattern);
Text pattern_change(const Pattern *pattern);

extern const Pattern patterns[];
extern const uint32_t pattern_count;

/* What the codes that begin so belong to: "EZ", "507", "F4". */
typedef struct CodeFamily {
    const char *prefix;
    Text meaning;
} CodeFamily;

/* The family with the longest prefix of the code, or NULL. */
const CodeFamily *code_family(Str code);

#endif
