/* Hook guard: shell commands that write what only the editing tools, or only the state machine, may
 * write. A guess from the text of the command, without a shell's grammar; docs/hooks.md says what
 * it catches by mistake and what it misses. */
#ifndef PYPTO_LINT_HOOK_HOOK_GUARD_H
#define PYPTO_LINT_HOOK_HOOK_GUARD_H

#include "base/str.h"

/* Does the command seem to write a `*_impl.py`, `*_golden.py` or `test_*.py`? */
bool guard_writes_artifact(Str command);
/* Does it seem to write `.orchestrator_state.json`? */
bool guard_writes_state(Str command);

/* Does it run a test: `python` or `python3`, and later on the same line `test_….py`? */
bool guard_runs_test(Str command);

#endif
