/* Excerpts, escapes and widths: expected values are drawn by hand. */
#include "report/excerpt.h"
#include "report/report_common.h"
#include "report/terminal.h"
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

static void check(const char *text, const char *needle, const char *expected)
{
    const Source *source = fixture_source(&arena, "a.py", text);
    const Finding *finding =
        fixture_finding(&arena, &fixture_ol48, STATUS_FAIL, source, needle, "m");
    Buf out = {.arena = &arena};
    Paint paint = paint_new(false);
    excerpt_add(&out, finding, &paint, LANG_EN);
    buf_add(&out, STR(""));
    assert_string_equal(out.at, expected);
}

static void test_plain(void **state)
{
    (void)state;
    check("a = b\n", "b",
          "  |\n"
          "1 | a = b\n"
          "  |     ^\n");
    check("a\nb\r\ncd", "cd",
          "  |\n"
          "3 | cd\n"
          "  | ^^\n");
    /* The byte order mark is no column. */
    check("\xEF\xBB\xBF"
          "ab\n",
          "b",
          "  |\n"
          "1 | ab\n"
          "  |  ^\n");
}

static void test_tabs(void **state)
{
    (void)state;
    check("\tab\tc\n", "ab\tc",
          "  |\n"
          "1 |     ab  c\n"
          "  |     ^^^^^\n");
    check("a\tb\n", "b",
          "  |\n"
          "1 | a   b\n"
          "  |     ^\n");
}

static void test_wide(void **state)
{
    (void)state;
    /* Four wide characters are eight columns; the range has two wide ones between brackets. */
    check("形状数据(标量)\n", "(标量)",
          "  |\n"
          "1 | 形状数据(标量)\n"
          "  |         ^^^^^^\n");
    /* e with a combining acute takes one column. */
    check("e\xCC\x81 = x\n", "x",
          "  |\n"
          "1 | e\xCC\x81 = x\n"
          "  |     ^\n");
}

static void test_escapes(void **state)
{
    (void)state;
    check("\x1b[0m x\n", "x",
          "  |\n"
          "1 | \\x1b[0m x\n"
          "  |         ^\n");
    /* A range that is one escaped character is underlined whole. */
    check("a\xE2\x80\x8B"
          "b\n",
          "\xE2\x80\x8B",
          "  |\n"
          "1 | a\\u200bb\n"
          "  |  ^^^^^^\n");
}

static void test_edges(void **state)
{
    (void)state;
    const Source *source = fixture_source(&arena, "a.py", "ab\n\n");
    Paint paint = paint_new(false);
    Finding end = {.rule = &fixture_ol48,
                   .status = STATUS_FAIL,
                   .source = source,
                   .start = 2,
                   .region = {1, 3, 1, 3}};
    Buf out = {.arena = &arena};
    excerpt_add(&out, &end, &paint, LANG_EN);
    assert_string_equal(out.at, "  |\n1 | ab\n  |   ^\n");
    Finding empty = end;
    empty.start = 3;
    empty.region = (Region){2, 1, 2, 1};
    out = (Buf){.arena = &arena};
    excerpt_add(&out, &empty, &paint, LANG_EN);
    assert_string_equal(out.at, "  |\n2 |\n  | ^\n");
    /* Positions that do not fit the source do no harm. */
    Finding wrong = end;
    wrong.start = 4000;
    wrong.region = (Region){1, 4001, 1, 4002};
    out = (Buf){.arena = &arena};
    excerpt_add(&out, &wrong, &paint, LANG_EN);
    assert_string_equal(out.at, "  |\n1 | ab\n  |   ^\n");
    wrong.region.line = 99;
    out = (Buf){.arena = &arena};
    excerpt_add(&out, &wrong, &paint, LANG_EN);
    assert_int_equal(out.length, 0);
}

static void test_several_lines(void **state)
{
    (void)state;
    check("f(a,\n  b)\n", "(a,\n  b)",
          "  |\n"
          "1 | f(a,\n"
          "  |  ^^^ … to line 2\n");
}

static void repeat(Buf *buf, const char *text, int count)
{
    for (int i = 0; i < count; i++) {
        buf_add(buf, str_from(text));
    }
}

/* 500 columns before the range and after it: 24 before it stay, 100 are shown in all. */
static void test_long_line(void **state)
{
    (void)state;
    Buf text = {.arena = &arena};
    repeat(&text, "a", 500);
    buf_add(&text, STR("XY"));
    repeat(&text, "b", 500);
    Buf expected = {.arena = &arena};
    buf_add(&expected, STR("  |\n1 | …"));
    repeat(&expected, "a", 24);
    buf_add(&expected, STR("XY"));
    repeat(&expected, "b", 73);
    buf_add(&expected, STR("…\n  | "));
    repeat(&expected, " ", 25);
    buf_add(&expected, STR("^^\n"));
    check(text.at, "XY", expected.at);
}

static void test_gutter(void **state)
{
    (void)state;
    Buf text = {.arena = &arena};
    repeat(&text, "\n", 99);
    buf_add(&text, STR("x"));
    check(text.at, "x", "    |\n100 | x\n    | ^\n");
}

