/* LogHead: how a line of a log begins. A line that the failing program itself prints has its head
 * there, a level or the name of an exception, after time stamps and the like; a line with an error
 * amid its words quotes one. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_HEAD_H
#define PYPTO_LINT_DIAGNOSE_LOG_HEAD_H

#include "base/str.h"

typedef enum LogLevel {
    LOG_LEVEL_NONE,
    LOG_LEVEL_QUIET, /* info, debug and the like */
    LOG_LEVEL_WARNING,
    LOG_LEVEL_ERROR, /* or the name of an exception, or a form of PyPTO's own errors */
} LogLevel;

/* The level that the line begins with, in whatever case, after time stamps, names of programs and
 * files, ranks and what is in brackets. */
LogLevel log_head_level(Str line);

/* Does the line begin as a quotation does: a table, a list, a diff, a command, a chat, a list of
 * commits, or a line of a page of documentation? */
bool log_is_quoted(Str line);

/* "> Task :core:test FAILED": gradle begins or ends a task. */
bool log_is_task(Str line);

/* Does a quotation begin before `at` and not end there: `expected "NPU out of memory"`? `at` counts
 * from the first byte that is not white space. */
bool log_is_within_quotes(Str line, size_t at);

#endif
