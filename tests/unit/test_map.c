/* Map and LOWER_BOUND: what is put in is found, under its number; where a sorted list divides. */
#include "base/map.h"
#include "base/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_map(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    Arena arena;
    Map map = {0};
    arena_init(&arena, 0);
    assert_int_equal(map_find(&map, STR("0")), MAP_NONE);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(map_add(&map, &arena, str_format(&arena, "%u", i)), i);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(map_find(&map, str_format(&arena, "%u", i)), i);
    }
    assert_int_equal(map_find(&map, STR("5000")), MAP_NONE);
    /* Bytes with NUL, and none at all. */
    assert_int_equal(map_find(&map, STR("0\0")), MAP_NONE);
    assert_int_equal(map_add(&map, &arena, STR("0\0")), COUNT);
    assert_int_equal(map_add(&map, &arena, (Str){NULL, 0}), COUNT + 1);
    assert_int_equal(map_find(&map, STR("")), COUNT + 1);
    assert_int_equal(map_find(&map, STR("0\0")), COUNT);
    arena_free(&arena);
}

static void test_lower_bound(void **state)
{
    (void)state;
    static const int items[] = {1, 3, 3, 3, 8};
    static const struct {
        int wanted;
        size_t at;
    } cases[] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 4}, {8, 4}, {9, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t at;
        LOWER_BOUND(at, 5, items[at] < cases[i].wanted);
        assert_int_equal(at, cases[i].at);
    }
    uint32_t at = 7;
    LOWER_BOUND(at, 0, items[at] < 1); /* looks at none */
    assert_int_equal(at, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_map),
                                       cmocka_unit_test(test_lower_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
