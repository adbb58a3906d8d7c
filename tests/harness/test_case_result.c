/* Tests of case results: what workers tell and how they end. The verdicts that follow are in
 * test_judgement.c. */
#include "judgement_fixture.h"

/* --- the wrapper, called again */

#define REPEATED(status, finding, why)                                                             \
    COMPARED(LEAF("true", "1e-7", "1e-6"), ",\"launches\":1,\"repeat\":{\"status\":\"" status      \
                                           "\",\"finding\":" finding ",\"why\":" why "}")

static void test_repeat(void **unused)
{
    (void)unused;
    static const char *const findings[][2] = {
        {REPEATED("failed", "\"stale output\"", "null"), "stale output"},
        {REPEATED("failed", "\"first call only\"", "null"), "first call only"},
        {REPEATED("failed", "\"input-dependent state\"", "null"), "input-dependent state"},
        {REPEATED("failed", "\"flaky\"", "null"), "flaky"},
        {REPEATED("failed", "\"untold\"", "null"), "did not call the wrapper again"},
        {REPEATED("failed", "\"raised\"", "\"TypeError\""), "raised TypeError on sim"},
    };
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++) {
        CaseResult case_result = read_result(MODE_SIM, findings[i][0]);
        assert_result(case_result, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION);
        assert_text_has(case_result.summary, findings[i][1]);
    }
    CaseResult case_result = read_result(MODE_SIM, REPEATED("passed", "null", "null"));
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    case_result = read_result(MODE_SIM, REPEATED("not checked", "null", "\"slow\""));
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_int_equal(case_result.repeat.status, REPEAT_NOT_CHECKED);
    case_result = read_result(MODE_SIM, REPEATED("rubbish", "7", "[]"));
    assert_int_equal(case_result.repeat.status, REPEAT_UNKNOWN);
}

/* --- what the kernel's process says */

static void test_text_of_the_kernel(void **unused)
{
    (void)unused;
    CaseResult case_result = read_result(
        MODE_SIM, RAISED("wrapper", "ValueError", "the value is 0.7310586", "null", "null"));
    assert_text_has(case_result.summary, "the wrapper raised ValueError on sim: the value is #");
    assert_text_lacks(case_result.summary, "7310586");
    /* Our own sentences, and places in a reference, stay as they are. */
    case_result = read_result(
        MODE_SIM, RAISED("golden", "ValueError", "x_golden.py, line 12", "null", "null"));
    assert_text_has(case_result.summary, "x_golden.py, line 12");
    case_result =
        read_result(MODE_SIM, "{\"end\":\"raised\",\"stage\":\"wrapper\",\"error\":{\"type\":"
                              "\"KeyError\",\"message\":\"zanzibar 12 keys\",\"code\":\"F21003\","
                              "\"file\":\"x_impl.py\",\"line\":31}}");
    assert_text_has(case_result.summary,
                    "KeyError on sim at x_impl.py:31, F21003: a tile shape is not "
                    "set, or a shape does not fit: … # keys");
}

/* A mode that was set up is not skipped because the kernel's process says so. */
static void test_claims_of_the_environment(void **unused)
{
    (void)unused;
    const char *claim = RAISED("wrapper", "ImportError",
                               "libhccl.so: cannot open shared object file", "null", "\"infra\"");
    CaseModes result;
    Judgement judgement =
        judge_two(&result, read_result(MODE_SIM, GOOD), read_result(MODE_NPU, claim));
    assert_string_equal(verdict_name(judgement.status), "ERROR");
    assert_string_equal(verdict_name(judgement.modes[MODE_NPU]), "ERROR");
    assert_first(&judgement, CATEGORY_INFRA, ROUTE_OTHER, DIVERGENCE_ALL_FAIL);
    judgement = judge_two(&result, read_result(MODE_SIM, GOOD), read_result(MODE_NPU, UNAVAILABLE));
    assert_string_equal(verdict_name(judgement.status), "PASS");
}

/* Memory that ran out and time that was over: four sentences that say what to change. */
static void test_limits_are_told_apart(void **unused)
{
    (void)unused;
    CaseResult case_result = dead(PROCESS_LATE, 0, WRAPPER, "");
    assert_text_has(case_result.summary, "did not end within the time limit of 2 s");
    assert_text_has(case_result.summary, "raise --timeout");
    case_result = dead(PROCESS_KILLED, SIGXCPU, WRAPPER, "");
    assert_text_has(case_result.summary, "SIGXCPU");
    assert_text_has(case_result.summary, "processor time");
    case_result = dead(PROCESS_KILLED, SIGKILL, WRAPPER, "");
    assert_text_has(case_result.summary, "SIGKILL");
    assert_text_has(case_result.summary, "--jobs 1");
    case_result = read_result(MODE_SIM, RAISED("wrapper", "MemoryError", "", "null", "\"memory\""));
    assert_text_has(case_result.summary, "under the memory limit of 1024 MiB: raise --mem-limit");
}

