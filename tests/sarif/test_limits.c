/*
 * GitHub's limits: what is cut, what is kept, and that the log says so. Every figure here is the
 * limit itself or one next to it. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *note(json_t *log, size_t index)
{
    char path[80];
    assert_true(snprintf(path, sizeof path,
                         "runs/0/invocations/0/toolExecutionNotifications/%zu/message/text",
                         index) < (int)sizeof path);
    return json_string_value(at(log, path));
}

/* Results on lines of their own, so that none merge. */
static SarifResult *many_results(size_t count)
{
    SarifRun run = small_run();
    SarifResult *results = calloc(count, sizeof *results);
    assert_non_null(results);
    for (size_t i = 0; i < count; i++) {
        results[i] = run.results[0];
        results[i].location.region.start_line = (uint32_t)i + 1;
        results[i].level = SARIF_NOTE;
    }
    return results;
}

static void test_most_severe_are_kept(void **state)
{
    static const uint32_t expected[] = {2, 4, 5, 7}; /* lines: warning, error, warning, error */
    (void)state;
    SarifRun run = small_run();
    SarifResult *results = many_results(8);
    SarifOptions options = {.max_results = 4};
    SarifOutput output;
    results[1].level = results[4].level = results[7].level = SARIF_WARNING;
    results[3].level = results[6].level = SARIF_ERROR;
    run.results = results;
    run.result_count = 8;
    json_t *log = written(&run, &options);
    assert_count(log, "runs/0/results", 4);
    for (size_t i = 0; i < 4; i++) {
        json_t *result = json_array_get(at(log, "runs/0/results"), i);
        assert_number(result, "locations/0/physicalLocation/region/startLine", expected[i]);
    }
    assert_string_equal(note(log, 0), "4 results were left out: the limit of a run was reached, "
                                      "and the most severe were kept.");
    assert_text(log, "runs/0/invocations/0/toolExecutionNotifications/0/level", "warning");
    assert_text(log, "runs/0/invocations/0/toolExecutionNotifications/0/descriptor/id",
                "SARIF-LIMIT");
    assert_number(log, "runs/0/invocations/0/toolExecutionNotifications/0/descriptor/index", 0);
    assert_text(log, "runs/0/tool/driver/notifications/0/id", "SARIF-LIMIT");
    assert_true(json_is_true(at(log, "runs/0/invocations/0/executionSuccessful")));
    json_decref(log);
    assert_int_equal(sarif_write(&run, 1, &options, &output), SARIF_OK);
    assert_int_equal(output.results_cut, 4);
    sarif_output_free(&output, NULL);
    free(results);
}

static void test_result_limit(void **state)
{
    (void)state;
    SarifRun run = small_run();
    SarifResult *results = many_results(25001);
    SarifOptions greedy = {.max_results = 1000000};
    results[25000].level = SARIF_ERROR;
    run.results = results;
    run.result_count = 25000;
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/results", 25000);
    assert_false(has(log, "runs/0/invocations"));
    json_decref(log);
    run.result_count = 25001;
    log = written(&run, &greedy);
    assert_count(log, "runs/0/results", 25000);
    assert_text(log, "runs/0/results/24999/level", "error");
    assert_int_equal(strncmp(note(log, 0), "1 results", 9), 0);
    json_decref(log);
    free(results);
}

/* Only rules that no result names may go, and indices follow. */
static void test_rule_limit(void **state)
{
    enum { RULES = 25002 };
    (void)state;
    SarifRun run = small_run();
    static char ids[RULES][8];
    static SarifRule rules[RULES];
    SarifResult result = run.results[0];
    for (size_t i = 0; i < RULES; i++) {
        assert_true(snprintf(ids[i], sizeof ids[i], "R%05zu", i) < (int)sizeof ids[i]);
        rules[i] = (SarifRule){.id = sarif_text(ids[i])};
    }
    result.rule = RULES - 1;
    run.rules = rules;
    run.rule_count = RULES;
    run.results = &result;
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/tool/driver/rules", 25000);
    assert_text(log, "runs/0/tool/driver/rules/24998/id", "R24998");
    assert_text(log, "runs/0/tool/driver/rules/24999/id", "R25001");
    assert_number(log, "runs/0/results/0/ruleIndex", 24999);
    assert_int_equal(strncmp(note(log, 0), "2 rules without results", 23), 0);
    json_decref(log);
}

