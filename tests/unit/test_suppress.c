/* Tests of suppressing comments: which lines each form applies to, what is reported as unused or
 * malformed, and the edits that take unused ones out. */
#include "lint/suppress.h"

#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

typedef struct Case {
    Arena *arena;
    Config config;
    const char *skipped; /* id of a rule that did not run */
    OperatorResult result;
    Notices notices;
    SuppressionEdits edits;
    PyFile file;
} Case;

static Case new_case(void **state)
{
    Tree *tree = *state;
    return (Case){.arena = &tree->arena, .notices.arena = &tree->arena};
}

/* A finding for each "OLxx:LINE". */
static void add_findings(Case *test, const char *findings)
{
    char id[5];
    unsigned line;
    int length;
    while (sscanf(findings, " %4[OL0-9]:%u%n", id, &line, &length) == 2) {
        Finding *finding = ARENA_NEW(test->arena, Finding);
        finding->rule = rule_find(str_from(id));
        assert_non_null(finding->rule);
        finding->status = STATUS_FAIL;
        finding->file = STR("k_impl.py");
        finding->region.line = line;
        VEC_PUSH(test->arena, &test->result.findings, finding);
        findings += length;
    }
    assert_int_equal(*findings, '\0');
}

/* Runs the text with these findings; the findings that stay, in the same form. */
static const char *apply(Case *test, const char *text, const char *findings)
{
    add_findings(test, findings);
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        RuleResult entry = {.rule = rule_registry[i], .status = STATUS_PASS};
        if (test->skipped != NULL && str_is(str_from(test->skipped), entry.rule->id)) {
            entry.status = STATUS_SKIP;
        }
        for (uint32_t j = 0; j < test->result.findings.count; j++) {
            if (test->result.findings.items[j]->rule == entry.rule) {
                entry.status = STATUS_FAIL;
            }
        }
        VEC_PUSH(test->arena, &test->result.rules, entry);
    }
    pyfile_init(&test->file, test->arena, STR("k_impl.py"), str_from(text));
    PyFiles files = {0};
    VEC_PUSH(test->arena, &files, &test->file);
    suppressions_apply(&test->result, test->arena, &files, &test->config, &test->notices,
                       &test->edits);
    Buf kept = {.arena = test->arena};
    buf_add(&kept, STR(""));
    for (uint32_t i = 0; i < test->result.findings.count; i++) {
        const Finding *finding = test->result.findings.items[i];
        buf_addf(&kept, "%s%s:%u", i == 0 ? "" : " ", finding->rule->id, finding->region.line);
    }
    return kept.at;
}

static const char *notices(const Case *test)
{
    Buf text = {.arena = test->arena};
    buf_add(&text, STR(""));
    for (uint32_t i = 0; i < test->notices.count; i++) {
        assert_true(str_is(test->notices.items[i].file, "k_impl.py"));
        assert_false(test->notices.items[i].is_error);
        buf_addf(&text, "%s%.*s", i == 0 ? "" : "\n", STR_ARG(test->notices.items[i].message));
    }
    return text.at;
}

/* The file's text after the edits. */
static const char *edited(const Case *test)
{
    Buf text = {.arena = test->arena};
    uint32_t at = 0;
    const Source *source = &test->file.parsed.source;
    for (uint32_t i = 0; i < test->edits.count; i++) {
        const Edit *edit = &test->edits.items[i].edit;
        assert_ptr_equal(test->edits.items[i].file, &test->file);
        assert_true(edit->start >= at && edit->end > edit->start);
        assert_int_equal(edit->region.line, source_line(source, edit->start));
        buf_add(&text, source_slice(source, at, edit->start));
        buf_add(&text, edit->text);
        at = edit->end;
    }
    buf_add(&text, source_slice(source, at, (uint32_t)source->text.length));
    return text.at;
}

static void check(void **state, const char *text, const char *findings, const char *kept,
                  const char *said)
{
    Case *test = ARENA_NEW(&((Tree *)*state)->arena, Case);
    *test = new_case(state);
    assert_string_equal(apply(test, text, findings), kept);
    assert_string_equal(notices(test), said);
}

