/* What lines of a log say for a run: that it goes on, tries again, or went well. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SUCCESS_H
#define PYPTO_LINT_DIAGNOSE_LOG_SUCCESS_H

#include "diagnose/log_work.h"

/* Takes the line, whose meaning is known. */
void log_success(LogScan *scan, Str line);

#endif
