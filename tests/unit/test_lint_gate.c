/* Tests of the lint gate of verify. */
#include "harness/plan/lint_gate.h"
#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define KERNEL(tile)                                                                               \
    "import pypto\nimport torch\n\nW = 64\n\n\n@pypto.frontend.jit\n"                              \
    "def k(x: pypto.Tensor([pypto.DYNAMIC, W], pypto.DT_FP32),\n"                                  \
    "      y: pypto.Tensor([pypto.DYNAMIC, W], pypto.DT_FP32)):\n"                                 \
    "    for i in pypto.loop(x.shape[0]):\n"                                                       \
    "        pypto.set_vec_tile_shapes(1, " tile ")\n"                                             \
    "        t = pypto.view(x, [1, W], [i, 0])\n"                                                  \
    "        pypto.assemble(pypto.add(t, 1.0), [i, 0], y)\n\n\n"                                   \
    "def op_wrapper(x: torch.Tensor) -> torch.Tensor:\n"                                           \
    "    y = torch.empty_like(x)\n    k(x, y)\n    return y\n"

static void check(Tree *tree, const char *impl, const char *other, LintGate *gate)
{
    LintFiles files = {.op_dir = tree_path(tree, "op"), .impl = tree_path(tree, impl)};
    if (other != NULL) {
        VEC_PUSH(&tree->arena, &files.others, tree_path(tree, other));
    }
    lint_gate_check(gate, &tree->arena, &files);
}

static void test_clean(void **state)
{
    LintGate gate;
    tree_add(*state, "op/op_impl.py", KERNEL("64"));
    check(*state, "op/op_impl.py", NULL, &gate);
    assert_int_equal(gate.blocking, 0);
    assert_int_equal(gate.error.length, 0);
    assert_false(gate.only_tile);
}

static void test_tile(void **state)
{
    LintGate gate;
    tree_add(*state, "op/op_impl.py", KERNEL("x.shape[1]"));
    check(*state, "op/op_impl.py", NULL, &gate);
    assert_true(gate.blocking > 0 && gate.only_tile);
    assert_true(str_starts(gate.first, STR("op_impl.py:11: OL48 ")));
    tree_add(*state, "op/op_impl.py", KERNEL("min(64, W)"));
    check(*state, "op/op_impl.py", NULL, &gate);
    assert_true(gate.blocking > 1 && !gate.only_tile); /* OL06, too */
}

static void test_suppression_counts_for_nothing(void **state)
{
    LintGate gate;
    tree_add(*state, "op/op_impl.py",
             "# pypto-lint: ignore-file[OL48] because\n" KERNEL("x.shape[1]"));
    check(*state, "op/op_impl.py", NULL, &gate);
    assert_true(gate.blocking > 0);
}

/* A file outside the operator, one that is executed besides, one that does not parse. */
static void test_other_files(void **state)
{
    LintGate gate;
    tree_add(*state, "op/op_impl.py", KERNEL("64"));
    tree_add(*state, "else/op_impl.py", KERNEL("x.shape[1]"));
    tree_add(*state, "op/op_golden.py", "import pypto\n\n\ndef op_golden(x):\n    return x.T\n");
    tree_add(*state, "op/eval/test_inputs.py", "def make_inputs(case:\n");
    check(*state, "else/op_impl.py", NULL, &gate);
    assert_true(gate.blocking > 0 && gate.only_tile);
    check(*state, "op/op_impl.py", "op/op_golden.py", &gate);
    assert_true(str_starts(gate.first, STR("op_golden.py:")));
    assert_true(str_ends(gate.first, STR("Golden file uses PyPTO or a short transpose")));
    check(*state, "op/op_impl.py", "op/eval/test_inputs.py", &gate);
    assert_int_equal(gate.blocking, 1);
    assert_true(str_starts(gate.first, STR("eval/test_inputs.py:1: OL00 ")));
    assert_false(gate.only_tile);
}

/* OL61 is about the implementation, but what it finds is in a document. */
static void test_document(void **state)
{
    LintGate gate;
    tree_add(*state, "op/op_impl.py", KERNEL("64"));
    tree_add(*state, "op/MEMORY.md", "# MEMORY\n");
    check(*state, "op/op_impl.py", NULL, &gate);
    assert_int_equal(gate.blocking, 0);
    assert_int_equal(gate.rules.count, 0);
}

/* Rules go by names: a file of any name is judged as the one that it stands for, and found by its
 * own. */
static void test_other_name(void **state)
{
    Tree *tree = *state;
    LintGate gate;
    tree_add(tree, "op/modules/mutant.py", KERNEL("x.shape[1]"));
    LintFiles files = {.op_dir = tree_path(tree, "op"),
                       .impl = tree_path(tree, "op/modules/mutant.py"),
                       .impl_as = tree_path(tree, "op/op_impl.py")};
    lint_gate_check(&gate, &tree->arena, &files);
    assert_true(gate.blocking > 0 && gate.only_tile);
    assert_true(str_starts(gate.first, STR("modules/mutant.py:11: OL48 ")));
    /* A folder that nothing but the caller takes for an operator. */
    tree_add(tree, "bare/modules/mutant.py", KERNEL("x.shape[1]"));
    files = (LintFiles){.op_dir = tree_path(tree, "bare"),
                        .impl = tree_path(tree, "bare/modules/mutant.py"),
                        .impl_as = tree_path(tree, "bare/modules/bare_module1_impl.py")};
    lint_gate_check(&gate, &tree->arena, &files);
    assert_true(gate.blocking > 0);
    assert_true(str_starts(gate.first, STR("modules/mutant.py:11: OL48 ")));
}

static void test_inspection(void **state)
{
    Tree *tree = *state;
    LintGate gate;
    tree_add(tree, "op/eval/module_interfaces.yaml", "primary_inputs: [{name: y}]\n");
    tree_add(tree, "op/op_impl.py", KERNEL("64"));
    LintFiles files = {.op_dir = tree_path(tree, "op"), .impl = tree_path(tree, "op/op_impl.py")};
    lint_gate_check(&gate, &tree->arena, &files);
    assert_int_equal(gate.blocking, 1);
    assert_true(str_contains(gate.first, STR(" OL50 ")));
    files.inspects = true;
    lint_gate_check(&gate, &tree->arena, &files);
    assert_int_equal(gate.blocking, 0);
    assert_int_equal(gate.warnings, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_tile),
        cmocka_unit_test(test_suppression_counts_for_nothing),
        cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_other_name),
        cmocka_unit_test(test_inspection),
    };
    return cmocka_run_group_tests(tests, tree_set_up, tree_tear_down);
}