static void test_line(void **state)
{
    check(state, "a = 1  # pypto-lint: ignore[OL02] because\nb = 2\n", "OL02:1 OL46:1 OL02:2",
          "OL46:1 OL02:2", "");
    check(state, "a = 1  #pypto-lint:ignore[OL02,OL46]\n", "OL02:1 OL46:1", "", "");
    check(state, "a = 1  # pypto-lint: ignore[OL4]\n", "OL02:1 OL46:1", "OL02:1", "");
    check(state, "a = 1  # noqa: E501  # pypto-lint: ignore[OL02]\n", "OL02:1", "", "");
    check(state, "s = '# pypto-lint: ignore[OL02]'\n", "OL02:1", "OL02:1", ""); /* no comment */
    check(state, "s = '''\n# pypto-lint: ignore-file[OL02]\n'''\n", "OL02:1", "OL02:1", "");
}

/* A statement over several lines, the comment after its last line. */
static void test_statement_end(void **state)
{
    const char *call = "x = 0\nf(\n    1,\n    2,\n)  # pypto-lint: ignore[OL02]\ny = 0\n";
    check(state, call, "OL02:1 OL02:2 OL02:3 OL02:5 OL02:6", "OL02:1 OL02:3 OL02:6", "");
    const char *header = "@jit\ndef k(\n    a,\n):  # pypto-lint: ignore[OL02]\n    f(a)\n";
    check(state, header, "OL02:1 OL02:2 OL02:5", "OL02:1 OL02:5", "");
    /* Behind a line in the middle it holds for that line alone. */
    const char *middle = "f(\n    1,  # pypto-lint: ignore[OL02]\n)\n";
    check(state, middle, "OL02:1 OL02:2", "OL02:1", "");
    const char *loop = "for i in a:  # pypto-lint: ignore[OL02]\n    f(i)\n";
    check(state, loop, "OL02:1 OL02:2", "OL02:2", "");
    const char *last = "def k(a):\n    b = 1\n    c = 2  # pypto-lint: ignore[OL02]\n";
    check(state, last, "OL02:1 OL02:3", "OL02:1", ""); /* not the def that ends there */
}

/* Headers inside a compound statement: handlers and cases. */
static void test_inner_headers(void **state)
{
    const char *handler =
        "try:\n    f()\nexcept (\n    E\n):  # pypto-lint: ignore[OL02]\n    g()\n";
    check(state, handler, "OL02:1 OL02:3 OL02:5 OL02:6", "OL02:1 OL02:6", "");
    const char *above = "try:\n    f()\n# pypto-lint: ignore[OL02]\nexcept E:\n    g()\n";
    check(state, above, "OL02:2 OL02:4 OL02:5", "OL02:2 OL02:5", "");
    const char *match = "match a:\n    # pypto-lint: ignore[OL02]\n    case 1:\n        f()\n";
    check(state, match, "OL02:1 OL02:3 OL02:4", "OL02:1 OL02:4", "");
    const char *one_line = "if a: f(\n    1,\n)  # pypto-lint: ignore[OL02]\n";
    check(state, one_line, "OL02:1 OL02:2 OL02:3", "OL02:2", "");
}

static void test_own_line(void **state)
{
    const char *call = "# pypto-lint: ignore[OL02]\n\n# why\nf(\n    1,\n)\ng()\n";
    check(state, call, "OL02:4 OL02:5 OL02:6 OL02:7", "OL02:7", "");
    const char *header =
        "# pypto-lint: ignore[OL02]\n@jit\ndef k(\n    a,\n):\n    # note\n    f(a)\n";
    check(state, header, "OL02:2 OL02:3 OL02:4 OL02:5 OL02:7", "OL02:7", "");
    const char *decorated = "@jit\n# pypto-lint: ignore[OL02]\ndef k(\n    a,\n):\n    f(a)\n";
    check(state, decorated, "OL02:1 OL02:3 OL02:4 OL02:6", "OL02:1 OL02:6", "");
    const char *inside = "f(\n    # pypto-lint: ignore[OL02]\n    1,\n    2,\n)\n";
    check(state, inside, "OL02:1 OL02:3 OL02:4", "OL02:1 OL02:4", "");
    const char *stacked = "# pypto-lint: ignore[OL02]\n# pypto-lint: ignore[OL46] x\nf()\n";
    check(state, stacked, "OL02:3 OL46:3", "", "");
    const char *body = "def k(a):\n    # pypto-lint: ignore[OL02]\n    f(a)\n    g(a)\n";
    check(state, body, "OL02:1 OL02:3 OL02:4", "OL02:1 OL02:4", "");
    check(state, "f()\n# pypto-lint: ignore[OL02]\n", "OL02:1", "OL02:1",
          "line 2: unused suppression of OL02");
}

