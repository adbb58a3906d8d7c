/* Tests of gitignore patterns: the cases of gitignore(5). Everything finer is compared with git
 * itself in tests/lint/gitignore_differential.py. */
#include "lint/gitignore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Names of folders end with a slash. */
static IgnoreVerdict decide(const char *patterns, const char *path)
{
    Arena arena;
    arena_init(&arena, 0);
    IgnorePatterns list = {0};
    ignore_patterns_read(&list, &arena, str_from(patterns));
    Str text = str_from(path);
    bool folder = str_ends(text, STR("/"));
    text.length -= folder ? 1 : 0;
    IgnoreVerdict verdict = ignore_patterns_decide(&list, text, folder);
    arena_free(&arena);
    return verdict;
}

static void check(const char *patterns, const char *path, bool ignored)
{
    if ((decide(patterns, path) == IGNORE_IGNORED) != ignored) {
        fail_msg("%s %s: expected %s", patterns, path, ignored ? "ignored" : "not ignored");
    }
}

static void test_lines(void **state)
{
    (void)state;
    check("# a comment\n\n   \nb\n", "a", false);
    check("# a comment\n\n   \nb\n", "b", true);
    check("b", "b", true);       /* no line end */
    check("b\r\n", "b", true);   /* CR LF */
    check("b   \n", "b", true);  /* trailing blanks go */
    check("b\\ \n", "b ", true); /* unless kept */
    check("\\#b\n", "#b", true);
    check("\\!b\n", "!b", true);
    check("\xEF\xBB\xBF"
          "b\n",
          "b", true);
    check("\\", "\\", false); /* a lone backslash matches nothing */
    check("/", "a/", false);
}

static void test_anchoring(void **state)
{
    (void)state;
    check("build", "build", true);
    check("build", "a/b/build", true);
    check("build/", "build", false);
    check("build/", "a/build/", true);
    check("/build", "build", true);
    check("/build", "a/build", false);
    check("doc/build", "doc/build", true);
    check("doc/build", "a/doc/build", false);
    check("doc/build/", "doc/build/", true);
}

static void test_stars(void **state)
{
    (void)state;
    check("*.py", "a.py", true);
    check("*.py", "a/b.py", true);
    check("foo/*", "foo/test.json", true);
    check("foo/*", "foo/bar/hello.c", false);
    check("a?c", "abc", true);
    check("/a?c", "a/c", false);
    check("**/foo", "foo", true);
    check("**/foo", "x/y/foo", true);
    check("**/foo/bar", "x/foo/bar", true);
    check("**/foo/bar", "x/foo/y/bar", false);
    check("abc/**", "abc/x/y", true);
    check("abc/**", "abc/", false);
    check("a/**/b", "a/b", true);
    check("a/**/b", "a/x/b", true);
    check("a/**/b", "a/x/y/b", true);
    check("a/**/b", "a/xb", false);
    check("a/**/b/*c", "a/b/x/b/y/b/zc", true);
    check("/a.py**/*", "a.py", true); /* git's own reading of two stars after literal text */
    check("/x**y", "x/y", false);     /* two stars inside a component are one */
}

static void test_brackets(void **state)
{
    (void)state;
    check("[abc]", "b", true);
    check("[a-c]", "d", false);
    check("[!a-c]", "d", true);
    check("[^a-c]", "b", false);
    check("[]x]", "]", true);
    check("[a-]", "-", true);
    check("[[:digit:]]x", "7x", true);
    check("[[:nonsense:]]", "n", false);
    check("[ab", "[ab", false); /* never closed: matches nothing */
    check("a[!b]c/d", "a/c/d", false);
}

static void test_negation(void **state)
{
    (void)state;
    assert_int_equal(decide("*.py\n!keep.py\n", "keep.py"), IGNORE_KEPT);
    assert_int_equal(decide("*.py\n!keep.py\n", "drop.py"), IGNORE_IGNORED);
    assert_int_equal(decide("!keep.py\n*.py\n", "keep.py"), IGNORE_IGNORED);
    assert_int_equal(decide("*.c\n", "keep.py"), IGNORE_UNDECIDED);
}

/* With plain backtracking this takes longer than the age of the universe. */
static void test_hostile(void **state)
{
    (void)state;
    char pattern[601];
    char path[2001];
    for (size_t i = 0; i < sizeof pattern - 1; i += 2) {
        pattern[i] = 'a';
        pattern[i + 1] = '*';
    }
    pattern[sizeof pattern - 2] = 'b';
    pattern[sizeof pattern - 1] = '\0';
    for (size_t i = 0; i < sizeof path - 1; i++) {
        path[i] = 'a';
    }
    path[sizeof path - 1] = '\0';
    check(pattern, path, false);
    char deep[601];
    for (size_t i = 0; i + 5 < sizeof deep; i += 5) {
        deep[i] = '*';
        deep[i + 1] = '*';
        deep[i + 2] = '/';
        deep[i + 3] = 'a';
        deep[i + 4] = '/';
    }
    deep[599] = 'b';
    deep[600] = '\0';
    deep[595] = '*';
    for (size_t i = 1; i < sizeof path - 1; i += 2) {
        path[i] = '/';
    }
    path[1999] = 'a';
    check(deep, path, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),    cmocka_unit_test(test_anchoring),
        cmocka_unit_test(test_stars),    cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_negation), cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
