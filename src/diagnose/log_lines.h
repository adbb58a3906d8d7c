/* LogLines: the lines of a log as text, whatever its bytes are. UTF-16 becomes UTF-8, terminal
 * escape sequences and control characters are removed, and CR ends a line as LF does (progress
 * bars). It allocates nothing: a line longer than LOG_PIECE comes in pieces that overlap, so
 * that every word is whole in one of them. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_LINES_H
#define PYPTO_LINT_DIAGNOSE_LOG_LINES_H

#include "base/str.h"

enum {
    LOG_PIECE = 8192,
    LOG_OVERLAP = 512, /* longer than any pattern's text */
    LOG_PROBE = 256,   /* bytes that decide on the encoding */
};

/* Receives a line or a piece of one; `text` is valid during the call only. `number`: of the line,
 * from 1; `first`: false for a piece that continues a line. Empty lines are not reported. */
typedef void LogLine(void *context, Str text, uint64_t number, bool first);

typedef enum LogEncoding { LOG_UNKNOWN, LOG_BYTES, LOG_UTF16_LE, LOG_UTF16_BE } LogEncoding;

typedef struct LogLines {
    LogLine *line;
    void *context;
    LogEncoding encoding;
    uint64_t number;
    size_t length, probed;
    uint64_t nuls;  /* zero bytes outside of UTF-16: the log is binary */
    uint8_t escape; /* the part of an escape sequence that comes next */
    bool going_on, has_half;
    uint16_t half, surrogate; /* of UTF-16: first byte of a unit, first unit of a pair */
    char probe[LOG_PROBE];
    char text[LOG_PIECE];
} LogLines;

void log_lines_begin(LogLines *lines, LogLine *line, void *context);
void log_lines_add(LogLines *lines, const char *bytes, size_t count);
/* Reports the last line if it has no end. */
void log_lines_end(LogLines *lines);

#endif
