/* Tests of the report: keys, their order, null in the place of numbers that are not finite, the
 * log, and that nothing differs but the timing. */
#include "base/utf8.h"
#include "document/json.h"
#include "harness/report/evaluation_report.h"

#include "arena_fixture.h"

static const SuiteCase first_case = {
    .id = {"L1_canonical", 12}, .level = {"L1", 2}, .atol = 1e-3, .rtol = 1e-3};
static const SuiteCase second_case = {
    .id = {"L2_canonical", 12}, .level = {"L2", 2}, .precision = true, .atol = 1e-3, .rtol = 1e-3};

static const char good[] =
    "{\"end\":\"compared\",\"stage\":\"done\",\"leaves\":[{\"name\":\"out0\",\"structure\":null,"
    "\"all_close\":true,\"max_abs_diff\":0.25,\"max_rel_diff\":0.125,\"elements\":6}],"
    "\"launches\":1,\"environment\":{\"python\":\"3.11\",\"torch\":\"1.13\",\"backend\":\"ptosim\","
    "\"sim_values\":true},\"seconds\":{\"golden\":0.5}}";
static const char nan_leaf[] =
    "{\"end\":\"compared\",\"stage\":\"done\",\"leaves\":[{\"name\":\"out0\",\"structure\":null,"
    "\"expected_shape\":[2,3],\"shape\":[2,3],\"expected_dtype\":\"float32\",\"dtype\":\"float32\","
    "\"all_close\":false,\"max_abs_diff\":NaN,\"max_rel_diff\":Infinity,\"elements\":6,"
    "\"out_of_tolerance\":1,\"nonfinite\":1}],\"launches\":1,\"inspection\":{\"name\":\"state\","
    "\"per_iter\":[{\"iter\":0,\"max_abs_diff\":0.0,\"max_rel_diff\":0.0,\"all_close\":true}]}}";

static CaseResult case_of(Mode mode, const SuiteCase *source, const char *result, Str log,
                          double seconds)
{
    CaseContext context = {.kind = RESULT_OF_CASE, .mode = mode, .source = source};
    WorkerOutcome outcome = {
        .end = PROCESS_EXITED, .result = str_from(result), .log = log, .seconds = seconds};
    CaseResult case_result;
    case_result_read(&arena, &context, &outcome, &case_result);
    return case_result;
}

static Verification verified;
static CaseModes results[2];

/* Two cases in mode sim, the second with a NaN. */
static Str report_of(double seconds)
{
    static const Rule rule = {.id = "OL20"};
    verified = (Verification){.arena = &arena,
                              .op_name = STR("x"),
                              .impl_file = STR("modules/x_module12_impl.py"),
                              .module = 2,
                              .linted = true,
                              .lint = {.warnings = 2},
                              .seconds = seconds};
    VEC_PUSH(&arena, &verified.lint.rules, ((LintRuleCount){&rule, 2}));
    for (int i = 0; i < 2; i++) {
        const SuiteCase *source = i == 0 ? &first_case : &second_case;
        results[i].source = source;
        results[i].by_mode[MODE_SIM] =
            case_of(MODE_SIM, source, i == 0 ? good : nan_leaf, STR("hello\n"), seconds);
        case_result_skip(&results[i].by_mode[MODE_NPU], NULL);
    }
    judge(&arena, results, 2, NULL, &verified.judgement);
    Str json = STR("");
    assert_true(evaluation_report(&verified, &json));
    return json;
}

static json_t *parse(Str json)
{
    json_t *root = json_loadb(json.at, json.length, 0, NULL);
    assert_non_null(root);
    return root;
}

/* `keys` with blanks between them, as a prefix of the object's. */
static void assert_keys(const json_t *object, const char *keys)
{
    Buf out = {.arena = &arena};
    const char *key;
    json_t *value;
    json_t *open = json_incref((json_t *)(uintptr_t)object);
    json_object_foreach(open, key, value)
    {
        buf_addf(&out, "%s ", key);
    }
    json_decref(open);
    assert_true(str_starts(buf_str(&out), str_from(keys)));
}

