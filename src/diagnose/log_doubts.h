/* LogDoubts: what a line says against other lines of its log being why it failed. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_DOUBTS_H
#define PYPTO_LINT_DIAGNOSE_LOG_DOUBTS_H

#include "diagnose/log_work.h"

/* Takes a line of this program's own reports, before anything is matched in it; what says why a
 * mode was skipped loses its words. */
void log_own_report(LogScan *scan, Str line);

/* Takes what speaks against the errors before this line being why the log ends, and for a later one
 * having another reason. To be called when the line's meaning and matches are known; `traceback`:
 * one begins in it. */
void log_doubts(LogScan *scan, Str line, bool traceback);

#endif