static void test_tags(void **state)
{
    (void)state;
    static char names[25][2];
    SarifText tags[27];
    SarifRun run = small_run();
    SarifRule rule = run.rules[0];
    for (size_t i = 0; i < 25; i++) {
        names[i][0] = (char)('a' + i);
        tags[i + 2] = (SarifText){names[i], 1};
    }
    tags[0] = SARIF_TEXT("");  /* dropped */
    tags[1] = SARIF_TEXT("a"); /* so that "a" comes twice */
    rule.tags = tags;
    rule.tag_count = 27;
    run.rules = &rule;
    run.rule_count = 1;
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/tool/driver/rules/0/properties/tags", 20);
    assert_text(log, "runs/0/tool/driver/rules/0/properties/tags/1", "b");
    assert_string_equal(note(log, 0), "5 tags of rules were left out: a rule has at most 20.");
    json_decref(log);
}

/* 1024 UTF-16 units: a character beyond U+FFFF counts two and is never split. */
static void test_descriptions(void **state)
{
    (void)state;
    static char text[2048 * 4];
    SarifRun run = small_run();
    SarifRule rule = run.rules[0];
    run.rules = &rule;
    run.rule_count = 1;
    memset(text, 'x', 1024);
    rule.full_description = (SarifText){text, 1024};
    json_t *log = written(&run, NULL);
    assert_int_equal(
        strlen(json_string_value(at(log, "runs/0/tool/driver/rules/0/fullDescription/text"))),
        1024);
    assert_false(has(log, "runs/0/invocations"));
    json_decref(log);

    for (size_t i = 0; i < 513; i++) {
        memcpy(text + 4 * i, "\xF0\x9F\x98\x80", 4);
    }
    rule.full_description = (SarifText){text, (size_t)4 * 513};
    log = written(&run, NULL);
    const char *cut = json_string_value(at(log, "runs/0/tool/driver/rules/0/fullDescription/text"));
    assert_int_equal(strlen(cut), 4 * 511 + 3); /* 1022 units and the ellipsis */
    assert_string_equal(cut + 4 * 511, "…");
    assert_string_equal(note(log, 0), "1 descriptions of rules were shortened to 1024 characters.");
    json_decref(log);
}

static void test_name_length(void **state)
{
    (void)state;
    static char text[400];
    SarifRun run = small_run();
    SarifRule rule = {.id = SARIF_TEXT("R"), .name = {text, sizeof text}};
    memset(text, 'n', sizeof text);
    run.rules = &rule;
    run.rule_count = 1;
    json_t *log = written(&run, NULL);
    assert_int_equal(strlen(json_string_value(at(log, "runs/0/tool/driver/rules/0/name"))), 255);
    json_decref(log);
}

static void test_locations(void **state)
{
    enum { STEPS = 10003 };
    (void)state;
    static SarifLocation steps[STEPS];
    SarifRun run = small_run();
    SarifResult result = run.results[0];
    result.related = steps;
    result.related_count = 1001;
    result.flow = steps;
    result.flow_count = STEPS;
    run.results = &result;
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/results/0/relatedLocations", 999);
    assert_count(log, "runs/0/results/0/codeFlows/0/threadFlows/0/locations", 10000);
    assert_string_equal(note(log, 0),
                        "2 related locations were left out: a result has at most 999.");
    assert_string_equal(note(log, 1), "3 code flow steps were left out: a result has at most "
                                      "10000.");
    json_decref(log);
}

static void test_fixes_and_snippets(void **state)
{
    (void)state;
    static char text[8193];
    SarifReplacement replacements[33];
    SarifFix fixes[33];
    SarifRun run = small_run();
    SarifResult result = run.results[0];
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < 33; i++) {
        replacements[i] =
            (SarifReplacement){.deleted = {(uint32_t)i + 1, 1, (uint32_t)i + 1, 2, {NULL, 0}}};
        fixes[i] = (SarifFix){{NULL, 0}, &replacements[i], 1};
    }
    result.fixes = fixes;
    result.fix_count = 33;
    result.location.region.snippet = (SarifText){text, sizeof text};
    result.location.context = (SarifRegion){2, 0, 4, 0, {text, 8192}};
    run.results = &result;
    run.language = SARIF_TEXT("zh-CN");
    json_t *log = written(&run, NULL);
    json_t *place = at(log, "runs/0/results/0/locations/0/physicalLocation");
    assert_count(log, "runs/0/results/0/fixes", 32);
    assert_false(has(place, "region/snippet"));
    assert_true(has(place, "contextRegion/snippet"));
    assert_string_equal(note(log, 0), "1 个修复被省略：每条结果最多 32 个。");
    assert_string_equal(note(log, 1), "1 个代码片段被省略：长度超过 8192 字节。");
    json_decref(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_most_severe_are_kept),
        cmocka_unit_test(test_result_limit),
        cmocka_unit_test(test_rule_limit),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_name_length),
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_fixes_and_snippets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
