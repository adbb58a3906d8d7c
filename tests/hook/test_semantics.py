#!/usr/bin/env python3
"""What the rules KS… do after an edit: a mistake of the kernel blocks, what only another file brings is
told, and an edited test shows what it breaks in the kernel."""
from hook_support import CLEAN_IMPL, CLEAN_TEST, HookTest, edit_event, main

# The size comes from the launch, so the test decides whether the kernel can be recorded.
OPEN_IMPL = """\
import pypto
import torch


@pypto.frontend.jit
def rowscale_kernel(
    x: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP32),
    y: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(4):
        y[0:16, 0:64] = pypto.add(x[0:16, 0:64], x[0:16, 0:64])


def rowscale_wrapper(x):
    y = torch.empty_like(x)
    rowscale_kernel(x, y)
    return y
"""
GOOD_TEST = CLEAN_TEST.replace("torch.ones(4, 64)", "torch.ones(16, 64)")
WRONG_DTYPE = GOOD_TEST.replace("torch.ones(16, 64)", "torch.ones(16, 64, dtype=torch.float16)")


class Semantics(HookTest):
    def edit(self, op, name, **more):
        return self.hook("post-edit", edit_event(op / name), **more)

    def with_files(self, impl, test):
        op = self.operator(impl=impl)
        (op / "test_rowscale.py").write_text(test, encoding="utf-8")
        return op

    def test_a_mistake_of_the_kernel_blocks(self):
        op = self.with_files(CLEAN_IMPL.replace("pypto.mul(", "pypto.mull("), GOOD_TEST)
        self.assertBlocks(self.edit(op, "rowscale_impl.py"), "OL55")
        op = self.with_files(OPEN_IMPL.replace("(16, 64)", "(16,)"), GOOD_TEST)
        (op / "test_rowscale.py").unlink()
        answer = self.edit(op, "rowscale_impl.py")
        self.assertNotIn("KS08", answer.context)  # nothing says how many axes there are

    def test_a_tile_that_the_annotations_refute_blocks(self):
        impl = OPEN_IMPL.replace("[pypto.STATIC, pypto.STATIC]", "[16, 64]").replace("(16, 64)", "(16,)")
        answer = self.edit(self.with_files(impl, GOOD_TEST), "rowscale_impl.py")
        self.assertBlocks(answer, "KS08")
        self.assertIn("F42003", answer.reason)

    def test_sizes_of_another_file_are_told_and_do_not_block(self):
        op = self.with_files(OPEN_IMPL.replace("(16, 64)", "(16,)"), GOOD_TEST)
        answer = self.edit(op, "rowscale_impl.py")
        self.assertIsNone(answer.decision)
        self.assertIn("[KS08][S1]", answer.context)

    def test_sizes_of_a_direct_run_are_told(self):
        """Whether it launches the kernel through a test, or by itself because no test does."""
        impl = OPEN_IMPL.replace("(16, 64)", "(16,)").replace("0:16, 0:64", ":").replace("x[:]", "x")
        without_tests = "import torch\nfrom rowscale_impl import rowscale_wrapper\n"
        for test, call in ((GOOD_TEST, "test_level0()"), (without_tests, "rowscale_wrapper(torch.ones(16, 64))")):
            script = f"{test}\n\ndef main():\n    {call}\n\n\nif __name__ == '__main__':\n    main()\n"
            answer = self.edit(self.with_files(impl, script), "rowscale_impl.py")
            self.assertIn("[KS08][S1]", answer.context, call)
        answer = self.edit(self.with_files(impl, f"{without_tests}\nrowscale_wrapper(torch.ones(16, 64))\n"),
                           "rowscale_impl.py")
        self.assertIn("[KS08][S1]", answer.context)

    def test_an_edited_test_shows_what_it_breaks(self):
        op = self.with_files(OPEN_IMPL, GOOD_TEST)
        self.assertNotIn("KS", self.edit(op, "test_rowscale.py").context)
        (op / "test_rowscale.py").write_text(WRONG_DTYPE, encoding="utf-8")
        answer = self.edit(op, "test_rowscale.py")
        self.assertIsNone(answer.decision)
        self.assertIn("[KS17][S1]", answer.context)
        self.assertIn("rowscale_impl.py", answer.context)

    def test_an_edited_test_is_not_blamed_for_the_kernel(self):
        impl = OPEN_IMPL.replace("[pypto.STATIC, pypto.STATIC]", "[16, 64]").replace("(16, 64)", "(16,)")
        answer = self.edit(self.with_files(impl, GOOD_TEST), "test_rowscale.py")
        self.assertIsNone(answer.decision)
        self.assertNotIn("not checked", answer.context)

    def test_statistics(self):
        op = self.with_files(OPEN_IMPL, GOOD_TEST)
        told = "kernels: 1 evaluated, 0 of them ended early"
        self.assertNotIn(told, self.edit(op, "rowscale_impl.py").context)
        answer = self.hook("post-edit", edit_event(op / "rowscale_impl.py"), args=["--statistics"])
        self.assertIn(told, answer.context)

    def test_settings_turn_it_off(self):
        impl = OPEN_IMPL.replace("[pypto.STATIC, pypto.STATIC]", "[16, 64]").replace("(16, 64)", "(16,)")
        op = self.with_files(impl, GOOD_TEST)
        for value, decision, told in (("warn", None, True), ("off", None, False), ("on", "block", False)):
            (op / ".pypto-lint.yaml").write_text(f"kernel-semantics: {value}\n", encoding="utf-8")
            answer = self.edit(op, "rowscale_impl.py")
            self.assertEqual(answer.decision, decision, value)
            self.assertEqual("KS08" in answer.context, told, value)


if __name__ == "__main__":
    main()
