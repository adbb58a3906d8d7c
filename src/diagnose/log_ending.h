/* What lines of a log say of how a program, a job or a script ended as a whole. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_ENDING_H
#define PYPTO_LINT_DIAGNOSE_LOG_ENDING_H

#include "base/str.h"

typedef enum LogEnding {
    ENDING_NONE,
    ENDING_STATUS,  /* the launcher reports a status of 0 */
    ENDING_WELL,    /* success in the end, whatever errors came before */
    ENDING_TESTS,   /* the same, unless a test failed */
    ENDING_DRILL,   /* the same for a drill, whose errors were made on purpose */
    ENDING_SCRIPT,  /* a script that shows its commands (`set -x`) ended with 0 */
    ENDING_JOB,     /* the job runner reports success */
    ENDING_POD,     /* a pod has completed */
    ENDING_IMAGE,   /* docker has built an image */
    ENDING_IGNORED, /* make or ansible ignores that a command failed */
    ENDING_RECAP,   /* ansible's results of all hosts begin */
    ENDING_HOST,    /* one of them went well */
    ENDING_HOST_FAILED,
} LogEnding;

/* Of a line with a sign of the class ENDED. */
LogEnding log_ending(Str line);

/* Does the line say that a pod has ended well? What `kubectl describe` lists below it are events of
 * the time before. */
bool log_pod_succeeded(Str line);

/* Is the line such an event that warns? */
bool log_is_pod_warning(Str line);

#endif
