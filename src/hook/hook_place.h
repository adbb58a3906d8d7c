/* Hook place: may an editing tool write there? What the workflow says of places. Rules cannot
 * judge that: they judge what was written. */
#ifndef PYPTO_LINT_HOOK_HOOK_PLACE_H
#define PYPTO_LINT_HOOK_HOOK_PLACE_H

#include "hook/hook.h"
#include "lint/plan.h"

/* Why the file (absolute, hook_path) must not be written, in the language of the call; empty when
 * it may: outside of what the session works in, when that is a PyPTO workflow; a file of a module
 * that is finished, or one whose turn has not come. */
Str hook_place_refusal(Plan *plan, const HookCall *call, const HookEvent *event, Str path);

#endif
