/* Symptoms: faults of the host's environment (no CANN, a library that does not load, no device)
 * that say nothing about a kernel, each with a recipe. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_SYMPTOMS_H
#define PYPTO_LINT_HARNESS_JUDGE_SYMPTOMS_H

#include "harness/plan/mode.h"
#include "lint/rule.h"

typedef struct Symptom {
    const char *id;                /* "no_cann" */
    const char *const patterns[8]; /* any of them, in any case; NULL at the end */
    bool npu_only;                 /* means nothing in mode sim */
    bool early_only;               /* later, while a kernel runs, the kernel caused it */
    bool decisive;                 /* no kernel can cause it, whatever else the log says */
    Text cause;                    /* one sentence */
    Text recipe;                   /* what to do, one sentence */
} Symptom;

/* The symptom that the text shows, or NULL. `early`: nothing of the implementation had run yet. */
const Symptom *symptom_find(Str text, Mode mode, bool early);
/* By id ("no_cann"), for symptoms that the caller detects itself. NULL when there is none. */
const Symptom *symptom_by_id(const char *id);

/* Why a mode cannot run. */
typedef struct Unavailable {
    Str reason;             /* one sentence, in English as all of the report */
    const Symptom *symptom; /* NULL: none is known */
} Unavailable;

#endif
