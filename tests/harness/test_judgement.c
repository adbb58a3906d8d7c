/* Tests of case results and judgements: what workers tell and how they end, and the verdicts that
 * docs/kernel-authors/verify.md demands. */
#include "document/json.h"
#include "harness/judge/judgement.h"

#include "arena_fixture.h"

#include <signal.h>

/* --- material */

#define LEAF(close, abs, rel)                                                                      \
    "{\"name\":\"out0\",\"structure\":null,\"expected_shape\":[2,3],\"shape\":[2,3],"              \
    "\"expected_dtype\":\"float32\",\"dtype\":\"float32\",\"all_close\":" close                    \
    ",\"max_abs_diff\":" abs ",\"max_rel_diff\":" rel                                              \
    ",\"elements\":64,\"out_of_tolerance\":5,\"nonfinite\":0}"
#define COMPARED(leaves, more)                                                                     \
    "{\"end\":\"compared\",\"stage\":\"done\",\"error\":null,\"leaves\":[" leaves "]" more "}"
#define RAISED(stage, type, message, code, kind)                                                   \
    "{\"end\":\"raised\",\"stage\":\"" stage "\",\"error\":{\"type\":\"" type                      \
    "\",\"message\":\"" message "\",\"code\":" code ",\"kind\":" kind "},\"leaves\":[]}"

#define GOOD  COMPARED(LEAF("true", "1e-7", "1e-6"), ",\"launches\":1,\"ops\":4")
#define WRONG COMPARED(LEAF("false", "0.5", "0.25"), ",\"launches\":1,\"ops\":4")
#define CRASH RAISED("wrapper", "ValueError", "no such axis", "null", "null")
#define SHAPE                                                                                      \
    COMPARED("{\"name\":\"out0\",\"structure\":\"shape\",\"expected_shape\":[2,4],\"shape\":[2,3]" \
             "}",                                                                                  \
             ",\"launches\":1")
#define WRAPPER "{\"at\": \"inputs\"}\n{\"at\": \"wrapper\"}\n"
#define UNAVAILABLE                                                                                \
    "{\"end\":\"unavailable\",\"stage\":\"setup\",\"error\":{\"type\":\"ImportError\",\"message\"" \
    ":\"No module named 'torch_npu'\",\"code\":null,\"kind\":\"infra\"}}"
#define NO_WRAPPER                                                                                 \
    "{\"end\":\"contract\",\"stage\":\"implementation\",\"error\":{\"type\":\"NamingError\","      \
    "\"message\":\"x_impl.py has no function x_module1_wrapper\",\"code\":null,\"kind\":"          \
    "\"naming\"}}"

static const SuiteCase plain = {
    .id = {"L2_canonical", 12}, .level = {"L2", 2}, .precision = true, .atol = 1e-3, .rtol = 1e-3};
static const SuiteCase structure_only = {
    .id = {"L1_canonical", 12}, .level = {"L1", 2}, .atol = 1e-3, .rtol = 1e-3};

static CaseResult read_ended(Mode mode, const SuiteCase *source, const char *result,
                             const char *log, ProcessEnd end, int value)
{
    CaseContext context = {.kind = RESULT_OF_CASE,
                           .mode = mode,
                           .source = source,
                           .timeout_ms = 2000,
                           .memory = (uint64_t)1 << 30};
    WorkerOutcome outcome = {.end = end,
                             .value = value,
                             .result = str_from(result),
                             .log = str_from(log),
                             .seconds = 0.5};
    CaseResult case_result;
    case_result_read(&arena, &context, &outcome, &case_result);
    return case_result;
}

static CaseResult read_result(Mode mode, const char *result)
{
    return read_ended(mode, &plain, result, "", PROCESS_EXITED, 0);
}

static CaseResult skipped(void)
{
    CaseResult case_result;
    case_result_skip(&case_result, NULL);
    return case_result;
}

