/* The stack that is left; see stack.h. */
#include "base/stack.h"

#include <pthread.h>
#include <stdint.h>

/* The lowest address that may be used. */
static _Thread_local struct {
    bool asked;
    uintptr_t lowest; /* 0: not known */
} limits;

static uintptr_t find_lowest(void)
{
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return 0;
    }
    void *start = NULL;
    size_t size = 0;
    bool known = pthread_attr_getstack(&attributes, &start, &size) == 0;
    pthread_attr_destroy(&attributes);
    return known ? (uintptr_t)start : 0;
}

/* AddressSanitizer may keep locals on a stack of its own: the frame's address is always real. */
bool stack_is_low(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!limits.asked) {
        limits.lowest = find_lowest();
        limits.asked = true;
    }
    return limits.lowest != 0 && here >= limits.lowest && here - limits.lowest < STACK_RESERVE;
}
