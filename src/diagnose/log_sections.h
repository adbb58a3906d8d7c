/* The parts of a log: what its lines belong to. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SECTIONS_H
#define PYPTO_LINT_DIAGNOSE_LOG_SECTIONS_H

#include "diagnose/log_work.h"

/* "commit 1a2b3c4…", as git shows one, and what follows as far as it is indented. */
void log_sections_commit(LogScan *scan, Str line);

/* Begins and ends the runs that the line shows: of a command, a session of tests, a quotation. */
void log_sections_run(LogScan *scan, Str line);

#endif
