/* Edits that take unused suppressions out of a file. Private to suppressions. */
#ifndef PYPTO_LINT_LINT_SUPPRESS_EDIT_H
#define PYPTO_LINT_LINT_SUPPRESS_EDIT_H

#include "lint/suppress.h"

/* The edit that removes the selectors marked `unused`: the list without them; the comment when none
 * is left; its whole line when nothing else is on it. At least one must be marked. */
Edit suppression_edit(Arena *arena, const Source *source, const Suppression *suppression);

#endif