static void test_terminal_add(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"plain text", "plain text"},
        {"\x1b[31mred", "\\x1b[31mred"},
        {"a\nb\r\tc", "a\\x0ab\\x0d\\x09c"},
        {"\x7f\xC2\x9B", "\\x7f\\x9b"},
        {"\xE2\x80\xAE", "\\u202e"},
        {"\xF3\xA0\x81\x81", "\\U000e0041"},
        {"\xFF\xC3", "\\xff\\xc3"},
        {"\xEF\xBF\xBD", "\xEF\xBF\xBD"},
        {"数据 é 😀", "数据 é 😀"},
        {"##[x] #[y] [z]", "##\\x5bx] #[y] [z]"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        Buf out = {.arena = &arena};
        terminal_add(&out, str_from(pairs[i][0]));
        assert_string_equal(out.at, pairs[i][1]);
    }
}

static void test_commands(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"::error::x", "\\x3a:error::x"},
        {" \xE3\x80\x80::x", " \xE3\x80\x80\\x3a:x"}, /* the runner drops all of Unicode's blanks */
        {"a ::x", "a ::x"},
        {":x", ":x"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        Buf out = {.arena = &arena};
        buf_add(&out, STR(""));
        terminal_add_start(&out, str_from(pairs[i][0]));
        assert_string_equal(out.at, pairs[i][1]);
    }
    Buf path = {.arena = &arena};
    place_add(&path, STR(" ::x.py"), (Region){2, 3, 2, 4});
    assert_string_equal(path.at, "./ ::x.py:2:3");
}

static void test_widths(void **state)
{
    (void)state;
    assert_int_equal(code_point_width('a'), 1);
    assert_int_equal(code_point_width(0xE9), 1);   /* é */
    assert_int_equal(code_point_width(0x301), 0);  /* combining acute */
    assert_int_equal(code_point_width(0x10FF), 1); /* before Hangul */
    assert_int_equal(code_point_width(0x1100), 2); /* Hangul lead */
    assert_int_equal(code_point_width(0x3000), 2); /* ideographic space */
    assert_int_equal(code_point_width(0x4E00), 2); /* 一 */
    assert_int_equal(code_point_width(0x9FFF), 2);
    assert_int_equal(code_point_width(0xAC00), 2);  /* 가 */
    assert_int_equal(code_point_width(0xFF21), 2);  /* full-width A */
    assert_int_equal(code_point_width(0xFF71), 1);  /* half-width katakana */
    assert_int_equal(code_point_width(0x1F600), 2); /* 😀 */
    assert_int_equal(code_point_width(0x20000), 2);
    assert_int_equal(code_point_width(0x2500), 1); /* ─ */
}

static void check_path(const char *base, const char *path, const char *expected)
{
    Str given = path_from(&arena, str_from(base), str_from(path));
    assert_int_equal(given.length, strlen(expected));
    assert_memory_equal(given.at, expected, given.length);
}

static void test_paths(void **state)
{
    (void)state;
    check_path("/a/b", "c/d", "c/d");
    check_path("/a/b", "./c/./d", "c/d");
    check_path("/a/b/", "/a/b/c", "c");
    check_path("/a/b", "../x", "/a/x");
    check_path("/a/b", "../b/x", "x");
    check_path("/a/b", "/a/bc/x", "/a/bc/x");
    check_path("/a/b", "../../../../x", "/x");
    check_path("/", "x/y", "x/y");
    check_path("/", "/x/y", "x/y");
    check_path("", "x/y", "x/y");
    OperatorResult op = {.op_dir = STR("./custom/gelu")};
    assert_true(str_is(full_path(&arena, &op, STR("a.py")), "custom/gelu/a.py"));
    op.op_dir = STR(".");
    assert_true(str_is(full_path(&arena, &op, STR("a.py")), "a.py"));
}

static void test_levels(void **state)
{
    (void)state;
    static const struct {
        Severity severity;
        Status status;
        Level level;
    } rows[] = {
        {S0, STATUS_FAIL, LEVEL_ERROR},   {S1, STATUS_FAIL, LEVEL_ERROR},
        {S0, STATUS_WARN, LEVEL_WARNING}, {S1, STATUS_WARN, LEVEL_WARNING},
        {S2, STATUS_FAIL, LEVEL_WARNING}, {S2, STATUS_WARN, LEVEL_WARNING},
        {S3, STATUS_FAIL, LEVEL_NOTE},    {S3, STATUS_WARN, LEVEL_NOTE},
        {S0, STATUS_INFO, LEVEL_NOTE},    {S2, STATUS_INFO, LEVEL_NOTE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Rule rule = {.id = "OL99", .severity = rows[i].severity};
        Finding finding = {.rule = &rule, .status = rows[i].status};
        assert_int_equal(finding_level(&finding), rows[i].level);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plain, start, finish),
        cmocka_unit_test_setup_teardown(test_tabs, start, finish),
        cmocka_unit_test_setup_teardown(test_wide, start, finish),
        cmocka_unit_test_setup_teardown(test_escapes, start, finish),
        cmocka_unit_test_setup_teardown(test_edges, start, finish),
        cmocka_unit_test_setup_teardown(test_several_lines, start, finish),
        cmocka_unit_test_setup_teardown(test_long_line, start, finish),
        cmocka_unit_test_setup_teardown(test_gutter, start, finish),
        cmocka_unit_test_setup_teardown(test_terminal_add, start, finish),
        cmocka_unit_test_setup_teardown(test_commands, start, finish),
        cmocka_unit_test_setup_teardown(test_paths, start, finish),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests_name("report excerpts", tests, NULL, NULL);
}