static CaseResult dead(ProcessEnd end, int value, const char *result, const char *log)
{
    return read_ended(MODE_SIM, &plain, result, log, end, value);
}

#define assert_text_has(text, part)   assert_non_null(strstr(str_dup(&arena, (text)), (part)))
#define assert_text_lacks(text, part) assert_null(strstr(str_dup(&arena, (text)), (part)))

static void assert_result(CaseResult case_result, Verdict verdict, Category category,
                          VerdictCategory route)
{
    assert_string_equal(verdict_name(case_result.verdict), verdict_name(verdict));
    assert_string_equal(category_name(case_result.category), category_name(category));
    assert_string_equal(verdict_category_name(case_result.route), verdict_category_name(route));
    assert_true(verdict == VERDICT_PASS || case_result.summary.length > 0);
}

static Judgement judge_two(CaseModes *result, CaseResult sim, CaseResult npu)
{
    Judgement judgement;
    *result = (CaseModes){&plain, {[MODE_SIM] = sim, [MODE_NPU] = npu}};
    judge(&arena, result, 1, NULL, &judgement);
    return judgement;
}

static void assert_first(const Judgement *judgement, Category category, VerdictCategory route,
                         Divergence fingerprint)
{
    assert_true(judgement->first.present);
    assert_string_equal(category_name(judgement->first.category), category_name(category));
    assert_string_equal(verdict_category_name(judgement->first.route),
                        verdict_category_name(route));
    assert_string_equal(fingerprint_name(judgement->first.fingerprint),
                        fingerprint_name(fingerprint));
}

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
    /* Our own sentences, and places in a reference, are told as they are. */
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
    /* With precision a leaf of which nothing is told has not been compared. */
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

/* --- the environment */

static void test_symptoms(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *id;
        Mode mode;
        bool early;
    } rows[] = {
        {"ImportError: libascend_hal.so: cannot open shared object file", "cann_library", MODE_SIM,
         true},
        {"ImportError: libhccl.so: cannot open", "cann_library", MODE_NPU, true},
        {"OSError: libatb.so: cannot open", "cann_library", MODE_NPU, true},
        {"No module named 'torch_npu'", "no_torch_npu", MODE_NPU, true},
        {"No module named 'torch'", "no_torch", MODE_SIM, true},
        {"rtSetDevice failed, error code is 507899", "no_device", MODE_NPU, true},
        {"error code is 507899", "device_lost", MODE_NPU, false},
        {"ErrCode: F94001! Enum: X", "simulation_environment", MODE_NPU, false},
        {"libfoo.so.3: cannot open shared object file", "missing_library", MODE_NPU, true},
        {"PermissionError: [Errno 13] Permission denied: '/dev/davinci0'", "no_permission",
         MODE_NPU, true},
        {"NPU out of memory. Tried to allocate 2 GiB", "device_busy", MODE_NPU, true},
        {"NPU out of memory. Tried to allocate 2 GiB", NULL, MODE_NPU, false},
        {"rtSetDevice failed", NULL, MODE_SIM, true},
        {"0.1507899", NULL, MODE_NPU, false},
        {"aicore error", NULL, MODE_NPU, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Symptom *symptom = symptom_find(str_from(rows[i].text), rows[i].mode, rows[i].early);
        if (rows[i].id == NULL) {
            assert_null(symptom);
        } else {
            assert_non_null(symptom);
            assert_string_equal(symptom->id, rows[i].id);
            assert_ptr_equal(symptom, symptom_by_id(rows[i].id));
        }
    }
}

