/* LogEnding: how a program, a job or a script ended, according to a line of its log. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_ENDING_H
#define PYPTO_LINT_DIAGNOSE_LOG_ENDING_H

#include "base/str.h"

typedef enum LogEnding {
    ENDING_NONE,
    ENDING_STATUS,      /* the launcher reports a status of 0 */
    ENDING_WELL,        /* success in the end, whatever errors came before */
    ENDING_TESTS,       /* the same, unless a test failed */
    ENDING_DRILL,       /* the same for a drill, whose errors were made on purpose */
    ENDING_SCRIPT,      /* a script that shows its commands (`set -x`) ended with 0 */
    ENDING_JOB,         /* the job runner reports success */
    ENDING_POD,         /* a pod has completed */
    ENDING_IMAGE,       /* docker has built an image */
    ENDING_IGNORED,     /* make or ansible ignores that a command failed */
    ENDING_RECAP,       /* ansible's results by host begin */
    ENDING_HOST,        /* a host without failures */
    ENDING_HOST_FAILED, /* a host with failures */
} LogEnding;

/* The ending that a line with a sign of the class ENDED reports. */
LogEnding log_ending(Str line);

/* Does the line say that a pod has succeeded? The events that `kubectl describe` lists below it
 * happened earlier. */
bool log_pod_succeeded(Str line);

/* Is the line such an event, with the type Warning? */
bool log_is_pod_warning(Str line);

#endif
