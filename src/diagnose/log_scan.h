/* LogScan: matches a log line by line against all patterns, in memory that does not grow with the
 * log. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SCAN_H
#define PYPTO_LINT_DIAGNOSE_LOG_SCAN_H

#include "diagnose/anchors.h"
#include "diagnose/log_digest.h"
#include "diagnose/log_lines.h"
#include "diagnose/log_trace.h"

/* A line that tells how a cause came about; see log_evidence.h. */
typedef struct LogSeen {
    const Pattern *pattern;
    uint64_t order, line; /* as in LogMatch; an order of 0: none */
    uint32_t command;     /* of its file, from 1; 0: one that shows something, or none */
    Str file, text;
    Buf kept; /* the memory of the text, which later lines reuse */
} LogSeen;

typedef struct LogMatch {
    const Pattern *pattern;
    Strength strength; /* the pattern's, or less if the line itself plays it down */
    bool is_played_down;
    bool is_warning;  /* nothing, once a later step went well */
    bool is_overcome; /* a step that went well follows in its file */
    bool is_handled;  /* of an exception while handling which another one was raised */
    bool is_own;      /* the line is the program's own report of an error, not words in passing */
    bool went_on;     /* its run did, after the last of these lines */
    uint64_t order;   /* of the line among all that were read, from 1 */
    uint64_t last;    /* the order of the last line of this strength */
    uint64_t line;    /* in its file, from 1 */
    uint32_t run;     /* of its file; see log_runs.h */
    uint32_t last_run, execution; /* of the last of these lines, and which one of that run */
    bool is_after_unknown; /* an error that no pattern knows comes before it in that execution */
    uint64_t count;        /* matching lines */
    bool at_least;         /* there may be more of them: they were not all looked for */
    Str file, text;        /* the first of the lines with the highest strength */
    Str message;           /* the line after a code, which says more; empty without one */
    Buf kept[2];           /* the memory of both texts, which later lines reuse */
    LogSeen seen;          /* the nearest evidence */
    uint32_t command;      /* as in LogSeen */
    LogPlace place;        /* named by the exception, the line, or one soon after it */
    int device; /* number of the device named by its lines or their command, plus 1; 0: none */
} LogMatch;

typedef struct LogScan {
    Arena *arena;
    Str file;          /* path of the file being read, or empty */
    LogMatch *matches; /* by pattern; those with a count of 0 did not match */
    LogTrace trace;
    LogDigest *digest;
    LogPlace first_place; /* of any line or traceback, nearest to the kernel */
    uint64_t order, bytes, binary_bytes;
    uint64_t effort;    /* bytes of lines that were compared with forms; bounded, see log_scan.c */
    uint64_t lines_cut; /* not compared with all forms whose words they have */
    uint32_t files;
    uint32_t files_well, files_failed; /* all of whose runs ended well; with one that did not */
    /* The last exception of a traceback; without one, exception_order is 0. */
    char exception[DIGEST_TEXT + 1];
    Str exception_file;
    uint64_t exception_line, exception_order;
    bool exception_known;        /* a pattern matches it */
    uint32_t exceptions_unknown; /* earlier ones that no pattern matches */
    bool names_pypto;            /* a line does, or has a code of it */
    struct ScanWork *work;
} LogScan;

/* The forms of all patterns, ready to be looked for. They are not changed by scans, so that several
 * of them may share one, which must outlive them. */
typedef struct LogForms LogForms;
const LogForms *log_forms(Arena *arena);

/* Starts a scan; everything is in the arena. `kernel`: base name of the kernel's file, or empty;
 * not copied. */
LogScan *log_scan_begin(Arena *arena, const LogForms *forms, Str kernel);

/* Scan a file piece by piece: begin, add its bytes, end. `name` is shown to the user and may be
 * empty. */
void log_scan_file(LogScan *scan, Str name);
void log_scan_add(LogScan *scan, const char *bytes, size_t count);
void log_scan_file_end(LogScan *scan);

#endif
