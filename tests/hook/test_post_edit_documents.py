#!/usr/bin/env python3
"""post-edit of SPEC.md and DESIGN.md, of bridge files and of several files in one patch."""
from hook_support import CLEAN_IMPL, COMMON, OLD, main
from post_edit_support import PostEditTest


class Documents(PostEditTest):
    def test_frozen_specification(self):
        for stage in (2, 3, 5, 7):
            op = self.operator(stage=stage)
            self.write("custom/rowscale/SPEC.md", "anything")
            for form in (COMMON, OLD):
                answer = self.edit(op / "SPEC.md", form,
                                   env={"PYPTO_OP_LINT_POST_EDIT_BLOCK": "0"})
                self.assertBlocks(answer)
                self.assertTrue(answer.reason.startswith("[pypto-op-lint]"))
                self.assertIn("SPEC.md", answer.reason)
                self.assertIn("state_transition(rollback_to_stage, target_stage=1)", answer.reason)
                self.assertEqual(answer.context, "")

    def test_frozen_specification_in_a_patch(self):
        """Written, deleted, moved away or replaced, alone or among other files."""
        spec, moved = "custom/rowscale/SPEC.md", "custom/rowscale/NOTES.md"
        patches = (f"*** Update File: {spec}\n", f"*** Delete File: {spec}\n",
                   f"*** Update File: {spec}\n*** Move to: {moved}\n@@\n-a\n+b\n",
                   f"*** Update File: {moved}\n*** Move to: {spec}\n",
                   f"*** Delete File: x.txt\n*** Update File: a_impl.py\n*** Delete File: {spec}\n",
                   "*** Delete File: x.txt\n" * 300 + f"*** Delete File: {spec}\n")
        for stage, blocks in ((1, False), (2, True), (5, True)):
            self.operator(stage=stage)
            for patch in patches:
                event = {"tool_name": "apply_patch", "tool_input": {"command": patch},
                         "cwd": str(self.folder)}
                answer = self.hook("post-edit", event, cwd="/")
                self.assertEqual("SPEC.md is frozen" in answer.reason, blocks, (stage, patch[:99]))
        event["tool_input"]["command"] = "*** Delete File: README.md\n" * 300
        self.assertSilent(self.hook("post-edit", event))

    SPEC = ("---\nschema_version: 1\nop_name: rowscale\n"
            "supported_dtypes: [bfloat16, float16, float32]\np0_shapes: [[4, 64]]\n---\n# rowscale\n\nbfloat16, float16\n")

    def replaced(self, old, new, spec=SPEC, tool="Edit", stage=5, form=COMMON, keys=("old_string", "new_string"), **more):
        """What the hook says when the text was replaced in SPEC.md, once."""
        op = self.operator(stage=stage)
        self.write("custom/rowscale/SPEC.md", spec.replace(old, new, 1))
        event = {"tool_name": tool, "tool_input": {"file_path": str(op / "SPEC.md"), keys[0]: old, keys[1]: new, **more}}
        return self.hook("post-edit", event, form)

    def test_frozen_specification_may_lose_data_types(self):
        lists = "supported_dtypes: [bfloat16, float16, float32]"
        for old, new in ((lists, "supported_dtypes: [bfloat16, float32]"), (lists, "supported_dtypes: [float32]"),
                         (lists, "supported_dtypes: [float32, bfloat16]"),
                         (lists, "supported_dtypes:\n  - bfloat16"), (", float32]\np0", "]\np0"),
                         ("[bfloat16, float16, float32]", "['bfloat16']")):
            for stage in (2, 5, 7):
                for form in (COMMON, OLD):
                    self.assertSilent(self.replaced(old, new, stage=stage, form=form))
        self.assertSilent(self.replaced(lists, "supported_dtypes: [bfloat16]", tool="replace"))
        self.assertSilent(self.replaced(lists, "supported_dtypes: [bfloat16]", tool="edit",
                                        keys=("oldString", "newString")))
        crlf = self.SPEC.replace("\n", "\r\n")
        self.assertSilent(self.replaced(lists, "supported_dtypes: [bfloat16]", spec=crlf))
        # Claude Code shows line feeds, sends them, and writes CR LF.
        op = self.operator()
        old, new = lists + "\np0_shapes", "supported_dtypes: [bfloat16]\np0_shapes"
        self.write("custom/rowscale/SPEC.md", self.SPEC.replace(old, new).replace("\n", "\r\n"))
        self.assertSilent(self.hook("post-edit", {"tool_name": "Edit", "tool_input": {
            "file_path": str(op / "SPEC.md"), "old_string": old, "new_string": new}}))

    def test_frozen_specification_stays_frozen_otherwise(self):
        lists = "supported_dtypes: [bfloat16, float16, float32]"
        one = "supported_dtypes: [bfloat16]"
        twice = self.SPEC.replace("bfloat16, float16, float32", "bfloat16, bfloat16")
        whole = self.SPEC[:self.SPEC.index("# rowscale")]
        for old, new, more in (
                (lists, lists + " ", {}), (lists, "supported_dtypes: []", {}), (lists, "supported_dtypes:", {}),
                (lists, "supported_dtypes: bfloat16", {}), (lists, lists.replace("]", ", int8]"), {}),
                (lists, "supported_dtypes: [bfloat16, int8]", {}), (lists, "supported_dtypes: [bfloat16, bfloat16]", {}),
                (lists, "supported_dtypes: [float32, float16, bfloat16]", {}), (lists + "\n", "", {}),
                (lists, "supported_dtypes: [bfloat16, '']", {}), (lists, "supported_dtypes: [[bfloat16]]", {}),
                (lists, one + "\nmore: 1", {}), (lists, "more: 1\n" + one, {}),
                ("[[4, 64]]", "[[4, 128]]", {}), ("# rowscale", "# Rowscale", {}),
                (lists + "\np0_shapes: [[4, 64]]", one + "\np0_shapes: [[4, 65]]", {}),
                (whole, whole.replace(lists, one).replace("rowscale", "scale"), {}),
                ("float16, float32]", "float16]", {"replace_all": True}),
                (lists, one, {"tool": "Write"}), (lists, one, {"tool": "MultiEdit"}), (lists, one, {"edits": []}),
                (lists, one, {"keys": ("old", "new")}), (lists, one, {"replace_all": True}),
                (" bfloat16, bfloat16", " bfloat16", {"spec": twice}),
                ("bfloat16, bfloat16", "bfloat16", {"spec": twice}),
                # Not certain what was replaced: the new text occurs twice, or the old one would.
                ("float32", "bfloat16", {}), (", float16", "", {}), ("bfloat16, float16, float32", "bfloat16, float16", {}),
                (lists, one, {"spec": self.SPEC.replace("---\n", "--- \n", 1)}),
                (lists, one, {"spec": self.SPEC.replace("---\n", "", 1)}),
                (lists, one, {"spec": self.SPEC.replace("op_name: rowscale", "op_name: [")})):
            for form in (COMMON, OLD):
                answer = self.replaced(old, new, form=form, **more)
                self.assertIn("SPEC.md is frozen", answer.reason, (old, new, more))
                self.assertIn("removing entries of supported_dtypes", answer.reason)

    def test_texts_that_do_not_fit_the_file(self):
        op = self.operator()
        self.write("custom/rowscale/SPEC.md", self.SPEC)
        for old, new in (("a", "not there"), ("", ""), (self.SPEC, ""), (7, 8), ("\ud800", "\ud800"), (None, "bfloat16")):
            event = {"tool_name": "Edit", "tool_input": {"file_path": str(op / "SPEC.md"), "old_string": old, "new_string": new}}
            self.assertIn("SPEC.md is frozen", self.hook("post-edit", event).reason)
        self.write("custom/rowscale/SPEC.md", b"\xff" + self.SPEC.encode())
        event["tool_input"].update(old_string="float16, float32]", new_string="float32]")
        self.assertIn("SPEC.md is frozen", self.hook("post-edit", event).reason)

    def test_bridge_files(self):
        bridge = "import torch\nimport pypto_utils\nfrom .pypto import x\n\n\ndef call(a, b):\n    return torch.abs(a) + b\n"
        op = self.operator()
        path = self.write("custom/rowscale/rowscale_pypto_impl.py", bridge)
        for form in (COMMON, OLD):
            told = self.edit(path, form)
            self.assertNotIn("[OL62]", told.out)
            self.assertNotIn("[OL01]", told.out)
        # The rules about consistency do judge it: the operator has no SPEC.md.
        self.assertBlocks(self.edit(path), "OL39")
        for text in ("import pypto\n" + bridge, "import pypto.op as p\n" + bridge, "from pypto.frontend import jit\n" + bridge,
                     bridge + "    import pypto\n", bridge + "import importlib\nimportlib.import_module('pypto')\n",
                     bridge + "__import__('pypto.frontend')\n"):
            path.write_text(text)
            self.assertIn("[OL62]", self.edit(path).reason)
        path.write_text(bridge + "# import pypto\nx = 'import pypto'\n")
        self.assertNotIn("[OL62]", self.edit(path).out)
        path.write_text(bridge + "def (:\n")
        self.assertIn("[OL00]", self.edit(path).reason)
        for name in ("other_pypto_impl.py", "rowscale_impl.py", "rowscale_Pypto_impl.py"):
            self.assertIn("[OL62]", self.edit(self.rewrite(op, name, bridge)).reason)

    def test_launches_and_unroll_factors(self):
        op = self.operator(stage=5)
        twice = CLEAN_IMPL.replace("    rowscale_kernel(x, y)\n", "    rowscale_kernel(x, y)\n    rowscale_kernel(y, y)\n")
        self.assertBlocks(self.edit(self.rewrite(op, "rowscale_impl.py", twice)), "KS21")
        self.assertNotIn("KS21", self.edit(op / "test_rowscale.py").out)
        several = CLEAN_IMPL.replace("for i in pypto.loop(4):", "for i, _ in pypto.loop_unroll(4, unroll_list=[2, 1]):")
        for stage, blocks in ((4, True), (5, True), (6, False), (7, False)):
            op = self.operator(stage=stage, impl=several)
            self.assertEqual("[KS22]" in self.edit(op / "rowscale_impl.py").reason, blocks, stage)

    def test_specification_at_stage_1(self):
        op = self.operator(stage=1)
        self.write("custom/rowscale/SPEC.md", "nothing of what is wanted")
        self.assertBlocks(self.edit(op / "SPEC.md"), "OL09")

    def test_specification_at_an_unknown_stage(self):
        for stage in (0, 99):
            op = self.operator(stage=stage)
            self.write("custom/rowscale/SPEC.md", "nothing")
            self.assertBlocks(self.edit(op / "SPEC.md"), "not checked")

    def test_design(self):
        text = "# Design\n\n```python\ny = pypto.no_such_name(x)\n```\n"
        for stage in range(1, 8):
            op = self.operator(stage=stage)
            self.write("custom/rowscale/DESIGN.md", text)
            answer = self.edit(op / "DESIGN.md")
            if stage >= 4:
                self.assertBlocks(answer, "OL55")
            else:
                self.assertSilent(answer)


if __name__ == "__main__":
    main()
