/* Tests of what may be told of a kernel's own words: no number, no word but those of the list. */
#include "harness/judge/kernel_text.h"

#include "arena_fixture.h"

#include <string.h>

static void assert_reduced(const char *text, const char *expected)
{
    Str reduced = kernel_text_reduce(&arena, str_from(text));
    assert_string_equal(str_dup(&arena, reduced), expected);
}

static void test_reduce(void **unused)
{
    (void)unused;
    assert_reduced("Tensor 0: shape mismatch, expected [64, 1024]",
                   "Tensor #: shape mismatch, expected [#, #]");
    assert_reduced("the value is 0.7310586", "the value is #");
    assert_reduced("the value is -7.31e-05!", "the value is -#…");
    assert_reduced("0x7f01 1_000 12abc 1.5.2", "# # # #");
    assert_reduced("zanzibar and qwertz", "… and …");
    assert_reduced("v31337_5 x31337", "…");
    assert_reduced("\n\n  dtype float32  \nsecond line", "dtype float32");
    assert_reduced("\xc3\xa9\xe4\xb8\xad tensor \x01\xff", "… tensor …");
    assert_reduced("", "");
    assert_reduced("\n \t\n", "");
}

/* No digit ever comes through, and the length is bounded. */
static void test_any_bytes(void **unused)
{
    (void)unused;
    enum { LONG = 5000 };
    char text[LONG + 1];
    uint32_t state = 7;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < LONG; i++) {
            state = state * 1664525u + 1013904223u;
            text[i] = (char)(1 + (state >> 24) % 255);
        }
        text[LONG] = '\0';
        Str reduced = kernel_text_reduce(&arena, str_from(text));
        assert_true(reduced.length <= KERNEL_TEXT_LIMIT);
        for (size_t i = 0; i < reduced.length; i++) {
            assert_false(reduced.at[i] >= '0' && reduced.at[i] <= '9');
            assert_true((unsigned char)reduced.at[i] >= ' ');
        }
    }
    memset(text, 'a', LONG);
    for (int i = 1; i < LONG; i += 2) {
        text[i] = ' ';
    }
    assert_true(kernel_text_reduce(&arena, str_from(text)).length <= KERNEL_TEXT_LIMIT);
}

static void test_words(void **unused)
{
    (void)unused;
    assert_true(kernel_word_is_known(STR("tensor")));
    assert_true(kernel_word_is_known(STR("Tensor")));
    assert_false(kernel_word_is_known(STR("tens")));
    assert_false(kernel_word_is_known(STR("tensor dtype")));
    assert_false(kernel_word_is_known(STR("")));
    assert_false(kernel_word_is_known(STR(" ")));
}

static void test_names(void **unused)
{
    (void)unused;
    static const char *const names[][2] = {
        {"out0", "out0"}, {"grad_x[2]", "grad_x[2]"}, {"31337.5", "31337?5"}, {"a\nb\x1b", "a?b?"},
        {"", ""},         {"x: \xc3\xa9", "x? ??"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Str name = kernel_text_name(&arena, str_from(names[i][0]));
        assert_string_equal(str_dup(&arena, name), names[i][1]);
    }
    char text[200];
    memset(text, 'n', sizeof text);
    assert_int_equal(kernel_text_name(&arena, (Str){text, sizeof text}).length, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reduce, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
