#!/usr/bin/env python3
"""post-bash: which commands are test runs, and the verdict over their output."""
from hook_support import COMMON, OLD, HookTest, main

MARK = "[pypto-op-lint parse-result] "
RUNS = ["python3 custom/x/test_x.py", "python3 -m pytest a/test_a.py -q", "python3 a.py; cat test_b.py",
        "python mytest_b.py", "cd x && python test_a.py", "python\ttest_a.py", "python3\n test_a.py",
        "python x\npython3 test_a.py", "python3 test_算子.py", "python3 test_ test_a.py",
        "python　test_a.py"]
NO_RUNS = ["pytest test_a.py", "python3.11 test_a.py", "python3 test_a-b.py", "python3 x.py\ntest_a.py",
           "python3", "test_a.py", "Python test_a.py", "python3 test_.py", "python3 Test_a.py", "",
           "python34 test_a.py", "python3test_a.py"]


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
        for command in NO_RUNS:
            self.assertSilent(self.run_hook(self.event(command=command)))

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

    def test_language(self):
        context = self.run_hook(self.event(), env={"PYPTO_LINT_LANG": "zh"}).context
        self.assertTrue(context.startswith(MARK + "no_marker：进程正常结束"))

    def test_output_is_not_repeated(self):
        context = self.run_hook(self.event("\x1b[31mSECRET", "::error::x")).context
        self.assertNotIn("SECRET", context)
        self.assertNotIn("::error", context)


if __name__ == "__main__":
    main()
