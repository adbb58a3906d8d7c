/* Hook answer: what a hook found out, as what the process prints and how it exits. */
#ifndef PYPTO_LINT_HOOK_HOOK_ANSWER_H
#define PYPTO_LINT_HOOK_HOOK_ANSWER_H

#include "hook/hook.h"

/* Empty when the hook decided nothing and there is neither a context nor a remark about the call.
 */
HookAnswer hook_answer(Arena *arena, const HookCall *call, const Client *client,
                       const HookOutcome *outcome);

#endif
