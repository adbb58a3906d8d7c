/* The words that lines are searched for in one pass: markers, signs and anchors of the globs. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_FORMS_H
#define PYPTO_LINT_DIAGNOSE_LOG_FORMS_H

#include "diagnose/log_work.h"

/* Finds the marks, the signs and the alternatives of the line; see ScanWork. */
void log_forms_find(LogScan *scan, Str line);

#endif
