/* Tests of Str and Buf: slices, comparison, search, formatted and growing text. */
#include "base/str.h"

#include "py_fixture.h"

static void test_equality(void **state)
{
    (void)state;
    assert_true(str_equal(STR(""), (Str){NULL, 0}));
    assert_true(str_equal(STR("ab"), (Str){"abc", 2}));
    assert_false(str_equal(STR("ab"), STR("abc")));
    assert_false(str_equal(STR("a\0b"), STR("a\0c")));
    assert_true(str_is(STR("OL48"), "OL48"));
    assert_false(str_is(STR("OL4"), "OL48"));
    assert_int_equal(STR("a\0b").length, 3);
}

static void test_starts_ends_contains(void **state)
{
    (void)state;
    Str name = STR("softmax_impl.py");
    assert_true(str_starts(name, STR("softmax")));
    assert_true(str_starts(name, STR("")));
    assert_true(str_starts(name, name));
    assert_false(str_starts(name, STR("softmax_impl.pyc")));
    assert_false(str_starts(name, STR("Softmax")));
    assert_true(str_ends(name, STR("_impl.py")));
    assert_true(str_ends(name, STR("")));
    assert_false(str_ends(STR("py"), STR(".py")));
    assert_true(str_contains(name, STR("max_i")));
    assert_true(str_contains(name, STR("")));
    assert_false(str_contains(name, STR("maximpl")));
    assert_true(str_contains(STR("a\0bc"), STR("\0b")));
}

static void test_slice(void **state)
{
    (void)state;
    Str text = STR("0123456789");
    assert_str(str_slice(text, 2, 5), "234");
    assert_str(str_slice(text, 0, 10), "0123456789");
    assert_str(str_slice(text, 7, 99), "789");
    assert_str(str_slice(text, 5, 5), "");
    assert_str(str_slice(text, 6, 3), "");
    assert_str(str_slice(text, 99, 100), "");
    assert_str(str_slice(text, SIZE_MAX, SIZE_MAX), "");
}

static void test_trim(void **state)
{
    (void)state;
    assert_str(str_trim(STR("  a b\t\r\n\v\f")), "a b");
    assert_str(str_trim(STR(" \n ")), "");
    assert_str(str_trim(STR("")), "");
    /* U+00A0 is no ASCII white space. */
    assert_str(str_trim(STR("\xC2\xA0x ")), "\xC2\xA0x");
}

/* By bytes, which for UTF-8 is the order of code points: U+FF01 comes before U+1F600. */
static void test_compare(void **state)
{
    (void)state;
    assert_int_equal(str_compare(STR("abc"), STR("abc")), 0);
    assert_true(str_compare(STR("ab"), STR("abc")) < 0);
    assert_true(str_compare(STR("abd"), STR("abc")) > 0);
    assert_true(str_compare(STR(""), STR("a")) < 0);
    assert_true(str_compare(STR("\xEF\xBC\x81"), STR("\xF0\x9F\x98\x80")) < 0);
    assert_true(str_compare(STR("z"), STR("\xC3\xA9")) < 0);
    /* The scan order of modules: "_" after the digits. */
    assert_true(str_compare(STR("op_module12_impl.py"), STR("op_module1_impl.py")) < 0);
}

static void test_find(void **state)
{
    (void)state;
    Str text = STR("abcabc");
    assert_int_equal(str_find(text, STR("bc"), 0), 1);
    assert_int_equal(str_find(text, STR("bc"), 1), 1);
    assert_int_equal(str_find(text, STR("bc"), 2), 4);
    assert_int_equal(str_find(text, STR("bc"), 5), SIZE_MAX);
    assert_int_equal(str_find(text, STR("abcabca"), 0), SIZE_MAX);
    assert_int_equal(str_find(text, STR(""), 6), 6);
    assert_int_equal(str_find(text, STR(""), 7), SIZE_MAX);
    assert_int_equal(str_find((Str){NULL, 0}, STR("a"), 0), SIZE_MAX);
}

static void test_dup_and_format(void **state)
{
    Arena *arena = *state;
    char *copy = str_dup(arena, (Str){"abcdef", 3});
    assert_string_equal(copy, "abc");
    assert_string_equal(str_dup(arena, (Str){NULL, 0}), "");
    Str name = {"module12 and more", 8};
    Str text = str_format(arena, "%.*s_impl.%s:%d", STR_ARG(name), "py", -7);
    assert_str(text, "module12_impl.py:-7");
    assert_int_equal(text.at[text.length], '\0');
    Str none = {NULL, 0};
    assert_str(str_format(arena, "[%.*s]", STR_ARG(none)), "[]");
    char long_text[5001];
    memset(long_text, 'q', 5000);
    long_text[5000] = '\0';
    text = str_format(arena, "<%s>", long_text);
    assert_int_equal(text.length, 5002);
    assert_int_equal(text.at[5001], '>');
}

static void test_buf(void **state)
{
    Arena *arena = *state;
    Buf buf = {.arena = arena};
    assert_str(buf_str(&buf), "");
    for (int i = 0; i < 1000; i++) {
        buf_addf(&buf, "%d,", i);
        if (i % 10 == 0) {
            arena_alloc(arena, 1); /* so that the text has to move */
        }
    }
    buf_add_char(&buf, '!');
    buf_add_char(&buf, '\0');
    buf_add(&buf, STR("end"));
    /* 10 numbers of one digit, 90 of two, 900 of three, a comma each; "!", NUL, "end". */
    assert_int_equal(buf.length, 10 * 2 + 90 * 3 + 900 * 4 + 5);
    assert_memory_equal(buf.at, "0,1,2,3,", 8);
    assert_memory_equal(buf.at + buf.length - 9, "999,!\0end", 9);
    assert_int_equal(buf.at[buf.length], '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_starts_ends_contains),
        cmocka_unit_test(test_slice),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_find),
        cmocka_unit_test_setup_teardown(test_dup_and_format, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_buf, arena_set_up, arena_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
