/* Hook guard: shell commands that write what only the editing tools, or only the state machine, may
 * write. docs/agents/hooks.md has the table of what is refused and what is not seen. */
#ifndef PYPTO_LINT_HOOK_HOOK_GUARD_H
#define PYPTO_LINT_HOOK_HOOK_GUARD_H

#include "hook/hook.h"

/* Does the command seem to write a `*_impl.py`, `*_golden.py` or `test_*.py`? A test's name counts
 * only in an operator directory, as far as the place is known. `cwd`: where the command starts,
 * absolute or empty. */
bool guard_writes_artifact(Arena *arena, const HookCall *call, Str command, Str cwd);
/* Does it seem to write `.orchestrator_state.json`? */
bool guard_writes_state(Arena *arena, const HookCall *call, Str command);

/* Does it run a test: Python with a `test_….py`, pytest, or our own `test`, `run` or `verify`? In
 * the old form only `python` or `python3` with `test_….py` later on the same line. */
bool guard_runs_test(Arena *arena, const HookCall *call, Str command);

#endif
