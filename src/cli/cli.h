/* What the commands share. One file a command; commands.def lists them. */
#ifndef PYPTO_LINT_CLI_CLI_H
#define PYPTO_LINT_CLI_CLI_H

#include "cli/command.h"
#include "cli/message.h"
#include "cli/surroundings.h"
#include "lint/request.h"
#include "report/report.h"

/* Appends the metrics of a run to `file` (--metrics), or, when that is empty, to the one that
 * PYPTO_LINT_METRICS names, if it does. A note on stderr when that fails. */
void log_metrics(Str file, const RunResult *result);

/* The ids of the rules, as words of an option or a command. */
OptionWords rule_words;

/* The names of the commands that people may know. */
OptionWords command_names;

/* What runs when no command is named: a gate for a stage, a phase or the design, else `check`. */
CommandRun check_without_command;

/* The command line of the Python linter; `argv` is whole. */
int command_upstream(Arena *arena, int argc, char **argv);
int command_old_hook(Arena *arena, int argc, char **argv);
/* Is one of the arguments --hook? */
bool is_old_hook(int argc, char **argv);
/* Is one of the arguments a mode of the Python linter's command line? */
bool is_upstream(int argc, char **argv);
/* Does the argument ask for the help of that command line? */
bool is_old_help(const char *argument);
/* Prints it; the exit status. */
int print_old_help(void);

#endif
