/* PythonChild: what happens between fork and exec; used by python_run only. Nothing here allocates:
 * after a fork in a program with threads only async-signal-safe functions may be called. */
#ifndef PYPTO_LINT_OPERATOR_PYTHON_CHILD_H
#define PYPTO_LINT_OPERATOR_PYTHON_CHILD_H

#include "operator/python_run.h"

#include <sys/types.h>

/* What the guard tells about the end, as one record through the status pipe. */
typedef struct PythonReport {
    PythonEnd end;
    int value;
} PythonReport;

typedef struct PythonLaunch {
    const PythonJob *job;
    const char *path; /* of the interpreter */
    char *const *argv, *const *envp;
    pid_t parent;         /* the linter */
    int out, err, status; /* write ends */
    char user_map[64];    /* lines for /proc/self/uid_map and gid_map */
    char group_map[64];
} PythonLaunch;

/* The life of the guard: isolates itself, starts Python, waits for it or for the end of its time,
 * ends whatever is left, reports. Called in the forked child with all signals blocked. */
_Noreturn void python_guard(const PythonLaunch *launch);

#endif
