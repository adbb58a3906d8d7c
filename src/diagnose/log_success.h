/* What lines of a log say for a run: that it goes on, tries again, or went well. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SUCCESS_H
#define PYPTO_LINT_DIAGNOSE_LOG_SUCCESS_H

#include "diagnose/log_work.h"

/* Takes the line, whose meaning is known. */
void log_success(LogScan *scan, Str line);

/* A command or the end of the file follows the line of the order `last`: if that is a status
 * which the command before printed at its end, it failed. */
void log_success_settle(LogScan *scan, uint64_t last);

#endif
