/* Whether words of a pattern are what a program prints, or stand in a sentence about it. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_STATED_H
#define PYPTO_LINT_DIAGNOSE_LOG_STATED_H

#include "diagnose/glob.h"

/* Do the words that matched at `span` stand for themselves, as what a program prints, rather than
 * amid others, as in a sentence about them: "cmake: command not found", not "workaround for cmake:
 * command not found"? */
bool log_is_stated(Str line, GlobSpan span);

#endif
