/* LogSum: what a line counts of the cases that ran: "14 passed, 0 failed", "3/4 checks passed",
 * "total=5 pass=4 skip=1 fail=0", "全部用例通过". */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SUM_H
#define PYPTO_LINT_DIAGNOSE_LOG_SUM_H

#include "base/str.h"

typedef enum LogSumKind {
    LOG_SUM_NONE,
    LOG_SUM_GOOD,  /* some passed, and none failed by the words of the line */
    LOG_SUM_BAD,   /* some failed: "9 passed, 2 failed" */
    LOG_SUM_SHORT, /* fewer passed than there are, so far at least: "3/4 checks passed" */
} LogSumKind;

typedef struct LogSum {
    LogSumKind kind;
    uint32_t total; /* of a ratio; 0: not given */
    uint64_t key;   /* of a ratio: the line without its numbers */
} LogSum;

/* Reads a line without white space at both ends. Long ones are no sums. */
LogSum log_sum(Str line);

#endif
