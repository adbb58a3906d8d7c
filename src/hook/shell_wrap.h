/* Shell wrap: commands that run another one, such as `env A=b timeout 60 pytest`. */
#ifndef PYPTO_LINT_HOOK_SHELL_WRAP_H
#define PYPTO_LINT_HOOK_SHELL_WRAP_H

#include "hook/hook.h"

/* The words from the command itself on; a part of `words`, perhaps none. `*piped` becomes true when
 * it gets more operands from standard input (xargs). */
Strs shell_unwrap(Strs words, bool *piped);

#endif
