/* Last run: what the report of the last verification says of the kernel as it is now. */
#ifndef PYPTO_LINT_HARNESS_REPORT_LAST_RUN_H
#define PYPTO_LINT_HARNESS_REPORT_LAST_RUN_H

#include "base/str.h"

typedef enum LastRunState {
    LAST_RUN_NONE,         /* no report was found, or it cannot be read */
    LAST_RUN_OTHER_KERNEL, /* of another text of the kernel */
    LAST_RUN_PARTIAL,      /* passed, with other cases, or not all of them, or not all modules */
    LAST_RUN_UNKNOWN,      /* passed, but of an unknown kernel; or without a verdict */
    LAST_RUN_FAILED,       /* FAIL or ERROR, of this kernel or, without hashes, of some kernel */
    LAST_RUN_PASSED,       /* this kernel, all cases */
    LAST_RUN_STATES,
} LastRunState;

typedef struct LastRun {
    LastRunState state;
    Str case_id; /* LAST_RUN_FAILED: its first failure; empty: it is not a case */
} LastRun;

#define LAST_RUN_REPORT "eval/evaluation_report.json"

/* Reads the report and the files of the operator; runs nothing. In the arena. */
LastRun last_run_read(Arena *arena, Str op_dir);

/* "none", "other-kernel", … */
const char *last_run_name(LastRunState state);

#endif
