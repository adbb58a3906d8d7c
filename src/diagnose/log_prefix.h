/* What launchers put before each line of a program: its rank, container, service and the time. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_PREFIX_H
#define PYPTO_LINT_DIAGNOSE_LOG_PREFIX_H

#include "base/str.h"

typedef struct LogPrefix {
    size_t length; /* 0: none */
    bool is_rank;  /* it names one of several processes of the run */
} LogPrefix;

LogPrefix log_prefix(Str line);

#endif
