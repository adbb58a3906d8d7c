/*
 * Failure of every allocation, and text that is not UTF-8, control characters. */
#include "support.h"

#include <string.h>

/* Fails each call in turn until the log gets through; nothing may leak, nothing be half written. */
static void fail_at_every_call(const SarifRun *run)
{
    bool done = false;
    size_t call = 0;
    while (!done) {
        Meter meter = {.fail_at = ++call};
        SarifOptions options = {.allocator = meter_allocator(&meter)};
        SarifOutput output;
        SarifStatus status = sarif_write(run, 1, &options, &output);
        if (status == SARIF_OK) {
            assert_true(meter.calls < call);
            assert_int_equal(meter.live, 1); /* the buffer */
            sarif_output_free(&output, &options.allocator);
            done = true;
        } else {
            assert_int_equal(status, SARIF_NO_MEMORY);
            assert_null(output.data);
            assert_int_equal(output.size, 0);
            assert_int_equal(output.results_written, 0);
        }
        assert_int_equal(meter.live, 0);
    }
    assert_true(call > 8); /* it did fail: 2 tables, 6 arrays, the buffer */
}

static void test_no_memory(void **state)
{
    (void)state;
    SarifRun run = full_run();
    SarifRun empty = {0};
    SarifRule wide = run.rules[0];
    static char text[100000];
    memset(text, 'x', sizeof text);
    wide.help_text = (SarifText){text, sizeof text}; /* several growths of the buffer */
    fail_at_every_call(&run);
    fail_at_every_call(&empty);
    run.rules = &wide;
    run.rule_count = 1;
    run.result_count = 1;
    fail_at_every_call(&run);
}

static void test_errors_leak_nothing(void **state)
{
    (void)state;
    Meter meter = {0};
    SarifOptions options = {.allocator = meter_allocator(&meter)};
    SarifOutput output;
    SarifResult wrong = {.rule = 7};
    SarifRun runs[2] = {full_run(), full_run()};
    runs[1].automation_id = SARIF_TEXT("other/");
    runs[1].results = &wrong;
    runs[1].result_count = 1;
    assert_int_equal(sarif_write(runs, 2, &options, &output), SARIF_BAD_RULE_INDEX);
    assert_int_equal(meter.live, 0);
    assert_null(output.data);
}

static void test_lines_no_memory(void **state)
{
    (void)state;
    for (size_t call = 1; call <= 4; call++) {
        Meter meter = {.fail_at = call};
        SarifAllocator allocator = meter_allocator(&meter);
        SarifLines *lines;
        SarifStatus status = sarif_lines_create(SARIF_TEXT("a\nb\n"), &allocator, &lines);
        assert_int_equal(status, call <= 3 ? SARIF_NO_MEMORY : SARIF_OK);
        assert_int_equal(lines != NULL, call > 3);
        sarif_lines_free(lines);
        assert_int_equal(meter.live, 0);
    }
}

/* Expected values: Unicode's "maximal subparts" practice, table 3-8 among them. */
static void test_broken_utf8(void **state)
{
    static const char *const cases[][2] = {
        {"a\x80z", "a\uFFFDz"},
        {"\xC0\xAF", "\uFFFD\uFFFD"},
        {"\xE0\x80\xBF", "\uFFFD\uFFFD\uFFFD"},
        {"\xE4\xB8", "\uFFFD"},
        {"\xE4\xB8z", "\uFFFDz"},
        {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
        {"\xF0\x9F\x98", "\uFFFD"},
        {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
        {"\xF1\x80\x80\xE1\x80\xC2\x41", "\uFFFD\uFFFD\uFFFDA"},
        {"\xFE\xFF", "\uFFFD\uFFFD"},
        {"\uFFFD\uFEFF中\U0001F600\u2028", "\uFFFD\uFEFF中\U0001F600\u2028"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SarifRun run = small_run();
        SarifResult result = run.results[0];
        result.message = sarif_text(cases[i][0]);
        run.results = &result;
        json_t *log = written(&run, NULL); /* jansson rejects what is not UTF-8 */
        assert_text(log, "runs/0/results/0/message/text", cases[i][1]);
        json_decref(log);
    }
}

/* Every byte value in one text: controls come back, the rest as replaced. */
static void test_every_byte(void **state)
{
    (void)state;
    char text[128];
    SarifRun run = small_run();
    SarifResult result = run.results[0];
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = (char)i;
    }
    result.message = (SarifText){text, sizeof text};
    run.results = &result;
    json_t *log = written(&run, NULL);
    json_t *value = at(log, "runs/0/results/0/message/text");
    assert_int_equal(json_string_length(value), sizeof text);
    assert_memory_equal(json_string_value(value), text, sizeof text);
    json_decref(log);
}

/* Broken text in every member: the log must still be JSON. */
static void test_broken_everywhere(void **state)
{
    static const SarifText bad = SARIF_TEXT_INIT("\xFF\"\\\x01\xE4\xB8");
    (void)state;
    SarifRun run = full_run();
    SarifProperty property = {.key = bad, .text = bad};
    SarifRule rule = {bad,        bad,       bad,  bad, bad,  bad, bad,
                      SARIF_NOTE, SARIF_LOW, &bad, 1,   NULL, 0,   {&property, 1}};
    SarifResult result = run.results[0];
    SarifUriBase base = {bad, bad, bad};
    result.message = result.line_hash = result.location.path = result.location.logical_name = bad;
    result.location.region.snippet = result.message_id = bad;
    run.rules = &rule;
    run.rule_count = 1;
    run.results = &result;
    run.result_count = 1;
    run.uri_bases = &base;
    run.tool.name = run.tool.information_uri = run.automation_id = run.language = bad;
    json_t *log = written(&run, NULL);
    assert_text(log, "runs/0/tool/driver/name", "\uFFFD\"\\\x01\uFFFD");
    json_decref(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_memory),       cmocka_unit_test(test_errors_leak_nothing),
        cmocka_unit_test(test_lines_no_memory), cmocka_unit_test(test_broken_utf8),
        cmocka_unit_test(test_every_byte),      cmocka_unit_test(test_broken_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
