/* `verify --baseline` and `--memory`: the run beside earlier ones. */
#ifndef PYPTO_LINT_CLI_COMMAND_VERIFY_PAST_H
#define PYPTO_LINT_CLI_COMMAND_VERIFY_PAST_H

#include "cli/command_verify_options.h"

/* Reads the report that --baseline names into asked.baseline; does nothing without one. False after
 * a message: it cannot be read, is not a report, or is about another operator or phase. */
bool past_read_baseline(const VerifyCommand *command, Verification *plan);

/* Is there a MEMORY.md with a table for --memory? Asked before the run. False after a message. */
bool past_check_memory(const VerifyCommand *command, const Verification *plan);

/* Records the run in MEMORY.md if --memory asks for it. False after a message. */
bool past_append_memory(const VerifyCommand *command, const Verification *verification);

/* The exit status of the run: also EXIT_FINDINGS when a case that had passed is gone. */
int past_exit_status(const Verification *verification);

#endif
