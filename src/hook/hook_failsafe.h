/* Hook failsafe: the last answer. Clients take a hook that crashes or hangs for one that found
 * nothing. So the answer for that case is made beforehand, and a signal handler writes it. */
#ifndef PYPTO_LINT_HOOK_HOOK_FAILSAFE_H
#define PYPTO_LINT_HOOK_HOOK_FAILSAFE_H

#include "hook/hook.h"

/* What the handlers write when the process crashes, and when its time is over. The texts must stay
 * where they are. Can be called again. */
void hook_failsafe_set(const HookAnswer *crashed, const HookAnswer *late);

/* Installs the handlers and starts the clock. */
void hook_failsafe_start(unsigned seconds);

/* Stops the clock: from here on the real answer is being written. */
void hook_failsafe_stop(void);

#endif