static void test_file(void **state)
{
    check(state, "a = 1\n# pypto-lint: ignore-file[OL02] old code\n", "OL02:0 OL02:1 OL46:1",
          "OL46:1", "");
    check(state, "a = 1  # pypto-lint: ignore-file[OL02]\nb = 1\n", "OL02:2", "", "");
    check(state, "a = 1  # pypto-lint: ignore[OL02]\n", "OL02:0", "OL02:0",
          "line 1: unused suppression of OL02");
}

/* No tree: lines only. */
static void test_unparsed(void **state)
{
    check(state, "x = (1  # pypto-lint: ignore[OL02]\n", "OL02:1", "", "");
    check(state, "# pypto-lint: ignore[OL02]\n\nx = (1\ny\n", "OL02:3 OL02:4", "OL02:4", "");
}

static void test_malformed(void **state)
{
    check(state, "a = 1  # pypto-lint: ignore\n", "OL02:1", "OL02:1",
          "line 1: suppression without effect: name the rules in brackets, as in \"ignore[OL48]\"");
    check(state, "a = 1  # pypto-lint: ignore[]\n", "OL02:1", "OL02:1",
          "line 1: suppression without effect: it names no rule");
    check(state, "a = 1  # pypto-lint: ignore[OL02\n", "OL02:1", "OL02:1",
          "line 1: suppression without effect: \"]\" is missing");
    check(state, "a = 1  # pypto-lint ignore[OL02]\n", "OL02:1", "OL02:1",
          "line 1: suppression without effect: write \"# pypto-lint: ignore[…]\"");
    check(state, "a = 1  # pypto-lint: ignore-flie[OL02]\n", "OL02:1", "OL02:1",
          "line 1: comment without effect: \"ignore-flie\" is not a directive; "
          "did you mean \"ignore-file[…]\"?");
    check(state, "a = 1  # pypto-lint: ignore[OL02, OL97]\n", "OL02:1", "",
          "line 1: in a suppression: no rule is named \"OL97\"");
    check(state, "a = 1  # pypto-lint: ignore[OL27]\n", "OL02:1", "OL02:1",
          "line 1: in a suppression: OL27 has no rule: the number was never assigned");
    check(state, "a = 1  # pypto-lint: ignore[ALL]\n", "OL02:1", "OL02:1",
          "line 1: \"ALL\" is too wide for a comment: name the rules");
    check(state, "# pypto-lint is a linter; see pypto-lint: ignore[OL02]\na = 1\n", "OL02:2",
          "OL02:2", "");
}

static void test_unused(void **state)
{
    check(state, "a = 1  # pypto-lint: ignore[OL02, OL46]\n", "OL02:1", "",
          "line 1: unused suppression of OL46");
    check(state, "# pypto-lint: ignore[OL02]\na = 1  # pypto-lint: ignore[OL02]\n", "OL02:2", "",
          "line 2: unused suppression of OL02"); /* one is enough */
    Case test = new_case(state);
    test.skipped = "OL46"; /* nobody knows */
    assert_string_equal(apply(&test, "a = 1  # pypto-lint: ignore[OL46]\n", ""), "");
    assert_string_equal(notices(&test), "");
    assert_int_equal(test.edits.count, 0);
}

/* A limited run judges no suppression, but uses them. */
static void test_partly(void **state)
{
    Case test = new_case(state);
    add_findings(&test, "OL02:1 OL48:2");
    const char *text = "a  # pypto-lint: ignore[OL02, OL46]\nb  # pypto-lint: ignore[OL00, OL48]\n";
    pyfile_init(&test.file, test.arena, STR("k_impl.py"), str_from(text));
    PyFiles files = {0};
    VEC_PUSH(test.arena, &files, &test.file);
    suppressions_apply_partly(&test.result, test.arena, &files, &test.config, &test.notices);
    assert_int_equal(test.result.findings.count, 1);
    assert_string_equal(notices(&test),
                        "line 2: findings of severity S0 are not suppressed (OL48); "
                        "see allow-s0-suppressions");
}

