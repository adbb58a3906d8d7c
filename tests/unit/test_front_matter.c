/* Tests of front matter: recognition, YAML, the reading line by line, schemas. Construction of YAML
 * values in general is compared with another reader in tests/operator/yaml_differential.py. */
#include "operator/front_matter.h"
#include "operator/schema.h"
#include "operator/yaml_value.h"

#include "arena_fixture.h"

static FrontMatter read(const char *text)
{
    return front_matter_read(&arena, str_from(text));
}

static void assert_str(Str actual, const char *expected)
{
    assert_string_equal(str_dup(&arena, actual), expected);
}

/* What a value looks like in YAML flow form. */
static void assert_shown(const Value *value, const char *expected)
{
    assert_str(value_show(&arena, value, 1000), expected);
}

static void assert_fault(const char *text, FrontMatterFault fault, uint32_t line)
{
    FrontMatter front = read(text);
    assert_int_equal(front.fault, fault);
    assert_int_equal(front.fault_line, line);
    assert_int_equal(front.metadata->count, 0);
    assert_true(fault <= FRONT_MATTER_NO_BLOCK || front_matter_fault_text(fault) != NULL);
}

static void test_recognition(void **state)
{
    (void)state;
    FrontMatter front = read("---\na: 1\n---\nbody\n");
    assert_true(front.recognised);
    assert_str(front.header, "a: 1");
    assert_str(front.body, "body\n");
    assert_int_equal(front.body_line, 4);
    assert_int_equal(front.fault, FRONT_MATTER_FINE);

    front = read("---\n\n---\n");
    assert_true(front.recognised);
    assert_str(front.header, "");
    assert_true(front_matter_is_empty(&front));
    assert_false(front.yaml_failed);

    front = read("---\n---\na: 1\n---\nrule");
    assert_true(front.recognised); /* the second `---` is part of the header */
    assert_str(front.body, "rule");
    assert_int_equal(front.body_line, 5);

    front = read("# title\nx");
    assert_false(front.recognised);
    assert_str(front.body, "# title\nx");
    assert_int_equal(front.body_line, 1);
}

static void test_faults(void **state)
{
    (void)state;
    assert_fault("", FRONT_MATTER_NO_BLOCK, 0);
    assert_fault("# title\n\n---\na: 1\n---\n", FRONT_MATTER_NOT_FIRST, 3);
    assert_fault("text\n---\na: 1\n---\n", FRONT_MATTER_NO_BLOCK, 0);
    assert_fault("\n---\na: 1\n---\n", FRONT_MATTER_NOT_FIRST, 2);
    assert_fault("\xef\xbb\xbf---\na: 1\n---\n", FRONT_MATTER_BOM, 1);
    assert_fault("--- \na: 1\n---\n", FRONT_MATTER_OPEN_SPACE, 1);
    assert_fault("---\na: 1\n--- \nb\n", FRONT_MATTER_CLOSE_SPACE, 3);
    assert_fault("---\na: 1\n---", FRONT_MATTER_CLOSE_LINE_FEED, 3);
    assert_fault("---\na: 1\n...\nb\n", FRONT_MATTER_CLOSE_DOTS, 3);
    assert_fault("---\na: 1\n", FRONT_MATTER_NOT_CLOSED, 1);
    assert_fault("---\n---\ntext\n", FRONT_MATTER_EMPTY_HEADER, 2);
    assert_fault("---\n# nothing\n---\n", FRONT_MATTER_EMPTY_HEADER, 1);
    assert_fault("----\na: 1\n----\n", FRONT_MATTER_NO_BLOCK, 0);
}

static void test_yaml_values(void **state)
{
    (void)state;
    FrontMatter front =
        read("---\nop_name: {op}\nlist:\n- 1\n- - 2\nt: {a:1, \"b\":2}\nn: 1e-3\nr: 1.0e-3\n"
             "m: one\n  two\nq: '[1, 2]'\ndup: 1\ndup: 2\nd: 2026-01-31\n---\n");
    assert_false(front.yaml_failed);
    assert_shown(value_get(front.metadata, "op_name"), "{op: null}");
    assert_shown(value_get(front.metadata, "list"), "[1, [2]]");
    assert_shown(value_get(front.metadata, "t"), "{a:1: null, b: 2}");
    assert_int_equal(value_get(front.metadata, "n")->kind, VALUE_STRING);
    assert_int_equal(value_get(front.metadata, "r")->kind, VALUE_REAL);
    assert_shown(value_get(front.metadata, "m"), "one two");
    assert_shown(value_get(front.metadata, "q"), "[1, 2]");
    assert_int_equal(value_get(front.metadata, "q")->kind, VALUE_LIST);
    assert_int_equal(value_get(front.metadata, "dup")->integer, 2);
    assert_int_equal(front_matter_line(&front, "dup"), 13);
    assert_int_equal(value_get(front.metadata, "d")->kind, VALUE_STRING);
    assert_int_equal(front_matter_line(&front, "op_name"), 2);
    assert_int_equal(front_matter_line(&front, "absent"), 0);
    /* The second item of `list` begins on line 5. */
    assert_int_equal(value_get(front.metadata, "list")->items[1]->line, 5);
}

