/* CommandKind: does a command in a log do its own work, or does it only show or prepare
 * something? */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_COMMANDS_H
#define PYPTO_LINT_DIAGNOSE_LOG_COMMANDS_H

#include "base/str.h"

/* Each kind has the properties of those before it. */
typedef enum CommandKind {
    COMMAND_NONE, /* none so far */
    COMMAND_WORKS,
    COMMAND_SETS_UP, /* its output and its arguments count for all other commands of the log */
    COMMAND_LOOKS,   /* it shows the state of the system, whatever its own status is */
    COMMAND_QUOTES,  /* it prints text written earlier */
    COMMAND_MANUAL,  /* it prints documentation, which reports no error */
} CommandKind;

/* What a command does, by its first word after `sudo`. Several commands have the kind of the one
 * that does most. */
CommandKind log_command_kind(Str command);

/* Does the command only show or prepare something, so that later work shows whether a failure
 * mattered? Containers do their own work. */
bool log_command_prepares(Str command);

/* "rm x || echo none": is it a tool for files or processes, with a fallback if it fails? */
bool log_command_may_fail(Str command);

/* Which status is 0 only if the command succeeds: `$?`, the first one of a pipe (`make | tee log`),
 * or none for a list (`make; date`). Commands joined by `&&` must all succeed and count as one;
 * quoted text is one word. */
typedef enum CommandShape { SHAPE_SINGLE, SHAPE_PIPE, SHAPE_LIST } CommandShape;

CommandShape log_command_shape(Str command);

/* Identifies the package that `pip install` installs, whatever its version; 0: another command. */
uint64_t log_command_subject(Str command);

#endif
