/* What libsarif makes of values: levels, names, regions, paths and addresses, texts that must be
 * there, and what it refuses. */
#include "support.h"

#include <string.h>

static void test_levels(void **state)
{
    static const struct {
        SarifLevel rule, result;
        const char *expected;
    } cases[] = {
        {SARIF_DEFAULT_LEVEL, SARIF_DEFAULT_LEVEL, "warning"},
        {SARIF_NOTE, SARIF_DEFAULT_LEVEL, "note"},
        {SARIF_NOTE, SARIF_ERROR, "error"},
        {SARIF_ERROR, SARIF_NONE, "none"},
        {SARIF_ERROR, SARIF_WARNING, "warning"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SarifRun run = small_run();
        SarifRule rule = {.id = SARIF_TEXT("R"), .level = cases[i].rule};
        SarifResult result = run.results[0];
        result.level = cases[i].result;
        run.rules = &rule;
        run.rule_count = 1;
        run.results = &result;
        json_t *log = written(&run, NULL);
        assert_text(log, "runs/0/results/0/level", cases[i].expected);
        json_decref(log);
    }
}

static void test_names(void **state)
{
    static const char *const cases[][3] = {
        /* id, name, expected */
        {"R1", "no-eval", "NoEval"},
        {"R1", "GmAlloc", "GmAlloc"},
        {"R1", "IOError", "IoError"},
        {"R1", "jit2D", "Jit2d"},
        {"R1", "", "RuleR1"},
        {"NoEval", "NoEval", "RuleNoEval"},
        {"R1", "7 zip", "Rule7Zip"},
        {"规则", "名", "Rule"},
        {"OL48", "snake_case", "SnakeCase"},
        {"OL48", "", "Ol48"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SarifRun run = small_run();
        SarifRule rule = {.id = sarif_text(cases[i][0]), .name = sarif_text(cases[i][1])};
        run.rules = &rule;
        run.rule_count = 1;
        json_t *log = written(&run, NULL);
        assert_text(log, "runs/0/tool/driver/rules/0/name", cases[i][2]);
        json_decref(log);
    }
}

static void test_regions(void **state)
{
    static const struct {
        SarifRegion given;
        json_int_t expected[4];
    } cases[] = {
        {{0, 0, 0, 0, {NULL, 0}}, {1, 1, 1, 1}}, {{0, 9, 4, 3, {NULL, 0}}, {1, 1, 1, 1}},
        {{4, 0, 0, 0, {NULL, 0}}, {4, 1, 4, 1}}, {{4, 7, 4, 2, {NULL, 0}}, {4, 7, 4, 7}},
        {{4, 7, 3, 9, {NULL, 0}}, {4, 7, 4, 7}}, {{4, 7, 5, 0, {NULL, 0}}, {4, 7, 5, 1}},
        {{4, 7, 4, 9, {NULL, 0}}, {4, 7, 4, 9}},
    };
    static const char *const names[] = {"startLine", "startColumn", "endLine", "endColumn"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SarifRun run = small_run();
        SarifResult result = run.results[0];
        result.location.region = cases[i].given;
        run.results = &result;
        json_t *log = written(&run, NULL);
        json_t *region = at(log, "runs/0/results/0/locations/0/physicalLocation/region");
        for (size_t k = 0; k < 4; k++) {
            assert_number(region, names[k], cases[i].expected[k]);
        }
        /* An empty snippet is the text of a whole file's empty region. */
        assert_int_equal(has(region, "snippet"), cases[i].given.start_line == 0);
        json_decref(log);
    }
}

/* A context that does not contain the region would make the log invalid. */
static void test_context_must_contain(void **state)
{
    static const struct {
        uint32_t first, last;
        bool written;
    } cases[] = {{3, 3, true}, {1, 9, true}, {4, 9, false}, {1, 2, false}, {0, 9, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SarifRun run = small_run();
        SarifResult result = run.results[0];
        result.location.context =
            (SarifRegion){cases[i].first, 0, cases[i].last, 0, SARIF_TEXT("x\n")};
        run.results = &result;
        json_t *log = written(&run, NULL);
        assert_int_equal(has(log, "runs/0/results/0/locations/0/physicalLocation/contextRegion"),
                         cases[i].written);
        json_decref(log);
    }
}

static void test_paths(void **state)
{
    static const char *const cases[][2] = {
        {"a b.py", "a%20b.py"},
        {"./x//y.py", "x/y.py"},
        {"a:b/c", "a%3Ab/c"},
        {"100%.py", "100%25.py"},
        {"\xFF.py", "%FF.py"},
        {"/abs/x y", "file:///abs/x%20y"},
        {"", "."},
        {"/", "file:///"},
        {"../up.py", "../up.py"},
        {"d/", "d"},
        {"中", "%E4%B8%AD"},
        {"a\\b?#[]", "a%5Cb%3F%23%5B%5D"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SarifRun run = small_run();
        SarifResult result = run.results[0];
        SarifUriBase base = {.id = SARIF_TEXT("ROOT")};
        const char *place = "runs/0/results/0/locations/0/physicalLocation/artifactLocation";
        result.location.path = sarif_text(cases[i][0]);
        run.results = &result;
        run.uri_bases = &base;
        run.uri_base_count = 1;
        json_t *log = written(&run, NULL);
        assert_text(at(log, place), "uri", cases[i][1]);
        assert_int_equal(has(at(log, place), "uriBaseId"), cases[i][0][0] != '/');
        json_decref(log);
    }
}

static void test_uris(void **state)
{
    static const char *const cases[][2] = {
        {"https://h/a b?q=1#f", "https://h/a%20b?q=1#f"},
        {"https://h/%20%zz", "https://h/%20%25zz"},
        {"https://[::1]/[x]", "https://[::1]/%5Bx%5D"},
        {"https://h/#a#b", "https://h/#a%23b"},
        {"https://h/\xFF", "https://h/%EF%BF%BD"},
        {"docs/page.md", NULL},
        {"x:", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SarifRun run = small_run();
        SarifRule rule = {.id = SARIF_TEXT("R"), .help_uri = sarif_text(cases[i][0])};
        run.rules = &rule;
        run.rule_count = 1;
        json_t *log = written(&run, NULL);
        if (cases[i][1] == NULL) {
            assert_false(has(log, "runs/0/tool/driver/rules/0/helpUri"));
        } else {
            assert_text(log, "runs/0/tool/driver/rules/0/helpUri", cases[i][1]);
        }
        json_decref(log);
    }
}

/* A base ends in a slash; one that is not absolute only gets a name. */
static void test_uri_bases(void **state)
{
    static const SarifUriBase bases[] = {
        {SARIF_TEXT_INIT("A"), SARIF_TEXT_INIT("https://h/x y"), {NULL, 0}},
        {SARIF_TEXT_INIT("B"), SARIF_TEXT_INIT("https://h/x/"), {NULL, 0}},
        {SARIF_TEXT_INIT("C"), SARIF_TEXT_INIT("/"), {NULL, 0}},
        {SARIF_TEXT_INIT("D"), SARIF_TEXT_INIT("relative/path"), SARIF_TEXT_INIT("Root.")},
    };
    (void)state;
    SarifRun run = small_run();
    run.uri_bases = bases;
    run.uri_base_count = 4;
    json_t *log = written(&run, NULL);
    json_t *written_bases = at(log, "runs/0/originalUriBaseIds");
    assert_text(written_bases, "A/uri", "https://h/x%20y/");
    assert_text(written_bases, "B/uri", "https://h/x/");
    assert_text(written_bases, "C/uri", "file:///");
    assert_false(has(written_bases, "D/uri"));
    assert_text(written_bases, "D/description/text", "Root.");
    json_decref(log);
}

static void test_required_texts(void **state)
{
    (void)state;
    SarifRun run = {0};
    SarifRule rules[2] = {{.help_markdown = SARIF_TEXT("*md*")}, {.id = SARIF_TEXT("R2")}};
    SarifResult results[2] = {{.rule = 0}, {.rule = 1, .location = {.path = SARIF_TEXT("x")}}};
    run.rules = rules;
    run.rule_count = 2;
    run.results = results;
    run.result_count = 2;
    json_t *log = written(&run, NULL);
    assert_text(log, "runs/0/tool/driver/name", "unnamed-tool");
    assert_text(log, "runs/0/tool/driver/rules/0/id", "unnamed-rule-1");
    assert_text(log, "runs/0/tool/driver/rules/0/shortDescription/text", "Rule");
    assert_text(log, "runs/0/tool/driver/rules/0/help/text", "*md*");
    assert_text(log, "runs/0/results/0/ruleId", "unnamed-rule-1");
    assert_text(log, "runs/0/results/0/message/text", "No message was given.");
    assert_text(log, "runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", ".");
    assert_text(log, "runs/0/results/1/message/text", "R2");
    json_decref(log);
    run.language = SARIF_TEXT("zh-CN");
    log = written(&run, NULL);
    assert_text(log, "runs/0/results/0/message/text", "未提供说明。");
    json_decref(log);
}

static void test_errors(void **state)
{
    (void)state;
    SarifRun run = small_run();
    SarifRun runs[21];
    SarifOutput output;
    SarifRule same[2] = {run.rules[0], run.rules[0]};
    SarifResult wrong = {.rule = 2};
    run.results = &wrong;
    assert_int_equal(sarif_write(&run, 1, NULL, &output), SARIF_BAD_RULE_INDEX);
    assert_null(output.data);
    run = small_run();
    run.rules = same;
    assert_int_equal(sarif_write(&run, 1, NULL, &output), SARIF_DUPLICATE_RULE);
    for (size_t i = 0; i < 21; i++) {
        runs[i] = small_run();
    }
    assert_int_equal(sarif_write(runs, 21, NULL, &output), SARIF_TOO_MANY_RUNS);
    assert_int_equal(sarif_write(runs, 2, NULL, &output), SARIF_DUPLICATE_CATEGORY);
    runs[0].automation_id = SARIF_TEXT("a/1");
    runs[1].automation_id = SARIF_TEXT("a/2"); /* the category is "a" for both */
    assert_int_equal(sarif_write(runs, 2, NULL, &output), SARIF_DUPLICATE_CATEGORY);
    runs[1].automation_id = SARIF_TEXT("b/2");
    assert_int_equal(sarif_write(runs, 2, NULL, &output), SARIF_OK);
    sarif_output_free(&output, NULL);
    for (int status = SARIF_OK; status <= SARIF_TOO_MANY_RUNS; status++) {
        assert_string_not_equal(sarif_status_text((SarifStatus)status), "Unknown status.");
    }
}

static void test_deterministic_and_indent(void **state)
{
    (void)state;
    SarifRun run = full_run();
    SarifOutput first, second, indented;
    SarifOptions indent = {.indent = 2};
    assert_int_equal(sarif_write(&run, 1, NULL, &first), SARIF_OK);
    assert_int_equal(sarif_write(&run, 1, NULL, &second), SARIF_OK);
    assert_int_equal(sarif_write(&run, 1, &indent, &indented), SARIF_OK);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    assert_ptr_equal(memchr(first.data, '\n', first.size), first.data + first.size - 1);
    json_t *one = json_loadb(first.data, first.size, 0, NULL);
    json_t *other = json_loadb(indented.data, indented.size, 0, NULL);
    assert_true(indented.size > first.size);
    assert_true(json_equal(one, other));
    json_decref(one);
    json_decref(other);
    sarif_output_free(&first, NULL);
    sarif_output_free(&second, NULL);
    sarif_output_free(&indented, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_regions),   cmocka_unit_test(test_context_must_contain),
        cmocka_unit_test(test_paths),     cmocka_unit_test(test_uris),
        cmocka_unit_test(test_uri_bases), cmocka_unit_test(test_required_texts),
        cmocka_unit_test(test_errors),    cmocka_unit_test(test_deterministic_and_indent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
