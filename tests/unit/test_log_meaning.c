/* Tests of what lines of a log say of themselves: the same words in reports, denials, warnings,
 * outcomes, sources and sentences. */
#include "diagnose/anchors.h"
#include "diagnose/log_stated.h"

#include "log_fixture.h"

static void test_strength(void **state)
{
    (void)state;
    static const StrengthRow rows[] = {
        {"RuntimeError: NPU out of memory", STRENGTH_CERTAIN, false},
        {"[ERROR] RUNTIME(1,a): retry of rtMalloc failed", STRENGTH_CERTAIN, false},
        {"[WARNING] RUNTIME(1,a): rtMalloc failed", STRENGTH_SYMPTOM, true},
        {"[INFO] APP(1,a): aicore exception", STRENGTH_NONE, false},
        {"        Possible Cause: the device is lost", STRENGTH_NONE, false},
        {"rtMalloc failed, falling back to the host", STRENGTH_LIKELY, false},
        {"Read timed out. Retrying (1/3)", STRENGTH_LIKELY, false},
        {"  raise RuntimeError('NPU out of memory')", STRENGTH_SYMPTOM, false},
        {">       raise RuntimeError('NPU out of memory')", STRENGTH_SYMPTOM, false},
        {"# NPU out of memory", STRENGTH_SYMPTOM, false},
        {"WARNING: Retrying (Retry(total=4)) after connection broken by 'x': /simple/",
         STRENGTH_LIKELY, true},
    };
    CHECK_ROWS(rows, has_strength(&rows[i]));
}

static void test_calm(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        LogCalm calm;
    } rows[] = {
        {"tests/test_x.py::test_out_of_memory PASSED [10%]", LOG_CALM},
        {"checking for nvcc: not found", LOG_CALM},
        {"Ran test_ValueError ... ok", LOG_CALM},
        {"precision tests: PASSED=12 FAIL=0", LOG_CALM},
        {"precision tests: PASSED=3 FAIL=2", LOG_NOT_CALM},
        {"RuntimeError: PASSED means nothing here", LOG_NOT_CALM},
        {"RuntimeError: case 3 has no golden, skip", LOG_NOT_CALM},
        {"E   ValueError: bad line, use default", LOG_NOT_CALM},
        {"OSError: cannot read the cache, ignored", LOG_CALM},
        {"[ERROR] TDT: x not exist, skip", LOG_CALM},
        {"UB memory usage 1024 does not exceed the limit", LOG_CALM_WORDS},
        {"没有任何异常", LOG_CALM_WORDS},
        {"没有权限，打开失败", LOG_NOT_CALM},
        {"0 elements out of tolerance", LOG_CALM_WORDS},
        {"10 elements out of tolerance", LOG_NOT_CALM},
    };
    CHECK_ROWS(rows, meaning_of(rows[i].line).calm == rows[i].calm);
}

static void test_success(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        LogSuccess success;
    } rows[] = {
        {"==== 14 passed in 3.10s ====", LOG_RUN_SUCCESS},
        {"==== 14 passed, 2 warnings in 38.21s ====", LOG_RUN_SUCCESS},
        {"100% tests passed, 0 tests failed out of 14", LOG_RUN_SUCCESS},
        {"done, exit status 0", LOG_RUN_SUCCESS},
        {"Successfully installed numpy-1.26.4", LOG_STEP_SUCCESS},
        /* An outcome of one case, a failure beside it, and codes that begin with 0. */
        {"length 4096 -> PASSED, length 4000 -> max diff 0.02", LOG_NO_SUCCESS},
        {"1 passed, 1 error in 2 s", LOG_NO_SUCCESS},
        {"exit code 0xC0000005", LOG_NO_SUCCESS},
    };
    CHECK_ROWS(rows, meaning_of(rows[i].line).success == rows[i].success);
}

static GlobSpan span_of(const char *line, const char *words)
{
    GlobSpan span = {0};
    assert_true(glob_find(str_from(words), str_from(line), &span));
    return span;
}

