/* Tests of the module contract. */
#include "operator/interfaces.h"

#include "arena_fixture.h"

static void assert_names(NameList list, const char *expected)
{
    Buf out = {.arena = &arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < list.names.count; i++) {
        buf_addf(&out, "%s%.*s", i == 0 ? "" : " ", STR_ARG(list.names.items[i]));
    }
    assert_string_equal(buf_str(&out).at, expected);
}

static void test_reading(void **state)
{
    (void)state;
    Interfaces none = interfaces_read(&arena, STR("a: 1\nb: c: d\n"));
    assert_null(none.root);
    assert_int_equal(none.line, 2);
    assert_true(str_contains(none.reason, STR("line 2")));
    assert_true(str_contains(none.reason_zh, STR("第 2 行")));
    assert_null(interfaces_read(&arena, STR("- a\n")).root);
    assert_null(interfaces_read(&arena, STR("")).root);
    assert_non_null(interfaces_read(&arena, STR("{}")).root);
}

static void test_suffixes(void **state)
{
    (void)state;
    assert_int_equal(suffix_module_count(STR("1")), 1);
    assert_int_equal(suffix_module_count(STR("123456789")), 9);
    assert_int_equal(suffix_module_count(STR("12345678910")), 10);
    static const char *const invalid[] = {
        "", "0", "2", "13", "112", "101112", "12x", "123456789101", "01"};
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        assert_int_equal(suffix_module_count(str_from(invalid[i])), 0);
    }
    assert_true(str_is(implementation_suffix(STR("op"), STR("modules/op_module12_impl.py")), "12"));
    assert_int_equal(implementation_suffix(STR("op"), STR("modules/op_module1a_impl.py")).length,
                     0);
    assert_int_equal(implementation_suffix(STR("op"), STR("op_impl.py")).length, 0);
    assert_int_equal(implementation_suffix(STR("op"), STR("op_module_impl.py")).length, 0);
    assert_int_equal(implementation_suffix(STR("op"), STR("xop_module1_impl.py")).length, 0);
}

static const char contract[] =
    "primary_inputs:\n"
    "  - {name: x, shape: [N, 64], dtype: float32}\n"
    "  - {name: gate}\n"
    "  - {name: on}\n"
    "  - plain\n"
    "modules:\n"
    "  - id: 1\n"
    "    inputs: [{name: gate, source: primary}, {name: h, source: other}]\n"
    "    outputs: [{name: mid, shape: [N, 64], dtype: float32}]\n"
    "  - id: 2\n"
    "    inputs: [{name: x, source: primary}, {name: mid, source: module_1}]\n"
    "    outputs: [{name: y}, {name: 3}]\n"
    "  - id: '3'\n"
    "    outputs: [{name: w}]\n"
    "final_outputs: [{name: y, source: module_2}]\n";

static void test_extraction(void **state)
{
    (void)state;
    Interfaces interfaces = interfaces_read(&arena, str_from(contract));
    NameList primary = interfaces_primary_inputs(&arena, &interfaces);
    assert_true(primary.judged && primary.present);
    assert_int_equal(primary.line, 1);
    assert_names(primary, "x gate"); /* an unquoted `on` is no string */
    assert_names(interfaces_module_inputs(&arena, &interfaces, 1), "gate");
    assert_names(interfaces_module_inputs(&arena, &interfaces, 2), "x gate");
    assert_names(interfaces_module_outputs(&arena, &interfaces, 1), "mid");
    assert_names(interfaces_module_outputs(&arena, &interfaces, 2), "y");
    assert_names(interfaces_module_outputs(&arena, &interfaces, 3), "");
    NameList final = interfaces_final_outputs(&arena, &interfaces);
    assert_names(final, "y");
    assert_int_equal(final.line, 15);
}

