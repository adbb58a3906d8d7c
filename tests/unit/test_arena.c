/* Tests of the arena: alignment, growth, budgets, failure through the guard, and VEC on top of
 * it. */
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_alignment_and_zeros(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    assert_int_equal(arena.used, 0);
    char *last = NULL;
    for (size_t size = 0; size < 200; size++) {
        char *block = arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
        assert_true(size <= 1 || block != last);
        memset(block, 0xA5, size);
        last = block;
    }
    for (int i = 0; i < 100; i++) {
        const char *zeros = arena_zalloc(&arena, 333);
        for (int j = 0; j < 333; j++) {
            assert_int_equal(zeros[j], 0);
        }
    }
    arena_free(&arena);
    assert_int_equal(arena.used, 0);
}

/* Blocks given out earlier keep their content, over many blocks from the system. */
static void test_blocks_do_not_overlap(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    Arena arena;
    arena_init(&arena, 0);
    static unsigned char *blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        blocks[i] = arena_alloc(&arena, i % 700 + 1);
        memset(blocks[i], (int)(i % 251), i % 700 + 1);
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < i % 700 + 1; j++) {
            assert_int_equal(blocks[i][j], i % 251);
        }
    }
    assert_true(arena.used > (size_t)COUNT * 350);
    arena_free(&arena);
}

static void test_grow(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    char *text = arena_grow(&arena, NULL, 0, 3);
    memcpy(text, "ab", 3);
    char *longer = arena_grow(&arena, text, 3, 100);
    assert_ptr_equal(longer, text); /* the newest allocation grows where it is */
    char *other = arena_alloc(&arena, 8);
    memset(other, 'x', 8);
    char *moved = arena_grow(&arena, longer, 100, 200);
    assert_ptr_not_equal(moved, longer);
    assert_string_equal(moved, "ab");
    memset(moved, 'y', 200);
    assert_memory_equal(other, "xxxxxxxx", 8);
    char *huge = arena_grow(&arena, moved, 200, 5000000);
    assert_memory_equal(huge, "yyyyyyyyyyyyyyyy", 16);
    huge[4999999] = 1;
    arena_free(&arena);
}

static void test_budget(void **state)
{
    (void)state;
    Arena arena;
    jmp_buf env;
    arena_init(&arena, 100000);
    volatile int reached = 0;
    if (OOM_GUARD(&arena, env)) {
        for (int i = 0; i < 1000; i++) {
            arena_alloc(&arena, 1000);
            reached = i;
        }
        fail_msg("the budget did not hold");
    }
    assert_true(reached >= 10 && reached < 100);
    assert_true(arena.used <= 100000);
    arena_free(&arena);
    assert_int_equal(arena.budget, 100000); /* stays after arena_free */
    if (OOM_GUARD(&arena, env)) {
        assert_non_null(arena_alloc(&arena, 50000));
    } else {
        fail_msg("an emptied arena has its whole budget again");
    }
    arena_free(&arena);
}

static bool goes_to_guard(size_t size)
{
    Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    volatile bool guarded = false;
    if (OOM_GUARD(&arena, env)) {
        assert_non_null(arena_alloc(&arena, size));
    } else {
        guarded = true;
    }
    arena_free(&arena);
    return guarded;
}

/* Sizes whose rounding or sum would wrap around go to the guard, like any other failure. */
static void test_absurd_sizes(void **state)
{
    (void)state;
    assert_false(goes_to_guard(1 << 20));
    assert_true(goes_to_guard(SIZE_MAX));
    assert_true(goes_to_guard(SIZE_MAX - 15));
    assert_true(goes_to_guard(SIZE_MAX / 2 + 1));
}

static void test_injected_failure(void **state)
{
    (void)state;
    Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    arena_inject_failure(2);
    volatile int blocks = 0;
    volatile bool guarded = false;
    if (OOM_GUARD(&arena, env)) {
        for (int i = 0; i < 5; i++) {
            arena_alloc(&arena, 2 * 1024 * 1024); /* one from the system each */
            blocks = i + 1;
        }
    } else {
        guarded = true;
    }
    assert_true(guarded);
    assert_int_equal(blocks, 1);
    assert_non_null(arena_alloc(&arena, 2 * 1024 * 1024)); /* it fails once */
    arena_inject_failure(1);
    arena_inject_failure(0);
    assert_non_null(arena_alloc(&arena, 2 * 1024 * 1024));
    arena_free(&arena);
}

static void test_vec(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    VEC(uint64_t) numbers = {0};
    int evaluated = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        VEC_PUSH(&arena, &numbers, (evaluated++, i * i));
    }
    assert_int_equal(evaluated, 100000);
    assert_int_equal(numbers.count, 100000);
    for (uint64_t i = 0; i < 100000; i++) {
        assert_int_equal(numbers.items[i], i * i);
    }
    /* Growth in place or doubling: not more than a few times the memory of the items. */
    assert_true(arena.used < sizeof(uint64_t) * 100000 * 5);
    arena_free(&arena);
}

typedef struct Take {
    Arena *arena;
    size_t size;
    unsigned finished;
} Take;

static void take(void *argument)
{
    Take *job = argument;
    arena_alloc(job->arena, job->size);
    job->finished++;
}

/* arena_try tells of a failure, and leaves the outer guard in its place. */
static void test_try(void **state)
{
    (void)state;
    Arena arena;
    jmp_buf env;
    static unsigned steps;
    steps = 0;
    arena_init(&arena, 100000);
    static Take small = {.size = 10}, large = {.size = 200000};
    small.arena = large.arena = &arena;
    assert_false(arena_try(&arena, take, &large)); /* without an outer guard, too */
    if (OOM_GUARD(&arena, env)) {
        assert_true(arena_try(&arena, take, &small));
        assert_ptr_equal(arena.guard, &env);
        assert_false(arena_try(&arena, take, &large));
        assert_ptr_equal(arena.guard, &env);
        steps++;
        arena_alloc(&arena, large.size);
        steps += 10;
    }
    assert_int_equal(steps, 1);
    assert_int_equal(small.finished, 1);
    assert_int_equal(large.finished, 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alignment_and_zeros),
        cmocka_unit_test(test_blocks_do_not_overlap),
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_absurd_sizes),
        cmocka_unit_test(test_injected_failure),
        cmocka_unit_test(test_vec),
        cmocka_unit_test(test_try),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
