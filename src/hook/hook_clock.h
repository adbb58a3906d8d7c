/* Milliseconds of a clock that only goes forward. */
#ifndef PYPTO_LINT_HOOK_HOOK_CLOCK_H
#define PYPTO_LINT_HOOK_HOOK_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t hook_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