static void test_environment_is_no_failure(void **unused)
{
    (void)unused;
    static const char *const results[] = {
        UNAVAILABLE,
        RAISED("implementation", "ImportError", "libhccl.so: cannot open", "null", "\"infra\""),
        RAISED("setup", "RuntimeError", "rtSetDevice failed", "null", "null"),
        RAISED("wrapper", "RuntimeError", "driver error:internal error 507899", "null", "null"),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        CaseResult case_result = read_result(MODE_NPU, results[i]);
        assert_result(case_result, VERDICT_SKIPPED, CATEGORY_INFRA, ROUTE_OTHER);
        assert_true(case_result.blocked);
        assert_non_null(case_result.unavailable.symptom);
    }
    CaseResult case_result =
        read_ended(MODE_NPU, &plain, "{\"at\": \"setup\"}\n", "", PROCESS_KILLED, SIGSEGV);
    assert_true(case_result.blocked);
    case_result = dead(PROCESS_NOT_STARTED, 11, "", "");
    assert_true(case_result.blocked);
    /* Before a worker came to the case it was not the kernel either. */
    static const struct {
        ProcessEnd end;
        int value;
        const char *log, *id;
    } early[] = {
        {PROCESS_EXITED, 1, "Fatal Python error: init_fs_encoding: failed", "no_interpreter"},
        {PROCESS_EXITED, 1, "python3: No module named pypto_lint_worker", "no_interpreter"},
        {PROCESS_EXITED, 1, "MemoryError", "small_memory"},
        {PROCESS_KILLED, SIGKILL, "", "small_memory"},
        {PROCESS_LATE, 0, "", "late_start"},
        {PROCESS_KILLED, SIGSEGV, "", NULL},
    };
    for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
        case_result = dead(early[i].end, early[i].value, "", early[i].log);
        assert_result(case_result, VERDICT_SKIPPED, CATEGORY_INFRA, ROUTE_OTHER);
        const Symptom *symptom = case_result.unavailable.symptom;
        assert_true(early[i].id == NULL ? symptom == NULL : strcmp(symptom->id, early[i].id) == 0);
    }
    /* A device error beside the driver's message is the kernel's, and so is a plain mistake. */
    case_result = read_ended(MODE_NPU, &plain, CRASH, "error code is 507899", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_ERROR, CATEGORY_RUNTIME, ROUTE_OTHER);
    const char *failed = RAISED("wrapper", "RuntimeError", "synchronize failed", "null", "null");
    case_result = read_ended(MODE_NPU, &plain, failed, "error code is 507899", PROCESS_EXITED, 0);
    assert_true(case_result.blocked);
    case_result = read_ended(MODE_NPU, &plain, failed, "aicore error, 507899", PROCESS_EXITED, 0);
    assert_result(case_result, VERDICT_ERROR, CATEGORY_RUNTIME, ROUTE_AICORE);
}

static void test_probe(void **unused)
{
    (void)unused;
    Unavailable why = {0};
    WorkerOutcome outcome = {.end = PROCESS_EXITED, .result = STR("{\"end\":\"compared\"}")};
    assert_true(probe_read(&arena, &outcome, MODE_NPU, &why));
    outcome.result = STR(UNAVAILABLE);
    assert_false(probe_read(&arena, &outcome, MODE_NPU, &why));
    assert_string_equal(why.symptom->id, "no_torch_npu");
    assert_text_has(why.reason, "torch_npu");
    outcome = (WorkerOutcome){.end = PROCESS_LATE};
    assert_false(probe_read(&arena, &outcome, MODE_NPU, &why));
    assert_true(why.reason.length > 0);
}

/* --- judgements */

