/* Printing what a log of metrics comes to. Private to the command `stats`. */
#ifndef PYPTO_LINT_CLI_STATS_PRINT_H
#define PYPTO_LINT_CLI_STATS_PRINT_H

#include "harness/report/verification_log.h"
#include "lint/rule.h"
#include "metrics/stats.h"

/* Write to standard output; false with a message when that fails. */
bool stats_print_page(Arena *arena, const Stats *stats, bool markdown, Lang lang);
bool stats_print_json(Arena *arena, const Stats *stats);

/* The same order as the choices of --format. */
typedef enum HistoryForm { HISTORY_TEXT, HISTORY_MARKDOWN, HISTORY_JSON } HistoryForm;

/* The runs that MEMORY.md of an operator directory records. */
bool stats_print_history(Arena *arena, Str op_dir, HistoryForm form, Lang lang);
/* The same as a page, from the table. */
bool stats_print_rows(Arena *arena, const VerificationLog *log, bool markdown, Lang lang);

#endif
