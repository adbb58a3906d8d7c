/* Printing what a log of metrics comes to. Private to the command `stats`. */
#ifndef PYPTO_LINT_CLI_STATS_PRINT_H
#define PYPTO_LINT_CLI_STATS_PRINT_H

#include "lint/rule.h"
#include "metrics/stats.h"

/* Write to standard output; false with a message when that fails. */
bool stats_print_page(Arena *arena, const Stats *stats, bool markdown, Lang lang);
bool stats_print_json(Arena *arena, const Stats *stats);

#endif