/* --- case results that compared */

static void test_values(void **unused)
{
    (void)unused;
    CaseResult case_result = read_result(MODE_SIM, GOOD);
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_int_equal(case_result.summary.length, 0);
    assert_int_equal(case_result.launches, 1);
    assert_int_equal(case_result.ops, 4);
    assert_true(case_result.max_abs_diff.known && case_result.max_abs_diff.value == 1e-7);
    case_result = read_result(MODE_SIM, WRONG);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION);
    assert_text_has(case_result.summary, "out0 differs on sim");
    assert_text_has(case_result.summary, "5 of 64");
    assert_text_has(case_result.summary, "max_abs_diff 0.5");
    /* The largest over the leaves. */
    case_result =
        read_result(MODE_SIM, COMPARED(LEAF("true", "0.25", "3") "," LEAF("true", "2", "1"),
                                       ",\"launches\":2"));
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_true(case_result.max_abs_diff.value == 2.0 && case_result.max_rel_diff.value == 3.0);
    /* What is no number is none. */
    case_result =
        read_result(MODE_SIM, COMPARED(LEAF("false", "NaN", "null") "," LEAF("true", "2", "1"),
                                       ",\"launches\":2"));
    assert_result(case_result, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION);
    assert_true(case_result.max_abs_diff.known && case_result.max_abs_diff.value == 2.0);
    assert_false(case_result.leaves.items[0].max_abs_diff.known);
    /* What a device's log says is the more particular cause; the simulator has no device. */
    case_result = read_ended(MODE_NPU, &plain, WRONG, "E: aicore error 507015", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_AICORE);
    case_result =
        read_ended(MODE_NPU, &plain, WRONG, "Workspace overlap at 0x10", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_WORKSPACE_OVERLAP);
    case_result = read_ended(MODE_SIM, &plain, WRONG, "aicore error", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION);
}