static void test_plain_scalars(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ValueKind kind;
        int64_t integer;
    } cases[] = {
        {"", VALUE_NULL, 0},        {"none", VALUE_STRING, 0},
        {"yes", VALUE_BOOL, 0},     {"y", VALUE_STRING, 0},
        {"tRUE", VALUE_STRING, 0},  {"1_000", VALUE_INT, 1000},
        {"017", VALUE_INT, 15},     {"08", VALUE_STRING, 0},
        {"0o17", VALUE_STRING, 0},  {"0x1F", VALUE_INT, 31},
        {"0b101", VALUE_INT, 5},    {"1:30", VALUE_INT, 90},
        {"-12", VALUE_INT, -12},    {"1e3", VALUE_STRING, 0},
        {"1.0e3", VALUE_STRING, 0}, {"1.e+3", VALUE_REAL, 0},
        {".5", VALUE_REAL, 0},      {"5.", VALUE_REAL, 0},
        {".Inf", VALUE_REAL, 0},    {".nan", VALUE_REAL, 0},
        {"1:77", VALUE_STRING, 0},  {"9223372036854775808", VALUE_INT, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Value *value = yaml_resolve_plain(&arena, str_from(cases[i].text), 1);
        assert_non_null(value);
        if (value->kind != cases[i].kind) {
            fail_msg("%s is %s", cases[i].text, value_kind_name(value));
        }
        assert_int_equal(value->integer, cases[i].integer);
    }
    assert_null(yaml_resolve_plain(&arena, STR("="), 1));
    assert_null(yaml_resolve_plain(&arena, STR("2026-02-30"), 1));
    assert_non_null(yaml_resolve_plain(&arena, STR("2024-02-29"), 1));
}

/* PyYAML makes a datetime of these, which refuses the times and zones that do not exist. */
static void test_yaml_times(void **state)
{
    (void)state;
    static const char *const exist[] = {"2026-01-31T00:00:00Z", "2026-01-31T23:59:59Z",
                                        "2026-01-31 1:59:59.25", "2026-01-31T10:00:00+23:59"};
    static const char *const do_not[] = {"2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z",
                                         "2026-01-31T12:00:60Z", "2026-01-31T10:00:00+24:00"};
    for (size_t i = 0; i < sizeof exist / sizeof *exist; i++) {
        assert_non_null(yaml_resolve_plain(&arena, str_from(exist[i]), 1));
        if (yaml_resolve_plain(&arena, str_from(do_not[i]), 1) != NULL) {
            fail_msg("%s is read", do_not[i]);
        }
    }
}

static void test_merge_and_alias(void **state)
{
    (void)state;
    FrontMatter front =
        read("---\nbase: &b\n  a: 1\n  c: 2\nx:\n  <<: *b\n  a: 3\ny: [*b, *b]\n---\n");
    assert_false(front.yaml_failed);
    assert_shown(value_get(front.metadata, "x"), "{a: 3, c: 2}");
    assert_shown(value_get(front.metadata, "y"), "[{a: 1, c: 2}, {a: 1, c: 2}]");
    front = read("---\nx: {<<: [{a: 1, b: 1}, {a: 2, c: 2}]}\n---\n");
    assert_shown(value_get(front.metadata, "x"), "{a: 1, c: 2, b: 1}");
}

static void assert_yaml_fails(const char *header, uint32_t line)
{
    YamlResult result = yaml_value_read(&arena, str_from(header), 1);
    if (result.ok || result.line != line) {
        fail_msg("%s: %s, line %u", header, result.ok ? "read" : "refused", result.line);
    }
    assert_true(result.error.length > 0);
}

