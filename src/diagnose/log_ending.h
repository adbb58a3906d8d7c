/* What lines of a log say of how a program, a job or a script ended as a whole. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_ENDING_H
#define PYPTO_LINT_DIAGNOSE_LOG_ENDING_H

#include "base/str.h"

typedef enum LogEnding {
    ENDING_NONE,
    ENDING_STATUS,  /* a status of 0, by whoever started the program */
    ENDING_WELL,    /* went well in the end, whatever errors came before */
    ENDING_TESTS,   /* the same, unless a test of it failed */
    ENDING_DRILL,   /* the same of a drill, whose errors were made on purpose */
    ENDING_SCRIPT,  /* a script that shows its commands (`set -x`) ended with 0 */
    ENDING_JOB,     /* who ran the job says that it went well */
    ENDING_IGNORED, /* what make ran failed, and was to be ignored */
} LogEnding;

/* Of a line with a sign of the class ENDED. */
LogEnding log_ending(Str line);

/* Does the line say that a pod has ended well? What `kubectl describe` lists below it are events of
 * the time before. */
bool log_pod_succeeded(Str line);

/* Is the line such an event that warns? */
bool log_is_pod_warning(Str line);

#endif
