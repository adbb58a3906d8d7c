/* Stack: how much of the thread's stack is left.
 *
 * Walks over input that recurse count their depth; a count is right for one size of frame and of
 * stack only. This looks at the stack itself, for those that began on a small one (a thread of a
 * host program, `ulimit -s`) or whose frames a sanitizer has grown. */
#ifndef PYPTO_LINT_BASE_STACK_H
#define PYPTO_LINT_BASE_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that must be left for what does not recurse: libraries, reports, the way out. */
enum { STACK_RESERVE = 48 * 1024 };

/* Is less than STACK_RESERVE left of this thread's stack? False where the system does not tell. */
bool stack_is_low(void);

#endif
