/* Sets of bytes: random changes, compared with an array that has a tag for each byte. */
#include "sim/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 1500, ROUNDS = 4000, NONE = 99 };

static uint32_t state = 1;

static int64_t next(int64_t most)
{
    state = state * 1664525 + 1013904223;
    return (int64_t)(state >> 8) % most;
}

/* The parts that ranges_find gives are those of the array, one after the other. */
static void compare(const Ranges *ranges, const uint32_t *tags, int64_t begin, int64_t end)
{
    bool with_tags = ranges->bits == NULL;
    Range found = {begin, begin, 0};
    int64_t at = begin;
    while (ranges_find(ranges, at, end, &found)) {
        for (; at < found.begin; at++) {
            assert_int_equal(tags[at], NONE);
        }
        for (; at < found.end; at++) {
            assert_int_not_equal(tags[at], NONE);
            assert_true(!with_tags || tags[at] == found.tag);
        }
    }
    for (; at < end; at++) {
        assert_int_equal(tags[at], NONE);
    }
}

static void change_at_random(int64_t longest, uint32_t tag_count, bool *became_bits)
{
    static uint32_t tags[SIZE];
    Ranges ranges;
    ranges_init(&ranges, SIZE);
    for (int i = 0; i < SIZE; i++) {
        tags[i] = NONE;
    }
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begin = next(SIZE + 40) - 20; /* also outside */
        int64_t end = begin + next(longest + 1);
        uint32_t tag = next(3) == 0 ? (uint32_t)NONE : (uint32_t)next(tag_count);
        assert_true(tag == NONE ? ranges_remove(&ranges, begin, end)
                                : ranges_add(&ranges, begin, end, tag));
        for (int64_t at = begin < 0 ? 0 : begin; at < end && at < SIZE; at++) {
            tags[at] = tag;
        }
        if (round % 16 == 0) {
            int64_t from = next(SIZE);
            compare(&ranges, tags, 0, SIZE);
            compare(&ranges, tags, from, from + next(SIZE - from + 1));
            bool any = false;
            for (int i = 0; i < SIZE; i++) {
                any = any || tags[i] != NONE;
            }
            assert_int_equal(ranges_is_empty(&ranges), !any);
        }
    }
    *became_bits = ranges.bits != NULL;
    ranges_free(&ranges);
}

static void few_ranges_keep_their_tags(void **unused)
{
    (void)unused;
    bool became_bits;
    change_at_random(200, 3, &became_bits);
    assert_false(became_bits);
    change_at_random(40, 2, &became_bits);
    assert_false(became_bits);
}

static void many_become_bits(void **unused)
{
    (void)unused;
    bool became_bits;
    change_at_random(2, 3, &became_bits);
    assert_true(became_bits);
}

static void neighbours_join(void **unused)
{
    (void)unused;
    Ranges ranges;
    Range found;
    ranges_init(&ranges, 100);
    assert_true(ranges_is_empty(&ranges));
    assert_true(ranges_add(&ranges, 10, 20, 1) && ranges_add(&ranges, 30, 40, 1));
    assert_true(ranges_add(&ranges, 20, 30, 1));
    assert_int_equal(ranges.count, 1);
    assert_true(ranges_find(&ranges, 0, 100, &found));
    assert_true(found.begin == 10 && found.end == 40);
    assert_true(ranges_add(&ranges, 15, 18, 2)); /* in the middle, with another tag */
    assert_int_equal(ranges.count, 3);
    assert_true(ranges_remove(&ranges, 0, 100));
    assert_true(ranges_is_empty(&ranges));
    assert_false(ranges_find(&ranges, 0, 100, &found));
    ranges_free(&ranges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_ranges_keep_their_tags),
        cmocka_unit_test(many_become_bits),
        cmocka_unit_test(neighbours_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
