/* `perf` for people and for programs. */
#ifndef PYPTO_LINT_CLI_PERF_PRINT_H
#define PYPTO_LINT_CLI_PERF_PRINT_H

#include "cli/cli.h"
#include "perf/analysis.h"
#include "perf/logs.h"

typedef struct PerfPage {
    Str file;           /* the trace; empty = there are only logs, */
    const Trace *trace; /* and these are NULL */
    const Analysis *analysis;
    const PerfLogs *logs;
    const Strs *others; /* files that were not read */
    Lang lang;
} PerfPage;

/* False after a message when it could not be written. */
bool perf_print_text(Arena *arena, const PerfPage *page);
bool perf_print_json(Arena *arena, const PerfPage *page);

/* "cube", "vector" …; in the language of the page. */
const char *perf_kind_name(LaneKind kind, Lang lang);
/* Appends a hint as a sentence, without a line end. */
void perf_add_hint(Buf *out, const PerfPage *page, const HintAt *hint);
/* "memory-bound" … */
const char *perf_hint_id(Hint hint);

#endif
