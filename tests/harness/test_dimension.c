/* Dimensions: values as Python computes them, names, what is refused. */
#include "harness/plan/dimension.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static Arena arena;

static Variables sizes(void)
{
    Variables variables = {0};
    VEC_PUSH(&arena, &variables, ((Variable){STR("T"), 70}));
    VEC_PUSH(&arena, &variables, ((Variable){STR("BT"), 16}));
    VEC_PUSH(&arena, &variables, ((Variable){STR("zero"), 0}));
    VEC_PUSH(&arena, &variables, ((Variable){STR("huge"), INT64_MAX}));
    return variables;
}

static void test_values(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"7", 7},           {" T ", 70},          {"T//BT", 4},        {"(T + BT - 1)//BT", 5},
        {"-T//BT", -5}, /* (-70)//16, rounded down */
        {"T - BT - 1", 53}, {"T - (BT - 1)", 55}, {"2*T + 3*BT", 188}, {"2*(T+3)*BT", 2336},
        {"T//2//5", 7},     {"100//BT*BT", 96},   {"- - 5", 5},        {"+-+5", -5},
        {"((((T))))", 70},  {"-(2 - T)", 68},     {"2*-3", -6},        {"7//-2", -4},
    };
    (void)state;
    Variables variables = sizes();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = -1000;
        assert_true(dimension_value(str_from(cases[i].text), &variables, &value));
        assert_int_equal(value, cases[i].value);
        assert_true(dimension_is_valid(str_from(cases[i].text)));
    }
}

static void test_no_values(void **state)
{
    static const char *const refused[] = {
        "",    " ",    "T T",  "T/BT",  "T**2", "(T",      "T)",     "()",   "T+",
        "*T",  "T.x",  "f(T)", "[T]",   "1.5",  "1_0x",    "T///BT", "T;BT", "T // // BT",
        "2 3", "T,BT", "é",    "\"T\"", "0x10", "(T)(BT)", "+",      "7T"};
    (void)state;
    Variables variables = sizes();
    int64_t value;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_false(dimension_is_valid(str_from(refused[i])));
        assert_false(dimension_value(str_from(refused[i]), &variables, &value));
    }
    static const char *const valueless[] = {"K", "T//zero", "huge + 1", "huge*2", "0 - huge - 2"};
    for (size_t i = 0; i < sizeof valueless / sizeof *valueless; i++) {
        assert_true(dimension_is_valid(str_from(valueless[i])));
        assert_false(dimension_value(str_from(valueless[i]), &variables, &value));
    }
    assert_false(dimension_is_valid(STR("99999999999999999999")));
}

static void test_depth(void **state)
{
    (void)state;
    Buf deep = {.arena = &arena};
    for (int i = 0; i < 100000; i++) {
        buf_add_char(&deep, '(');
    }
    assert_false(dimension_is_valid(buf_str(&deep)));
    Buf wide = {.arena = &arena};
    buf_add(&wide, STR("1"));
    for (int i = 0; i < 100000; i++) {
        buf_add(&wide, STR("+1"));
    }
    int64_t value;
    Variables none = {0};
    assert_true(dimension_value(buf_str(&wide), &none, &value));
    assert_int_equal(value, 100001);
}

static void test_names(void **state)
{
    (void)state;
    Strs names = {0};
    dimension_names(&arena, STR("(T+BT-1)//BT * _x2"), &names);
    dimension_names(&arena, STR("T"), &names);
    assert_int_equal(names.count, 3);
    assert_true(str_is(names.items[0], "T") && str_is(names.items[1], "BT") &&
                str_is(names.items[2], "_x2"));
    assert_true(dimension_is_name(STR(" T ")));
    assert_false(dimension_is_name(STR("2")));
    assert_false(dimension_is_name(STR("T+1")));
    assert_false(dimension_is_name(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_no_values),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_names),
    };
    arena_init(&arena, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
