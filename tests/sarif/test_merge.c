/*
 * Results that share a fingerprint become one: messages, relations, links, fixes and levels. */
#include "support.h"

#include <string.h>

enum { COUNT = 3 };

/* Three results of one rule on line 3; the second has a relation and a link to it. */
static SarifRun same_line(SarifResult results[COUNT])
{
    static const SarifLocation related[] = {
        {.path = SARIF_TEXT_INIT("b.py"), .region = {9, 1, 9, 2, {NULL, 0}}}};
    SarifRun run = small_run();
    for (size_t i = 0; i < COUNT; i++) {
        results[i] = run.results[0];
        results[i].location.region.start_column = (uint32_t)(5 + 10 * i);
        results[i].location.region.end_column = (uint32_t)(8 + 10 * i);
        results[i].level = SARIF_NOTE;
    }
    results[0].message = SARIF_TEXT("First.");
    results[0].message_id = SARIF_TEXT("moved");
    results[1].message =
        SARIF_TEXT("Second, [see](1), [not ours](2), a[0](x) [](1 ](999999999999).");
    results[1].related = related;
    results[1].related_count = 1;
    results[1].level = SARIF_ERROR;
    results[2].message = SARIF_TEXT("Third.");
    run.results = results;
    run.result_count = COUNT;
    return run;
}

static void test_merged(void **state)
{
    (void)state;
    SarifResult results[COUNT];
    SarifRun run = same_line(results);
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/results", 1);
    json_t *result = at(log, "runs/0/results/0");
    assert_text(result, "level", "error");
    assert_number(result, "occurrenceCount", 3);
    assert_false(has(result, "message/id")); /* the text is no longer that of the id */
    assert_text(result, "message/text",
                "First. Reported again at: [column 15](1), [column 25](3).");
    assert_count(result, "relatedLocations", 3);
    assert_number(result, "relatedLocations/0/id", 1);
    assert_number(result, "relatedLocations/0/physicalLocation/region/startColumn", 15);
    assert_text(result, "relatedLocations/0/message/text",
                "Second, [see](2), [not ours](2), a[0](x) [](1 ](999999999999).");
    assert_text(result, "relatedLocations/1/physicalLocation/artifactLocation/uri", "b.py");
    assert_false(has(result, "relatedLocations/1/message"));
    assert_text(result, "relatedLocations/2/message/text", "Third.");
    json_decref(log);
}

static void test_chinese(void **state)
{
    (void)state;
    SarifResult results[COUNT];
    SarifRun run = same_line(results);
    run.language = SARIF_TEXT("zh-CN");
    json_t *log = written(&run, NULL);
    assert_text(log, "runs/0/results/0/message/text",
                "First. 另见：[第 15 列](1)、[第 25 列](3)。");
    json_decref(log);
}

static void test_separate(void **state)
{
    (void)state;
    SarifResult results[COUNT];
    SarifRun run = same_line(results);
    SarifOptions options = {.separate_same_line = true};
    json_t *log = written(&run, &options);
    assert_count(log, "runs/0/results", 3);
    assert_false(has(log, "runs/0/results/0/occurrenceCount"));
    assert_text(log, "runs/0/results/0/message/text", "First.");
    json_decref(log);
}

/* Another rule, file or line, or a suppression, keeps a result apart. */
static void test_not_the_same(void **state)
{
    (void)state;
    static const SarifSuppression suppression = {SARIF_EXTERNAL, {NULL, 0}};
    SarifOptions keep = {.keep_suppressed = true};
    for (int difference = 0; difference < 5; difference++) {
        SarifResult results[COUNT];
        SarifRun run = same_line(results);
        run.result_count = 2;
        switch (difference) {
        case 0:
            results[1].rule = 1;
            break;
        case 1:
            results[1].location.path = SARIF_TEXT("c.py");
            break;
        case 2:
            results[1].location.region.start_line = 4;
            break;
        case 3:
            results[1].location.base_id = SARIF_TEXT("OTHER");
            break;
        default:
            results[1].suppressions = &suppression;
            results[1].suppression_count = 1;
            break;
        }
        json_t *log = written(&run, &keep);
        assert_count(log, "runs/0/results", 2);
        json_decref(log);
    }
}

