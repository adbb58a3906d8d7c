#!/usr/bin/env python3
"""stop: the operator that the agent works in must pass the gate of its stage."""
from hook_support import BAD_IMPL, CLEAN_GOLDEN, COMMON, OLD, HookTest, main

HEADER = "[pypto-op-lint] 交付门禁未通过"


class Stop(HookTest):
    def stop(self, cwd, form=COMMON, process_cwd=None, env=None, args=(), **more):
        event = {"hook_event_name": "Stop", "cwd": str(cwd), **more}
        return self.hook("stop", event, form, cwd=process_cwd, env=env, args=args)

    def test_forms(self):
        op = self.operator(impl=BAD_IMPL)
        answer = self.stop(op)
        self.assertEqual((answer.status, answer.err), (0, ""))
        self.assertEqual(list(answer.json), ["decision", "reason", "hookSpecificOutput"])
        self.assertEqual(answer.json["hookSpecificOutput"], {"hookEventName": "Stop"})
        self.assertBlocks(answer, "OL07")
        old = self.stop(op, OLD)
        self.assertEqual(old.status, 2)
        self.assertEqual(list(old.json["hookSpecificOutput"]), ["hookEventName", "decision", "reason"])
        self.assertEqual((old.event, old.reason, old.err), ("Stop", answer.reason, answer.reason + "\n"))

    def test_codex_takes_no_specific_output(self):
        op = self.operator(impl=BAD_IMPL)
        answer = self.stop(op, turn_id="1", model="m")
        self.assertEqual(set(answer.json), {"decision", "reason"})
        self.assertBlocks(answer, "OL07")
        self.assertEqual(set(self.stop(op, turn_id="1", stop_hook_active=True).json), {"systemMessage"})

    def test_parts_of_the_reason(self):
        op = self.operator(impl=BAD_IMPL)
        lines = self.stop(op).reason.split("\n")
        self.assertTrue(lines[0].startswith(HEADER))
        end = lines.index("")
        rules = []
        for line in lines[1:end]:
            self.assertRegex(line, r"^  \[OL\d\d\]\[S[01]\] ")
            if line[3:7] not in rules:
                rules.append(line[3:7])
        self.assertLessEqual({"OL07", "OL13"}, set(rules))
        self.assertEqual(lines[end + 1], "blocking_rules: " + ", ".join(rules))  # rule order
        self.assertEqual(lines[end + 2], "fix_hints:")
        self.assertIn("docs_ref: pypto-lint explain OLxx", lines)
        self.assertTrue(lines[-1].startswith("**⛔"))

    def test_rules_are_those_of_the_stage(self):
        for stage, rules in ((1, {"OL09", "OL10"}), (2, {"OL59"}), (3, {"OL12"}), (4, {"OL12"})):
            op = self.operator(stage=stage, impl=BAD_IMPL)
            reason = self.stop(op).reason
            line = next(row for row in reason.split("\n") if row.startswith("blocking_rules: "))
            found = set(line[len("blocking_rules: "):].split(", "))
            self.assertTrue(found, stage)
            self.assertNotIn("OL07", found)
            self.assertTrue(found & rules or stage == 2, (stage, found))
        self.assertIn("blocking_rules: OL07\n", self.stop(self.operator(stage=7, impl=BAD_IMPL)).reason)
        self.assertSilent(self.stop(self.operator(stage=7)))

    def test_from_where(self):
        op = self.operator(impl=BAD_IMPL)
        deep = op / "1/2/3/4/5/6/7"
        deep.mkdir(parents=True)
        self.assertBlocks(self.stop(deep), "OL07")
        (deep / "8").mkdir()
        self.assertSilent(self.stop(deep / "8"))
        self.assertSilent(self.stop(self.folder))
        self.assertSilent(self.stop("/nowhere/at/all"))
        # Without a usable cwd: the directory of the process.
        for cwd in ({}, {"cwd": None}, {"cwd": 7}, {"cwd": ""}, {"cwd": "a\0b"}):
            self.assertBlocks(self.hook("stop", cwd, cwd=op), "OL07")
        self.assertBlocks(self.hook("stop", "no json", cwd=op), "OL07")
        self.assertBlocks(self.hook("stop", "", cwd=op), "OL07")

    def test_the_old_form_judges_as_the_old_flags_do(self):
        """A test that does not parse is for no rule of the Python linter but OL23, OL57 and OL58."""
        op = self.operator(stage=7)
        (op / "test_rowscale.py").write_text("def\n", encoding="utf-8")
        self.assertBlocks(self.stop(op), "OL00")
        self.assertSilent(self.stop(op, OLD))

    def test_an_ordinary_repository_is_no_operator(self):
        for name in ("README.md", "DESIGN.md", "SPEC.md"):
            self.write(f"project/{name}", "x")
        for form in (COMMON, OLD):
            self.assertSilent(self.stop(self.folder / "project", form))

    def test_without_a_state_file(self):
        op = self.operator(stage=None, impl=BAD_IMPL)
        answer = self.stop(op)
        self.assertBlocks(answer, "OL07")
        self.assertNotIn("OL24", answer.reason)
        self.write("custom/plain/plain_golden.py", CLEAN_GOLDEN.replace("rowscale", "plain"))
        self.write("custom/plain/README.md", "x")
        self.assertNotIn("OL24", self.stop(self.folder / "custom/plain").reason)

    def test_state_that_says_nothing(self):
        for state in ("{", "[]", '{"current_stage": null}', '{"current_stage": 42}'):
            op = self.operator(impl=BAD_IMPL)
            (op / ".orchestrator_state.json").write_text(state, encoding="utf-8")
            for form, status in ((COMMON, 0), (OLD, 2)):
                answer = self.stop(op, form)
                self.assertBlocks(answer, "not checked")
                self.assertIn("state_transition", answer.reason)
                self.assertEqual(answer.status, status)
            # The second time the agent reads it and may finish.
            answer = self.stop(op, stop_hook_active=True)
            self.assertIsNone(answer.decision)
            self.assertIn("[not checked]", answer.context)

    def test_implementation_and_golden_without_a_state_file(self):
        """They make stage 4 probable, at which no rule looks at an implementation."""
        op = self.operator(stage=None, impl=BAD_IMPL)
        (op / "test_rowscale.py").unlink()
        self.assertBlocks(self.stop(op), "OL07")
        (op / "rowscale_golden.py").unlink()
        self.assertBlocks(self.stop(op), "OL07")

    def test_python_is_never_started(self):
        self.operator(stage=2)
        op = self.operator(stage=2)
        (op / "rowscale_golden.py").write_text(f"open(r'{self.folder}/ran', 'w')\n", encoding="utf-8")
        self.stop(op)
        self.assertFalse((self.folder / "ran").exists())

    def test_an_agent_is_not_held_for_ever(self):
        op = self.operator(impl=BAD_IMPL)
        for _ in range(3):
            answer = self.stop(op, stop_hook_active=True)
            self.assertEqual((answer.status, answer.decision), (0, None))
            self.assertEqual(list(answer.json), ["hookSpecificOutput"])
            self.assertIn("[OL07][S0]", answer.context)
            self.assertNotIn("[S2]", answer.context)
        for value in (False, None, 1, "true"):
            self.assertBlocks(self.stop(op, stop_hook_active=value))
        # The old command line holds on.
        self.assertEqual(self.stop(op, OLD, stop_hook_active=True).status, 2)

    def test_claude_code_is_told_once(self):
        """There, telling the agent something makes it go on."""
        op = self.operator(impl=BAD_IMPL)
        env = {"CLAUDECODE": "1"}
        for _ in range(2):
            self.assertBlocks(self.stop(op, env=env, session_id="s"))
            answer = self.stop(op, env=env, session_id="s", stop_hook_active=True)
            self.assertIn("[OL07]", answer.context)
            for _ in range(2):
                answer = self.stop(op, env=env, session_id="s", stop_hook_active=True)
                self.assertEqual(list(answer.json), ["systemMessage"])
                self.assertIn("[OL07]", answer.json["systemMessage"])
            other = self.stop(op, env=env, session_id="other", stop_hook_active=True)
            self.assertIn("[OL07]", other.context)
            self.stop(op, env=env, session_id="other")
        # Without a place to count, the agent is let go at once.
        answer = self.stop(op, env={**env, "HOME": ""}, session_id="s", stop_hook_active=True)
        self.assertEqual(list(answer.json), ["systemMessage"])

    def test_stop_block_always(self):
        op = self.operator(impl=BAD_IMPL)
        self.write("custom/.pypto-lint.yaml", "stop-block: always\n")
        self.assertBlocks(self.stop(op, stop_hook_active=True), "OL07")
        self.write("custom/.pypto-lint.yaml", "stop-block: once\n")
        self.assertIsNone(self.stop(op, stop_hook_active=True).decision)

    def test_broken_settings_are_no_clean_operator(self):
        op = self.operator(stage=7)
        self.assertSilent(self.stop(op))
        self.write("custom/.pypto-lint.yaml", "no such key: 1\n")
        answer = self.stop(op)
        self.assertBlocks(answer)
        self.assertIn("[not checked]", answer.reason)
        self.assertIn(".pypto-lint.yaml:1", answer.reason)
        self.assertIsNone(self.stop(op, stop_hook_active=True).decision)

    def test_nothing_is_written(self):
        op = self.operator(impl=BAD_IMPL)
        before = self.snapshot()
        self.stop(op)
        self.stop(op, OLD)
        self.stop(op, stop_hook_active=True)
        self.assertEqual(self.snapshot(), before)
        self.assertFalse(self.cache.exists())


if __name__ == "__main__":
    main()
