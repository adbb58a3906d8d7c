/* Units of harness/pool/job_line.h, base/middle_cut.h and base/base64.h: what crosses to another
 * machine comes back as it was, and what is no such line is refused. */
#include "base/base64.h"
#include "base/middle_cut.h"
#include "document/json.h"
#include "harness/pool/job_line.h"

#include "arena_fixture.h"

static void assert_text(Str actual, const char *expected)
{
    assert_string_equal(str_dup(&arena, actual), expected);
}

/* --- base64; the vectors are those of RFC 4648 */

static void test_base64(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_text(base64_encode(&arena, str_from(pairs[i][0])), pairs[i][1]);
        Str back;
        assert_true(base64_decode(&arena, str_from(pairs[i][1]), &back));
        assert_text(back, pairs[i][0]);
    }
    static const char *const wrong[] = {"Z", "Zg=", "Zg==Zg==", "=g==", "Zm9\n", "Z===", "Zm 9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Str back;
        assert_false(base64_decode(&arena, str_from(wrong[i]), &back));
    }
}

static void test_base64_of_all_bytes(void **state)
{
    (void)state;
    char bytes[256];
    for (int i = 0; i < 256; i++) {
        bytes[i] = (char)i;
    }
    Str back;
    assert_true(base64_decode(&arena, base64_encode(&arena, (Str){bytes, 256}), &back));
    assert_int_equal(back.length, 256);
    assert_memory_equal(back.at, bytes, 256);
}

/* --- texts cut in the middle */

/* Whatever the pieces, the same comes out: held against a cut of the whole text. */
static void test_middle_cut(void **state)
{
    (void)state;
    for (size_t length = 0; length < 40; length++) {
        for (size_t piece = 1; piece < 12; piece++) {
            char text[40];
            for (size_t i = 0; i < length; i++) {
                text[i] = (char)('a' + i % 26);
            }
            MiddleCut cut;
            middle_cut_init(&cut, &arena, 5, 5);
            for (size_t at = 0; at < length; at += piece) {
                middle_cut_add(&cut, text + at, length - at < piece ? length - at : piece);
            }
            Str whole = {text, length};
            Str expected = length <= 10 ? whole
                                        : str_format(&arena, "%.5s\n[… %zu bytes removed …]\n%.5s",
                                                     text, length - 10, text + length - 5);
            Str kept = middle_cut_text(&cut, &arena);
            assert_int_equal(cut.bytes, length);
            assert_true(str_equal(kept, expected));
        }
    }
}

/* --- requests */

static void test_request(void **state)
{
    (void)state;
    PoolOptions options = {.python = "/bin/sh",
                           .timeout_ms = 1234,
                           .memory = (uint64_t)5 << 33,
                           .soc = STR("910B1"),
                           .profile = STR("")};
    WorkerJob job = {.json = STR("{\"kind\": \"case\", \"case\": {\"id\": \"ä\\n\", \"x\": 0.5}}"),
                     .mode = MODE_NPU,
                     .label = STR("L2_\"a\"")};
    Str line;
    assert_true(job_request_write(&arena, &options, &job, &line));
    assert_int_equal(str_find(line, STR("\n"), 0), line.length - 1);
    JobRequest request;
    Str error = STR("");
    assert_true(job_request_read(&arena, line, &request, &error));
    assert_string_equal(request.options.python, "/bin/sh");
    assert_int_equal(request.options.timeout_ms, 1234);
    assert_int_equal(request.options.memory, (uint64_t)5 << 33);
    assert_int_equal(request.options.jobs, 1);
    assert_text(request.options.soc, "910B1");
    assert_text(request.options.profile, "");
    assert_int_equal(request.job.mode, MODE_NPU);
    assert_text(request.job.label, "L2_\"a\"");
    assert_text(request.job.json, "{\"kind\":\"case\",\"case\":{\"id\":\"ä\\n\",\"x\":0.5}}");
}

static void test_wrong_requests(void **state)
{
    (void)state;
    static const char *const lines[] = {"",
                                        "{",
                                        "[]",
                                        "{}",
                                        "{\"job\": 1, \"mode\": \"sim\"}",
                                        "{\"job\": {}, \"mode\": \"both\"}"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        JobRequest request;
        Str error = STR("");
        assert_false(job_request_read(&arena, str_from(lines[i]), &request, &error));
        assert_true(error.length > 0);
    }
    PoolOptions options = {.python = "python3", .soc = STR(""), .profile = STR("")};
    WorkerJob job = {.json = STR("[1]"), .label = STR("a")};
    Str line;
    assert_false(job_request_write(&arena, &options, &job, &line));
    JobRequest request;
    Str error;
    assert_true(job_request_read(
        &arena, STR("{\"job\":{},\"mode\":\"sim\",\"options\":{\"python\":\"/no/such\"}}"),
        &request, &error));
    assert_null(request.options.python);
}

/* --- outcomes */

static bool read_back(Str line, WorkerOutcome *outcome, Str *error)
{
    JsonFault fault;
    json_t *tree = json_read(&arena, line, 0, &fault);
    assert_non_null(tree);
    bool good = job_outcome_read(&arena, tree, outcome, error);
    json_decref(tree);
    return good;
}

static void test_outcome(void **state)
{
    (void)state;
    WorkerOutcome outcome = {.end = PROCESS_KILLED,
                             .value = 11,
                             .result = STR("{\"half"),
                             .log = STR("\0\xff\n\"}"),
                             .log_bytes = (uint64_t)3 << 40,
                             .seconds = 1.25};
    for (int end = PROCESS_EXITED; end <= PROCESS_CANCELLED; end++) {
        outcome.end = (ProcessEnd)end;
        outcome.result_too_large = end == PROCESS_LATE;
        WorkerOutcome back;
        Str error = STR("");
        Str line = job_outcome_write(&arena, &outcome);
        assert_int_equal(str_find(line, STR("\n"), 0), line.length - 1);
        assert_true(read_back(line, &back, &error));
        assert_int_equal(back.end, end);
        assert_int_equal(back.value, 11);
        assert_true(str_equal(back.result, outcome.result));
        assert_true(str_equal(back.log, outcome.log));
        assert_int_equal(back.log_bytes, outcome.log_bytes);
        assert_int_equal(back.result_too_large, outcome.result_too_large);
        assert_true(back.seconds == 1.25);
    }
}

static void test_wrong_outcomes(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{}", "[]", "{\"version\":\"0.0.0\",\"end\":\"exited\",\"result\":\"\",\"log\":\"\"}",
        "{\"version\":\"" PYPTO_LINT_VERSION "\",\"end\":\"well\",\"result\":\"\",\"log\":\"\"}",
        "{\"version\":\"" PYPTO_LINT_VERSION
        "\",\"end\":\"exited\",\"result\":\"*\",\"log\":\"\"}"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        WorkerOutcome outcome;
        Str error = STR("");
        assert_false(read_back(str_from(lines[i]), &outcome, &error));
        assert_true(error.length > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_base64),         TEST(test_base64_of_all_bytes), TEST(test_middle_cut),
        TEST(test_request),        TEST(test_wrong_requests),      TEST(test_outcome),
        TEST(test_wrong_outcomes),
    };
    return cmocka_run_group_tests_name("job_line", tests, NULL, NULL);
}