static void test_keys(void **unused)
{
    (void)unused;
    json_t *root = parse(report_of(1.0));
    assert_keys(root, "op_name impl_file up_to_module total_modules status checks cases_total "
                      "cases_passed per_mode_status first_failure stdout schema_version "
                      "environment lint timing limits ");
    const json_t *checks = json_object_get(root, "checks");
    assert_int_equal(json_array_size(checks), 2);
    assert_keys(json_array_get(checks, 0),
                "id level precision_checked all_close max_abs_diff max_rel_diff per_mode_status "
                "per_tensor ");
    assert_keys(json_object_get(root, "first_failure"),
                "case_id failing_module_boundary failure_category divergence_fingerprint summary "
                "verdict_category fingerprint_basis cpu_reproducer_candidate ");
    assert_keys(json_object_get(root, "per_mode_status"), "sim npu ");
    const json_t *lint = json_object_get(root, "lint");
    assert_keys(lint, "gate blocking warnings rules ");
    assert_string_equal(json_string_value(json_object_get(lint, "gate")), "passed");
    const json_t *rule = json_array_get(json_object_get(lint, "rules"), 0);
    assert_string_equal(json_string_value(json_object_get(rule, "id")), "OL20");
    assert_int_equal(json_integer_value(json_object_get(rule, "count")), 2);
    json_decref(root);
}

#define EQUALS(name, which)                                                                        \
    "{\"name\":\"" name "\",\"structure\":null,\"all_close\":false,\"max_abs_diff\":1,"            \
    "\"max_rel_diff\":1,\"elements\":2,\"out_of_tolerance\":2,\"nonfinite\":0,\"where\":{"         \
    "\"first\":[0],\"last\":[1],\"worst\":[0],\"place\":\"last\",\"place_axis\":0,"                \
    "\"likeness\":\"nothing\",\"axes\":[{\"extent\":2,\"hit\":2,\"run\":2,\"period\":0,"           \
    "\"runs\":1,\"ranges\":[[0,1]]}],\"equals\":" which "}}"

/* The number of another output that a wrong one equals comes from a worker: it may be any. */
static void test_another_output(void **unused)
{
    (void)unused;
    const char *text = "{\"end\":\"compared\",\"stage\":\"done\",\"leaves\":[" EQUALS(
        "out0", "1") "," EQUALS("out1", "2") "],\"launches\":1}";
    CaseResult case_result = case_of(MODE_SIM, &second_case, text, STR(""), 0.5);
    assert_int_equal(case_result.leaves.count, 2);
    assert_string_equal(str_dup(&arena, case_result.leaves.items[0].equals), "out1");
    assert_int_equal(case_result.leaves.items[1].equals.length, 0);
}

