/* From the first argument to the command. */
#ifndef PYPTO_LINT_CLI_DISPATCH_H
#define PYPTO_LINT_CLI_DISPATCH_H

#include "base/arena.h"

/* Runs what the arguments (without the program's name) ask for; the exit status. */
int dispatch(Arena *arena, int argc, char **argv);

#endif
