/* LogEvidence: lines of a log that tell which of several ways a cause came about. Each match keeps
 * the nearest one of its file that speaks about it. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_EVIDENCE_H
#define PYPTO_LINT_DIAGNOSE_LOG_EVIDENCE_H

#include "diagnose/log_work.h"

/* Takes the evidence in the line out of the hits, and keeps it for matches before and after it. */
void log_evidence_line(LogScan *scan, Str line, uint64_t number);

/* Takes a line that may belong to a report by blocks (log_series.h). */
void log_evidence_series(LogScan *scan, Str line, uint64_t number);

/* The match was taken from the line that is being read: gives it the nearest evidence so far. */
void log_evidence_match(LogScan *scan, LogMatch *match);

/* The file has ended: takes away what speaks of another line of the kernel than the match does. */
void log_evidence_file_end(LogScan *scan);

#endif
