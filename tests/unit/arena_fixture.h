/* The arena that the tests of one program share: `set_up` and `tear_down` are given to cmocka, for
 * the group or for each test. */
#ifndef PYPTO_LINT_TESTS_ARENA_FIXTURE_H
#define PYPTO_LINT_TESTS_ARENA_FIXTURE_H

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static Arena arena;

static inline int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

#endif
