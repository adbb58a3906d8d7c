/* LogLines: the lines of a log as text, whatever its bytes are: UTF-16 becomes UTF-8, escape
 * sequences of terminals and control characters go, CR ends a line as LF does (a progress bar draws
 * over itself). Takes no memory but its own: a line that is longer than LOG_PIECE comes in pieces,
 * each beginning with the end of the one before, so that no word is cut. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_LINES_H
#define PYPTO_LINT_DIAGNOSE_LOG_LINES_H

#include "base/str.h"

enum {
    LOG_PIECE = 8192,
    LOG_OVERLAP = 512, /* longer than any pattern's text */
    LOG_PROBE = 256,   /* bytes by which the encoding is judged */
};

/* `number`: of the line, from 1; `first`: false for a piece that goes on with a line. */
typedef void LogLine(void *context, Str text, uint64_t number, bool first);

typedef enum LogEncoding { LOG_UNKNOWN, LOG_BYTES, LOG_UTF16_LE, LOG_UTF16_BE } LogEncoding;

typedef struct LogLines {
    LogLine *line;
    void *context;
    LogEncoding encoding;
    uint64_t number;
    size_t length, probed;
    uint64_t nuls;  /* zero bytes outside of UTF-16: the log is binary */
    uint8_t escape; /* within an escape sequence: which part of it */
    bool going_on, after_cr, has_half;
    uint16_t half, surrogate; /* of UTF-16: a byte, and the first of a pair */
    char probe[LOG_PROBE];
    char text[LOG_PIECE];
} LogLines;

void log_lines_begin(LogLines *lines, LogLine *line, void *context);
void log_lines_add(LogLines *lines, const char *bytes, size_t count);
/* The last line, which may have no end. */
void log_lines_end(LogLines *lines);

#endif
