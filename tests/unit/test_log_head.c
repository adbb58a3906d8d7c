/* Tests of how lines of logs begin: levels after stamps, exceptions, quotations. */
#include "diagnose/log_head.h"

#include "log_fixture.h"

static void test_levels(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        LogLevel level;
    } rows[] = {
        {"", LOG_LEVEL_NONE},
        {"step 3 of 9", LOG_LEVEL_NONE},
        {"Event 3 failed", LOG_LEVEL_NONE},
        {"error: no such thing", LOG_LEVEL_ERROR},
        {"fatal: not a git repository", LOG_LEVEL_ERROR},
        {"[ERROR] RUNTIME(1,a): x", LOG_LEVEL_ERROR},
        {"[rank3]: RuntimeError: x", LOG_LEVEL_ERROR},
        {"2025-01-01 10:00:00,123 [rank3] worker.py:12: ValueError: x", LOG_LEVEL_ERROR},
        {"torch.OutOfMemoryError", LOG_LEVEL_ERROR},
        {"W0101 12:00:00.1 7 x.cc:3] slow", LOG_LEVEL_WARNING},
        {"E0620 23:10:41 api.py:869] failed", LOG_LEVEL_ERROR},
        {"[W compiler_depend.ts:51] Warning: x", LOG_LEVEL_WARNING},
        {"[2025-01-01 10:00:00 INFO x.py:3] y", LOG_LEVEL_QUIET},
        {"2025-01-01 10:00:00 | DEBUG | x", LOG_LEVEL_QUIET},
        {"Warning: x", LOG_LEVEL_WARNING},
        {"E: Could not get lock", LOG_LEVEL_ERROR},
        {"CHECK FAILED: ErrCode: FC0000!", LOG_LEVEL_ERROR},
        {"[错误] 输入", LOG_LEVEL_ERROR},
        {"I/O error, dev sda", LOG_LEVEL_NONE},
        {"<ERROR> x", LOG_LEVEL_ERROR},
        {"2025-01-01 10:00:00|ERROR|x", LOG_LEVEL_ERROR},
        {"2025-01-01 10:00:00|INFO|x", LOG_LEVEL_QUIET},
        /* As verify lists what is odd; a sentence is none. */
        {"  warning undefined-output rope_impl.py:44: never written", LOG_LEVEL_WARNING},
        {"warning lights are on in a.py:3", LOG_LEVEL_NONE},
        {"warning undefined-output", LOG_LEVEL_NONE},
    };
    CHECK_ROWS(rows, log_head_level(str_from(rows[i].line)) == rows[i].level);
}

/* A level as a field, in JSON and in logfmt. */
static void test_fields(void **state)
{
    (void)state;
    static const StrengthRow rows[] = {
        {"{\"level\":\"info\",\"msg\":\"NPU out of memory\"}", STRENGTH_NONE, false},
        {"{\"ts\":1, \"level\": \"debug\", \"msg\":\"x\"}", STRENGTH_NONE, false},
        {"{\"level\":\"warning\",\"msg\":\"x\"}", STRENGTH_SYMPTOM, true},
        {"{\"level\": \"warn\", \"msg\":\"x\"}", STRENGTH_SYMPTOM, true},
        {"{\"level\":\"error\",\"msg\":\"x\"}", STRENGTH_CERTAIN, false},
        {"ts=1 level=info msg=\"x failed\"", STRENGTH_NONE, false},
        {"ts=1 level=debug msg=x", STRENGTH_NONE, false},
        {"ts=1 level=warn msg=x", STRENGTH_SYMPTOM, true},
        {"ts=1 level=error msg=x", STRENGTH_CERTAIN, false},
        {"the level is information", STRENGTH_CERTAIN, false},
    };
    CHECK_ROWS(rows, has_strength(&rows[i]));
}

static void test_quotations(void **state)
{
    (void)state;
    static const char *const quoted[] = {
        "| a | b |",
        "> x",
        "+RuntimeError: x",
        "- avoid it",
        "1. RuntimeError: x",
        "abc1234 fix this",
        "例如：x",
        "notes.md:3: x",
        "User: x",
        "{\"role\":\"user\"}",
        "`x`",
        "return \"x\"",
    };
    static const char *const own[] = {
        "RuntimeError: x", "--> a.py:3:1", "[ERROR] x", "12 passed", "abcdefg is a word", "",
    };
    for (size_t i = 0; i < sizeof quoted / sizeof *quoted; i++) {
        if (!log_is_quoted(str_from(quoted[i]))) {
            fail_msg("%s", quoted[i]);
        }
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        assert_false(log_is_quoted(str_from(own[i])));
    }
    assert_true(log_is_within_quotes(STR("it says \"NPU out of memory\""), 9));
    assert_false(log_is_within_quotes(STR("\"a\" NPU out of memory"), 4));
    assert_true(log_is_within_quotes(STR("说“内存不足”"), 6));
    assert_false(log_is_within_quotes(STR("don't NPU out of memory"), 6));
    assert_true(log_is_within_quotes(STR("the 'NPU out of memory'"), 5));
    assert_false(log_is_within_quotes(STR("in `main': x"), 11));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_quotations),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
