/* Tests of the lexer: the errors' places and texts, the comments, the cleaned copy, the limits.
 * What Python accepts and rejects is compared with Python itself in
 * tests/python/lexer_differential.py. */
#include "python/lexer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct Fixture {
    Arena arena;
    Source source;
    Lexed lexed;
} Fixture;

static int set_up(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL) {
        return -1;
    }
    arena_init(&fixture->arena, 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static Lexed *lex(void **state, Str text)
{
    Fixture *fixture = *state;
    source_init(&fixture->source, &fixture->arena, STR("a.py"), text);
    python_lex(&fixture->lexed, &fixture->arena, &fixture->source);
    return &fixture->lexed;
}

static void accept(void **state, Str text)
{
    Lexed *lexed = lex(state, text);
    if (lexed->errors.count > 0) {
        fail_msg("'%.*s': %.*s", STR_ARG(text), STR_ARG(lexed->errors.items[0].message));
    }
}

/* Exactly one error: its range and its text. */
static void reject(void **state, Str text, uint32_t start, uint32_t end, const char *message)
{
    Lexed *lexed = lex(state, text);
    assert_int_equal(lexed->errors.count, 1);
    SyntaxError error = lexed->errors.items[0];
    assert_string_equal(error.message.at, message);
    assert_int_equal(error.start, start);
    assert_int_equal(error.end, end);
    assert_true(error.message_zh.length > 0);
}

static void assert_clean(void **state, Str text, const char *expected)
{
    Lexed *lexed = lex(state, text);
    assert_int_equal(lexed->errors.count, 0);
    assert_int_equal(strlen(expected), text.length);
    assert_string_equal(lexed->clean, expected);
}

static void test_places(void **state)
{
    reject(
        state, STR("x = 08\n"), 4, 6,
        "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal "
        "integers");
    reject(state, STR("x = (1,\n"), 4, 5, "'(' was never closed");
    reject(state, STR("f(a]\n"), 3, 4,
           "closing parenthesis ']' does not match opening parenthesis '('");
    reject(state, STR("f(\na]\n"), 4, 5,
           "closing parenthesis ']' does not match opening parenthesis '(' on line 1");
    reject(state, STR("a)\n"), 1, 2, "unmatched ')'");
    reject(state, STR("x = r'abc\ny"), 4, 6, "unterminated string literal (detected at line 1)");
    reject(state, STR("x = '''abc\n"), 4, 7,
           "unterminated triple-quoted string literal (detected at line 2)");
    reject(state, STR("x = b'\xC3\xA9'\n"), 6, 8,
           "bytes can only contain ASCII literal characters");
    reject(state, STR("'a\\x4'\n"), 2, 5,
           "(unicode error) 'unicodeescape' codec can't decode bytes: truncated \\xXX escape");
    reject(state, STR("x\xEF\xBC\x8Cy\n"), 1, 4, "invalid character '\xEF\xBC\x8C' (U+FF0C)");
    reject(state, STR("if x:\ny\n"), 6, 7, "expected an indented block");
    reject(state, STR("x\n  y\n"), 2, 4, "unexpected indent");
    reject(state, STR("if x\n  y\n"), 4, 4, "expected ':'");
    reject(state, STR("if x:\n  y\n z\n"), 10, 11,
           "unindent does not match any outer indentation level");
    reject(state, STR("if x:\n\ty\n        z\n"), 9, 17,
           "inconsistent use of tabs and spaces in indentation");
    reject(state, STR("x \\ \n"), 2, 3, "unexpected character after line continuation character");
    reject(state, STR("f'{a!x}'\n"), 5, 6,
           "f-string: invalid conversion character 'x': expected 's', 'r', or 'a'");
    reject(state, STR("f'{a'\n"), 2, 3, "f-string: expecting '}'");
    reject(state, STR("f'{ }'\n"), 4, 5, "f-string: valid expression required before '}'");
    reject(state, STR("f'a}'\n"), 3, 4, "f-string: single '}' is not allowed");
    reject(state, STR("f'a\n"), 0, 1, "unterminated f-string literal (detected at line 1)");
}

/* One mistake brings one error, and what follows is still read. */
static void test_recovery(void **state)
{
    static const char text[] = "print('abc)\n"      /* 0: unterminated string */
                               "x = 1\n"            /* 12 */
                               "foo(a, b\n"         /* 18: never closed */
                               "y = 2\n"            /* 27 */
                               "def f():\n"         /* 33 */
                               "    return 08\n"    /* 42: leading zero */
                               "if x\xEF\xBC\x9A\n" /* 56: full-width colon */
                               "    y\n"
                               "z = [1, 2\n" /* 70: never closed */;
    Lexed *lexed = lex(state, str_from(text));
    assert_int_equal(lexed->errors.count, 5);
    static const uint32_t starts[] = {6, 21, 53, 60, 74};
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(lexed->errors.items[i].start, starts[i]);
    }
    assert_string_equal(lexed->errors.items[1].message.at, "'(' was never closed");
    assert_string_equal(lexed->errors.items[4].message.at, "'[' was never closed");
}

