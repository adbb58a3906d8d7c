/* What `doctor --env` prints, in both forms. */
#ifndef PYPTO_LINT_CLI_ENVIRONMENT_PRINT_H
#define PYPTO_LINT_CLI_ENVIRONMENT_PRINT_H

#include "environment/environment.h"

bool environment_print_text(Arena *arena, const Environment *environment);
bool environment_print_json(Arena *arena, const Environment *environment);

#endif
