/* Pattern: what a text in a log means. The rows are in patterns.def, each with an example that the
 * tests run. A pattern says how sure it is, and must not claim more than its text proves. */
#ifndef PYPTO_LINT_DIAGNOSE_PATTERN_H
#define PYPTO_LINT_DIAGNOSE_PATTERN_H

#include "harness/judge/category.h"
#include "lint/rule.h"

/* Who has to act. The first ones are the verdicts of `verify`; from ENVIRONMENT on the kernel is
 * not to blame. ORDER DIAGNOSIS_CATEGORY: rows of pattern.c. */
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

/* The exit status of `diagnose` for a category is DIAGNOSIS_FIRST_STATUS + category. */
enum { DIAGNOSIS_FIRST_STATUS = 10 };

typedef enum Strength {
    STRENGTH_NONE,
    STRENGTH_SYMPTOM, /* says that something failed, or follows from another error */
    STRENGTH_LIKELY,  /* has this cause more often than not */
    STRENGTH_CERTAIN, /* cannot be printed for another cause */
    STRENGTH_NAMED = STRENGTH_CERTAIN, /* of rows only: the same, with `is_open` */
} Strength;

/* Among matches of equal strength those of a lower level come first. */
typedef enum RowLevel {
    ROW_SPECIFIC,    /* names a cause */
    ROW_CODE,        /* knows a code only */
    ROW_GENERAL,     /* repeats what the text says of itself: "a key does not exist" */
    ROW_WORDS,       /* plain words; counts only in lines that report an error */
    ROW_CONSEQUENCE, /* mostly follows from another error: a wait in vain */
    ROW_EVIDENCE,    /* no cause by itself: tells which way another row's cause came about */
} RowLevel;

typedef struct Pattern {
    const char *id; /* "loader.hccl" */
    DiagnosisCategory category;
    Strength strength;
    const char *globs;  /* see glob.h; one per line, any of them may match */
    const char *page;   /* below docs/, or a rule's id; "" without one */
    Text cause, change; /* NULL: taken from the tables of codes, see below */
    RowLevel level;
    bool is_open;   /* what it names has several reasons or remedies: never certain */
    const char *of; /* of evidence: ids of the rows that it speaks about, with spaces around each */
    bool routes;    /* of evidence: its category takes the place of theirs */
} Pattern;

/* The cause, as a clause, and what to do; NULL texts when the tables of codes do not know the
 * code. */
Text pattern_cause(const Pattern *pattern);
Text pattern_change(const Pattern *pattern);

extern const Pattern patterns[];
extern const uint32_t pattern_count;

/* What codes with a prefix ("EZ", "507", "F4") belong to. */
typedef struct CodeFamily {
    const char *prefix;
    Text meaning;
} CodeFamily;

/* The family with the longest prefix of the code, or NULL. */
const CodeFamily *code_family(Str code);

#endif