static void test_same_file_spelled_differently(void **state)
{
    (void)state;
    SarifResult results[COUNT];
    SarifRun run = same_line(results);
    results[1].location.path = SARIF_TEXT("./a.py");
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/results", 1);
    json_decref(log);
}

/* "/a.py" is not "a.py", although their segments are the same. */
static void test_absolute_is_another_file(void **state)
{
    (void)state;
    SarifResult results[COUNT];
    SarifRun run = same_line(results);
    results[1].location.path = SARIF_TEXT("/a.py");
    run.result_count = 2;
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/results", 2);
    json_decref(log);
}

/* A log may not hold the same fix of one result twice; different ones are kept, empty ones not. */
static void test_fixes(void **state)
{
    (void)state;
    static const SarifReplacement one[] = {{.deleted = {3, 5, 3, 8, {NULL, 0}}}};
    static const SarifReplacement same[] = {
        {.path = SARIF_TEXT_INIT("./a.py"), .deleted = {3, 5, 3, 8, {NULL, 0}}}};
    static const SarifReplacement other[] = {{.deleted = {3, 5, 3, 9, {NULL, 0}}}};
    const SarifFix fixes[] = {
        {{NULL, 0}, one, 1}, {{NULL, 0}, same, 1}, {{NULL, 0}, other, 1}, {{NULL, 0}, NULL, 0}};
    SarifResult results[COUNT];
    SarifRun run = same_line(results);
    results[0].fixes = &fixes[0];
    results[0].fix_count = 1;
    results[1].fixes = &fixes[1];
    results[1].fix_count = 3;
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/results/0/fixes", 2);
    assert_number(
        log, "runs/0/results/0/fixes/1/artifactChanges/0/replacements/0/deletedRegion/endColumn",
        9);
    json_decref(log);
}

static void test_whole_file(void **state)
{
    (void)state;
    SarifResult results[COUNT];
    SarifRun run = same_line(results);
    for (size_t i = 0; i < COUNT; i++) {
        results[i].location.region = (SarifRegion){0};
    }
    run.result_count = 2;
    json_t *log = written(&run, NULL);
    assert_count(log, "runs/0/results", 1);
    assert_text(log, "runs/0/results/0/message/text", "First. Reported again at: [same file](1).");
    json_decref(log);
}

/* Eleven merged into the first: ten links and a count. */
static void test_many(void **state)
{
    (void)state;
    SarifRun run = small_run();
    SarifResult results[12];
    SarifOutput output;
    for (size_t i = 0; i < 12; i++) {
        results[i] = run.results[0];
    }
    run.results = results;
    run.result_count = 12;
    json_t *log = written(&run, NULL);
    const char *text = json_string_value(at(log, "runs/0/results/0/message/text"));
    assert_non_null(strstr(text, ", [column 5](10), and 1 more."));
    assert_null(strstr(text, "(11)"));
    assert_count(log, "runs/0/results/0/relatedLocations", 11);
    json_decref(log);
    assert_int_equal(sarif_write(&run, 1, NULL, &output), SARIF_OK);
    assert_int_equal(output.results_written, 1);
    assert_int_equal(output.results_merged, 11);
    sarif_output_free(&output, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merged),
        cmocka_unit_test(test_chinese),
        cmocka_unit_test(test_separate),
        cmocka_unit_test(test_not_the_same),
        cmocka_unit_test(test_same_file_spelled_differently),
        cmocka_unit_test(test_absolute_is_another_file),
        cmocka_unit_test(test_fixes),
        cmocka_unit_test(test_whole_file),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
