/* Python home: the folder of this program's Python side, share/pypto-lint beside the binary's
 * folder (docs/kernel-authors/simulator.md). */
#ifndef PYPTO_LINT_HARNESS_POOL_PYTHON_HOME_H
#define PYPTO_LINT_HARNESS_POOL_PYTHON_HOME_H

#include "operator/python_run.h"

/* ../share/pypto-lint/`part` beside this binary, absolute, in the arena; `part` is "sim" (the
 * simulator) or "harness" (workers, detailed_tensor_compare). It need not exist. */
Str python_home(Arena *arena, const char *part);

/* Is the simulator's extension in `folder`, which python_home(…, "sim") gave? */
bool simulator_is_built(Str folder);

/* `folder` before the current PYTHONPATH. */
Str python_path_with(Arena *arena, Str folder);

#endif
