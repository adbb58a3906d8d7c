/* Tests of the source around a line in pages: which lines are there, and what is left out. */
#include "report/page_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char kernel[] = "def other():\n"                   /* 1 */
                             "    return 1\n"                   /* 2 */
                             "def kernel(\n"                    /* 3 */
                             "    x, y\n"                       /* 4 */
                             "):\n"                             /* 5 */
                             "    a = 1\n"                      /* 6 */
                             "    b = 2\n"                      /* 7 */
                             "    for head in pypto.loop(2):\n" /* 8 */
                             "        c = 3\n"                  /* 9 */
                             "        if c > 2:\n"              /* 10 */
                             "            d = 4\n"              /* 11 */
                             "        e = 5\n"                  /* 12 */
                             "        f = 6\n"                  /* 13 */
                             "\n"                               /* 14 */
                             "        g = 7\n"                  /* 15 */
                             "        h = 8\n"                  /* 16 */
                             "        i = 9\n"                  /* 17 */
                             "        j = 10\n"                 /* 18 */
                             "    return a\n";                  /* 19 */

/* What is shown as "NUMBER NUMBER* …": an asterisk for the line itself, "+N" for N lines left out.
 */
static const char *shown(Arena *arena, const char *text, uint32_t line, bool is_main)
{
    Buf page = {.arena = arena}, list = {.arena = arena};
    buf_add(&page, STR(""));
    buf_add(&list, STR(""));
    page_source_add(&page, str_from(text), line, is_main, LANG_EN);
    Str out = buf_str(&page), row = STR("<span class=\"row");
    for (size_t at = str_find(out, row, 0); at != SIZE_MAX; at = str_find(out, row, at + 1)) {
        Str rest = str_slice(out, at + row.length, out.length);
        Str mark = STR("class=\"number\">");
        size_t number = str_find(rest, mark, 0) + mark.length;
        bool is_gap = str_starts(rest, STR(" gap"));
        number = is_gap ? str_find(rest, STR("</span>"), 0) + 7 : number;
        buf_addf(&list, "%s%s", list.length > 0 ? " " : "", is_gap ? "+" : "");
        for (; rest.at[number] >= '0' && rest.at[number] <= '9'; number++) {
            buf_add_char(&list, rest.at[number]);
        }
        buf_add(&list, str_starts(rest, STR(" here")) ? STR("*") : STR(""));
    }
    return str_dup(arena, buf_str(&list));
}

static void test_headers(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    /* The whole header of the function and that of the loop; not the `if` that is over. */
    assert_string_equal(shown(&arena, kernel, 17, true), "3 4 5 +2 8 +3 12 13 14 15 16 17* 18 19");
    /* One line is not left out: it takes no more room than the mark. */
    assert_string_equal(shown(&arena, kernel, 12, true), "3 4 5 6 7 8 9 10 11 12* 13 14 15 16 17");
    assert_string_equal(shown(&arena, kernel, 1, true), "1* 2 3 4 5 6");
    /* The body of a loop, but not what follows it; five lines at least. */
    assert_string_equal(shown(&arena, kernel, 8, true),
                        "3 4 5 6 7 8* 9 10 11 12 13 14 15 16 17 18");
    assert_string_equal(shown(&arena, kernel, 10, true), "3 4 5 6 7 8 9 10* 11 12 13 14 15");
    assert_string_equal(shown(&arena, kernel, 19, true), "3 4 5 +8 14 15 16 17 18 19*");
    arena_free(&arena);
}

static void test_no_such_line(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    assert_string_equal(shown(&arena, kernel, 0, true), "");
    assert_string_equal(shown(&arena, kernel, 20, true), "");
    assert_string_equal(shown(&arena, kernel, UINT32_MAX, true), "");
    assert_string_equal(shown(&arena, "", 1, true), "");
    assert_string_equal(shown(&arena, "x", 1, true), "1*");
    arena_free(&arena);
}

/* A line that is not what the page is about is marked more quietly. */
static void test_quiet(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    Buf page = {.arena = &arena};
    page_source_add(&page, STR("a = 1\n"), 1, false, LANG_EN);
    assert_true(str_starts(buf_str(&page), STR("<pre class=\"source quiet\"")));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_headers),
                                       cmocka_unit_test(test_no_such_line),
                                       cmocka_unit_test(test_quiet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
