/* Whole reports against the files in tests/snapshots: one folder a format, one file a case. */
#include "report_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static Arena arena;

static int start(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* What a report says itself: of a page the content, without the style and script around it and the
 * pages of rules at its end, which have tests of their own. */
static Str own_part(Str report)
{
    size_t start = str_find(report, STR("<main>"), 0);
    if (start == SIZE_MAX) {
        return report;
    }
    size_t end = str_find(report, STR("<details class=\"card\" id=\"rule-"), start);
    return str_slice(report, start,
                     end == SIZE_MAX ? str_find(report, STR("</main>"), start) : end);
}

static void check(const ReportFormat *format, const char *name, const RunResult *result,
                  const ReportOptions *options)
{
    ReportWriter *writer = format->write;
    Buf out = {.arena = &arena};
    assert_true(writer(&out, result, options));
    assert_snapshot(format->name, name, own_part(buf_str(&out)));
    /* The same input gives the same bytes. */
    Buf again = {.arena = &arena};
    assert_true(writer(&again, result, options));
    assert_true(str_equal(buf_str(&out), buf_str(&again)));
}

static void check_all(const char *name, RunResult result)
{
    ReportOptions options = fixture_options();
    for (int i = 0; i < REPORT_FORMAT_COUNT; i++) {
        check(&report_formats[i], name, &result, &options);
    }
}

static void test_mixed(void **state)
{
    (void)state;
    check_all("mixed", fixture_mixed(&arena, LANG_EN));
}

static void test_mixed_chinese(void **state)
{
    (void)state;
    check_all("mixed-zh", fixture_mixed(&arena, LANG_ZH));
}

static void test_single(void **state)
{
    (void)state;
    check_all("single", fixture_single(&arena));
}

static void test_clean(void **state)
{
    (void)state;
    check_all("clean", fixture_clean(&arena, LANG_EN));
    check_all("clean-zh", fixture_clean(&arena, LANG_ZH));
}

static void test_hostile(void **state)
{
    (void)state;
    check_all("hostile", fixture_hostile(&arena));
}

static void test_unreadable(void **state)
{
    (void)state;
    check_all("unreadable", fixture_unreadable(&arena));
}

static void test_options(void **state)
{
    (void)state;
    RunResult mixed = fixture_mixed(&arena, LANG_EN);
    RunResult clean = fixture_clean(&arena, LANG_ZH);
    ReportOptions options = fixture_options();
    options.color = true;
    check(&report_formats[REPORT_text], "mixed-color", &mixed, &options);
    options = fixture_options();
    options.statistics = true;
    check(&report_formats[REPORT_text], "mixed-statistics", &mixed, &options);
    check(&report_formats[REPORT_concise], "mixed-statistics", &mixed, &options);
    options.show_passed = true;
    check(&report_formats[REPORT_text], "mixed-passed", &mixed, &options);
    check(&report_formats[REPORT_text], "clean-passed-zh", &clean, &options);
}

/* What a linted file brings must not reach the terminal or the runner as a command. */
static void test_hostile_properties(void **state)
{
    (void)state;
    static const int shown[] = {REPORT_text,  REPORT_concise, REPORT_github,
                                REPORT_agent, REPORT_gitlab,  REPORT_junit};
    RunResult result = fixture_hostile(&arena);
    ReportOptions options = fixture_options();
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        Buf out = {.arena = &arena};
        assert_true(report_formats[shown[i]].write(&out, &result, &options));
        Str text = buf_str(&out);
        bool github = shown[i] == REPORT_github;
        size_t line = 0;
        while (line < text.length) {
            size_t end = str_find(text, STR("\n"), line);
            Str content = str_slice(text, line, end);
            if (github) {
                assert_true(str_starts(content, STR("::error file=")) ||
                            str_starts(content, STR("::notice file=")));
            } else {
                assert_false(str_starts(str_trim(content), STR("::")));
            }
            line = end + 1;
        }
        assert_false(str_contains(text, STR("##[")));
        for (size_t k = 0; k < text.length; k++) {
            unsigned char c = (unsigned char)text.at[k];
            assert_true(c == '\n' || (c >= ' ' && c != 0x7F));
        }
        assert_false(str_contains(text, STR("\xC2\x9B")));     /* CSI as one character */
        assert_false(str_contains(text, STR("\xE2\x80\xAE"))); /* right-to-left override */
    }
}

static void test_formats(void **state)
{
    (void)state;
    assert_string_equal(report_formats[REPORT_json].name, "json");
    assert_ptr_equal(report_formats[REPORT_json].write, report_json);
    assert_int_equal(report_formats[REPORT_json].readers, FOR_PROGRAMS);
    assert_int_equal(report_formats[REPORT_text].readers, FOR_PEOPLE);
}

/* A report is complete or absent: without memory the writers fail or go to the guard. */
static void test_no_memory(void **state)
{
    (void)state;
    RunResult result = fixture_mixed(&arena, LANG_EN);
    ReportOptions options = fixture_options();
    for (int i = 0; i < REPORT_FORMAT_COUNT; i++) {
        Arena small;
        arena_init(&small, 1);
        jmp_buf env;
        volatile bool done = false;
        if (OOM_GUARD(&small, env)) {
            Buf out = {.arena = &small};
            done = report_formats[i].write(&out, &result, &options);
        }
        assert_false(done);
        arena_free(&small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_mixed, start, finish),
        cmocka_unit_test_setup_teardown(test_mixed_chinese, start, finish),
        cmocka_unit_test_setup_teardown(test_single, start, finish),
        cmocka_unit_test_setup_teardown(test_clean, start, finish),
        cmocka_unit_test_setup_teardown(test_hostile, start, finish),
        cmocka_unit_test_setup_teardown(test_unreadable, start, finish),
        cmocka_unit_test_setup_teardown(test_options, start, finish),
        cmocka_unit_test_setup_teardown(test_hostile_properties, start, finish),
        cmocka_unit_test_setup_teardown(test_no_memory, start, finish),
        cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests_name("report snapshots", tests, NULL, NULL);
}
