/* The working directory. */
#ifndef PYPTO_LINT_CLI_WORKING_DIRECTORY_H
#define PYPTO_LINT_CLI_WORKING_DIRECTORY_H

#include "base/arena.h"
#include "base/str.h"

/* The working directory, absolute. "." when it is unknown, and then the run ends with an error. */
Str working_directory(Arena *arena);

#endif
