/* LogTrace: Python's tracebacks in a log, and places in Python files that other lines name. The
 * path says which of them are the author's: files of installed packages are not. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_TRACE_H
#define PYPTO_LINT_DIAGNOSE_LOG_TRACE_H

#include "base/str.h"

/* How near a file is to the kernel. */
typedef enum PlaceRank {
    PLACE_NONE,
    PLACE_USER,   /* a file that is not installed */
    PLACE_IMPL,   /* *_impl.py */
    PLACE_KERNEL, /* the file that --kernel names */
} PlaceRank;

enum { PLACE_PATH = 256, PLACE_NAME = 96 };

typedef struct LogPlace {
    PlaceRank rank;
    uint32_t line;
    char file[PLACE_PATH];     /* terminated; of a longer path the end */
    char function[PLACE_NAME]; /* may be empty */
} LogPlace;

typedef enum TraceState {
    TRACE_OUTSIDE,
    TRACE_FRAMES,    /* below "Traceback (most recent call last):" */
    TRACE_SOURCE,    /* the line that a frame shows comes next */
    TRACE_EXCEPTION, /* the line of the exception, or one that goes on with its message */
} TraceState;

enum { TRACE_PREFIX = 64 };

/* Takes no memory but its own: a log may be nothing but tracebacks. */
typedef struct LogTrace {
    Str kernel; /* base name of the kernel's file, or empty */
    TraceState state;
    bool deepest_first; /* faulthandler's order */
    bool at_exception;  /* this line has the exception's name */
    LogPlace frame;     /* of this traceback, nearest to the kernel */
    LogPlace last;      /* of any traceback that has one */
    uint32_t message_lines;
    size_t prefix; /* what each line begins with: "[rank0]: " */
    char prefix_text[TRACE_PREFIX];
} LogTrace;

void log_trace_begin(LogTrace *trace, Str kernel);

/* Takes the next line. True when it is only the source that a frame shows. */
bool log_trace_line(LogTrace *trace, Str line);

/* The place "name.py:12" or `"name.py", line 12` that the line names, nearest to the kernel; rank
 * PLACE_NONE without one. */
LogPlace log_place_in(Str line, Str kernel);

#endif
