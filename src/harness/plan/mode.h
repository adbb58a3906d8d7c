/* Mode and verdict: how a kernel is run, and the result. Words and order are those of the report
 * (docs/kernel-authors/verify.md). */
#ifndef PYPTO_LINT_HARNESS_PLAN_MODE_H
#define PYPTO_LINT_HARNESS_PLAN_MODE_H

#include "base/str.h"

typedef enum Mode {
    MODE_SIM, /* with the bundled simulator */
    MODE_NPU, /* with the installed pypto and torch_npu, on a device */
    MODE_COUNT,
} Mode;

/* In order of severity, so that the verdict on several is the largest; SKIPPED counts least. */
typedef enum Verdict {
    VERDICT_SKIPPED,
    VERDICT_PASS,
    VERDICT_FAIL,
    VERDICT_ERROR,
} Verdict;

/* "sim", "npu". */
const char *mode_name(Mode mode);
/* False when it names none. */
bool mode_find(Str name, Mode *mode);
/* "SKIPPED", "PASS", "FAIL", "ERROR". */
const char *verdict_name(Verdict verdict);

#endif
