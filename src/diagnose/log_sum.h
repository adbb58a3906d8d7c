/* LogSum: a summary of the cases that ran: "14 passed, 0 failed", "3/4 checks passed",
 * "total=5 pass=4 skip=1 fail=0", "全部用例通过". */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SUM_H
#define PYPTO_LINT_DIAGNOSE_LOG_SUM_H

#include "base/str.h"

typedef enum LogSumKind {
    LOG_SUM_NONE,
    LOG_SUM_GOOD,  /* cases passed, and none is said to have failed */
    LOG_SUM_BAD,   /* cases failed: "9 passed, 2 failed" */
    LOG_SUM_SHORT, /* not all have passed, at least so far: "3/4 checks passed" */
} LogSumKind;

typedef struct LogSum {
    LogSumKind kind;
    uint32_t total; /* of a ratio; 0: none */
    uint64_t key;   /* of a ratio: identifies the line apart from its numbers */
} LogSum;

/* Reads the summary in a trimmed line; LOG_SUM_NONE if it has none or is too long. */
LogSum log_sum(Str line);

#endif
