/* Guard code: does a piece of a program in another language seem to change files? A guess from its
 * text. */
#ifndef PYPTO_LINT_HOOK_GUARD_CODE_H
#define PYPTO_LINT_HOOK_GUARD_CODE_H

#include "base/str.h"

/* Python: files opened to be written, moved, copied or deleted. */
bool code_python_writes(Str code);
/* The same for Perl, Ruby, Node.js and PHP. */
bool code_script_writes(Str code);

/* Is there the name of an implementation, a golden or a test in the text? */
bool code_has_artifact(Str text);

#endif