static void test_fingerprints(void **unused)
{
    (void)unused;
    const struct {
        const char *sim, *npu; /* NULL = not asked for */
        Verdict status;
        Category category;
        Divergence fingerprint;
    } rows[] = {
        {WRONG, NULL, VERDICT_FAIL, CATEGORY_PRECISION, DIVERGENCE_ALL_FAIL},
        {NULL, WRONG, VERDICT_FAIL, CATEGORY_PRECISION, DIVERGENCE_ALL_FAIL},
        {GOOD, WRONG, VERDICT_FAIL, CATEGORY_PRECISION, DIVERGENCE_NPU_ONLY},
        {WRONG, GOOD, VERDICT_FAIL, CATEGORY_PRECISION, DIVERGENCE_IR},
        {WRONG, WRONG, VERDICT_FAIL, CATEGORY_PRECISION, DIVERGENCE_ALL_FAIL},
        {WRONG, CRASH, VERDICT_FAIL, CATEGORY_RUNTIME, DIVERGENCE_ALL_FAIL},
        {CRASH, SHAPE, VERDICT_FAIL, CATEGORY_STRUCTURAL, DIVERGENCE_ALL_FAIL},
        {GOOD, CRASH, VERDICT_FAIL, CATEGORY_RUNTIME, DIVERGENCE_NPU_ONLY},
        {CRASH, GOOD, VERDICT_FAIL, CATEGORY_RUNTIME, DIVERGENCE_IR},
        {WRONG, UNAVAILABLE, VERDICT_FAIL, CATEGORY_PRECISION, DIVERGENCE_ALL_FAIL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CaseModes result;
        Judgement judgement =
            judge_two(&result, rows[i].sim == NULL ? skipped() : read_result(MODE_SIM, rows[i].sim),
                      rows[i].npu == NULL ? skipped() : read_result(MODE_NPU, rows[i].npu));
        assert_int_equal(judgement.status, rows[i].status);
        assert_int_equal(judgement_exit_status(&judgement), 1);
        assert_string_equal(category_name(judgement.first.category),
                            category_name(rows[i].category));
        assert_string_equal(fingerprint_name(judgement.first.fingerprint),
                            fingerprint_name(rows[i].fingerprint));
        bool npu_ran = rows[i].npu != NULL && strcmp(rows[i].npu, UNAVAILABLE) != 0;
        assert_int_equal(judgement.first.basis[MODE_SIM], rows[i].sim != NULL);
        assert_int_equal(judgement.first.basis[MODE_NPU], npu_ran);
        assert_int_equal(judgement.passed, 0);
        assert_false(judgement.checks[0].all_close);
    }
}

static void test_pass(void **unused)
{
    (void)unused;
    CaseModes result;
    Judgement judgement = judge_two(&result, read_result(MODE_SIM, GOOD), skipped());
    assert_int_equal(judgement.status, VERDICT_PASS);
    assert_int_equal(judgement_exit_status(&judgement), 0);
    assert_false(judgement.first.present);
    assert_true(judgement.checks[0].all_close);
    assert_int_equal(judgement.passed, 1);
    assert_int_equal(judgement.modes[MODE_NPU], VERDICT_SKIPPED);
    Str line = judgement_summary_line(&arena, &judgement, STR("eval/evaluation_report.json"));
    assert_string_equal(line.at, "status=PASS cases=1/1 modes=sim:PASS,npu:SKIPPED "
                                 "report=eval/evaluation_report.json");
    judgement = judge_two(&result, read_result(MODE_SIM, GOOD), read_result(MODE_NPU, UNAVAILABLE));
    assert_int_equal(judgement.status, VERDICT_PASS);
    assert_text_has(judgement.unavailable[MODE_NPU].reason, "torch_npu");
}

static void test_nothing_ran(void **unused)
{
    (void)unused;
    CaseModes result;
    Judgement judgement = judge_two(&result, skipped(), read_result(MODE_NPU, UNAVAILABLE));
    assert_int_equal(judgement.status, VERDICT_ERROR);
    assert_int_equal(judgement_exit_status(&judgement), 2);
    assert_first(&judgement, CATEGORY_INFRA, ROUTE_OTHER, DIVERGENCE_ALL_FAIL);
    assert_text_has(judgement.first.summary, "torch_npu");
    assert_non_null(judgement.first.symptom);
    assert_null(judgement.first.result);
    judge(&arena, NULL, 0, NULL, &judgement);
    assert_int_equal(judgement.status, VERDICT_ERROR);
    assert_text_has(judgement.first.summary, "no case selected");
    RunError error = {CATEGORY_STRUCTURAL, ROUTE_TILE_SHAPE, STR("lint"), NULL};
    judgement = judge_two(&result, skipped(), skipped());
    judge(&arena, &result, 1, &error, &judgement);
    assert_int_equal(judgement.status, VERDICT_ERROR);
    assert_first(&judgement, CATEGORY_STRUCTURAL, ROUTE_TILE_SHAPE, DIVERGENCE_ALL_FAIL);
}

/* Before any case could run it is ERROR; else a crash of some is FAIL. */
static void test_workspace_or_crash(void **unused)
{
    (void)unused;
    CaseModes results[2];
    Judgement judgement = judge_two(results, read_result(MODE_SIM, NO_WRAPPER), skipped());
    assert_int_equal(judgement.status, VERDICT_ERROR);
    assert_first(&judgement, CATEGORY_STRUCTURAL, ROUTE_STRUCTURE, DIVERGENCE_ALL_FAIL);
    assert_int_equal(judgement.modes[MODE_SIM], VERDICT_ERROR);
    judgement = judge_two(results, read_result(MODE_SIM, CRASH), skipped());
    assert_int_equal(judgement.status, VERDICT_FAIL);
    assert_int_equal(judgement.modes[MODE_SIM], VERDICT_ERROR);
    const char *raised = RAISED("golden", "IndexError", "in line 7", "null", "null");
    judgement = judge_two(results, read_result(MODE_SIM, raised), skipped());
    assert_int_equal(judgement.status, VERDICT_ERROR);
    results[1] = (CaseModes){&plain, {read_result(MODE_SIM, GOOD), skipped()}};
    judge(&arena, results, 2, NULL, &judgement);
    assert_int_equal(judgement.status, VERDICT_FAIL);
    assert_int_equal(judgement.passed, 1);
    assert_first(&judgement, CATEGORY_OTHER, ROUTE_OTHER, DIVERGENCE_ALL_FAIL);
    assert_ptr_equal(judgement.first.result, &results[0]);
}

/* A mode that ran some cases and lost its device for others must not pass, and is no failure of the
 * kernel. */
static void test_device_lost_midway(void **unused)
{
    (void)unused;
    CaseModes results[3] = {
        {&plain, {skipped(), read_result(MODE_NPU, GOOD)}},
        {&plain, {skipped(), read_result(MODE_NPU, UNAVAILABLE)}},
        {&plain, {skipped(), read_result(MODE_NPU, WRONG)}},
    };
    Judgement judgement;
    judge(&arena, results, 2, NULL, &judgement);
    assert_int_equal(judgement.status, VERDICT_ERROR);
    assert_int_equal(judgement.modes[MODE_NPU], VERDICT_ERROR);
    assert_first(&judgement, CATEGORY_INFRA, ROUTE_OTHER, DIVERGENCE_ALL_FAIL);
    assert_ptr_equal(judgement.first.result, &results[1]);
    judge(&arena, results, 3, NULL, &judgement);
    assert_int_equal(judgement.status, VERDICT_FAIL);
    assert_first(&judgement, CATEGORY_PRECISION, ROUTE_PRECISION, DIVERGENCE_ALL_FAIL);
    assert_ptr_equal(judgement.first.result, &results[2]);
}

static void test_reproducer_and_drift(void **unused)
{
    (void)unused;
    CaseModes result;
    Judgement judgement = judge_two(
        &result, read_result(MODE_SIM, COMPARED(LEAF("false", "1e-20", "1e-8"), ",\"launches\":1")),
        skipped());
    assert_true(judgement.first.cpu_reproducer_candidate);
    judgement = judge_two(
        &result,
        read_result(MODE_SIM, COMPARED(LEAF("false", "1e-2", "1.1e-5"), ",\"launches\":1")),
        skipped());
    assert_false(judgement.first.cpu_reproducer_candidate);
    judgement = judge_two(
        &result, read_result(MODE_SIM, COMPARED(LEAF("false", "null", "null"), ",\"launches\":1")),
        skipped());
    assert_false(judgement.first.cpu_reproducer_candidate);
    const char *drift = COMPARED(
        "", ",\"launches\":1,\"inspection\":{\"name\":\"state\",\"per_iter\":["
            "{\"iter\":2,\"max_abs_diff\":0.0,\"max_rel_diff\":0.0,\"all_close\":true},"
            "{\"iter\":3,\"max_abs_diff\":0.5,\"max_rel_diff\":0.5,\"all_close\":false},"
            "{\"iter\":4,\"max_abs_diff\":1.0,\"max_rel_diff\":0.5,\"all_close\":false}]}");
    judgement = judge_two(&result, read_result(MODE_SIM, drift), skipped());
    assert_int_equal(judgement.status, VERDICT_FAIL);
    assert_true(judgement.first.has_drift_onset);
    assert_int_equal(judgement.first.drift_onset_iter, 3);
    assert_true(judgement.checks[0].max_abs_diff.value == 1.0);
    assert_text_has(judgement.first.summary, "iteration 3");
}

/* Functions of test_<op>.py: an assertion is how they tell a difference. */
static void test_test_functions(void **unused)
{
    (void)unused;
    CaseContext context = {.kind = RESULT_OF_TESTS, .mode = MODE_SIM, .source = &plain};
    WorkerOutcome outcome = {
        .end = PROCESS_EXITED,
        .result = STR(RAISED("wrapper", "AssertionError", "max diff 3", "null", "null"))};
    CaseResult case_result;
    case_result_read(&arena, &context, &outcome, &case_result);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION);
    /* Its comparisons have tolerances of their own. */
    outcome.result = STR(COMPARED(LEAF("false", "1e-20", "1e-8"), ",\"launches\":1"));
    case_result_read(&arena, &context, &outcome, &case_result);
    assert_text_lacks(case_result.summary, "rtol");
    CaseModes result;
    Judgement judgement = judge_two(&result, case_result, skipped());
    assert_int_equal(judgement.status, VERDICT_FAIL);
    assert_false(judgement.first.cpu_reproducer_candidate);
    outcome.result = STR(COMPARED("", ",\"launches\":2"));
    case_result_read(&arena, &context, &outcome, &case_result);
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_int_equal(case_result.warnings.count, 1);
    outcome.result = STR(COMPARED("", ",\"launches\":0"));
    case_result_read(&arena, &context, &outcome, &case_result);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_STRUCTURAL, ROUTE_OTHER);
}