static void test_comments(void **state)
{
    Lexed *lexed = lex(state, STR("# a\r\nx = '#' # b\n  \t# c\ny = f'{z # d\n}'#e"));
    static const Comment expected[] = {
        {0, 3, true}, {13, 16, false}, {20, 23, true}, {33, 36, false}, {39, 41, false}};
    assert_int_equal(lexed->errors.count, 0);
    assert_int_equal(lexed->comments.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(lexed->comments.items[i].start, expected[i].start);
        assert_int_equal(lexed->comments.items[i].end, expected[i].end);
        assert_int_equal(lexed->comments.items[i].own_line, expected[i].own_line);
    }
    lexed = lex(state, STR("\xEF\xBB\xBF# a"));
    assert_int_equal(lexed->comments.count, 1);
    assert_true(lexed->comments.items[0].own_line);
}

static void test_clean(void **state)
{
    assert_clean(state, STR("x = 1 # a\n#b"), "x = 1    \n  ");
    assert_clean(state, STR("x = 1 + \\\n  2\n"), "x = 1 +     2\n");
    assert_clean(state, STR("x = '#\\\n#'\n"), "x = '#\\\n#'\n");
    assert_clean(state, STR("x = 1\r\ny\rz"), "x = 1 \ny\nz");
    assert_clean(state, STR("'''a\r\nb\rc'''"), "'''a \nb\nc'''");
    assert_clean(state, STR("'a\\\r\nb'"), "'a \\\nb'");
    assert_clean(state, STR("x + \\\r\n1"), "x +    1");
    assert_clean(state, STR("f'''{a # b\n}#'''"), "f'''{a     }#'''");
    /* Inside brackets a line end is a blank, in strings it is not. */
    assert_clean(state, STR("a[\nb # c\n\n] + (\r\n'''\n''')"), "a[ b      ] + (  '''\n''')");
    /* What the grammar cannot take: names of subscripts in annotations, stars, keywords. */
    assert_clean(state, STR("x: ab[1]\n"), "x: 11[1]\n");
    assert_clean(state, STR("x: a | not b[1]"), "x: a | not b[1]");
    assert_clean(state, STR("type A = b[1].c"), "type A = 1[1].c");
    assert_clean(state, STR("x: None[1] = y[2]"), "x: None[1] = y[2]");
    assert_clean(state, STR("def f(a: b[1], *c: *d[1]) -> e[1]: f[1]"),
                 "def f(a: 1[1], *c:  1[1]) -> 1[1]: 1[1]");
    assert_clean(state, STR("x = lambda a=lambda *b: 1, *c: 0"),
                 "x = lambda a=lambda *b: 1, *c: 0");
    assert_clean(state, STR("x = 1, *a[...*b]"), "x = 1,  1[...*b]");
    /* A backslash in the indentation: the first line's two blanks count, a tab counts as itself. */
    assert_clean(state, STR("if a:\n  \\\n    x"), "if a:\n\f\f\f\f\f\f  x");
    assert_clean(state, STR("if a:\n\t\\\nx"), "if a:\n\f\f\tx");
    assert_clean(state, STR("\xEF\xBB\xBFx"), "\f\f\fx");
    assert_clean(state, STR(""), "");
}

