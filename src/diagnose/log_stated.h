/* Whether words of a pattern are what a program prints, or stand in a sentence about it. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_STATED_H
#define PYPTO_LINT_DIAGNOSE_LOG_STATED_H

#include "diagnose/glob.h"

/* Do the words that matched at `span` stand for themselves, as what a program prints, rather than
 * amid others, as in a sentence about them: "cmake: command not found", not "workaround for cmake:
 * command not found"? */
bool log_is_stated(Str line, GlobSpan span);

/* Is a code at `span` spoken of ("if you see ErrCode: F40005", "error code 507053 appears in table
 * 3", "ErrCode: F40005 (injected)") rather than reported? */
bool log_is_spoken_of(Str line, GlobSpan span);

/* Does the line consist of the words of the glob, with little in place of its wildcards, after a
 * label ("run.sh: line 3: cmake: command not found") and before a remark in parentheses at most? */
bool log_is_whole(Str line, Str glob, GlobSpan span);

#endif
