/* Watching files, to do something again whenever one changes. */
#ifndef PYPTO_LINT_CLI_WATCH_H
#define PYPTO_LINT_CLI_WATCH_H

#include "base/str.h"

/* Does the work and returns an exit status. It runs in a process of its own, so whatever it holds
 * is given back. */
typedef int WatchedWork(void *argument);

/* Does the work, and again after every change of a Python file, a document or a settings file in or
 * below `paths` (none: the working directory), until it is interrupted or nobody reads the output.
 * Returns the last status. */
int watch_run(Arena *arena, Strs paths, WatchedWork *work, void *argument);

#endif
