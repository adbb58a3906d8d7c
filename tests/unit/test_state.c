/* Tests of the state file. */
#include "base/utf8.h"
#include "operator/state.h"

#include "arena_fixture.h"

static OperatorState parse(const char *text)
{
    return state_parse(&arena, str_from(text));
}

static void test_complete(void **unused)
{
    (void)unused;
    OperatorState state =
        parse("{\n  \"operator_name\": \"gate\\u0066use\",\n  \"current_stage\": 5,\n"
              "  \"max_stage\": 7,\n  \"stage_status\": {\"5\": \"in_progress\",\n"
              "    \"artifact_hashes\": 1},\n"
              "  \"stage5_phases\": {\"active_phase\": \"M2\", \"phase_status\": {}},\n"
              "  \"x\": [{\"rollback_history\": 1}, \"rollback_history\"],\n"
              "  \"rollback_history\": [],\n  \"artifact_hashes\": {\"spec_md\": \"ab12\"}\n}\n");
    assert_true(state.exists && state.valid && state.json_valid);
    assert_true(str_is(state.operator_name, "gatefuse"));
    assert_int_equal(state.current_stage, 5);
    assert_int_equal(state.name.line, 2);
    assert_int_equal(state.stage.kind, STATE_NUMBER);
    assert_int_equal(state.max_stage.kind, STATE_NUMBER);
    assert_int_equal(state.stage_status.kind, STATE_OBJECT);
    assert_int_equal(state.stage_status.line, 5);
    assert_true(str_is(state.stage_5_status.text, "in_progress"));
    assert_int_equal(state.phases.line, 7);
    assert_int_equal(state.phase_status.kind, STATE_OBJECT);
    assert_true(str_is(state.active_phase.text, "M2"));
    assert_int_equal(state.rollback_history.kind, STATE_ARRAY);
    assert_int_equal(state.rollback_history.line, 9);
    assert_int_equal(state.artifact_hashes.line, 10);
    assert_true(str_is(state.spec_hash, "ab12"));
}

static void test_malformed(void **unused)
{
    (void)unused;
    OperatorState state = parse("{\n \"a\": 1,\n}\n");
    assert_false(state.json_valid || state.valid);
    assert_int_equal(state.json_line, 3);
    assert_true(state.json_error.length > 0);
    assert_false(parse("").json_valid);
    assert_false(parse("\xef\xbb\xbf{}").json_valid);
    assert_false(parse("{} x").json_valid);
    state = parse("[1]");
    assert_true(state.json_valid && !state.valid);
    assert_int_equal(state.root, STATE_ARRAY);
    state = parse("{}");
    assert_true(state.valid);
    assert_int_equal(state.stage_status.kind, STATE_ABSENT);
    assert_int_equal(state.stage_5_status.kind, STATE_ABSENT);
}

static void test_odd_types(void **unused)
{
    (void)unused;
    OperatorState state =
        parse("{\"operator_name\": 3, \"stage_status\": [], \"stage5_phases\": null,"
              " \"rollback_history\": {}, \"artifact_hashes\": true}");
    assert_int_equal(state.operator_name.length, 0);
    assert_int_equal(state.name.kind, STATE_NUMBER);
    assert_int_equal(state.stage_status.kind, STATE_ARRAY);
    assert_int_equal(state.stage_5_status.kind, STATE_ABSENT);
    assert_int_equal(state.phases.kind, STATE_NULL);
    assert_int_equal(state.phase_status.kind, STATE_ABSENT);
    assert_int_equal(state.rollback_history.kind, STATE_OBJECT);
    assert_int_equal(state.artifact_hashes.kind, STATE_BOOL);
    /* The last of repeated keys counts, for its value and for its line. */
    state = parse("{\"max_stage\": null,\n\"max_stage\": 7}");
    assert_int_equal(state.max_stage.kind, STATE_NUMBER);
    assert_int_equal(state.max_stage.line, 2);
}