static void test_structure(void **unused)
{
    (void)unused;
    CaseResult case_result = read_result(MODE_SIM, SHAPE);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
    assert_text_has(case_result.summary, "[2, 3]");
    assert_text_has(case_result.summary, "[2, 4]");
    /* Without precision the structure decides alone. */
    case_result = read_ended(
        MODE_SIM, &structure_only,
        COMPARED("{\"name\":\"out0\",\"structure\":null,\"all_close\":null}", ",\"launches\":1"),
        "", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_true(case_result.leaves.items[0].all_close);
    case_result = read_ended(MODE_SIM, &structure_only, SHAPE, "", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
    /* With precision, a leaf without figures was not compared. */
    case_result = read_result(
        MODE_SIM, COMPARED("{\"name\":\"out0\",\"structure\":null}", ",\"launches\":1"));
    assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
    case_result = read_result(MODE_SIM, COMPARED("", ",\"launches\":1"));
    assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
    static const char *const words[] = {"missing", "extra", "dtype", "not a tensor"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        Str text = str_format(&arena,
                              "{\"end\":\"compared\",\"leaves\":[{\"name\":\"out1\","
                              "\"structure\":\"%s\",\"expected_dtype\":\"float32\","
                              "\"dtype\":\"float16\"}]}",
                              words[i]);
        case_result = read_result(MODE_SIM, text.at);
        assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
        assert_text_has(case_result.summary, "out1");
    }
}

static void test_was_the_kernel_run(void **unused)
{
    (void)unused;
    CaseResult case_result =
        read_result(MODE_SIM, COMPARED(LEAF("true", "0.0", "0.0"), ",\"launches\":0"));
    assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
    assert_text_has(case_result.summary, "no kernel was launched");
    /* A device does not count: the log tells, or bits that it cannot have. */
    const char *uncounted = COMPARED(LEAF("true", "0.0", "0.0"), ",\"launches\":null");
    static const char *const logs[] = {"JIT execution failed: falling back", "Errcode: 507015",
                                       "ErrCode: F74006", "Traceback (most recent call last):"};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        case_result = read_ended(MODE_NPU, &plain, uncounted, logs[i], PROCESS_EXITED, 0);
        assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
        assert_text_has(case_result.summary, "no kernel was launched");
    }
    case_result = read_ended(MODE_NPU, &plain, uncounted, "all is well", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    case_result = read_result(
        MODE_NPU, COMPARED(LEAF("true", "0.0", "0.0"), ",\"launches\":null,\"exact\":true"));
    assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
    /* A kernel that was counted ran; the bits are only strange. */
    case_result = read_result(
        MODE_SIM, COMPARED(LEAF("true", "0.0", "0.0"), ",\"launches\":1,\"exact\":true"));
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_int_equal(case_result.warnings.count, 1);
    case_result =
        read_ended(MODE_SIM, &plain, GOOD, "ErrCode: F40005, first attempt", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_int_equal(case_result.warnings.count, 1);
}

static void test_imported_reference(void **unused)
{
    (void)unused;
    CaseResult case_result =
        read_result(MODE_SIM, COMPARED(LEAF("true", "0.0", "0.0"),
                                       ",\"launches\":1,\"imported_references\":[\"g\"]"));
    assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
    assert_text_has(case_result.summary, "imports the reference g");
}

static void test_warnings(void **unused)
{
    (void)unused;
    CaseResult case_result = read_result(
        MODE_SIM, COMPARED(LEAF("false", "1.0", "1.0"),
                           ",\"launches\":1,\"modified_inputs\":[\"x\",\"state\"],"
                           "\"golden_deterministic\":false,\"warnings\":[\"read tensor([1.5])\"]"));
    assert_int_equal(case_result.warnings.count, 4);
    assert_text_has(case_result.warnings.items[0], "input x");
    assert_text_has(case_result.warnings.items[1], "input state");
    assert_text_has(case_result.warnings.items[2], "not deterministic");
    assert_text_lacks(case_result.warnings.items[3], "1.5");
    case_result = read_ended(MODE_SIM, &plain, GOOD, "", PROCESS_KILLED, SIGSEGV);
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_text_has(case_result.warnings.items[0], "SIGSEGV");
}

/* --- case results that did not come so far */

static void test_raised(void **unused)
{
    (void)unused;
    static const struct {
        const char *result;
        Category category;
        VerdictCategory route;
    } rows[] = {
        {CRASH, CATEGORY_RUNTIME, ROUTE_OTHER},
        {RAISED("wrapper", "ValueError", "op [ADD]tile shape not set", "\"F21003\"", "null"),
         CATEGORY_RUNTIME, ROUTE_TILE_SHAPE},
        {RAISED("wrapper", "CoreError", "in/output total size [9] exceeds", "\"F40005\"", "null"),
         CATEGORY_RUNTIME, ROUTE_TILE_SHAPE},
        {RAISED("wrapper", "RuntimeError", "ErrCode: FC1001! Enum: X", "null", "null"),
         CATEGORY_RUNTIME, ROUTE_TILE_SHAPE},
        {RAISED("wrapper", "RuntimeError", "aicore error, kernel_3.cce:12", "null", "null"),
         CATEGORY_RUNTIME, ROUTE_AICORE},
        {RAISED("wrapper", "RuntimeError", "rtMalloc failed: 207001", "null", "null"),
         CATEGORY_RUNTIME, ROUTE_OOM},
        {RAISED("wrapper", "MemoryError", "", "null", "\"memory\""), CATEGORY_RUNTIME, ROUTE_OOM},
        {RAISED("wrapper", "TypeError", "missing argument", "null", "\"naming\""),
         CATEGORY_STRUCTURAL, ROUTE_OTHER},
        {RAISED("implementation", "SyntaxError", "invalid syntax", "null", "null"),
         CATEGORY_RUNTIME, ROUTE_OTHER},
        {RAISED("implementation", "ModuleNotFoundError", "No module named 'pypto.nothing'", "null",
                "null"),
         CATEGORY_RUNTIME, ROUTE_OTHER},
        {RAISED("golden", "IndexError", "in line 7", "null", "null"), CATEGORY_OTHER, ROUTE_OTHER},
        {RAISED("inputs", "KeyError", "in line 3", "null", "null"), CATEGORY_OTHER, ROUTE_OTHER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CaseResult case_result = read_result(MODE_SIM, rows[i].result);
        assert_result(case_result, VERDICT_ERROR, rows[i].category, rows[i].route);
        assert_false(case_result.blocked);
        assert_int_equal(case_result.dispatched, rows[i].category != CATEGORY_OTHER);
    }
    CaseResult case_result = read_result(MODE_SIM, CRASH);
    assert_text_has(case_result.summary, "the wrapper raised ValueError on sim: no such axis");
    /* Warnings in a log do not make every exception a matter of tiles; a code in it does. */
    case_result =
        read_ended(MODE_SIM, &plain, CRASH, "warning: must be aligned to 32", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_ERROR, CATEGORY_RUNTIME, ROUTE_OTHER);
    case_result =
        read_ended(MODE_NPU, &plain, CRASH, "ErrCode: F40005! Enum: MEMORY", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_ERROR, CATEGORY_RUNTIME, ROUTE_TILE_SHAPE);
    assert_result(read_result(MODE_SIM, NO_WRAPPER), VERDICT_ERROR, CATEGORY_STRUCTURAL,
                  ROUTE_STRUCTURE);
}

static void test_messages_hold_no_tensors(void **unused)
{
    (void)unused;
    CaseResult case_result = read_result(
        MODE_SIM, RAISED("wrapper", "ValueError", "got tensor([[41.25, 3.5]])", "null", "null"));
    assert_text_has(case_result.summary, "ValueError");
    assert_text_lacks(case_result.summary, "41.25");
    case_result = read_result(MODE_SIM, RAISED("wrapper", "AssertionError",
                                               "Not equal\\n x: array([41.25])\\n y: array([42.5])",
                                               "null", "null"));
    assert_text_has(case_result.summary, "Not equal");
    assert_text_lacks(case_result.summary, "41.25");
    assert_text_lacks(case_result.summary, "42.5");
}

static void test_deaths(void **unused)
{
    (void)unused;
    static const struct {
        ProcessEnd end;
        int value;
        const char *result, *log;
        Category category;
        VerdictCategory route;
        const char *summary;
    } rows[] = {
        {PROCESS_KILLED, SIGSEGV, WRAPPER, "", CATEGORY_RUNTIME, ROUTE_HOST_CRASH, "SIGSEGV"},
        {PROCESS_KILLED, SIGABRT, WRAPPER, "", CATEGORY_RUNTIME, ROUTE_HOST_CRASH, "SIGABRT"},
        {PROCESS_KILLED, SIGABRT, WRAPPER, "what(): std::bad_alloc", CATEGORY_RUNTIME, ROUTE_OOM,
         "memory limit"},
        {PROCESS_KILLED, SIGKILL, WRAPPER, "", CATEGORY_RUNTIME, ROUTE_OOM, "SIGKILL"},
        {PROCESS_EXITED, 3, WRAPPER, "", CATEGORY_RUNTIME, ROUTE_OTHER, "status 3"},
        {PROCESS_EXITED, 0, WRAPPER, "", CATEGORY_RUNTIME, ROUTE_OTHER, "status 0"},
        {PROCESS_EXITED, 0, WRAPPER "{\"end\":\"comp", "", CATEGORY_RUNTIME, ROUTE_OTHER,
         "without a result"},
        {PROCESS_EXITED, 0, "[1, 2]", "", CATEGORY_RUNTIME, ROUTE_OTHER, "without a result"},
        {PROCESS_EXITED, 0, "{\"end\":\"won\"}", "", CATEGORY_RUNTIME, ROUTE_OTHER,
         "without a result"},
        {PROCESS_LATE, 0, WRAPPER, "", CATEGORY_RUNTIME, ROUTE_TIMEOUT, "time limit of 2 s"},
        {PROCESS_LATE, 0, GOOD, "", CATEGORY_RUNTIME, ROUTE_TIMEOUT, "time limit"},
        {PROCESS_TOO_MANY, 0, GOOD, "", CATEGORY_RUNTIME, ROUTE_OTHER, "more processes"},
        {PROCESS_KILLED, SIGSEGV, "{\"at\": \"wrapper\"}\n", "", CATEGORY_RUNTIME, ROUTE_HOST_CRASH,
         "in the wrapper"},
        {PROCESS_KILLED, SIGSEGV, "{\"at\": \"golden\"}\n", "", CATEGORY_OTHER, ROUTE_HOST_CRASH,
         "in the reference"},
        {PROCESS_LATE, 0, "{\"at\": \"inputs\"}\n", "", CATEGORY_OTHER, ROUTE_TIMEOUT,
         "while the inputs were made"},
        /* No way back: a wrapper cannot lay it at the reference's door. */
        {PROCESS_KILLED, SIGSEGV, "{\"at\": \"wrapper\"}\n{\"at\": \"golden\"}\n", "",
         CATEGORY_RUNTIME, ROUTE_HOST_CRASH, "in the wrapper"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CaseResult case_result = dead(rows[i].end, rows[i].value, rows[i].result, rows[i].log);
        assert_result(case_result, VERDICT_ERROR, rows[i].category, rows[i].route);
        assert_text_has(case_result.summary, rows[i].summary);
        assert_int_equal(case_result.dispatched, rows[i].category == CATEGORY_RUNTIME);
    }
    CaseResult case_result =
        read_ended(MODE_SIM, &plain, "{\"at\": \"setup\"}\n{\"at\": \"wrapper\"}\n" GOOD, "",
                   PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
}
int main(void)
{
    json_memory_begin();
    const struct CMUnitTest tests[] = {
        TEST(test_repeat),
        TEST(test_text_of_the_kernel),
        TEST(test_claims_of_the_environment),
        TEST(test_limits_are_told_apart),
        TEST(test_values),
        TEST(test_structure),
        TEST(test_was_the_kernel_run),
        TEST(test_warnings),
        TEST(test_imported_reference),
        TEST(test_raised),
        TEST(test_messages_hold_no_tensors),
        TEST(test_deaths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
