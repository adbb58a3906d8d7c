/* Command line: one file a command; options.c reads the options that they share. */
#ifndef PYPTO_LINT_CLI_CLI_H
#define PYPTO_LINT_CLI_CLI_H

#include "lint/request.h"
#include "report/report.h"

/* Exit statuses (docs/command-line.md). */
enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_TROUBLE = 2 };

/* Prints "pypto-lint: message" to stderr and gives EXIT_TROUBLE. Control characters in the message
 * are shown as escapes, line ends too. */
int trouble(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for something that is no trouble. */
void print_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints lines to stderr as they are, control characters other than line ends as escapes. */
void print_error_lines(Str text);

/* Writes all of it to standard output; false (with a message) when that fails. */
bool print_all(Str text);

/* Language by PYPTO_LINT_LANG, then the locale, then English. */
Lang default_lang(void);

/* Appends the metrics of a run to `file` (--metrics), or, when that is empty, to the one that
 * PYPTO_LINT_METRICS names, if it does. A note on stderr when that fails. */
void log_metrics(Str file, const RunResult *result);

/* Prints the notices that make the exit status EXIT_TROUBLE to stderr. */
void print_errors(const RunResult *result);
/* The working directory, absolute; "." when it cannot be told. */
Str working_directory(Arena *arena);

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
/* The harness (docs/kernel-authors/verify.md). */
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
