/* Command line: one file a command; options.c reads the options that they share. */
#ifndef PYPTO_LINT_CLI_CLI_H
#define PYPTO_LINT_CLI_CLI_H

#include "cli/language.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/working_directory.h"
#include "lint/request.h"
#include "report/report.h"

/* Appends the metrics of a run to `file` (--metrics), or, when that is empty, to the one that
 * PYPTO_LINT_METRICS names, if it does. A note on stderr when that fails. */
void log_metrics(Str file, const RunResult *result);

/* Commands: `argv` without the program's and the command's name. They return the exit status. */
int command_check(Arena *arena, int argc, char **argv, bool gate_allowed);
int command_rules(Arena *arena, int argc, char **argv);
int command_explain(Arena *arena, int argc, char **argv);
int command_help(Arena *arena, int argc, char **argv);
int command_init(Arena *arena, int argc, char **argv);
int command_stats(Arena *arena, int argc, char **argv);
int command_doctor(Arena *arena, int argc, char **argv);
int command_upstream(Arena *arena, int argc, char **argv);
/* Becomes the Python program, so returns only on trouble. */
int command_run(Arena *arena, int argc, char **argv);
/* The harness (docs/verify.md). */
int command_test(Arena *arena, int argc, char **argv);
int command_verify(Arena *arena, int argc, char **argv);
/* One job of a run elsewhere, from standard input; for the tasks of a cluster. */
int command_verify_job(Arena *arena, int argc, char **argv);
int command_tolerance(Arena *arena, int argc, char **argv);
int command_compose(Arena *arena, int argc, char **argv);
int command_interfaces(Arena *arena, int argc, char **argv);
int command_scaffold(Arena *arena, int argc, char **argv);
/* `hook EVENT`; and `--hook EVENT`, which the Python linter has. The latter's `argv` is whole. */
int command_hook(Arena *arena, int argc, char **argv);
int command_old_hook(Arena *arena, int argc, char **argv);
/* Is one of the arguments --hook? */
bool is_old_hook(int argc, char **argv);
/* Is one of the arguments a mode of the Python linter's command line? */
bool is_upstream(int argc, char **argv);

#endif
