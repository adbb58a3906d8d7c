/* Tests of the information redaction: source lines of a reference and values of comparisons do not
 * pass, what the author of the kernel wrote does. */
#include "harness/report/redaction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static Arena arena;
static Redaction redaction;

static const char golden[] = "\"\"\"Secret docstring of the reference.\"\"\"\n"
                             "import torch\n"
                             "def x_golden(a, b):\n"
                             "    hidden = torch.exp(a) * 1.61803\n"
                             "    if b:\n"
                             "        pass\n"
                             "    return hidden + b\n";
static const char implementation[] = "import torch\n"
                                     "def wrapper(a, b):\n"
                                     "    return hidden_buffer(a) + b\n";

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    redaction_init(&redaction, &arena);
    redaction_hide(&redaction, str_from(golden));
    redaction_hide(&redaction, str_from(golden));
    redaction_allow(&redaction, str_from(implementation));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void assert_filtered(const char *text, const char *expected)
{
    Str filtered = redaction_filter(&arena, &redaction, str_from(text));
    assert_string_equal(str_dup(&arena, filtered), expected);
}

static void test_source(void **unused)
{
    (void)unused;
    assert_filtered("", "");
    assert_filtered("plain\nlines", "plain\nlines");
    assert_filtered("a\n    hidden = torch.exp(a) * 1.61803\nb\n", "a\n[… 1 line withheld …]\nb\n");
    assert_filtered("  7 |     return hidden + b", "[… 1 line withheld …]\n");
    assert_filtered("def x_golden(a, b):\n    return hidden + b\nend\n",
                    "[… 2 lines withheld …]\nend\n");
    /* As repr() shows it. */
    assert_filtered("'x\\ndef x_golden(a, b):\\n    hidden'\n", "[… 1 line withheld …]\n");
    /* A docstring is seen without its quotes. */
    assert_filtered("Secret docstring of the reference.\n", "[… 1 line withheld …]\n");
    /* What the implementation has as well, and what is too short, passes. */
    assert_filtered("import torch\nif b:\npass\n", "import torch\nif b:\npass\n");
    assert_filtered("    return hidden_buffer(a) + b\n", "    return hidden_buffer(a) + b\n");
    assert_filtered("undef x_golden(a, b):\n", "undef x_golden(a, b):\n");
    assert_filtered("Secret docstring\n", "Secret docstring\n");
}

/* Where a log was cut, parts of lines are left. */
static void test_cut_lines(void **unused)
{
    (void)unused;
    assert_filtered("a\nE: hidden = torch.e\n[… 70 bytes removed …]\nfoo\n",
                    "a\n[… 1 line withheld …]\n[… 70 bytes removed …]\nfoo\n");
    assert_filtered("a\n[… 70 bytes removed …]\n.exp(a) * 1.61803\nb\n",
                    "a\n[… 70 bytes removed …]\n[… 1 line withheld …]\nb\n");
    assert_filtered("hidden = torch.e\nb\n", "hidden = torch.e\nb\n");
}

static void test_comparisons(void **unused)
{
    (void)unused;
    assert_filtered("INFO:compare:(0, 3)     1.250000   1.500000   0.250000  0.166667\nok\n",
                    "[… 1 line withheld …]\nok\n");
    assert_filtered("[1, 2]  nan  -1.5e-03  inf  12%\n", "[… 1 line withheld …]\n");
    assert_filtered("Index  Value 1  Value 2  Abs  Rel\n5  1.25  1.5  0.25  0.1\n6  1 2 3 4\nend\n",
                    "Index  Value 1  Value 2  Abs  Rel\n[… 2 lines withheld …]\nend\n");
    /* The author's own numbers. */
    assert_filtered("step 5  1.25  1.5  0.25  0.1\n", "step 5  1.25  1.5  0.25  0.1\n");
    assert_filtered("tensor([1.5, 2.5])\n", "tensor([1.5, 2.5])\n");
    assert_filtered("shape (2, 3)\n", "shape (2, 3)\n");
}

static void test_assertions(void **unused)
{
    (void)unused;
    assert_filtered("AssertionError: \nNot equal to tolerance rtol=1e-07, atol=0\n"
                    "Max absolute difference: 0.5\n x: array([[1.5, 2.5],\n       [3.5, 4.5]])\n"
                    " y: array([1., 2.])\nend\n",
                    "AssertionError: \nNot equal to tolerance rtol=1e-07, atol=0\n"
                    "Max absolute difference: 0.5\n[… 3 lines withheld …]\nend\n");
    assert_filtered(" ACTUAL: 1.5\n DESIRED: 2.5\n", "[… 2 lines withheld …]\n");
    assert_filtered("Expected 1.5 but got 2.5.\n", "[… 1 line withheld …]\n");
    assert_filtered("Expected 3 but got 2 outputs\n", "Expected 3 but got 2 outputs\n");
    assert_filtered(" [0]: 1.5 (ACTUAL), 2.5 (DESIRED)\n", "[… 1 line withheld …]\n");
    assert_filtered("y: 12 rows\n", "y: 12 rows\n");
    /* What an exception says, other than what the author prints. */
    assert_filtered("ValueError: ('input is', tensor([[1.5],\n  [2.5]]))\nend\n",
                    "[… 2 lines withheld …]\nend\n");
    assert_filtered("out: tensor([1.5])\n", "out: tensor([1.5])\n");
    assert_filtered("ValueError: no such axis\n", "ValueError: no such axis\n");
    assert_filtered("{'a': 1, 'outlier_values2': tensor([1.5,\n  2.5]), 'b': 2}\nend\n",
                    "[… 2 lines withheld …]\nend\n");
    /* An array whose end was cut away must not swallow the log. */
    Buf text = {.arena = &arena};
    buf_add(&text, STR(" y: array([1.,\n"));
    for (int i = 0; i < 3000; i++) {
        buf_add(&text, STR("2.,\n"));
    }
    buf_add(&text, STR("end\n"));
    Str filtered = redaction_filter(&arena, &redaction, buf_str(&text));
    assert_true(str_ends(filtered, STR("end\n")));
}

static void test_messages(void **unused)
{
    (void)unused;
    static const struct {
        const char *message, *expected;
    } rows[] = {
        {"", ""},
        {"one\n\ntwo\nthree\nfour", "one two three"},
        {"bad value tensor([1.5])", "bad value …"},
        {"in line\n    return hidden + b\nend", "in line end"},
        {"a\tb\x1b[31m", "a b [31m"},
        {"\xff", "\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Str message = redaction_message(&arena, &redaction, str_from(rows[i].message));
        assert_string_equal(str_dup(&arena, message), rows[i].expected);
    }
    /* However wide its characters are, and where a dump begins: no more than 240 bytes. */
    static const char *const parts[] = {"\x89", "a", "\xE4\xBD\xA0", "\xF0\x9F\x98\x80"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (size_t lead = 0; lead < 8; lead++) {
            Buf text = {.arena = &arena};
            for (size_t j = 0; j < lead; j++) {
                buf_add_char(&text, 'a');
            }
            while (text.length < 300) {
                buf_add(&text, str_from(parts[i]));
            }
            buf_add(&text, STR("tensor(1)\nx\n"));
            assert_in_range(redaction_message(&arena, NULL, buf_str(&text)).length, 200, 240);
        }
    }
    char long_text[4096];
    memset(long_text, 'x', sizeof long_text);
    Str message = redaction_message(&arena, NULL, (Str){long_text, sizeof long_text});
    assert_in_range(message.length, 200, 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_source, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comparisons, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_assertions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_messages, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
