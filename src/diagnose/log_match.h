/* LogMatch: keeps what matched in a log, and what later lines say for and against it. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_MATCH_H
#define PYPTO_LINT_DIAGNOSE_LOG_MATCH_H

#include "diagnose/log_work.h"

/* A pattern matches the line that is being read, with `most` as its highest strength. */
void log_match_take(LogScan *scan, uint32_t pattern, Str line, uint64_t number, Strength most);

/* "During handling of the above exception, another exception occurred": the program expected the
 * first one, so that it need not be why the run ended. */
void log_match_handling(LogScan *scan);

/* The line may name a place in a Python file, which belongs to an error shortly before it. */
void log_match_place(LogScan *scan, Str line);

/* The line after "CHECK FAILED: ErrCode: FC0000! …" says what was checked. */
void log_match_message(LogScan *scan, Str line);

/* The file has ended: takes what went well in it against what matched in it. */
void log_match_file_end(LogScan *scan);

#endif
