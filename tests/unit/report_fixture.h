/* Results made by hand for the tests of the reports, and comparison with snapshot files. */
#ifndef PYPTO_LINT_TESTS_REPORT_FIXTURE_H
#define PYPTO_LINT_TESTS_REPORT_FIXTURE_H

#include "report/report.h"

/* Two operators, every severity and status, tabs, wide characters, a range of several lines,
 * related places, edits, two findings of one rule on one line, a finding without a line,
 * notices. */
RunResult fixture_mixed(Arena *arena, Lang lang);
/* One operator in a phase, with one finding that has a safe fix. */
RunResult fixture_single(Arena *arena);
/* Two operators without findings. */
RunResult fixture_clean(Arena *arena, Lang lang);
/* Loose files whose names, source and messages try to control the terminal or the runner. */
RunResult fixture_hostile(Arena *arena);
/* No operator at all, and an error. */
RunResult fixture_unreadable(Arena *arena);

ReportOptions fixture_options(void);

/* A Source with this path and text, in the arena. */
const Source *fixture_source(Arena *arena, const char *path, const char *text);
/* A finding of `rule` on the first `needle` in the source; the whole file when `needle` is NULL. */
Finding *fixture_finding(Arena *arena, const Rule *rule, Status status, const Source *source,
                         const char *needle, const char *message);

extern const Rule fixture_ol02, fixture_ol03, fixture_ol29, fixture_ol48, fixture_ol56,
    fixture_ol57;

/* Fails the test unless the file tests/snapshots/<format>/<name>.txt holds this text. With
 * UPDATE_SNAPSHOTS=1 in the environment it is written instead. */
void assert_snapshot(const char *format, const char *name, Str text);

#endif
