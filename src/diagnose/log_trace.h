/* LogTrace: Python tracebacks in a log, and places in Python files that other lines name. Paths
 * decide whose they are: files of installed packages are not the author's. */
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
    char file[PLACE_PATH];     /* NUL-terminated; the end of a longer path */
    char function[PLACE_NAME]; /* may be empty */
} LogPlace;

typedef enum TraceState {
    TRACE_OUTSIDE,
    TRACE_FRAMES,    /* below "Traceback (most recent call last):" */
    TRACE_SOURCE,    /* the source line of a frame comes next */
    TRACE_EXCEPTION, /* the line of the exception, or one that continues its message */
} TraceState;

enum { TRACE_PREFIX = 64 };

/* Allocates nothing: a log may consist of tracebacks only. */
typedef struct LogTrace {
    Str kernel; /* base name of the kernel's file, or empty */
    TraceState state;
    bool deepest_first; /* faulthandler's order */
    bool at_exception;  /* this line has the exception's name */
    LogPlace frame;     /* the one of this traceback nearest to the kernel */
    LogPlace last;      /* the `frame` of the last traceback that has one */
    uint32_t message_lines;
    size_t prefix; /* length of what each line begins with: "[rank0]: " */
    char prefix_text[TRACE_PREFIX];
    size_t margin; /* spaces before each line below the heading, which a client indents */
} LogTrace;

void log_trace_begin(LogTrace *trace, Str kernel);

/* Takes the next line. True when it is a frame or the source line below one. */
bool log_trace_line(LogTrace *trace, Str line);

/* The place that the line names ("name.py:12", `"name.py", line 12`, "name.py(12"), the nearest to
 * the kernel if there are several; rank PLACE_NONE without one. */
LogPlace log_place_in(Str line, Str kernel);

#endif
