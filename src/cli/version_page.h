/* What `--version --verbose` shows: what this program is and what of its surroundings it finds. */
#ifndef PYPTO_LINT_CLI_VERSION_PAGE_H
#define PYPTO_LINT_CLI_VERSION_PAGE_H

#include "lint/rule.h"

/* The page: version, commit, build, libraries, paths, whether the simulator is there, whether the
 * interpreter for kernels has torch and NumPy. Asks that interpreter, in a limited process, where
 * they are, but imports neither. In the arena. */
Str version_page(Arena *arena, Lang lang);

#endif
