/* The parts of a log: what its lines belong to. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SECTIONS_H
#define PYPTO_LINT_DIAGNOSE_LOG_SECTIONS_H

#include "diagnose/log_work.h"

/* Finds commits as git shows them: "commit 1a2b3c4…" and the indented lines after it. */
void log_sections_commit(LogScan *scan, Str line);

/* Begins or ends a run if the line shows a command, a session of tests or a quotation. */
void log_sections_run(LogScan *scan, Str line);

#endif
