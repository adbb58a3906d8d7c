/* The commands in a log, after the prompt of a shell or of `set -x`. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_PROMPT_H
#define PYPTO_LINT_DIAGNOSE_LOG_PROMPT_H

#include "base/str.h"

/* The command after the prompt at the start of the line; empty: none. */
Str log_command_of(Str line);

/* Is the line a prompt without a command, as at the end of a session? */
bool log_is_bare_prompt(Str line);

/* The rest of the line after the first of the marks that it begins with; empty: none. */
Str log_after_mark(Str line, const char *const *marks, size_t count);

#endif
