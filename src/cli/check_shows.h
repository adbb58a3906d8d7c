/* What `check` says besides its report: the settings, the files, how it went. Private to `check`. */
#ifndef PYPTO_LINT_CLI_CHECK_SHOWS_H
#define PYPTO_LINT_CLI_CHECK_SHOWS_H

#include "cli/command_check_options.h"
#include "lint/plan.h"

/* --show-settings: prints those that count for the first place named, in the form of a settings
 * file. */
int show_settings(const CheckOptions *options, Arena *arena);
/* --show-files: prints the files that were read, one a line. */
int show_files(Arena *arena, const RunResult *result);
/* --verbose: a line for each place on standard error. */
void show_details(const RunResult *result);

#endif