static void test_yaml_refusals(void **state)
{
    (void)state;
    assert_yaml_fails("a: 1\nb: c: d", 2);
    assert_yaml_fails("a:\n\tb: 1", 2);
    assert_yaml_fails("a: [1, 2", 1);
    assert_yaml_fails("a: @x", 1);
    assert_yaml_fails("a: `x`", 1);
    assert_yaml_fails("a: 1\nb: *c", 2);
    assert_yaml_fails("a: 1\n--- b\n", 2);
    assert_yaml_fails("a: !x 1", 1);
    assert_yaml_fails("? [1]\n: 2", 1);
    assert_yaml_fails("a: =", 1);
    assert_yaml_fails("a: 2026-13-01", 1);
    assert_yaml_fails("a: &x [*x]", 1);
    assert_yaml_fails("a: &x 1\nb: &x 2", 2);
}

/* A few lines that stand for 10^9 nodes, and nesting beyond all reason. */
static void test_yaml_limits(void **state)
{
    (void)state;
    Buf bomb = {.arena = &arena};
    buf_add(&bomb, STR("a0: &a0 [x]\n"));
    for (int i = 1; i < 10; i++) {
        buf_addf(&bomb, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++) {
            buf_addf(&bomb, "*a%d,", i - 1);
        }
        buf_add(&bomb, STR("]\n"));
    }
    assert_false(yaml_value_read(&arena, buf_str(&bomb), 1).ok);
    Buf deep = {.arena = &arena};
    for (int i = 0; i < 100000; i++) {
        buf_add(&deep, STR("["));
    }
    assert_false(yaml_value_read(&arena, buf_str(&deep), 1).ok);
    assert_null(python_literal(&arena, buf_str(&deep), 1));
    Buf chain = {.arena = &arena};
    buf_add(&chain, STR("a0: &a0 [x]\n"));
    for (int i = 1; i < 200; i++) {
        buf_addf(&chain, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    }
    assert_false(yaml_value_read(&arena, buf_str(&chain), 1).ok);
}

/* libyaml counts NEL and LS as line ends, a document does not. */
static void test_lines_with_other_separators(void **state)
{
    (void)state;
    FrontMatter front = read("---\na: \"x\xc2\x85y\"\nb: \"p\xe2\x80\xa8q\"\nc: 3\n---\n");
    assert_int_equal(front_matter_line(&front, "b"), 3);
    assert_int_equal(front_matter_line(&front, "c"), 4);
}

static void test_line_by_line(void **state)
{
    (void)state;
    FrontMatter front = read("---\nop_name: x: y\n# c: 1\nlist:\n  - a\n  child: 7\nb: 'q'\nt: "
                             "1e-3\ns: a, b\n: e\n---\n");
    assert_true(front.yaml_failed);
    assert_int_equal(front.yaml_line, 2);
    assert_shown(value_get(front.metadata, "op_name"), "x: y");
    assert_shown(value_get(front.metadata, "list"), "null");
    assert_int_equal(value_get(front.metadata, "child")->integer, 7);
    assert_int_equal(front_matter_line(&front, "child"), 6);
    assert_shown(value_get(front.metadata, "b"), "'q'");
    assert_int_equal(value_get(front.metadata, "t")->kind, VALUE_REAL);
    assert_shown(value_get(front.metadata, "s"), "[a, b]");
    assert_shown(value_get(front.metadata, ""), "e");

    front = read("---\njust text\n---\n");
    assert_true(front.yaml_failed);
    assert_int_equal(front.yaml_line, 0);
    assert_true(front_matter_is_empty(&front));
}

static void assert_scalar(const char *text, ValueKind kind, const char *shown)
{
    const Value *value = scalar_value(&arena, str_from(text), 1);
    if (value->kind != kind) {
        fail_msg("%s is %s", text, value_kind_name(value));
    }
    assert_shown(value, shown);
}

static void test_scalar_grammar(void **state)
{
    (void)state;
    assert_scalar("  ", VALUE_NULL, "null");
    assert_scalar("None", VALUE_NULL, "null");
    assert_scalar("Null", VALUE_STRING, "Null");
    assert_scalar("~", VALUE_STRING, "~");
    assert_scalar("TRUE", VALUE_BOOL, "true");
    assert_scalar("[bf16, fp16]", VALUE_LIST, "[bf16, fp16]");
    assert_scalar("[[1,a],2]", VALUE_LIST, "[[1, a], 2]");
    assert_int_equal(scalar_value(&arena, STR("[[1,a],2]"), 1)->count, 3);
    assert_scalar("[[1, 2], [3, 4]]", VALUE_LIST, "[[1, 2], [3, 4]]");
    assert_scalar("[]", VALUE_LIST, "[]");
    assert_scalar("{k: [1, 2]}", VALUE_STRING, "{k: [1, 2]}");
    assert_scalar("{'atol': 1e-3, 'rtol': 2e-3}", VALUE_MAPPING, "{atol: 1e-3, rtol: 2e-3}");
    assert_int_equal(value_get(scalar_value(&arena, STR("{'atol': 1e-3}"), 1), "atol")->kind,
                     VALUE_REAL);
    assert_scalar("{atol: 1e-3, \"rtol\": x}", VALUE_MAPPING, "{atol: 1e-3, rtol: x}");
    assert_scalar("{}", VALUE_MAPPING, "{}");
    assert_scalar("{1, 2}", VALUE_SET, "{1, 2}");
    assert_scalar("007", VALUE_INT, "007");
    assert_scalar("1.", VALUE_STRING, "1.");
    assert_scalar(".5", VALUE_STRING, ".5");
    assert_scalar("a, ,b", VALUE_LIST, "[a, b]");
    assert_scalar("['a\\n', \"b\"]", VALUE_LIST, "[a , b]");
}

/* --- schemas */

static void assert_schema(SchemaKind kind, const char *text, const char *expected)
{
    static const char *const names[] = {"missing", "list", "mapping", "mode"};
    FrontMatter front = read(text);
    SchemaErrors errors = schema_check(&arena, kind, &front);
    Buf out = {.arena = &arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < errors.count; i++) {
        const SchemaError *error = &errors.items[i];
        buf_addf(&out, "%s%s:%s:%u", i == 0 ? "" : " ", names[error->fault], error->key,
                 error->line);
    }
    assert_str(buf_str(&out), expected);
}

static void test_schemas(void **state)
{
    (void)state;
    assert_schema(SCHEMA_SPEC,
                  "---\nschema_version: 0\nop_name: x\nsupported_dtypes: [a]\np0_shapes: [1]\n"
                  "tolerance: {atol: 1, rtol: 2, extra: 3}\n---\n",
                  "");
    assert_schema(
        SCHEMA_SPEC, "no front matter",
        "missing:schema_version:1 missing:op_name:1 missing:supported_dtypes:1 missing:p0_shapes:1 "
        "missing:tolerance:1");
    assert_schema(
        SCHEMA_SPEC,
        "---\nschema_version: false\nop_name:\nsupported_dtypes: \"\"\np0_shapes: x\ntolerance: "
        "[]\n---\n",
        "missing:op_name:3 missing:supported_dtypes:4 missing:tolerance:6 list:supported_dtypes:4 "
        "list:p0_shapes:5 mapping:tolerance:6");
    assert_schema(SCHEMA_SPEC,
                  "---\nschema_version: 1\nop_name: x\nsupported_dtypes: [a]\np0_shapes: "
                  "[1]\ntolerance: {}\n---\n",
                  "mode:tolerance:6");
    assert_schema(SCHEMA_DESIGN, "---\nschema_version: 1\nop_name: x\ndynamic_axes: []\n---\n", "");
    assert_schema(SCHEMA_DESIGN, "---\nschema_version: 1\nop_name: x\ndynamic_axes:\n---\n",
                  "missing:dynamic_axes:4 list:dynamic_axes:4");
    assert_schema(SCHEMA_API_REPORT, "---\nop_name: x\n---\n", "missing:schema_version:1");
}

static void test_schema_messages(void **state)
{
    (void)state;
    FrontMatter front = read("---\nschema_version: 1\nop_name: a: b\n---\n");
    SchemaErrors errors = schema_check(&arena, SCHEMA_DESIGN, &front);
    assert_int_equal(errors.count, 1);
    assert_true(str_contains(errors.items[0].message, STR("not valid YAML at line 3")));
    assert_true(str_contains(errors.items[0].message_zh, STR("第 3 行")));
    front = read("---\ntolerance: {x: 1}\n---\n");
    errors = schema_check(&arena, SCHEMA_SPEC, &front);
    const SchemaError *last = &errors.items[errors.count - 1];
    assert_true(str_contains(last->message, STR("standard (atol, rtol)")));
    assert_true(
        str_contains(last->message, STR("custom_metrics (mare_matrix, mere_matrix, rmse_matrix)")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recognition),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_yaml_values),
        cmocka_unit_test(test_plain_scalars),
        cmocka_unit_test(test_merge_and_alias),
        cmocka_unit_test(test_yaml_times),
        cmocka_unit_test(test_yaml_refusals),
        cmocka_unit_test(test_yaml_limits),
        cmocka_unit_test(test_lines_with_other_separators),
        cmocka_unit_test(test_line_by_line),
        cmocka_unit_test(test_scalar_grammar),
        cmocka_unit_test(test_schemas),
        cmocka_unit_test(test_schema_messages),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
