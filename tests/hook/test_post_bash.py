#!/usr/bin/env python3
"""post-bash: which commands are test runs, and the verdict over their output."""
from hook_support import COMMON, OLD, HookTest, main

MARK = "[pypto-op-lint parse-result] "
RUNS = ["python3 custom/x/test_x.py", "python3 -m pytest a/test_a.py -q", "python3 a.py; cat test_b.py",
        "python mytest_b.py", "cd x && python test_a.py", "python\ttest_a.py", "python3\n test_a.py",
        "python x\npython3 test_a.py", "python3 test_算子.py", "python3 test_ test_a.py",
        "python　test_a.py"]
# In the common form alone; the Python linter overlooks them.
MORE_RUNS = ["pytest test_a.py", "pytest", "cd x && pytest -q", "py.test", "python3 -m pytest", "python -m pytest -x custom",
             "python3.11 test_a.py", "python3 test_a-b.py", "python3 x.py\ntest_a.py", "./test_a.py", "python34 test_a.py",
             "pypto-lint test", "pypto-lint test custom/x", "pypto-lint run a.py", "pypto-lint verify --op-dir x",
             "build/pypto-lint verify", "env A=b pytest", "A=b timeout 60 pytest -q", "timeout -s KILL 60 pypto-lint verify",
             "(pytest)", "pytest | tail -3", "if pytest; then echo; fi", "nohup pypto-lint run x.py &"]
NO_RUNS = ["python3", "Python test_a.py", "python3 test_.py", "python3 Test_a.py", "", "python3test_a.py", "echo pytest",
           "pip install pytest", "grep -r pytest .", "pypto-lint check custom", "pypto-lint explain OL01", "pypto-lint",
           "cat test_a.py", "ls test_a.py", "echo 'python -m pytest'", "git add test_a.py", "echo pypto-lint test", "which pytest",
           "# pytest", "vi test_a.py"]


