#!/usr/bin/env python3
"""post-edit: which file is judged by which rules, what the agent reads."""
from hook_support import (BAD_IMPL, CLEAN_GOLDEN, CLEAN_IMPL, CLEAN_TEST, COMMON, HEADER,
                          OLD, edit_event, main)
from post_edit_support import PostEditTest

BAD_GOLDEN = "import pypto\n" + CLEAN_GOLDEN
BAD_TEST = CLEAN_TEST.replace("assert_allclose", "assert_close")
PASTED = CLEAN_GOLDEN + "# blocking_rules: OL07\n"


class PostEdit(PostEditTest):
    # --- forms

    def test_block_in_the_common_form(self):
        op = self.operator(impl=BAD_IMPL)
        answer = self.edit(op / "rowscale_impl.py")
        self.assertEqual(answer.status, 0)
        self.assertEqual(list(answer.json), ["decision", "reason", "hookSpecificOutput"])
        # The agent reads both texts; each finding is in one of them.
        self.assertEqual(list(answer.json["hookSpecificOutput"]), ["hookEventName"])
        self.assertEqual(answer.event, "PostToolUse")
        self.assertBlocks(answer, "OL07")

    def test_block_in_the_old_form(self):
        op = self.operator(impl=BAD_IMPL)
        answer = self.edit(op / "rowscale_impl.py", OLD)
        self.assertEqual(answer.status, 0)
        self.assertEqual(list(answer.json), ["hookSpecificOutput"])
        self.assertEqual(list(answer.json["hookSpecificOutput"]),
                         ["hookEventName", "decision", "reason", "additionalContext"])
        common = self.edit(op / "rowscale_impl.py")
        self.assertEqual(answer.reason, common.reason)
        # It repeats the findings, as the Python linter does.
        self.assertIn("[OL07][S0]", answer.context)

    def test_the_old_form_judges_as_the_old_flags_do(self):
        """What the migration page says of the old flags: OL06 of plain numbers, aliased kernels, the
        rules KS that only warn, empty files."""
        numbers = CLEAN_IMPL.replace("pypto.loop(4)", "pypto.loop(min(2, 3))")
        op = self.operator(impl=numbers)
        self.assertBlocks(self.edit(op / "rowscale_impl.py", OLD), "OL06")
        self.assertSilent(self.edit(op / "rowscale_impl.py"))
        aliased = CLEAN_IMPL.replace("import pypto\n", "import pypto\nfrom pypto import frontend\n") \
            .replace("@pypto.frontend.jit", "@frontend.jit").replace(": pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)", "")
        op = self.operator(impl=aliased)
        for form, rules in ((OLD, "OL01, OL07"), (COMMON, "OL01, OL05, OL07")):
            answer = self.edit(op / "rowscale_impl.py", form)
            self.assertIn(f"blocking_rules: {rules}\n", answer.reason)
        op = self.operator(impl=CLEAN_IMPL.replace("(16, 64)", "(16,)").replace("pypto.DYNAMIC", "4"))
        self.assertBlocks(self.edit(op / "rowscale_impl.py"), "KS08")
        answer = self.edit(op / "rowscale_impl.py", OLD)
        self.assertEqual((answer.decision, answer.reason), ("allow", ""))
        self.assertIn("[KS08][S1]", answer.context)
        op = self.operator(impl="")
        self.assertBlocks(self.edit(op / "rowscale_impl.py"), "OL00")
        self.assertSilent(self.edit(op / "rowscale_impl.py", OLD))

    def test_a_broken_file_blocks_in_both_forms(self):
        op = self.operator()
        path = self.rewrite(op, "test_rowscale.py", CLEAN_TEST + "def\n")
        for form in (COMMON, OLD):
            self.assertBlocks(self.edit(path, form), "OL00")

    def test_only_reported(self):
        op = self.operator(impl=BAD_IMPL)
        for value in ("0", "", "true", "2", " 1"):
            env = {"PYPTO_OP_LINT_POST_EDIT_BLOCK": value}
            answer = self.edit(op / "rowscale_impl.py", env=env)
            self.assertEqual(list(answer.json), ["hookSpecificOutput"])
            self.assertIn("[OL07][S0]", answer.context)
            old = self.edit(op / "rowscale_impl.py", OLD, env=env)
            self.assertEqual((old.decision, old.reason, old.context), ("allow", "", answer.context))
        self.assertBlocks(self.edit(op / "rowscale_impl.py",
                                    env={"PYPTO_OP_LINT_POST_EDIT_BLOCK": "1"}))
        self.assertFalse((self.cache).exists() and len(list(self.cache.iterdir())) > 1)

    def test_warnings_and_information_do_not_block(self):
        op = self.operator()
        path = self.rewrite(op, "test_rowscale.py", CLEAN_TEST.replace("manual_seed", "seed"))
        answer = self.edit(path)
        self.assertIsNone(answer.decision)
        self.assertIn("[OL22][S2]", answer.context)
        self.assertEqual(self.edit(path, OLD).decision, "allow")

    def test_a_failure_of_low_severity_does_not_block(self):
        op = self.operator()
        path = self.rewrite(op, "test_rowscale.py", CLEAN_TEST.replace("level0", "first"))
        answer = self.edit(path)
        self.assertIsNone(answer.decision)
        self.assertIn("以下规则违规", answer.context.splitlines()[0])
        self.assertIn("[OL21][S2]", answer.context)

    def test_clean_files_give_nothing(self):
        op = self.operator(stage=7)
        for form in (COMMON, OLD):
            for name in ("rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py"):
                self.assertSilent(self.edit(op / name, form))
        op = self.operator(stage=5)
        for name in ("rowscale_golden.py", "test_rowscale.py"):
            self.assertSilent(self.edit(op / name))

    # --- the reason

    def test_parts_of_the_reason(self):
        op = self.operator(impl=BAD_IMPL.replace("    pypto.set_vec_tile_shapes(16, 64)\n", ""))
        lines = self.edit(op / "rowscale_impl.py").reason.split("\n")
        self.assertEqual(lines[0], HEADER)
        end = lines.index("")
        rules = []
        for line in lines[1:end]:
            self.assertRegex(line, r"^  \[OL\d\d\]\[S[01]\] \S+(:\d+)? \S")
            rules.append(line[3:7])
        self.assertIn("  [OL07][S0] rowscale_impl.py:2 ", "\n".join(lines[1:end]))
        distinct = sorted(set(rules))
        self.assertIn("OL04", distinct)
        self.assertEqual(lines[end + 1], "blocking_rules: " + ", ".join(distinct))
        self.assertEqual(lines[end + 2], "fix_hints:")
        hints = lines[end + 3:end + 3 + len(distinct)]
        self.assertEqual([hint[:10] for hint in hints], [f"  - {rule}: " for rule in distinct])
        self.assertEqual(lines[end + 3 + len(distinct)], "")
        self.assertTrue(lines[-1].startswith("**⛔") and lines[-1].endswith("**"))

    def test_header_is_the_same_in_every_language(self):
        op = self.operator(impl=BAD_IMPL)
        for language in ("en", "zh"):
            answer = self.edit(op / "rowscale_impl.py", env={"PYPTO_LINT_LANG": language})
            self.assertTrue(answer.reason.startswith(HEADER + "\n"))

    def test_sections_of_the_context(self):
        op = self.operator(impl=BAD_IMPL)
        for form, env in ((OLD, None), (COMMON, {"PYPTO_OP_LINT_POST_EDIT_BLOCK": "0"})):
            context = self.edit(op / "rowscale_impl.py", form, env=env).context
            starts = [part for part in context.split("\n\n") if part.startswith("[pypto-op-lint]")]
            self.assertIn("以下规则违规", starts[0].splitlines()[0])
            self.assertIn("pypto-lint explain OLxx", context)
            self.assertNotIn(".agents/", context)

    def test_each_finding_is_told_once(self):
        """What blocks (OL18) in the reason, the rest (OL22) in the context."""
        op = self.operator()
        text = CLEAN_TEST.replace("    torch.manual_seed(1)\n", "").replace("from rowscale_golden import rowscale_golden\n", "")
        file = self.rewrite(op, "test_rowscale.py", text)
        answer = self.edit(file)
        self.assertEqual((answer.reason.count("[OL18]["), answer.reason.count("[OL22][")), (1, 0))
        self.assertEqual((answer.context.count("[OL18]["), answer.context.count("[OL22][")), (0, 1))
        old = self.edit(file, OLD)
        self.assertEqual((old.context.count("[OL18]["), old.context.count("[OL22][")), (1, 1))

    def test_long_reports_are_cut_and_say_so(self):
        many = "\n".join(f"from pypto import name_{i}" for i in range(3000)) + "\n" + CLEAN_IMPL
        op = self.operator(impl=many)
        answer = self.edit(op / "rowscale_impl.py")
        self.assertBlocks(answer, "OL07")
        self.assertRegex(answer.reason, r"\n  … and \d+ more\n")
        self.assertLess(len(answer.reason), 30000)
        self.assertLess(len(answer.context), 10000)
        self.assertIn("blocking_rules: ", answer.reason)
        # The old form is never cut.
        self.assertEqual(self.edit(op / "rowscale_impl.py", OLD).reason.count("[OL07]"), 3000)

    # --- which rules

    def rules_told(self, op, name):
        answer = self.edit(op / name)
        text = answer.reason + answer.context
        return {word[1:5] for word in text.split() if word.startswith("[OL")}

    def test_rules_by_stage(self):
        impl = BAD_IMPL.replace("pypto.loop(4)", "pypto.loop(4, unroll_list=[8, 1])")
        impl = impl.replace("pypto.mul", "pypto.no_such_name")
        expected = {0: set(), 1: set(), 2: set(), 3: set(), 4: {"OL55", "OL56"}}
        for stage, rules in expected.items():
            op = self.operator(stage=stage, impl=impl)
            self.assertEqual(self.rules_told(op, "rowscale_impl.py"), rules, stage)
        for stage in (5, 6):
            op = self.operator(stage=stage, impl=impl)
            self.assertLessEqual({"OL07", "OL55", "OL56"}, self.rules_told(op, "rowscale_impl.py"))
        told = self.rules_told(self.operator(stage=7, impl=impl), "rowscale_impl.py")
        self.assertLessEqual({"OL07", "OL55"}, told)
        self.assertNotIn("OL56", told)

    def test_golden_by_stage(self):
        for stage in range(0, 9):
            op = self.operator(stage=stage)
            self.rewrite(op, "rowscale_golden.py", BAD_GOLDEN)
            expected = {"OL15"} if 2 <= stage <= 6 else set()
            self.assertEqual(self.rules_told(op, "rowscale_golden.py"), expected, stage)

    def test_test_by_stage(self):
        for stage in range(0, 8):
            op = self.operator(stage=stage)
            self.rewrite(op, "test_rowscale.py", BAD_TEST)
            expected = {"OL19"} if stage in (5, 6) else set()
            self.assertEqual(self.rules_told(op, "test_rowscale.py"), expected, stage)

    def test_pasted_output(self):
        op = self.operator()
        path = self.rewrite(op, "rowscale_golden.py", PASTED)
        self.assertBlocks(self.edit(path), "OL41")
        # Only the edited file is looked at.
        self.assertSilent(self.edit(op / "test_rowscale.py"))
        path = self.rewrite(op, "modules/rowscale_module1_golden.py", PASTED)
        self.assertBlocks(self.edit(path), "OL41")

    def test_rules_about_one_file_do_not_blame_another(self):
        op = self.operator()
        self.rewrite(op, "rowscale_golden.py", BAD_GOLDEN)
        self.rewrite(op, "test_rowscale.py", BAD_TEST)
        module_golden = self.rewrite(op, "modules/rowscale_module1_golden.py", CLEAN_GOLDEN)
        module_test = self.rewrite(op, "modules/test_rowscale_module1.py", CLEAN_TEST)
        self.assertSilent(self.edit(module_golden))
        self.assertSilent(self.edit(module_test))
        self.assertBlocks(self.edit(op / "rowscale_golden.py"), "OL15")
        self.assertBlocks(self.edit(op / "test_rowscale.py"), "OL19")

    def test_only_the_edited_implementation_is_judged(self):
        op = self.operator(impl=BAD_IMPL)
        module = self.rewrite(op, "modules/rowscale_module1_impl.py",
                              CLEAN_IMPL.replace("rowscale_", "rowscale_module1_"))
        answer = self.edit(module)
        self.assertNotIn("OL07", answer.reason + answer.context)
        self.rewrite(op, "modules/rowscale_module1_impl.py", BAD_IMPL)
        self.assertIn("  [OL07][S0] modules/rowscale_module1_impl.py:2 ", self.edit(module).reason)

    def test_an_implementation_whose_name_begins_like_a_test(self):
        op = self.operator()
        path = self.rewrite(op, "test_x_impl.py", BAD_IMPL)
        self.assertBlocks(self.edit(path), "OL07")

    def test_pending_stub_is_left_alone(self):
        op = self.operator(impl="# PYPTO_PENDING_STUB\n" + BAD_IMPL)
        self.assertSilent(self.edit(op / "rowscale_impl.py"))

    def test_broken_python(self):
        for name in ("rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py"):
            op = self.operator()
            self.rewrite(op, name, "def f(:\n")
            self.assertBlocks(self.edit(op / name), "OL00")
        # Another broken file is not this edit's fault.
        op = self.operator()
        self.rewrite(op, "rowscale_golden.py", "def f(:\n")
        self.assertSilent(self.edit(op / "test_rowscale.py"))

    def test_broken_python_where_no_rule_is_due(self):
        op = self.operator(stage=2, impl="def f(:\n")
        self.assertSilent(self.edit(op / "rowscale_impl.py"))

    def test_suppressions_do_not_count(self):
        impl = BAD_IMPL.replace("import *", "import *  # pypto-lint: ignore[OL07] asked for")
        op = self.operator(impl=impl)
        self.assertBlocks(self.edit(op / "rowscale_impl.py"), "OL07")
        self.write("custom/.pypto-lint.yaml",
                   "allow-suppressions-in-gates: true\nallow-s0-suppressions: true\n")
        self.assertNotIn("OL07", self.edit(op / "rowscale_impl.py").reason)

    # --- which operator

    def test_files_of_no_interest(self):
        op = self.operator(impl=BAD_IMPL)
        for name in ("README.md", "API_REPORT.md", "MEMORY.md", "notes.py", "rowscale_impl.pyc",
                     "eval/module_interfaces.yaml", "_debug/rowscale_impl.py", "x/SPEC.md",
                     ".orchestrator_state.json", "modules"):
            (op / name).parent.mkdir(exist_ok=True)
            self.assertSilent(self.edit(op / name))
        self.write("elsewhere/a_impl.py", BAD_IMPL)
        self.assertSilent(self.edit(self.folder / "elsewhere/a_impl.py"))
        self.assertSilent(self.edit("/"))

    def test_without_a_state_file(self):
        op = self.operator(stage=None, impl=BAD_IMPL)
        self.assertBlocks(self.edit(op / "rowscale_impl.py"), "OL07")
        self.rewrite(op, "rowscale_golden.py", BAD_GOLDEN)
        self.assertBlocks(self.edit(op / "rowscale_golden.py"), "OL15")
        path = self.rewrite(op, "modules/rowscale_module1_impl.py", BAD_IMPL)
        self.assertBlocks(self.edit(path), "OL07")
        self.write("custom/rowscale/SPEC.md", "nothing")
        self.assertSilent(self.edit(op / "SPEC.md"))

    def test_relative_paths_are_below_the_working_directory(self):
        op = self.operator(impl=BAD_IMPL)
        event = edit_event("rowscale_impl.py", cwd=str(self.folder))
        self.assertBlocks(self.hook("post-edit", event, cwd=op), "OL07")
        self.assertSilent(self.hook("post-edit", event, cwd=self.folder))

    def test_state_that_says_nothing(self):
        for state in ("{", "[]", "{}", '{"current_stage": null}', '{"current_stage": "x"}',
                      '{"current_stage": 0}', '{"current_stage": []}', '{"current_stage": 99}', ""):
            op = self.operator(impl=BAD_IMPL)
            (op / ".orchestrator_state.json").write_text(state, encoding="utf-8")
            for form in (COMMON, OLD):
                for name in ("rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py"):
                    answer = self.edit(op / name, form)
                    self.assertBlocks(answer, "not checked")
                    self.assertIn(".orchestrator_state.json: it", answer.reason)
                    self.assertIn("state_transition", answer.reason)
                    self.assertIn('"current_stage": 5', answer.reason)
                    self.assertEqual(answer.status, 0)
            self.assertSilent(self.edit(op / "notes.py"))

    def test_state_that_is_no_file(self):
        op = self.operator(impl=BAD_IMPL)
        state = op / ".orchestrator_state.json"
        state.unlink()
        state.mkdir()
        self.assertBlocks(self.edit(op / "rowscale_impl.py"), "not checked")
        state.rmdir()
        state.symlink_to("nowhere")
        self.assertBlocks(self.edit(op / "rowscale_impl.py"), "not checked")

    def test_repair_of_the_state_file(self):
        """An agent without state_transition must find a way out."""
        op = self.operator()
        state = op / ".orchestrator_state.json"
        sound = state.read_text(encoding="utf-8")
        for form, pre in ((COMMON, "pre-edit"), (OLD, "pre-edit-backup")):
            self.assertBlocks(self.hook(pre, edit_event(state), form))
            state.write_text("{", encoding="utf-8")
            self.assertSilent(self.hook(pre, edit_event(state), form))
            self.assertBlocks(self.edit(state, form), "not checked")  # the repair has failed
            state.write_text(sound, encoding="utf-8")
            self.assertSilent(self.edit(state, form))
            self.assertSilent(self.edit(op / "rowscale_impl.py", form))

    def test_an_agent_that_cannot_repair_the_state_file_is_told_to_stop(self):
        op = self.operator()
        (op / ".orchestrator_state.json").write_text("{", encoding="utf-8")
        for count in range(1, 7):
            answer = self.edit(op / "rowscale_impl.py")
            self.assertEqual("Stop editing this file now" in answer.reason, count >= 5, count)

    def test_first_file_of_an_operator(self):
        for name in ("addone_impl.py", "modules/addone_module1_impl.py"):
            path = self.write(f"{name}/custom/addone/{name}", BAD_IMPL)
            self.assertBlocks(self.edit(path), "OL07")
        path = self.write("custom/addone/addone_golden.py", BAD_GOLDEN)
        self.assertBlocks(self.edit(path), "OL15")
        self.assertBlocks(self.edit(self.write("custom/addtwo/test_addtwo.py", BAD_TEST)))
        self.assertSilent(self.edit(self.write("custom/addtwo/other_impl.py", BAD_IMPL)))

    def test_stage_as_text_or_real(self):
        for stage in ('"5"', "5.9", '" 5 "'):
            op = self.operator(impl=BAD_IMPL)
            text = '{"current_stage": %s}' % stage
            (op / ".orchestrator_state.json").write_text(text, encoding="utf-8")
            self.assertBlocks(self.edit(op / "rowscale_impl.py"), "OL07")

    # --- clients

    def test_patch_of_several_files(self):
        op = self.operator(impl=BAD_IMPL)
        self.rewrite(op, "rowscale_golden.py", BAD_GOLDEN)
        self.rewrite(op, "test_rowscale.py", BAD_TEST)
        patch = ("*** Begin Patch\n*** Update File: custom/rowscale/rowscale_impl.py\n@@\n-a\n+b\n"
                 f"*** Add File: {op}/rowscale_golden.py\r\n+x\n*** Update File: old_impl.py\n"
                 "*** Move to: custom/rowscale/test_rowscale.py\n"
                 "*** Delete File: custom/rowscale/gone_impl.py\n*** End Patch\n")
        event = {"turn_id": "1", "model": "m", "cwd": str(self.folder), "tool_name": "apply_patch",
                 "tool_input": {"command": patch}}
        answer = self.hook("post-edit", event, cwd="/")
        self.assertBlocks(answer, "OL07", "OL15", "OL19")
        self.assertEqual(answer.reason.count(HEADER), 1)
        self.assertEqual(set(answer.json), {"decision", "reason", "hookSpecificOutput"})
        # The old command line knows file_path only.
        self.assertSilent(self.hook("post-edit", event, OLD, cwd="/"))

    def test_patch_over_two_operators_names_them(self):
        first = self.operator(impl=BAD_IMPL)
        second = self.operator(name="other", impl=BAD_IMPL)
        patch = (f"*** Update File: {first}/rowscale_impl.py\n"
                 f"*** Update File: {second}/other_impl.py\n")
        answer = self.hook("post-edit", {"tool_name": "apply_patch", "tool_input": {"command": patch}})
        self.assertIn("  [OL07][S0] rowscale/rowscale_impl.py:2 ", answer.reason)
        self.assertIn("  [OL07][S0] other/other_impl.py:2 ", answer.reason)

    def test_patch_of_too_many_files(self):
        lines = [f"*** Add File: /x/{i}.py" for i in range(201)]
        event = {"tool_name": "apply_patch", "tool_input": {"command": "\n".join(lines)}}
        answer = self.hook("post-edit", event)
        self.assertBlocks(answer)
        self.assertIn("200 files", answer.reason)

    def test_gemini(self):
        op = self.operator(impl=BAD_IMPL)
        for tool in ("write_file", "replace"):
            event = {"hook_event_name": "AfterTool", "tool_name": tool,
                     "tool_input": {"file_path": str(op / "rowscale_impl.py"), "content": "x"},
                     "tool_response": {"llmContent": "ok", "returnDisplay": {"fileDiff": ""}}}
            self.assertBlocks(self.hook("post-edit", event), "OL07")

    def test_opencode(self):
        op = self.operator(impl=BAD_IMPL)
        path = str(op / "rowscale_impl.py")
        event = {"tool": "write", "sessionID": "s", "callID": "c", "args": {"filePath": path}}
        self.assertBlocks(self.hook("post-edit", event), "OL07")
        event = {"tool_input": {"filePath": path}}
        self.assertBlocks(self.hook("post-edit", event, args=["--client", "opencode"]), "OL07")
        self.assertSilent(self.hook("post-edit", event, OLD))
        self.assertSilent(self.hook("post-edit", {"tool_input": {"path": path}}))


if __name__ == "__main__":
    main()
