/* Hook steps: the hooks, one file each. Private to src/hook.
 *
 * Each takes the event and fills the outcome; an outcome left as it is means silence. */
#ifndef PYPTO_LINT_HOOK_HOOK_STEPS_H
#define PYPTO_LINT_HOOK_HOOK_STEPS_H

#include "hook/hook.h"

void hook_post_edit(HookOutcome *outcome, Arena *arena, const HookCall *call,
                    const HookEvent *event);
void hook_pre_edit(HookOutcome *outcome, Arena *arena, const HookCall *call,
                   const HookEvent *event);
void hook_post_bash(HookOutcome *outcome, Arena *arena, const HookCall *call,
                    const HookEvent *event);
void hook_stop(HookOutcome *outcome, Arena *arena, const HookCall *call, const HookEvent *event);
void hook_session_start(HookOutcome *outcome, Arena *arena, const HookCall *call);

/* May an edit block? Only if PYPTO_OP_LINT_POST_EDIT_BLOCK is unset or "1". */
bool hook_edit_may_block(void);

/* Absolute path of a file that a tool named; relative ones are below the process's directory. When
 * there is a "..", it is resolved with the symlinks of the folder. */
Str hook_path(Arena *arena, const HookCall *call, Str path);

#endif