/* Two references are compared by their values, even for a case that asks for the structure only. */
static void test_self_test(void **unused)
{
    (void)unused;
    CaseContext context = {
        .kind = RESULT_OF_SELF_TEST, .mode = MODE_SIM, .source = &structure_only};
    WorkerOutcome outcome = {.end = PROCESS_EXITED, .result = STR(WRONG)};
    CaseResult case_result;
    case_result_read(&arena, &context, &outcome, &case_result);
    assert_result(case_result, VERDICT_FAIL, CATEGORY_PRECISION, ROUTE_PRECISION);
    outcome.result = STR(COMPARED(LEAF("true", "0.0", "0.0"), ",\"exact\":true"));
    case_result_read(&arena, &context, &outcome, &case_result);
    assert_result(case_result, VERDICT_PASS, CATEGORY_NONE, ROUTE_OTHER);
    assert_int_equal(case_result.warnings.count, 0);
}

int main(void)
{
    json_memory_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_repeat, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_of_the_kernel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_claims_of_the_environment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limits_are_told_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_structure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_was_the_kernel_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_warnings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_imported_reference, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_raised, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_messages_hold_no_tensors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deaths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_symptoms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_environment_is_no_failure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_probe, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fingerprints, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_ran, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_workspace_or_crash, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_device_lost_midway, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reproducer_and_drift, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_test_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_self_test, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
