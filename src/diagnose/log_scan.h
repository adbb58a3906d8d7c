/* LogScan: a log read line by line against all patterns, in memory that does not grow with it. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SCAN_H
#define PYPTO_LINT_DIAGNOSE_LOG_SCAN_H

#include "diagnose/anchors.h"
#include "diagnose/log_digest.h"
#include "diagnose/log_lines.h"
#include "diagnose/log_trace.h"

typedef struct LogMatch {
    const Pattern *pattern;
    Strength strength; /* the pattern's, or less where the line itself plays it down */
    bool is_played_down;
    uint64_t order; /* of the line among all that were read; from 1 */
    uint64_t line;  /* in its file, from 1 */
    uint64_t count; /* lines that fit */
    Str file, text; /* the first line, or the first that is not played down */
    LogPlace place; /* that the exception, the line or one soon after it names */
} LogMatch;

typedef struct LogScan {
    Arena *arena;
    Str file;          /* being read: its path, or empty */
    LogMatch *matches; /* by pattern; those with a count of 0 did not match */
    LogTrace trace;
    LogDigest *digest;
    LogPlace first_place; /* of any line or traceback, nearest to the kernel */
    uint64_t order, bytes, binary_bytes;
    uint32_t files;
    /* The last exception of a traceback; an order of 0 without one. */
    char exception[DIGEST_TEXT + 1];
    Str exception_file;
    uint64_t exception_line, exception_order;
    bool exception_known; /* a pattern fits it */
    struct ScanWork *work;
} LogScan;

/* `kernel`: base name of the kernel's file, or empty. Everything is in the arena. */
LogScan *log_scan_begin(Arena *arena, Str kernel);

/* A file, piece by piece. `name` is shown; it may be empty. */
void log_scan_file(LogScan *scan, Str name);
void log_scan_add(LogScan *scan, const char *bytes, size_t count);
void log_scan_file_end(LogScan *scan);

#endif
