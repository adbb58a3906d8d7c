/* Tests of what verify tells of Python files before it runs them. */
#include "harness/plan/verify_source.h"
#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static SourceName find(Tree *tree, const char *text, const char *name)
{
    tree_add(tree, "a.py", text);
    return source_find_name(&tree->arena, tree_path(tree, "a.py"), str_from(name));
}

static void test_names(void **state)
{
    static const struct {
        const char *text;
        NameState state;
    } files[] = {
        {"def f(): pass\n", NAME_BOUND},
        {"if x:\n    async def f(): pass\n", NAME_BOUND},
        {"try:\n    def f(): pass\nexcept E:\n    pass\n", NAME_BOUND},
        {"f = make()\n", NAME_MAYBE},
        {"from a import f\n", NAME_MAYBE},
        {"from a import g as f\n", NAME_MAYBE},
        {"from a import *\n", NAME_MAYBE},
        {"globals()['f'] = 1\n", NAME_MAYBE},
        {"def __getattr__(name): pass\n", NAME_MAYBE},
        {"def f(:\n", NAME_MAYBE},
        {"class f: pass\n", NAME_MAYBE},
        {"class A:\n    def f(self): pass\n", NAME_ABSENT},
        {"def g():\n    def f(): pass\n", NAME_ABSENT},
        {"from a import f as g\n", NAME_ABSENT},
        {"def ff(): pass\n", NAME_ABSENT},
        {"", NAME_ABSENT},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_int_equal(find(*state, files[i].text, "f").state, files[i].state);
    }
    Tree *tree = *state;
    Str none = tree_path(tree, "none.py");
    assert_int_equal(source_find_name(&tree->arena, none, STR("f")).state, NAME_NO_FILE);
}

static void test_place(void **state)
{
    SourceName found = find(*state, "def f(): pass\n\nif 1:\n    def f(x): pass\n", "f");
    assert_int_equal(found.place.line, 4);
    assert_int_equal(found.place.column, 9);
    assert_int_equal(found.place.end_line, 4);
    assert_int_equal(found.place.end_column, 10);
}

static void test_cases(void **state)
{
    Tree *tree = *state;
    SuiteCases cases = {0};
    tree_add(tree, "test_a.py",
             "def test_a_l1(): pass\ndef helper(): pass\ndef test_a_l0(): pass\n"
             "async def test_b(): pass\ndef test_c(): pass\nclass T:\n    def test_d(self): pass\n"
             "def test_a_l1(): pass\ndef test_tool2(): pass\n");
    assert_true(source_tests(&tree->arena, tree_path(tree, "test_a.py"), &cases));
    static const char *const wanted[][2] = {
        {"test_a_l1", "L1"}, {"test_a_l0", "L0"}, {"test_c", ""}, {"test_tool2", ""}};
    assert_int_equal(cases.count, 4);
    for (uint32_t i = 0; i < cases.count; i++) {
        assert_true(str_is(cases.items[i].id, wanted[i][0]));
        assert_true(str_is(cases.items[i].level, wanted[i][1]));
    }
    tree_add(tree, "test_b.py", "def test_x(:\n");
    assert_false(source_tests(&tree->arena, tree_path(tree, "test_b.py"), &cases));
    assert_false(source_tests(&tree->arena, tree_path(tree, "test_no.py"), &cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_place),
                                       cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, tree_set_up, tree_tear_down);
}