static void test_current_stage(void **unused)
{
    (void)unused;
    static const struct {
        const char *json;
        int stage;
    } cases[] = {{"5", 5},      {"2.9", 2},  {"\"4\"", 4}, {"\" 4 \"", 4},
                 {"\"4x\"", 0}, {"true", 1}, {"false", 0}, {"null", 0},
                 {"[]", 0},     {"{}", 0},   {"\"\"", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str text = str_format(&arena, "{\"current_stage\": %s}", cases[i].json);
        assert_int_equal(state_parse(&arena, text).current_stage, cases[i].stage);
    }
}

/* What Python's json module takes and other readers do not. */
static void test_python_json(void **unused)
{
    (void)unused;
    OperatorState state =
        parse("{\"current_stage\": 1e400, \"max_stage\": NaN,\r"
              "\"stage_status\": -Infinity,\r\n\"operator_name\": \"\\ud800x\","
              " \"stage5_phases\": 123456789012345678901234567890123456789012345}");
    assert_true(state.valid);
    assert_int_equal(state.current_stage, 0);
    assert_int_equal(state.max_stage.kind, STATE_NUMBER);
    assert_int_equal(state.stage_status.kind, STATE_NUMBER);
    assert_int_equal(state.stage_status.line, 2);
    assert_int_equal(state.name.line, 3);
    assert_true(str_is(state.operator_name, "\xEF\xBF\xBDx"));
    assert_true(str_is(state.phases.text, "1234567890123456789012345678901234567890…"));
    state = parse(
        "{\"stage_status\": {\"5\": 1}, \"a\\u0000\": {}, \"stage_status\": {\"\\u0035\": \"x\"}}");
    assert_true(str_is(state.stage_5_status.text, "x"));
    /* Repeated: what was below the first one is gone. */
    state = parse("{\"stage_status\": {\"5\": 1}, \"stage_status\": [{\"5\": 1}]}");
    assert_int_equal(state.stage_status.kind, STATE_ARRAY);
    assert_int_equal(state.stage_5_status.kind, STATE_ABSENT);
    state = parse("{\"stage_status\": {\"5\": 1}, \"a\": nan}");
    assert_false(state.json_valid);
    assert_int_equal(state.stage_status.kind, STATE_ABSENT);
}

static void test_depth(void **unused)
{
    (void)unused;
    enum { DEPTH = 1000 };
    char text[2 * DEPTH + 3];
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    assert_int_equal(state_parse(&arena, (Str){text, 2 * DEPTH}).root, STATE_ARRAY);
    memset(text, '[', DEPTH + 1);
    memset(text + DEPTH + 1, ']', DEPTH + 1);
    OperatorState state = state_parse(&arena, (Str){text, 2 * DEPTH + 2});
    assert_false(state.json_valid);
    assert_int_equal(state.json_column, DEPTH + 1);
}

/* The quote in the parser's message stops within a character; the message must not. */
static void test_message_is_utf8(void **unused)
{
    (void)unused;
    OperatorState state = state_parse(&arena, STR("\"5\\\xcb\xa3"));
    assert_false(state.json_valid);
    assert_true(state.json_error.length > 0);
    assert_int_equal(utf8_first_error(state.json_error), SIZE_MAX);
}

static void test_missing_file(void **unused)
{
    (void)unused;
    OperatorState state = state_read(&arena, STR("/nonexistent"));
    assert_false(state.exists || state.valid || state.json_valid);
    assert_int_equal(state.stage_status.kind, STATE_ABSENT);
}

static void test_phases(void **unused)
{
    (void)unused;
    assert_int_equal(phase_parse(STR("M1")), 1);
    assert_int_equal(phase_parse(STR("M12")), 12);
    assert_int_equal(phase_parse(STR("M1000")), 1000);
    assert_int_equal(phase_parse(STR("M123456789")), 123456789);
    assert_int_equal(phase_parse(STR("M99999999999")), PHASE_MAX);
    static const char *const invalid[] = {"",    "M",   "m1",  "M0", "M01",
                                          "M 1", "M+1", "M1x", "1",  "M1 "};
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        assert_int_equal(phase_parse(str_from(invalid[i])), 0);
    }
    assert_string_equal(phase_suffix(&arena, 10).at, "12345678910");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete),        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_odd_types),       cmocka_unit_test(test_current_stage),
        cmocka_unit_test(test_python_json),     cmocka_unit_test(test_depth),
        cmocka_unit_test(test_missing_file),    cmocka_unit_test(test_phases),
        cmocka_unit_test(test_message_is_utf8),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
