/* Reports: a RunResult as text in one of the formats. One file a format. */
#ifndef PYPTO_LINT_REPORT_REPORT_H
#define PYPTO_LINT_REPORT_REPORT_H

#include "lint/result.h"

typedef struct ReportOptions {
    bool color;       /* text: ANSI colours */
    bool show_passed; /* text: list PASS and SKIP too */
    bool quiet;       /* text, concise, agent: findings and errors only */
    bool statistics;  /* text, concise: counts per rule at the end */
    Str working_dir;  /* absolute */
    Str version;      /* of the program */
    Str home_uri;     /* of the project, for SARIF; may be empty */
    Str rules_uri;    /* the rule pages are at this address with "OL48.md" appended; may be empty */
} ReportOptions;

/* Appends the whole report to `out`. False only when memory for it could not be had (libraries that
 * do not use the arena); then `out` must not be used. */
typedef bool ReportWriter(Buf *out, const RunResult *result, const ReportOptions *options);

/* One of the formats, which formats.def lists. */
typedef enum ReportReaders { FOR_PEOPLE, FOR_PROGRAMS } ReportReaders;
typedef struct ReportFormat {
    const char *name;
    ReportReaders readers;
    ReportWriter *write;
} ReportFormat;

#define FORMAT(name, ...) REPORT_##name,
enum {
#include "report/formats.def"
    REPORT_FORMAT_COUNT
};
#undef FORMAT
#define FORMAT(name, ...) ReportWriter report_##name;
#include "report/formats.def"
#undef FORMAT

extern const ReportFormat report_formats[REPORT_FORMAT_COUNT];

/* What the Python linter prints, for one operator; not a --format. */
ReportWriter report_upstream;

#endif