static void test_indentation(void **state)
{
    accept(state, STR("if a:\n\tif b:\n\t    x\n\ty\nz\n"));
    accept(state, STR("if a:\n  x\n    \n      # c\n  y\n"));
    accept(state, STR("if a:\n\f  x\n  y\n"));
    accept(state, STR("if a:\r\n  x\r\nelse:\r\n  y"));
    accept(state, STR("x = {\n'a':\n1}\n"));
    accept(state, STR("match x:\n  case [a, b]:\n    c\n"));
    reject(state, STR("lambda:\n"), 6, 7, "invalid syntax");
    reject(state, STR("def f():\n    # nothing\n"), 23, 23, "expected an indented block");
    reject(state, STR(" x\n y\nz\n"), 0, 1, "unexpected indent");
}

static Str repeated(Fixture *fixture, const char *before, const char *part, size_t count,
                    const char *after)
{
    Buf buf = {.arena = &fixture->arena};
    buf_add(&buf, str_from(before));
    for (size_t i = 0; i < count; i++) {
        buf_add(&buf, str_from(part));
    }
    buf_add(&buf, str_from(after));
    return buf_str(&buf);
}

static void test_limits(void **state)
{
    Fixture *fixture = *state;
    Str closing = repeated(fixture, "x", ")", 200, "\n");
    char *close = str_dup(&fixture->arena, closing);
    accept(state, repeated(fixture, "", "(", 200, close));
    Lexed *lexed = lex(state, repeated(fixture, "", "(", 201, close));
    assert_int_equal(lexed->errors.count, 1);
    assert_int_equal(lexed->errors.items[0].start, 200);
    accept(state, repeated(fixture, "x = ", "1", 4300, "\n"));
    lexed = lex(state, repeated(fixture, "x = ", "1", 4301, "\n"));
    assert_int_equal(lexed->errors.count, 1);
    lexed = lex(state, repeated(fixture, "", "x = 08\n", 500, ""));
    assert_int_equal(lexed->errors.count, 100);
    assert_int_equal(lexed->errors.items[99].start, 99 * 7 + 4);
    /* Nothing grows with nesting that has no limit of its own. */
    lexed = lex(state, repeated(fixture, "", "f'{", 100000, ""));
    assert_true(lexed->errors.count >= 1);
    lexed = lex(state, repeated(fixture, "", "f'{a:{", 100000, ""));
    assert_true(lexed->errors.count >= 1);
    Buf deep = {.arena = &fixture->arena};
    for (size_t i = 0; i < 120; i++) {
        for (size_t j = 0; j < i; j++) {
            buf_add_char(&deep, ' ');
        }
        buf_add(&deep, STR("if x:\n"));
    }
    lexed = lex(state, buf_str(&deep));
    assert_true(lexed->errors.count >= 1);
    assert_string_equal(lexed->errors.items[0].message.at, "too many levels of indentation");
}

static void test_fstrings(void **state)
{
    accept(state, STR("f'{a['b']!r:>{w}}' f\"{f'{'x'}'}\""));
    accept(state, STR("f'{(lambda x: 1)}{{}}{a != b}{a = !s}{x:{{1: 2}}}'"));
    accept(state, STR("rf'\\{a}' f'\\N{DEGREE SIGN}{a:%H:%M}'"));
    accept(state, STR("f'{a # \"}'\n}'"));
    reject(state, STR("f'{lambda x: 1}'"), 2, 12,
           "f-string: lambda expressions are not allowed without parentheses");
    reject(state, STR("f'{a[}'"), 5, 6,
           "closing parenthesis '}' does not match opening parenthesis '['");
    reject(state, STR("f'{a:{b:{c:{d}}}}'"), 11, 12, "f-string: expressions nested too deeply");
}

static void test_numbers(void **state)
{
    accept(state, STR("[1for x in y], 0x1for x, 1if 2else 3, 1_0.0_1e-1_0J, 0_0, 09.5, 0B_1"));
    reject(state, STR("1__0"), 0, 4, "invalid decimal literal");
    reject(state, STR("x = 0o18"), 7, 8, "invalid digit '8' in octal literal");
    reject(state, STR("x = 0xg"), 4, 7, "invalid hexadecimal literal");
    reject(state, STR("x = 1e+"), 4, 7, "invalid decimal literal");
    reject(state, STR("x = 1jj"), 4, 7, "invalid imaginary literal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_recovery, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clean, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_indentation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fstrings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
