/* Lines that show a run at work, trying again, or successful. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SUCCESS_H
#define PYPTO_LINT_DIAGNOSE_LOG_SUCCESS_H

#include "diagnose/log_work.h"

/* Takes the line, whose meaning is known. */
void log_success(LogScan *scan, Str line);

/* Call it when a command or the end of the file follows the line with the order `last`. If that
 * line is a bad status that the previous command printed at its end, the command failed. */
void log_success_settle(LogScan *scan, uint64_t last);

#endif
