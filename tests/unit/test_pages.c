/* Large pieces of memory, and arenas that hold them: nothing overlaps, and what was given back
 * comes again. */
#include "base/arena.h"
#include "base/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_pieces(void **state)
{
    (void)state;
    assert_null(pages_take(PAGES_MIN / 2));
    assert_null(pages_take(PAGES_MAX * 2));
    assert_null(pages_take(PAGES_FIRST / 2)); /* small ones come after a large one */
    enum { COUNT = 20 };                      /* four times 64 KiB to 1 MiB are 7.75 MiB */
    unsigned char *pieces[COUNT];
    for (int i = 0; i < COUNT; i++) {
        size_t size = (size_t)PAGES_FIRST << (i % 5);
        pieces[i] = pages_take(size);
        if (pieces[i] == NULL && i == 0) {
            skip(); /* under a sanitizer */
        }
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 4096, 0);
        memset(pieces[i], i, size);
    }
    for (int i = 0; i < COUNT; i++) {
        size_t size = (size_t)PAGES_FIRST << (i % 5);
        assert_int_equal(pieces[i][0], i);
        assert_int_equal(pieces[i][size - 1], i);
    }
    assert_null(pages_take(512 * 1024));
    assert_non_null(pages_take(PAGES_MIN)); /* the rest of 8 MiB are 256 KiB */
    for (size_t size = 128 * 1024; size >= PAGES_MIN; size /= 2) {
        assert_non_null(pages_take(size));
    }
    assert_null(pages_take(PAGES_MIN));
}

/* Fills an arena with arrays of all sizes and looks whether each kept its content. */
static size_t fill(Arena *arena, unsigned mark)
{
    enum { COUNT = 24 };
    unsigned char *arrays[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        arrays[i] = arena_alloc(arena, (size_t)1 << i % 22);
        memset(arrays[i], (int)((mark + i) % 256), (size_t)1 << i % 22);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(arrays[i][0], (mark + i) % 256);
        assert_int_equal(arrays[i][((size_t)1 << i % 22) - 1], (mark + i) % 256);
    }
    return arena->used;
}

static void test_arenas_side_by_side(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        Arena first;
        Arena second;
        arena_init(&first, 0);
        arena_init(&second, 0);
        fill(&first, round);
        unsigned char *kept = arena_alloc(&first, 300000);
        memset(kept, 0xA5, 300000);
        fill(&second, round + 100);
        arena_free(&second);
        arena_init(&second, 0);
        fill(&second, round + 7);
        assert_int_equal(kept[0], 0xA5);
        assert_int_equal(kept[299999], 0xA5);
        arena_free(&first);
        arena_free(&second);
    }
    arena_drop_cache();
}

/* Blocks double up to 1 MiB, so that they can be used again; what is larger has its own size. */
static void test_sizes_of_blocks(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    arena_alloc(&arena, 100 * 1024);
    assert_int_equal(arena.used, 128 * 1024); /* 16 KiB doubled until it fits */
    arena_alloc(&arena, 3 * 1024 * 1024);
    assert_in_range(arena.used, (128 + 3 * 1024) * 1024, (128 + 3 * 1024) * 1024 + 64);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces),
                                       cmocka_unit_test(test_arenas_side_by_side),
                                       cmocka_unit_test(test_sizes_of_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
