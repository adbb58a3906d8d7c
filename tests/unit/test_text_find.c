/* Case-folded search against the plainest one, on texts of few letters, so that nearly-matches
 * abound. */
#include "operator/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t find_plainly(Str text, Str part, size_t from)
{
    for (size_t at = from; at + part.length <= text.length; at++) {
        size_t same = 0;
        while (same < part.length && folded(text.at[at + same]) == part.at[same]) {
            same++;
        }
        if (same == part.length) {
            return at;
        }
    }
    return SIZE_MAX;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static Str random_text(char *out, size_t length, const char *letters, uint32_t *state)
{
    size_t count = strlen(letters);
    for (size_t i = 0; i < length; i++) {
        out[i] = letters[next_random(state) % count];
    }
    return (Str){out, length};
}

static void test_like_the_plain_search(void **state)
{
    (void)state;
    uint32_t seed = 7;
    char text_bytes[40];
    char part_bytes[6];
    for (int i = 0; i < 200000; i++) {
        Str text = random_text(text_bytes, next_random(&seed) % 40, "aAbB_:\xE4", &seed);
        Str part = random_text(part_bytes, next_random(&seed) % 6, "ab_:\xE4", &seed);
        size_t from = next_random(&seed) % (text.length + 1);
        assert_int_equal(text_find_folded(text, part, from), find_plainly(text, part, from));
    }
}

static void test_by_hand(void **state)
{
    (void)state;
    assert_int_equal(text_find_folded(STR("x FIX_Hints: y"), STR("fix_hints:"), 0), 2);
    assert_int_equal(text_find_folded(STR("x FIX_Hints: y"), STR("fix_hints:"), 3), SIZE_MAX);
    assert_int_equal(text_find_folded(STR("fix_hints"), STR("fix_hints:"), 0), SIZE_MAX);
    assert_int_equal(text_find_folded(STR("::::a:"), STR("a:"), 0), 4);
    assert_int_equal(text_find_folded(STR("DYNdynamic"), STR("dynamic"), 0), 3);
    assert_int_equal(text_find_folded(STR(""), STR("a:"), 0), SIZE_MAX);
    assert_int_equal(text_find_folded(STR("ab"), STR(""), 2), 2);
    assert_int_equal(text_find_folded(STR("ab"), STR("b"), 3), SIZE_MAX); /* beyond the text */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_like_the_plain_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
