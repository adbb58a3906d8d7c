/* What the commands of a log do: their own work, or something that says how things are. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_COMMANDS_H
#define PYPTO_LINT_DIAGNOSE_LOG_COMMANDS_H

#include "base/str.h"

/* Each kind has the properties of those before it. */
typedef enum CommandKind {
    COMMAND_NONE, /* none so far */
    COMMAND_WORKS,
    COMMAND_SETS_UP, /* its output and its arguments count for all other commands of the log */
    COMMAND_LOOKS,   /* it looks how things are: what it prints is not how it went itself */
    COMMAND_QUOTES,  /* it shows a text that was written earlier */
    COMMAND_MANUAL,  /* it prints documentation, which reports no error */
} CommandKind;

/* What a command does, by its first word; `sudo` is passed over. */
CommandKind log_command_kind(Str command);

/* Does the command only look at things or prepare them, so that the work after it tells whether
 * that went well enough? A container does work of its own. */
bool log_command_prepares(Str command);

/* "rm x || echo none": is it a tool for files or processes whose failure is provided for. */
bool log_command_may_fail(Str command);

/* Is it several commands, so that its status may be that of another one than the one that fails?
 * What `&&` connects has all to go well, and quoted text is one word. */
bool log_command_is_compound(Str command);

/* The package that `pip install` is about, without its version; 0: another command. */
uint64_t log_command_subject(Str command);

#endif
