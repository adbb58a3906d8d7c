/* What the tests of case results and of judgements share: results of workers as JSON, and how they
 * are read. */
#ifndef PYPTO_LINT_TESTS_JUDGEMENT_FIXTURE_H
#define PYPTO_LINT_TESTS_JUDGEMENT_FIXTURE_H

#include "document/json.h"
#include "harness/judge/judgement.h"

#include "arena_fixture.h"

#include <signal.h>

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

static inline CaseResult read_ended(Mode mode, const SuiteCase *source, const char *result,
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

static inline CaseResult read_result(Mode mode, const char *result)
{
    return read_ended(mode, &plain, result, "", PROCESS_EXITED, 0);
}

static inline CaseResult skipped(void)
{
    CaseResult case_result;
    case_result_skip(&case_result, NULL);
    return case_result;
}

static inline CaseResult dead(ProcessEnd end, int value, const char *result, const char *log)
{
    return read_ended(MODE_SIM, &plain, result, log, end, value);
}

#define assert_text_has(text, part)   assert_non_null(strstr(str_dup(&arena, (text)), (part)))
#define assert_text_lacks(text, part) assert_null(strstr(str_dup(&arena, (text)), (part)))

static inline void assert_result(CaseResult case_result, Verdict verdict, Category category,
                                 VerdictCategory route)
{
    assert_string_equal(verdict_name(case_result.verdict), verdict_name(verdict));
    assert_string_equal(category_name(case_result.category), category_name(category));
    assert_string_equal(verdict_category_name(case_result.route), verdict_category_name(route));
    assert_true(verdict == VERDICT_PASS || case_result.summary.length > 0);
}

static inline Judgement judge_two(CaseModes *result, CaseResult sim, CaseResult npu)
{
    Judgement judgement;
    *result = (CaseModes){&plain, {[MODE_SIM] = sim, [MODE_NPU] = npu}};
    judge(&arena, result, 1, NULL, &judgement);
    return judgement;
}

static inline void assert_first(const Judgement *judgement, Category category,
                                VerdictCategory route, Divergence fingerprint)
{
    assert_true(judgement->first.present);
    assert_string_equal(category_name(judgement->first.category), category_name(category));
    assert_string_equal(verdict_category_name(judgement->first.route),
                        verdict_category_name(route));
    assert_string_equal(fingerprint_name(judgement->first.fingerprint),
                        fingerprint_name(fingerprint));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