static bool is_denied(const char *line, const char *words)
{
    LineMeaning meaning = meaning_of(line);
    return log_is_denied(&meaning, str_from(line), span_of(line, words));
}

static void test_denied(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
        bool denied;
    } rows[] = {
        {"compare failed: 0", "compare failed", true},
        {"compare failed: 3", "compare failed", false},
        {"device is busy: no", "busy", true},
        {"NPU 0 is not busy", "busy", true},
        {"NPU 0 is busy", "busy", false},
        {"aicore timeout: 1000 ms", "aicore timeout", true},
        {"RuntimeError: x is not contiguous", "contiguous", false},
        {"未发现 aicore exception", "aicore exception", true},
    };
    CHECK_ROWS(rows, is_denied(rows[i].line, rows[i].words) == rows[i].denied);
    assert_true(meaning_of("12 passed, 0 failed; error: none").denies);
    assert_false(meaning_of("12 passed, 0 failed; error: E19999").denies);
    assert_true(meaning_of("failed: 0").says_none);
    assert_true(meaning_of("broker[211] exit 3").counts_failures);
    assert_false(meaning_of("broker[211] exit 0").counts_failures);
    assert_false(meaning_of("make || exit 1").counts_failures);
    assert_false(meaning_of("exit criteria 139").counts_failures);
    assert_false(meaning_of("failed: 07").says_none);
}

static void test_stated(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
        bool stated;
    } rows[] = {
        {"cmake: command not found", "cmake: command not found", true},
        {"bash: line 1: cmake: command not found", "cmake: command not found", true},
        {"cmake: command not found workaround", "cmake: command not found", false},
        {"tar: opp: Cannot mkdir: No space left on device", "No space left on device", true},
        {"We saw No space left on device last week", "No space left on device", false},
        {"fix for \"No space left on device\" in the docs", "No space left on device", false},
        {"simulating lost heartbeat on device 3", "lost heartbeat", false},
        {"device 3 lost heartbeat", "lost heartbeat", true},
        {"pthread_create failed for thread 37 of 64", "pthread_create failed", true},
        {"/usr/bin/ld: cannot find -lascendcl: No such file", "cannot find -l*", true},
        {"磁盘：No space left on device，退出", "No space left on device", true},
    };
    CHECK_ROWS(rows, log_is_stated(str_from(rows[i].line), span_of(rows[i].line, rows[i].words)) ==
                         rows[i].stated);
    assert_true(meaning_of("* MemoryError in view (#123)").is_prose);
    assert_false(meaning_of("MemoryError").is_prose);
}

static void note(void *context, uint32_t word)
{
    LogSigns *signs = context;
    *signs |= 1U << log_signs[word].class;
}

/* Looking only for the classes with a word in the line changes nothing. */
static void test_signs(void **state)
{
    (void)state;
    Strs words = {0};
    Anchors anchors;
    for (uint32_t i = 0; i < log_sign_count; i++) {
        assert_true(log_signs[i].class < 32);
        VEC_PUSH(&arena, &words, str_from(log_signs[i].text));
    }
    anchors_build(&anchors, &arena, &words);
    for (uint32_t i = 0; i < log_sign_count; i++) {
        static const char *const shapes[][2] = {
            {"", ""}, {"x ", " 3"}, {"3", ""}, {"RuntimeError: ", ""}, {"", ": 0"}, {"> ", ""}};
        for (size_t form = 0; form < sizeof shapes / sizeof *shapes; form++) {
            Str line =
                str_format(&arena, "%s%s%s", shapes[form][0], log_signs[i].text, shapes[form][1]);
            LogSigns signs = 0;
            anchors_scan(&anchors, line, note, &signs);
            LineMeaning all = log_meaning(line, LOG_SIGNS_ANY), some = log_meaning(line, signs);
            if (memcmp(&all, &some, sizeof all) != 0) {
                fail_msg("%.*s", (int)line.length, line.at);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strength),
        cmocka_unit_test(test_calm),
        cmocka_unit_test(test_success),
        cmocka_unit_test(test_denied),
        cmocka_unit_test(test_stated),
        cmocka_unit_test_setup_teardown(test_signs, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