static void test_primary_inputs_forms(void **state)
{
    (void)state;
    Interfaces absent = interfaces_read(&arena, STR("op: x"));
    NameList list = interfaces_primary_inputs(&arena, &absent);
    assert_true(list.judged && !list.present && list.names.count == 0);
    Interfaces null = interfaces_read(&arena, STR("primary_inputs:\n"));
    list = interfaces_primary_inputs(&arena, &null);
    assert_true(!list.judged && list.present);
    assert_true(interfaces_module_inputs(&arena, &null, 1).judged);
}

/* "rule@line …" of all violations. */
static void assert_violations(const char *text, const char *expected)
{
    Interfaces interfaces = interfaces_read(&arena, str_from(text));
    Violations violations = interfaces_validate(&arena, &interfaces);
    Buf out = {.arena = &arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < violations.count; i++) {
        const Violation *violation = &violations.items[i];
        buf_addf(&out, "%s%u@%u", i == 0 ? "" : " ", violation->rule, violation->line);
        assert_true(violation->message.length > 0 && violation->message_zh.length > 0);
        assert_int_equal(str_find(violation->message, STR("\n"), 0), SIZE_MAX);
    }
    assert_string_equal(buf_str(&out).at, expected);
}

static void test_wiring(void **state)
{
    (void)state;
    assert_violations("{}", "");
    assert_violations("modules:\n- id: 1\n  outputs:\n"
                      "  - {name: y, shape: \"[a\\nb]\", dtype: int32}\n"
                      "final_outputs: [{name: y, source: module_1}]\n",
                      "5@4"); /* a line feed within a dimension */
    assert_violations(contract, "2@8");
    assert_violations("modules:\n- id: 1\n  inputs:\n  - {name: x, source: primary}\n", "1@4");
    assert_violations(
        "modules:\n- id: 1\n  inputs:\n  - {name: y, source: module_1}\n"
        "  - {name: y, source: module_0}\n  - {name: y, source: module_x}\n  - {name: y}\n"
        "  outputs: [{name: y}]\n",
        "2@4 2@5 2@6 2@7");
    assert_violations(
        "modules:\n- id: 1\n  outputs: [{name: y}]\nfinal_outputs:\n- {name: y, source: module_1}\n"
        "- {name: z, source: module_1}\n- {name: y, source: module_2}\n- {name: y, source: "
        "primary}\n",
        "3@6 3@7 3@8");
    assert_violations("modules:\n- id: 1\n  outputs:\n  - {name: y}\n  - {name: y}\n- id: 2\n  "
                      "outputs: [{name: y}]\n",
                      "4@5");
    assert_violations("modules:\n- id: 1\n  outputs:\n  - {name: y, dtype: float64}\n  - {name: z, "
                      "dtype: bool}\n",
                      "6@4");
}

static void assert_shape(const char *shape, bool good)
{
    Str text = str_format(&arena, "modules: [{id: 1, outputs: [{name: y, shape: %s}]}]", shape);
    Interfaces interfaces = interfaces_read(&arena, text);
    assert_non_null(interfaces.root);
    uint32_t count = interfaces_validate(&arena, &interfaces).count;
    if ((count == 0) != good) {
        fail_msg("%s: %u violations", shape, count);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    assert_shape("[N, 64, 2*(C+1)//4, -N]", true);
    assert_shape("\" [N, H*W] \"", true);
    assert_shape("[]", true);
    assert_shape("[N / 2]", false);
    assert_shape("[N ** 2]", false);
    assert_shape("[\"(N\"]", false);
    assert_shape("[\"N)\"]", false);
    assert_shape("[1.5]", false);
    assert_shape("[\"f(N)\"]", false);
    assert_shape("[\"N M\"]", false);
    assert_shape("[\"2N\"]", false);
    assert_shape("[\"\"]", false);
    assert_shape("\"[N, , M]\"", false);
    assert_shape("7", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),    cmocka_unit_test(test_suffixes),
        cmocka_unit_test(test_extraction), cmocka_unit_test(test_primary_inputs_forms),
        cmocka_unit_test(test_wiring),     cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