static void test_values(void **unused)
{
    (void)unused;
    json_t *root = parse(report_of(1.0));
    assert_true(json_is_null(json_object_get(root, "total_modules")));
    assert_string_equal(json_string_value(json_object_get(root, "status")), "FAIL");
    assert_int_equal(json_integer_value(json_object_get(root, "cases_total")), 2);
    assert_int_equal(json_integer_value(json_object_get(root, "cases_passed")), 1);
    const json_t *first = json_array_get(json_object_get(root, "checks"), 0);
    assert_true(json_is_false(json_object_get(first, "precision_checked")));
    assert_true(json_is_true(json_object_get(first, "all_close")));
    assert_true(json_real_value(json_object_get(first, "max_abs_diff")) == 0.25);
    const json_t *second = json_array_get(json_object_get(root, "checks"), 1);
    assert_true(json_is_null(json_object_get(second, "max_abs_diff")));
    assert_true(json_is_null(json_object_get(second, "max_rel_diff")));
    assert_int_equal(json_integer_value(json_object_get(second, "nonfinite")), 1);
    const json_t *inspection = json_object_get(second, "inspection");
    assert_int_equal(json_array_size(json_object_get(inspection, "per_iter")), 1);
    const json_t *leaf = json_array_get(json_object_get(second, "per_tensor"), 0);
    assert_keys(leaf, "name max_abs_diff max_rel_diff all_close ");
    assert_int_equal(json_array_size(json_object_get(leaf, "shape")), 2);
    const json_t *failure = json_object_get(root, "first_failure");
    assert_string_equal(json_string_value(json_object_get(failure, "case_id")), "L2_canonical");
    assert_int_equal(json_integer_value(json_object_get(failure, "failing_module_boundary")), 2);
    assert_string_equal(json_string_value(json_object_get(root, "stdout")),
                        "=== case L1_canonical mode sim ===\n"
                        "[… 1 line(s) of the process are in the log file …]\n"
                        "=== case L2_canonical mode sim ===\n"
                        "[… 1 line(s) of the process are in the log file …]\n");
    Str log = report_log(&arena, &verified.judgement);
    assert_true(str_ends(log, STR("\n=== case L1_canonical mode sim ===\nhello\n"
                                  "=== case L2_canonical mode sim ===\nhello\n")));
    const json_t *environment = json_object_get(root, "environment");
    assert_string_equal(json_string_value(json_object_get(environment, "backend")), "ptosim");
    assert_true(json_is_true(json_object_get(environment, "sim_values")));
    json_decref(root);
}

static void test_only_timing_differs(void **unused)
{
    (void)unused;
    json_t *a = parse(report_of(1.0));
    json_t *b = parse(report_of(2.0));
    assert_false(json_equal(a, b));
    json_object_del(a, "timing");
    json_object_del(b, "timing");
    char *text_a = json_dumps(a, 0);
    char *text_b = json_dumps(b, 0);
    assert_string_equal(text_a, text_b);
    json_free_t release;
    json_get_alloc_funcs(NULL, &release);
    release(text_a);
    release(text_b);
    json_decref(a);
    json_decref(b);
}

/* One entry for each leaf, the worst of the modes, and the modes apart. */
static void test_two_modes(void **unused)
{
    (void)unused;
    CaseModes result = {&second_case,
                        {case_of(MODE_SIM, &second_case, good, STR(""), 1.0),
                         case_of(MODE_NPU, &second_case, nan_leaf, STR("x"), 1.0)}};
    Verification one = {.arena = &arena, .op_name = STR("x"), .module = 1, .total_modules = 3};
    judge(&arena, &result, 1, NULL, &one.judgement);
    Str json = STR("");
    assert_true(evaluation_report(&one, &json));
    json_t *root = parse(json);
    assert_int_equal(json_integer_value(json_object_get(root, "total_modules")), 3);
    assert_null(json_object_get(root, "lint"));
    const json_t *check = json_array_get(json_object_get(root, "checks"), 0);
    const json_t *leaves = json_object_get(check, "per_tensor");
    assert_int_equal(json_array_size(leaves), 1);
    const json_t *leaf = json_array_get(leaves, 0);
    assert_true(json_is_false(json_object_get(leaf, "all_close")));
    assert_true(json_is_null(json_object_get(leaf, "max_abs_diff"))); /* NaN beside 0.25 */
    const json_t *modes = json_object_get(leaf, "per_mode");
    assert_true(json_is_true(json_object_get(json_object_get(modes, "sim"), "all_close")));
    assert_true(json_is_false(json_object_get(json_object_get(modes, "npu"), "all_close")));
    const json_t *failure = json_object_get(root, "first_failure");
    assert_string_equal(json_string_value(json_object_get(failure, "divergence_fingerprint")),
                        "kernel_ok_npu_only");
    assert_int_equal(json_array_size(json_object_get(failure, "fingerprint_basis")), 2);
    assert_int_equal(json_array_size(json_object_get(check, "failures")), 1);
    json_decref(root);
}

