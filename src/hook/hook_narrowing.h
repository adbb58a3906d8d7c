/* Hook narrowing: the one edit of a frozen SPEC.md that goes through. */
#ifndef PYPTO_LINT_HOOK_HOOK_NARROWING_H
#define PYPTO_LINT_HOOK_HOOK_NARROWING_H

#include "hook/hook_check.h"

/* Did the edit, which has been written, do nothing but make `supported_dtypes` of SPEC.md strictly
 * smaller, and not empty? The old text is put together from the event's texts, which must occur
 * once; what cannot be put together counts as no. */
bool hook_edit_narrows_dtypes(Plan *plan, const HookEvent *event, const EditCheck *check);

#endif
