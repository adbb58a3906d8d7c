/* Guard code: does a piece of a program in another language seem to change files? A guess from its
 * text. */
#ifndef PYPTO_LINT_HOOK_GUARD_CODE_H
#define PYPTO_LINT_HOOK_GUARD_CODE_H

#include "base/str.h"

/* Python: files opened to be written, moved, copied or deleted. */
bool code_python_writes(Str code);
/* The same for Perl, Ruby, Node.js and PHP. */
bool code_script_writes(Str code);

/* Is it the name of an implementation, a golden or a test, by the end of its path? */
bool code_is_artifact(Str path);
/* Is there such a name in the text? */
bool code_has_artifact(Str text);

#endif
