/* Reports: a RunResult as text in one of the formats. One file a format. */
#ifndef PYPTO_LINT_REPORT_REPORT_H
#define PYPTO_LINT_REPORT_REPORT_H

#include "lint/result.h"

typedef struct ReportOptions {
    bool color;       /* text: ANSI colours */
    bool show_passed; /* text: list PASS and SKIP too */
    bool statistics;  /* text, concise: counts per rule at the end */
    Str working_dir;  /* absolute */
    Str version;      /* of the program */
    Str home_uri;     /* of the project, for SARIF; may be empty */
    Str rules_uri;    /* the rule pages are at this address with "OL48.md" appended; may be empty */
} ReportOptions;

/* Appends the whole report to `out`. False only when memory for it could not be had (libraries that
 * do not use the arena); then `out` must not be used. */
typedef bool ReportWriter(Buf *out, const RunResult *result, const ReportOptions *options);

ReportWriter report_text, report_concise, report_json, report_sarif, report_github, report_agent,
    report_gitlab, report_junit;

/* What the Python linter prints, for one operator; not a --format. */
ReportWriter report_upstream;

/* Writer by the name of --format, or NULL. */
ReportWriter *report_writer(Str format);
/* The names of all formats as a list for a message, in the arena. */
const char *report_names(Arena *arena, const char *between, const char *before_last);

#endif