static void test_s0(void **state)
{
    const char *text = "a = 1  # pypto-lint: ignore[OL48]\n";
    check(state, text, "OL48:1", "OL48:1",
          "line 1: findings of severity S0 are not suppressed (OL48); see allow-s0-suppressions");
    Case test = new_case(state);
    test.config.allow_s0_suppressions = true;
    assert_string_equal(apply(&test, text, "OL48:1"), "");
    assert_string_equal(notices(&test), "");
}

static void test_statuses(void **state)
{
    Case test = new_case(state);
    test.skipped = "OL48";
    apply(&test, "a = 1  # pypto-lint: ignore[OL02, OL46]\nb = 1\n", "OL02:1 OL46:1 OL46:2");
    for (uint32_t i = 0; i < test.result.rules.count; i++) {
        Str id = str_from(test.result.rules.items[i].rule->id);
        Status expected = str_is(id, "OL48")   ? STATUS_SKIP
                          : str_is(id, "OL46") ? STATUS_FAIL
                                               : STATUS_PASS;
        assert_int_equal(test.result.rules.items[i].status, expected);
    }
}

static void check_edit(void **state, const char *text, const char *findings, const char *expected)
{
    Case *test = ARENA_NEW(&((Tree *)*state)->arena, Case);
    *test = new_case(state);
    apply(test, text, findings);
    assert_string_equal(edited(test), expected);
}

static void test_edits(void **state)
{
    check_edit(state, "a = 1  # pypto-lint: ignore[OL02] old\nb\n", "", "a = 1\nb\n");
    check_edit(state, "a\n  # pypto-lint: ignore[OL02]\nb\n", "", "a\nb\n");
    check_edit(state, "a\r\n# pypto-lint: ignore[OL02]\r\nb\r\n", "", "a\r\nb\r\n");
    check_edit(state, "a\n# pypto-lint: ignore[OL02]", "", "a\n");
    check_edit(state, "\xEF\xBB\xBF# pypto-lint: ignore[OL02]\na\n", "",
               "\xEF\xBB\xBF"
               "a\n");
    check_edit(state, "a = 1  # pypto-lint: ignore[OL02, OL46] why\n", "OL46:1",
               "a = 1  # pypto-lint: ignore[OL46] why\n");
    check_edit(state, "a = 1  # pypto-lint: ignore[ OL02 ,OL46, OL25]\n", "OL46:1",
               "a = 1  # pypto-lint: ignore[OL46]\n");
    check_edit(state, "a = 1  # noqa  # pypto-lint: ignore[OL02]\n", "", "a = 1  # noqa\n");
    check_edit(state, "a = 1  # pypto-lint: ignore[OL02] see #12 # noqa\n", "", "a = 1  # noqa\n");
    check_edit(state, "# pypto-lint: ignore[OL02]  #noqa\na\n", "", "#noqa\na\n");
    check_edit(state, "a = 1  # pypto-lint: ignore[OL97]\n", "",
               "a = 1  # pypto-lint: ignore[OL97]\n");
}

static void test_limits(void **state)
{
    Case test = new_case(state);
    Buf text = {.arena = test.arena};
    for (int i = 0; i < SUPPRESS_MAX_COMMENTS + 5; i++) {
        buf_add(&text, STR("a  # pypto-lint: ignore[OL02]\n"));
    }
    char findings[32];
    snprintf(findings, sizeof findings, "OL02:%d OL02:%d", SUPPRESS_MAX_COMMENTS,
             SUPPRESS_MAX_COMMENTS + 1);
    char kept[32];
    snprintf(kept, sizeof kept, "OL02:%d", SUPPRESS_MAX_COMMENTS + 1);
    assert_string_equal(apply(&test, text.at, findings), kept);
    assert_string_equal(test.notices.items[0].message.at,
                        "line 501: only the first 500 suppressions of a file are read");
    assert_int_equal(test.notices.count, SUPPRESS_MAX_COMMENTS); /* that one, and 499 unused */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_set_up, tree_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_line),   TEST(test_statement_end), TEST(test_own_line),  TEST(test_inner_headers),
        TEST(test_file),   TEST(test_unparsed),      TEST(test_malformed), TEST(test_unused),
        TEST(test_s0),     TEST(test_partly),        TEST(test_statuses),  TEST(test_edits),
        TEST(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
