/* The stack that is left; see stack.h. */
#include "base/stack.h"

#include "platform/platform.h"

/* The lowest address that may be used. */
static _Thread_local struct {
    bool asked;
    uintptr_t lowest; /* 0: not known */
} limits;

/* AddressSanitizer may keep locals on a stack of its own: the frame's address is always real. */
bool stack_is_low(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!limits.asked) {
        limits.lowest = platform_stack_lowest();
        limits.asked = true;
    }
    return limits.lowest != 0 && here >= limits.lowest && here - limits.lowest < STACK_RESERVE;
}