class PostBash(HookTest):
    def run_hook(self, event, form=COMMON, **more):
        return self.hook("post-bash", event, form, **more)

    def event(self, out="", err="", code=0, command="python3 test_a.py", key="tool_result"):
        return {"tool_name": "Bash", "tool_input": {"command": command},
                key: {"stdout": out, "stderr": err, "exit_code": code}}

    def verdict(self, event, **more):
        answer = self.run_hook(event, **more)
        self.assertEqual((answer.decision, answer.event, answer.status), (None, "PostToolUse", 0))
        self.assertTrue(answer.context.startswith(MARK), answer.context)
        return answer.context[len(MARK):].split(":")[0].split("：")[0]

    def test_commands(self):
        for command in RUNS:
            self.assertEqual(self.verdict(self.event(command=command)), "no_marker", command)
        for command in MORE_RUNS:
            self.assertNotEqual(self.run_hook(self.event(command=command)).out, "", command)
            self.assertEqual(self.verdict(self.event(command=command)), "no_marker", command)
            self.assertSilent(self.run_hook(self.event(command=command), OLD))
        for command in NO_RUNS:
            for form in (COMMON, OLD):
                self.assertSilent(self.run_hook(self.event(command=command), form))

    def test_verify_tells_its_own_verdict(self):
        for out, code, verdict in (("status=PASS cases=10/10\n", 0, "precision_pass"),
                                   ("a\nstatus=FAIL cases=9/10 x\n", 1, "precision_fail"),
                                   ("status=ERROR category=oom\n", 2, "runtime_error"),
                                   ("status=PASS cases=1/1\nstatus=FAIL cases=0/1\n", 1, "precision_fail"),
                                   (" status=PASS cases=1/1", 2, "runtime_error"), ("xstatus=PASS ", 0, "no_marker"),
                                   ("status=PASS x\n[PRECISION_FAIL]", 0, "precision_fail"), ("", 2, "runtime_error")):
            event = self.event(out, code=code, command="cd x && pypto-lint verify --op-dir .")
            self.assertEqual(self.verdict(event), verdict, out)
            event = self.event("x", err=out, code=code, command="pypto-lint verify")
            self.assertEqual(self.verdict(event), verdict, out)
        # From another program the words mean nothing.
        self.assertEqual(self.verdict(self.event("status=PASS x", code=3)), "runtime_error")

    def test_verdicts(self):
        table = [
            ("[PRECISION_PASS]", "", 0, "precision_pass"), ("[PRECISION_FAIL]", "", 0, "precision_fail"),
            ("", "[PRECISION_PASS]", 0, "precision_pass"), ("", "[PRECISION_FAIL]", 0, "precision_fail"),
            ("x[PRECISION_PASS]y", "", 1, "precision_pass"),
            ("[PRECISION_PASS]", "[PRECISION_FAIL]", 0, "precision_fail"),
            ("[PRECISION_FAIL]\n[PRECISION_PASS]", "", 0, "precision_fail"),
            ("", "", 1, "runtime_error"), ("fine", "", -11, "runtime_error"), ("", "", 0, "no_marker"),
            ("[precision_pass]", "", 0, "no_marker"), ("[PRECISION_", "PASS]", 0, "no_marker"),
        ]
        for out, err, code, verdict in table:
            for key in ("tool_result", "tool_response"):
                for form in (COMMON, OLD):
                    event = self.event(out, err, code, key=key)
                    self.assertEqual(self.verdict(event, form=form), verdict)

    def test_forms(self):
        event = self.event("[PRECISION_PASS]")
        self.assertEqual(self.run_hook(event).json, self.run_hook(event, OLD).json)
        self.assertEqual(list(self.run_hook(event).json["hookSpecificOutput"]),
                         ["hookEventName", "additionalContext"])

    def test_the_result_outweighs_the_response(self):
        event = self.event("[PRECISION_FAIL]")
        event["tool_response"] = {"stdout": "[PRECISION_PASS]"}
        self.assertEqual(self.verdict(event), "precision_fail")

    def test_without_a_result_nothing_is_said(self):
        event = self.event()
        for value in (None, 7, [], "text", True):
            for form in (COMMON, OLD):
                self.assertSilent(self.run_hook({**event, "tool_result": value}, form))
        del event["tool_result"]
        self.assertSilent(self.run_hook(event))

    def test_wrong_types_are_absent(self):
        for out, err, code in ((7, None, "1"), ([], {}, None), (None, False, 1.5), ({}, 1, True)):
            self.assertEqual(self.verdict(self.event(out, err, code)), "no_marker")
        self.assertEqual(self.verdict(self.event(code=10**15)), "runtime_error")
        for command in (None, 7, [], {}):
            self.assertSilent(self.run_hook(self.event(command=command)))
        self.assertSilent(self.run_hook({"tool_input": [], "tool_result": {}}))

    def test_output_of_other_clients(self):
        event = {"turn_id": "1", "tool_name": "Bash", "tool_input": {"command": "python3 test_a.py"},
                 "tool_response": "x [PRECISION_PASS]"}
        self.assertEqual(self.verdict(event), "precision_pass")
        event = {"hook_event_name": "AfterTool", "tool_name": "run_shell_command",
                 "tool_input": {"command": "python3 test_a.py"},
                 "tool_response": {"llmContent": "[PRECISION_FAIL]"}}
        self.assertEqual(self.verdict(event), "precision_fail")

    def test_failed_command_in_claude_code(self):
        """A command that fails is an event of its own there, with the output in an error text."""
        event = {"hook_event_name": "PostToolUseFailure", "permission_mode": "default", "tool_name": "Bash",
                 "tool_input": {"command": "python3 test_a.py"}, "is_interrupt": False}
        for error, verdict in (("Exit code 3\n[PRECISION_FAIL]", "precision_fail"),
                               ("Exit code 3\n[PRECISION_PASS]", "precision_pass"),
                               ("Exit code 1\nTraceback", "runtime_error"),
                               ("Command timed out", "runtime_error"), ("", "runtime_error")):
            answer = self.run_hook({**event, "error": error})
            self.assertEqual((answer.decision, answer.event), (None, "PostToolUseFailure"))
            self.assertTrue(answer.context.startswith(f"{MARK}{verdict}:"), answer.context)
            self.assertSilent(self.run_hook({**event, "error": error}, OLD))
        for error in (None, 7, {}):
            self.assertSilent(self.run_hook({**event, "error": error}))
        self.assertSilent(self.run_hook({**event, "hook_event_name": "PostToolUse", "error": "x"}))

    def test_exit_status_in_gemini_cli(self):
        """It stands below the output, and only when it is not 0."""
        end = "Process Group PGID: 99\n</untrusted_context>"
        for text, verdict in (
                (f"<untrusted_context>\nOutput: x\nExit Code: 3\n{end}", "runtime_error"),
                (f"<untrusted_context>\nOutput: x\nSignal: 11\nBackground PIDs: 4\n{end}", "runtime_error"),
                ("Output: (empty)\nExit Code: 139", "runtime_error"), ("Output: x\nSignal: SIGKILL", "runtime_error"),
                (f"<untrusted_context>\nOutput: x\nExit Code: 0\n{end}", "no_marker"),
                (f"<untrusted_context>\nOutput: x\n{end}", "no_marker"),
                (f"<untrusted_context>\nOutput: a\nExit Code: 3\nb\n{end}", "no_marker"),
                (f"Output: x\nExit Code: (none)\nSignal: (none)\n{end}", "no_marker"),
                (f"Output: [PRECISION_PASS]\nExit Code: 3\n{end}", "precision_pass"),
                ("", "no_marker"), ("\n\n", "no_marker"), ("Exit Code: ", "no_marker")):
            event = {"hook_event_name": "AfterTool", "tool_name": "run_shell_command",
                     "tool_input": {"command": "python3 test_a.py"},
                     "tool_response": {"llmContent": text, "returnDisplay": "x"}}
            self.assertEqual(self.verdict(event), verdict, text)

    def test_a_run_in_the_background_has_no_verdict_yet(self):
        """The event comes when the command starts, and looks like one of a run that printed nothing."""
        event = self.event(key="tool_response")
        event["tool_response"] = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}
        self.assertSilent(self.run_hook(event))
        self.assertEqual(self.verdict(event, form=OLD), "no_marker")
        del event["tool_response"]["backgroundTaskId"]
        self.assertEqual(self.verdict(event), "no_marker")
        event["tool_input"]["run_in_background"] = True
        self.assertSilent(self.run_hook(event))
        event = {"hook_event_name": "AfterTool", "tool_name": "run_shell_command",
                 "tool_input": {"command": "python3 test_a.py", "is_background": True},
                 "tool_response": {"llmContent": "Output: x"}}
        self.assertSilent(self.run_hook(event))
        event["tool_input"]["is_background"] = False
        self.assertEqual(self.verdict(event), "no_marker")
        moved = "Command moved to background (PID: 31). Output hidden."
        for text in (moved, f"<untrusted_context>\n{moved}\n</untrusted_context>"):
            event["tool_response"]["llmContent"] = text
            self.assertSilent(self.run_hook(event))
        event["tool_response"]["llmContent"] = f"Output: {moved}"
        self.assertEqual(self.verdict(event), "no_marker")

    def test_an_interrupted_run_did_not_end_normally(self):
        event = self.event(key="tool_response")
        event["tool_response"] = {"stdout": "", "stderr": "", "interrupted": True}
        self.assertEqual(self.verdict(event), "runtime_error")
        self.assertEqual(self.verdict(event, form=OLD), "no_marker")

    def test_codex_tells_no_exit_status(self):
        event = {"turn_id": "1", "tool_name": "Bash", "tool_input": {"command": "python3 test_a.py"},
                 "tool_response": "Traceback"}
        self.assertEqual(self.verdict(event), "no_marker")
        self.assertNotIn("normally", self.run_hook(event).context)
        self.assertIn("exit status", self.run_hook(event).context)

    def test_language(self):
        context = self.run_hook(self.event(), env={"PYPTO_LINT_LANG": "zh"}).context
        self.assertTrue(context.startswith(MARK + "no_marker：进程正常结束"))

    def test_output_is_not_repeated(self):
        context = self.run_hook(self.event("\x1b[31mSECRET", "::error::x")).context
        self.assertNotIn("SECRET", context)
        self.assertNotIn("::error", context)


if __name__ == "__main__":
    main()
