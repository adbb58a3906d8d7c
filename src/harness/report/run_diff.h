/* Run diff: what became better or worse since an earlier report, case by case
 * (docs/kernel-authors/regressions.md). */
#ifndef PYPTO_LINT_HARNESS_REPORT_RUN_DIFF_H
#define PYPTO_LINT_HARNESS_REPORT_RUN_DIFF_H

#include "document/json.h"
#include "harness/report/run_record.h"
#include "lint/rule.h"

typedef enum ChangeKind {
    CHANGE_BROKE,   /* passed, fails */
    CHANGE_NOT_RUN, /* ran, was skipped */
    CHANGE_VANISHED,
    CHANGE_NOT_FINITE, /* the error was a number; now there are NaN or infinite elements */
    CHANGE_ERROR_GREW,
    CHANGE_SLOWER,
    CHANGE_FIXED, /* failed, passes */
    CHANGE_NEW,
    CHANGE_FINITE, /* the reverse */
    CHANGE_ERROR_SHRANK,
    CHANGE_FASTER,
    CHANGE_UNKNOWN, /* the baseline has a status that is none of the verdicts: neither */
    CHANGE_KIND_COUNT,
} ChangeKind;

typedef struct Change {
    ChangeKind kind;
    Str id;
    Mode mode;            /* MODE_COUNT: of the case as a whole */
    Metric before, after; /* errors, or seconds; unknown for the other kinds */
    Verdict was, is;      /* CHANGE_BROKE, CHANGE_FIXED, CHANGE_NOT_RUN */
    Str word;             /* CHANGE_UNKNOWN: the status */
    bool passed;          /* CHANGE_VANISHED: it had passed */
} Change;

typedef struct RunDiff {
    VEC(Change) changes; /* in the order of the cases now, then those that vanished */
    uint32_t counts[CHANGE_KIND_COUNT];
    bool knows_hashes; /* both reports have them */
    bool same_kernel, same_suite;
} RunDiff;

enum {
    DIFF_SLOWER_PERCENT = 150, /* of the earlier time, and */
    DIFF_SLOWER_MS = 20,       /* so much more on a device: less is noise */
    DIFF_SLOWER_SIM_MS = 100,  /* in the simulator, which shares its processor with others */
    DIFF_ERROR_PERCENT = 110,  /* of the earlier error: less is another order of summation */
};

/* `partial`: only some cases were asked for, so that missing ones have not vanished. */
RunDiff run_diff(Arena *arena, const RunRecord *before, const RunRecord *now, bool partial);

/* Has a case vanished that had passed? */
bool run_diff_lost_cases(const RunDiff *diff);
/* Did the same kernel give another verdict or error on the same suite? */
bool run_diff_is_flaky(const RunDiff *diff);

json_t *run_diff_json(JsonTree *tree, const RunDiff *diff);
/* Appends a summary line, and a line for each change. Slower and faster runs are counted apart
 * from what became worse or better: one measurement says little. */
void run_diff_text(Buf *out, const RunDiff *diff, Lang lang);

#endif
