/* Git: starts the git program with a list of arguments, never a shell, and collects what it
 * prints. */
#ifndef PYPTO_LINT_LINT_GIT_H
#define PYPTO_LINT_LINT_GIT_H

#include "lint/rule.h"

enum { GIT_SECONDS = 30, GIT_MAX_OUTPUT = 256 * 1024 * 1024 };

/* Runs `git ARGUMENTS` (NULL-terminated) as seen from `folder` (terminated) and waits for it, at
 * most GIT_SECONDS. True with everything from its standard output when it ended with status 0; else
 * `*error` says in `lang` what was wrong: git is not there, took too long, or what it complained
 * of. Terminated, in the arena. */
bool git_run(Arena *arena, const char *folder, const char *const *arguments, Lang lang, Str *out,
             Str *error);

#endif
