/* Python home: which interpreter runs the user's programs, and where the Python side of this one
 * lies (share/pypto-lint beside the binary's folder; docs/simulator.md). */
#ifndef PYPTO_LINT_HARNESS_PYTHON_HOME_H
#define PYPTO_LINT_HARNESS_PYTHON_HOME_H

#include "base/str.h"

/* ../share/pypto-lint/`part` beside this binary, absolute, in the arena; `part` is "sim" (the
 * simulator) or "harness" (workers, detailed_tensor_compare). It need not exist. */
Str python_home(Arena *arena, const char *part);

/* Is the simulator's extension in `folder`, which python_home(…, "sim") gave? */
bool simulator_is_built(Str folder);

/* Path of the interpreter, in the arena: `named` (--python; a path, or a name to look for), else
 * the variable PYPTO_LINT_PYTHON, else /usr/bin/python3, else python3 of PATH. NULL when there is
 * none. */
const char *python_interpreter(Arena *arena, Str named);

/* `folder`, then what PYTHONPATH holds already. */
Str python_path_with(Arena *arena, Str folder);

#endif