static void test_log_limits(void **unused)
{
    (void)unused;
    enum { CASES = 40, LONG = 100 * 1024 };
    char *text = arena_alloc(&arena, LONG);
    for (size_t i = 0; i < LONG; i++) {
        text[i] = i % 80 == 79 ? '\n' : '\xff'; /* no UTF-8: each byte becomes three */
    }
    CaseModes *many = ARENA_ARRAY(&arena, CaseModes, CASES);
    for (int i = 0; i < CASES; i++) {
        many[i].source = &second_case;
        many[i].by_mode[MODE_SIM] = case_of(MODE_SIM, &second_case, good, (Str){text, LONG}, 1.0);
        case_result_skip(&many[i].by_mode[MODE_NPU], NULL);
        Str log = many[i].by_mode[MODE_SIM].log;
        assert_true(log.length <= WORKER_LOG_LIMIT + 128);
        assert_true(log.length >= WORKER_LOG_LIMIT - 128);
        assert_true(str_contains(log, STR(" bytes removed …]")));
        assert_int_equal(utf8_first_error(log), SIZE_MAX);
    }
    Verification all = {.arena = &arena, .op_name = STR("\xff\x01"), .module = 1};
    judge(&arena, many, CASES, NULL, &all.judgement);
    Str log = report_log(&arena, &all.judgement);
    assert_true(log.length <= REPORT_LOG_LIMIT);
    assert_true(log.length >= REPORT_LOG_LIMIT - 256);
    assert_true(str_starts(log, STR("What the process of the kernel wrote itself.")));
    assert_true(str_contains(log, STR("\n=== case L2_canonical mode sim ===\n")));
    Str json = STR("");
    assert_true(evaluation_report(&all, &json));
    json_decref(parse(json));
}

/* Each allocation fails once: control comes back to the guard, and nothing is lost (the sanitizers
 * see to that). */
static void test_out_of_memory(void **unused)
{
    (void)unused;
    volatile bool done = false;
    for (volatile unsigned long nth = 1; !done; nth++) {
        jmp_buf env;
        arena_free(&arena);
        arena_drop_cache();
        if (OOM_GUARD(&arena, env)) {
            arena_inject_failure(nth);
            json_decref(parse(report_of(1.0)));
            done = true;
        }
        arena_inject_failure(0);
        assert_true(nth < 100);
    }
    arena.guard = NULL;
}

static void test_sanitize(void **unused)
{
    (void)unused;
    static const char *const keys[] = {"golden_tensors", "golden_values", "golden_source",
                                       "raw_inputs",     "input_tensors", "truth",
                                       "truth_tuple"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *root = json_pack("{s:[{s:{s:[{s:[i], s:i}]}}], s:i}", "a", "b", "c", keys[i], 1,
                                 "kept", 2, keys[i], 3);
        assert_non_null(root);
        sanitize(&arena, root);
        char *text = json_dumps(root, JSON_COMPACT);
        assert_string_equal(text, "{\"a\":[{\"b\":{\"c\":[{\"kept\":2}]}}]}");
        json_free_t release;
        json_get_alloc_funcs(NULL, &release);
        release(text);
        json_decref(root);
    }
    /* Deeper than a parser would go. */
    enum { DEEP = 1000 };
    json_t *root = json_object();
    json_t *at = root;
    for (int i = 0; i < DEEP; i++) {
        json_t *inner = json_array();
        json_t *object = json_object();
        json_array_append_new(inner, object);
        json_object_set_new(at, "x", inner);
        at = object;
    }
    json_object_set_new(at, "truth", json_integer(1));
    sanitize(&arena, root);
    assert_null(json_object_get(at, "truth"));
    json_decref(root);
}

int main(void)
{
    json_memory_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_output, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_timing_differs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_two_modes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_log_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_out_of_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sanitize, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
