/* What commands write: results on standard output, messages to the user on standard error. Messages
 * quote what they are about (names, settings, arguments), so control characters in them are shown
 * as escapes. */
#ifndef PYPTO_LINT_CLI_MESSAGE_H
#define PYPTO_LINT_CLI_MESSAGE_H

#include "document/json.h"
#include "lint/result.h"

/* Exit statuses (docs/command-line.md). */
enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_ERROR = 2 };

/* Prints "pypto-lint: message" and returns EXIT_ERROR. Line ends are escaped, too. */
int print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for something that does not fail. */
void print_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints lines as they are, control characters other than line ends as escapes. */
void print_error_lines(Str text);

/* Prints the notices that make the exit status EXIT_ERROR. */
void print_errors(const RunResult *result);

/* Writes all of it to standard output. False when that fails, after a message unless the reader has
 * closed the pipe. */
bool print_all(Str text);

/* Writes the tree to standard output and frees it; false with a message when that fails or the tree
 * is not complete. */
bool json_print(Arena *arena, const JsonTree *tree, json_t *root);

#endif
