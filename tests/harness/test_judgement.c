/* Tests of judgements: the verdicts that docs/kernel-authors/verify-report.md demands, and what
 * counts as a fault of the environment. */
#include "judgement_fixture.h"

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
        TEST(test_symptoms),
        TEST(test_environment_is_no_failure),
        TEST(test_probe),
        TEST(test_fingerprints),
        TEST(test_pass),
        TEST(test_nothing_ran),
        TEST(test_workspace_or_crash),
        TEST(test_device_lost_midway),
        TEST(test_reproducer_and_drift),
        TEST(test_test_functions),
        TEST(test_self_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
