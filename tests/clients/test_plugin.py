#!/usr/bin/env python3
"""The OpenCode plugin by itself: its types, and its hooks as a stand-in for OpenCode calls them.

Usage: test_plugin.py BINARY [unittest options]
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/hook"))

import hook_support  # noqa: E402
from hook_support import BAD_IMPL, CLEAN_IMPL, CLEAN_TEST, HEADER, HookTest  # noqa: E402
from test_pre_edit import (LEAVES_ARTIFACT, READS_STATE, SHELL_WRITE, STATE, STATE_WRITE,  # noqa: E402
                           WRITES_ARTIFACT, WRITES_STATE)

SOURCE = ROOT / "hooks/opencode/pypto-lint.ts"
TOOLS = ROOT / "tests/clients/plugin"
DRIVER = ROOT / "tests/clients/plugin_driver.mjs"
TSC = TOOLS / "node_modules/typescript/bin/tsc"
SKIPPED = 77
COMPILED = None
# Instead of the program: keeps what it is asked, then does what the second line says.
RECORDER = """\
#!/bin/sh
{{ printf '%s ' "$@"; cat; echo; }} >>'{log}'
{action}
"""


def compile_plugin(folder, source=SOURCE):
    """Type check, and JavaScript in the folder; the compiler's words, none if it has no objection."""
    config = {"extends": str(TOOLS / "tsconfig.json"), "files": [str(source)],
              "compilerOptions": {"outDir": str(folder), "rootDir": str(source.parent)}}
    path = folder / "tsconfig.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    done = subprocess.run(["node", str(TSC), "-p", str(path)], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


class Types(unittest.TestCase):
    def test_the_check_notices(self):
        """An event that OpenCode does not have, and a value of another type."""
        text = SOURCE.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as name:
            source = pathlib.Path(name) / "broken.ts"
            for right, wrong in (('"tool.execute.after": after', '"tool.execute.afterwards": after'),
                                 ("output.output = addCounts", "output.title = 1; output.output = addCounts")):
                self.assertEqual(text.count(right), 1)
                source.write_text(text.replace(right, wrong), encoding="utf-8")
                objections = compile_plugin(source.parent, source).splitlines()
                self.assertEqual(len(objections), 1, objections)
                self.assertIn("broken.ts(", objections[0])


class PluginTest(HookTest):
    def host(self, *calls, session="s", env=None, binary=None, directory=None, worktree=None):
        """Calls are (hook, tool, args, result) or (hook, input)."""
        given = []
        for number, (hook, *rest) in enumerate(calls):
            if hook in ("before", "after"):
                tool, args, result = (*rest, None)[:3]
                call = {"tool": tool, "sessionID": session, "callID": "one"}
                output = {"args": args} if hook == "before" else (
                    {"title": "t", "output": "OUT", "metadata": {}} if result is None else result)
                given.append([f"tool.execute.{hook}", call if hook == "before" else {**call, "args": args}, output])
            else:
                given.append([hook, *(rest if len(rest) > 1 else (rest[0], {}))])
        asked = {"directory": str(directory or self.folder), "worktree": str(worktree or self.folder), "calls": given}
        environment = self.environment({"PYPTO_LINT_BINARY": str(binary or hook_support.BINARY), **(env or {})})
        done = subprocess.run(["node", str(DRIVER), str(COMPILED)], input=json.dumps(asked), text=True, timeout=200,
                              capture_output=True, check=False, env=environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.stderr = done.stderr
        answer = json.loads(done.stdout)
        self.log = answer["log"]
        return answer["results"]

    def recorder(self, action=":"):
        self.asked = self.folder / "asked.txt"
        path = self.write("fake-lint", RECORDER.format(log=self.asked, action=action))
        path.chmod(0o755)
        return path

    def questions(self):
        return self.asked.read_text(encoding="utf-8").splitlines() if self.asked.exists() else []


class AfterEdits(PluginTest):
    def test_bad_files_block(self):
        file = str(self.operator(impl=BAD_IMPL) / "rowscale_impl.py")
        results = self.host(
            ("after", "write", {"filePath": file}), ("after", "Edit", {"file_path": file}),
            ("after", {"name": "MultiEdit"}, {"path": file}), ("after", "write", {"target_file": file}),
            ("after", "write", {"filePath": "custom/rowscale/rowscale_impl.py"}))
        for result in results:
            self.assertTrue(result["error"].startswith(HEADER), result)
            self.assertIn("[OL07][S0] rowscale_impl.py:2", result["error"])
            # The error takes the place of the result, and says all of it once.
            self.assertEqual((result["error"].count("[OL07][S0]"), result["output"]["output"]), (1, "OUT"))

    def test_what_does_not_block_goes_with_what_does(self):
        self.operator()
        text = CLEAN_TEST.replace("    torch.manual_seed(1)\n", "")
        self.write("custom/rowscale/test_rowscale.py", text.replace("from rowscale_golden import rowscale_golden\n", ""))
        result, = self.host(("after", "write", {"filePath": "custom/rowscale/test_rowscale.py"}))
        self.assertTrue(result["error"].startswith(HEADER), result)
        self.assertEqual((result["error"].count("[OL18]["), result["error"].count("[OL22][")), (1, 1))

    def test_clean_files_pass_in_silence(self):
        op = self.operator()
        self.write("custom/rowscale/test_rowscale.py", CLEAN_TEST)
        for name in ("rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py"):
            result, = self.host(("after", "write", {"filePath": str(op / name)}))
            self.assertEqual(result, {"output": {"title": "t", "output": "OUT", "metadata": {}}})

    def test_warnings_are_added(self):
        """OL22: no seed. Nothing that blocks."""
        op = self.operator()
        self.write("custom/rowscale/test_rowscale.py", CLEAN_TEST.replace("    torch.manual_seed(1)\n", ""))
        result, = self.host(("after", "write", {"filePath": str(op / "test_rowscale.py")}))
        self.assertNotIn("error", result)
        self.assertTrue(result["output"]["output"].startswith("OUT\n\n[pypto-op-lint]"))
        self.assertIn("[OL22]", result["output"]["output"])

    def test_what_is_asked(self):
        """Artifacts only; no documents, no other tools, nothing without a path."""
        calls = [("after", tool, {"filePath": f"/x/{name}"}) for tool, name in (
            ("write", "SPEC.md"), ("write", "DESIGN.md"), ("write", "x_impl.py.bak"), ("write", "a.py"),
            ("read", "x_impl.py"), ("write", "test_.py"), ("write", "test_a-b.py"))]
        calls += [("after", "write", args) for args in ({}, {"filePath": 7}, None, [], {"filePath": ""})]
        self.host(*calls, binary=self.recorder())
        self.assertEqual(self.questions(), [])
        self.host(*[("after", "write", {"filePath": f"/x/{name}"}) for name in
                    ("a_impl.py", "a_golden.py", "test_a.py", "test_算子.py")], binary=self.recorder())
        self.assertEqual(len(self.questions()), 4)
        for question in self.questions():
            self.assertTrue(question.startswith("hook post-edit --client opencode {"), question)

    def test_relative_paths(self):
        """Below the directory of OpenCode, else below the work tree."""
        self.operator(impl=BAD_IMPL)
        (self.folder / "sub").mkdir()
        result, = self.host(("after", "write", {"filePath": "custom/rowscale/rowscale_impl.py"}),
                            directory=self.folder / "sub")
        self.assertIn("[OL07]", result["error"])

    def test_patches(self):
        op = self.operator(impl=BAD_IMPL)
        self.write("custom/rowscale/modules/rowscale_module1_impl.py", BAD_IMPL)
        self.write("custom/rowscale/good_impl.py", CLEAN_IMPL)
        patch = (f"*** Begin Patch\n*** Update File: {op}/rowscale_impl.py\n@@\n-a\n+b\n*** Add File: notes.md\n+x\n"
                 f"*** Add File: custom/rowscale/modules/rowscale_module1_impl.py\r\n+x\n"
                 f"*** Delete File: custom/rowscale/gone_impl.py\n*** Update File: x.py\n*** Move to: "
                 f"custom/rowscale/good_impl.py\n*** End Patch")
        result, = self.host(("after", "apply_patch", {"patchText": patch}))
        self.assertEqual(result["error"].count(HEADER), 2)
        self.assertIn("modules/rowscale_module1_impl.py:2", result["error"])
        self.assertNotIn("good_impl", result["error"])

    def test_a_linter_that_fails_blocks(self):
        missing = self.folder / "nowhere"
        for binary in (missing, self.recorder("exit 2"), self.recorder("echo no JSON"), self.recorder("echo '[]'"),
                       self.recorder("kill -9 $$")):
            result, = self.host(("after", "write", {"filePath": "a_impl.py"}), binary=binary)
            self.assertIn("plugin-error", result["error"], binary)


class Guards(PluginTest):
    def test_shell_commands(self):
        # Some of each; tests/hook/test_pre_edit.py has the whole table. `MAY_CONCERN` lets the others pass.
        commands = WRITES_ARTIFACT[::9] + WRITES_STATE[::5] + LEAVES_ARTIFACT[::9] + READS_STATE[::5]
        results = self.host(*[("before", "bash", {"command": command}) for command in commands],
                            directory=self.operator())
        for command, result in zip(commands, results):
            if command in WRITES_ARTIFACT:
                self.assertIn(SHELL_WRITE, result["error"], command)
            elif command in WRITES_STATE:
                self.assertIn(STATE_WRITE, result["error"], command)
                self.assertIn("state_transition", result["error"])
            else:
                self.assertNotIn("error", result, command)

    def test_tools(self):
        for tool in ("bash", "Shell", {"name": "bash"}):
            result, = self.host(("before", tool, {"command": "rm a_impl.py"}))
            self.assertIn(SHELL_WRITE, result["error"])
        for tool, args in (("read", {"command": "rm a_impl.py"}), ("bash", {"command": 7}), ("bash", None), (None, {})):
            self.assertNotIn("error", self.host(("before", tool, args))[0])

    def test_harmless_commands_start_nothing(self):
        self.host(("before", "bash", {"command": "ls -l"}), binary=self.recorder())
        self.assertEqual(self.questions(), [])

    def test_state_file(self):
        op = self.operator()
        (self.folder / "link.json").symlink_to(op / STATE)
        calls = [("before", tool, {"filePath": path}) for tool in ("write", "edit", "multiedit")
                 for path in (STATE, f"custom/rowscale/{STATE}", str(op / STATE), "link.json")]
        calls += [("before", "apply_patch", {"patchText": f"*** {what} File: {op}/{STATE}\n"})
                  for what in ("Update", "Delete")]
        for result in self.host(*calls):
            self.assertIn("禁止直接修改 .orchestrator_state.json", result["error"])
            self.assertIn("state_transition", result["error"])
        for binary in (self.folder / "nowhere", self.recorder()):
            result, = self.host(("before", "write", {"filePath": STATE}), binary=binary)
            self.assertIn("禁止直接修改 .orchestrator_state.json", result["error"])

    def test_before_an_edit_a_failure_only_warns(self):
        result, = self.host(("before", "write", {"filePath": "a_impl.py"}), binary=self.folder / "nowhere")
        self.assertNotIn("error", result)
        self.assertEqual([(entry["service"], entry["level"]) for entry in self.log], [("pypto-lint", "warn")])
        # A shell command goes on, too; its result says that nobody looked at it.
        command = {"command": "rm a_impl.py"}
        before, after, again = self.host(("before", "bash", command), ("after", "bash", command),
                                         ("after", "bash", command), binary=self.folder / "nowhere")
        self.assertNotIn("error", before)
        self.assertTrue(after["output"]["output"].startswith("OUT\n\n[pypto-op-lint] plugin-error: not checked"))
        self.assertEqual(again["output"]["output"], "OUT")
        result, = self.host(("before", "bash", {"command": f"echo > {STATE}"}), binary=self.folder / "nowhere")
        self.assertIn("plugin-error", result["error"])

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_backup_at_stage_6(self):
        op = self.operator(stage=6)
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
        env = self.environment({"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t",
                                "GIT_COMMITTER_EMAIL": "t@t"})
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
            subprocess.run([*git, *words], cwd=self.folder, env=env, check=True)
        self.write("custom/rowscale/rowscale_impl.py", CLEAN_IMPL + "\n")
        self.host(("before", "edit", {"filePath": "custom/rowscale/rowscale_impl.py"}), env=env)
        done = subprocess.run(["git", "log", "--format=%s"], cwd=op, env=env, capture_output=True, text=True,
                              check=True)
        self.assertEqual(done.stdout.splitlines()[0], "backup: rowscale_impl.py before stage6 attempt 1")

    def test_no_shell(self):
        name = "$(touch pwned)`touch pwned`;touch pwned\n'\"_impl.py"
        self.host(("before", "bash", {"command": f"cat {name}"}), ("before", "write", {"filePath": name}),
                  ("after", "write", {"filePath": name}), ("after", "bash", {"command": f"python3 test_a.py {name}"}),
                  ("before", "state_transition", {"action": "complete_stage", "stage": 7, "op_dir": name}),
                  ("before", "state_transition", {"action": "complete_phase", "phase": name, "op_dir": "x"}))
        self.assertFalse((self.folder / "pwned").exists())


class Agents(PluginTest):
    def test_scope(self):
        bad = ("before", "bash", {"command": "rm a_impl.py"})

        def heard(event, agent, session="s"):
            return (event, {"sessionID": session, "agent": agent})

        # OpenCode's own agents write operators as well as any other.
        for agent in ("build", "plan", "general", "explore", "scout", "pypto-op-coder"):
            self.assertIn(SHELL_WRITE, self.host(heard("chat.params", agent), bad)[1]["error"])
        left_out = {"PYPTO_LINT_UNCHECKED_AGENTS": "plan, build"}
        results = self.host(
            bad, heard("chat.message", "build"), bad, heard("chat.params", "pypto-op-coder"), bad,
            heard("chat.message", "plan"), bad, heard("chat.message", None), bad,
            heard("chat.message", "pypto-op-coder", "other"), bad, heard("chat.message", "Build"), bad, env=left_out)
        off = ["error" not in result for result in results]
        self.assertEqual([off[n] for n in (0, 2, 4, 6, 8, 10, 12)], [False, True, False, True, True, True, False])
        results = self.host(heard("chat.params", "plan"), ("after", "write", {"filePath": "a_impl.py"}),
                            ("before", "state_transition", {"action": "submit_design"}), binary=self.folder / "none",
                            env=left_out)
        self.assertFalse(any("error" in result for result in results))

    def test_the_first_request_says_what_is_wrong(self):
        """The system prompt of every request; the program is asked once."""
        def asked(binary):
            calls = [("experimental.chat.system.transform", {"sessionID": "s"}, {"system": ["a"]})] * 2
            return [result["output"]["system"][1:] for result in self.host(*calls, binary=binary)]

        self.assertEqual(asked(hook_support.BINARY), [[], []])
        for binary in (self.folder / "nowhere", self.recorder("exit 2"), self.recorder("kill -9 $$")):
            first, second = asked(binary)
            self.assertEqual(first, second)
            self.assertIn("Operators are not checked: tell the user.", first[0])
        self.assertEqual(len([line for line in self.questions() if line.startswith("hook session-start")]), 2)
        answer = json.dumps({"hookSpecificOutput": {"additionalContext": "older"}})
        self.assertEqual(asked(self.recorder(f"echo '{answer}'")), [["older"], ["older"]])

    def test_the_version(self):
        version = subprocess.run([hook_support.BINARY, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f'const VERSION = "{version.split()[1]}"', SOURCE.read_text(encoding="utf-8"))

    def test_trace(self):
        self.host(("before", "read", {}), ("after", {"name": "Bash"}, {}), env={"PYPTO_OP_LINT_TRACE": "1"})
        lines = [line for line in self.stderr.splitlines() if line.startswith("[pypto-op-lint:trace] ")]
        self.assertEqual(len(lines), 2)
        self.assertEqual(json.loads(lines[1].split(" ", 1)[1]),
                         {"event": "after", "tool": "bash", "session": "s", "agent": None, "off": False})
        self.host(("before", "read", {}))
        self.assertNotIn("trace", self.stderr)


class TestRuns(PluginTest):
    def test_verdicts(self):
        table = [
            ({"output": "x [PRECISION_PASS]", "metadata": {"exit": 3}}, "precision_pass"),
            ({"output": "x", "metadata": {"exit": None}}, "runtime_error"),
            ({"output": "x", "metadata": {"exit": 3}}, "runtime_error"), ({"output": "x", "metadata": {}}, "no_marker"),
            ({"stdout": "x", "exit_code": 1}, "runtime_error"), ({"text": "[PRECISION_FAIL]"}, "precision_fail"),
            ({"stderr": "[PRECISION_FAIL]", "output": ""}, "precision_fail"), ({"code": 2}, "runtime_error"),
            ({"exitCode": 2}, "runtime_error"), ({"exit_code": 0, "code": 1}, "no_marker"),
            ({"exit_code": "1", "code": 1}, "runtime_error"), ({"output": 7, "metadata": None}, "no_marker"),
        ]
        command = {"command": "python3 custom/x/test_x.py -q"}
        results = self.host(*[("after", "bash", command, result) for result, _ in table])
        for (given, verdict), result in zip(table, results):
            self.assertIn(f"[pypto-op-lint parse-result] {verdict}:", result["output"]["output"], given)
            self.assertNotIn("error", result)

    def test_other_commands(self):
        results = self.host(*[("after", "bash", {"command": command}) for command in ("ls", "python3 a.py", "")],
                            binary=self.recorder())
        self.assertEqual(self.questions(), [])
        for result in results:
            self.assertEqual(result["output"]["output"], "OUT")

    def test_a_failure_does_not_block(self):
        result, = self.host(("after", "bash", {"command": "python3 test_a.py"}), binary=self.folder / "nowhere")
        self.assertNotIn("error", result)
        self.assertTrue(result["output"]["output"].startswith("OUT\n\n[pypto-op-lint] plugin-error: not checked"))


class Gates(PluginTest):
    def transition(self, action, binary=None, result=None, directory=None, **args):
        before, after = self.host(
            ("before", "state_transition", {"action": action, **args}),
            ("after", "state_transition", {"action": action, **args},
             {"title": "t", "output": '{"ok": true}' if result is None else result, "metadata": {}}),
            binary=binary, directory=directory)
        return before.get("error"), after["output"]["output"]

    def test_not_passed(self):
        self.operator()
        self.write("custom/rowscale/test_rowscale.py", CLEAN_TEST.replace("test_level1", "test_more"))
        error, _ = self.transition("complete_stage", stage=5, op_dir="custom/rowscale")
        self.assertTrue(error.startswith("[pypto-op-lint] "))
        self.assertIn("\n  [OL13][S1] README.md", error)
        self.assertIn(" (README.md)\n", error)
        self.assertIn("\n  [OL21][S2] ", error)  # no matter that it does not block

    def test_passed(self):
        self.operator(stage=7)
        error, output = self.transition("complete_stage", stage="7")
        self.assertEqual((error, json.loads(output)), (None, {"ok": True, "warnCount": 0, "infoCount": 0}))
        report = '{"passed": true, "findings": [], "summary": {"warn": 2, "info": 1}}'
        error, output = self.transition("complete_stage", stage=7, binary=self.recorder(f"echo '{report}'"))
        self.assertEqual(json.loads(output), {"ok": True, "warnCount": 2, "infoCount": 1})
        error, output = self.transition("complete_stage", stage=7, result="done",
                                        binary=self.recorder(f"echo '{report}'"))
        self.assertTrue(output.startswith("done\n\n[pypto-op-lint] "))

    def test_which_gate(self):
        op = self.operator()
        table = [
            ("complete_stage", {"stage": 3}, "--check-gate --stage 3"), ("submit_design", {}, "--check-design-gate"),
            ("submit_for_verify", {"phase": "M1"}, "--check-phase-gate --phase M1"),
            ("complete_phase", {"phase": "M2"}, "--check-phase-gate --phase M2"),
        ]
        for action, args, options in table:
            self.transition(action, binary=self.recorder("echo '{}'"), **args)
            self.assertEqual([line.strip() for line in self.questions()], [f"{options} --op-dir {op}"])
            self.asked.unlink()
        for action, args in (("complete_stage", {}), ("complete_stage", {"stage": "x"}),
                             ("complete_stage", {"stage": 1.5}), ("submit_for_verify", {}),
                             ("complete_phase", {"phase": 7}), ("start_stage", {"stage": 5}),
                             ("init", {}), ("fail_phase", {"phase": "M1"}), ("rollback_to_stage", {"target_stage": 1})):
            error, output = self.transition(action, binary=self.recorder(), **args)
            self.assertEqual((error, output, self.questions()), (None, '{"ok": true}', []), (action, args))

    def test_gates_of_the_program(self):
        """Each of the commands is one that the program knows."""
        self.operator()
        error, _ = self.transition("submit_design")
        self.assertIn("[OL12][S1]", error)
        error, _ = self.transition("complete_phase", phase="M1")
        self.assertIn("[OL54][S1]", error)
        error, _ = self.transition("complete_phase", phase="../x")
        self.assertIn("the gate ended with status 2", error)

    def test_reports_that_cannot_be_read(self):
        self.operator()
        for action in ("exit 2", "echo x; exit 3", "echo '{\"findings\": 7}'; exit 4",
                       "echo '{\"findings\": [7]}'; exit 5"):
            error, _ = self.transition("submit_design", binary=self.recorder(action))
            self.assertIn(f"the gate ended with status {action[-1]}", error)
        error, _ = self.transition("submit_design", binary=self.folder / "nowhere")
        self.assertIn("plugin-error", error)

    def test_which_operator(self):
        op, other = self.operator(), self.operator(name="other")
        for args in ({"op_dir": str(op)}, {"operatorDir": "custom/rowscale"}, {"op_name": "rowscale"},
                     {"state": f"custom/rowscale/{STATE}"}, {"folder": "custom/rowscale"}):
            self.transition("submit_design", binary=self.recorder("echo '{}'"), **args)
            self.assertEqual(self.questions(), [f"--check-design-gate --op-dir {op} "], args)
            self.asked.unlink()
        (other / "modules").mkdir()
        self.transition("submit_design", binary=self.recorder("echo '{}'"), directory=other / "modules")
        self.assertEqual(self.questions(), [f"--check-design-gate --op-dir {other} "])
        self.asked.unlink()
        error, _ = self.transition("submit_design", binary=self.recorder("echo '{}'"))
        self.assertIn("not clear which operator directory", error)
        self.assertEqual(self.questions(), [])


class Time(PluginTest):
    def test_does_not_wait_for_standard_input(self):
        start = time.monotonic()
        self.host(("after", "write", {"filePath": "a_impl.py", "content": "x" * 10_000_000}), binary="/bin/true")
        self.assertLess(time.monotonic() - start, 20)


def main():
    global COMPILED
    for needed in (TSC, TOOLS / "node_modules/@opencode-ai/plugin"):
        if shutil.which("node") is None or not os.path.exists(needed):
            print(f"SKIPPED test_plugin.py: no node, or no {needed.name} (tests/clients/install.sh plugin)",
                  file=sys.stderr)
            sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        objections = compile_plugin(folder)
        if objections:
            sys.exit(f"the type check of the plugin fails:\n{objections}")
        COMPILED = folder / "pypto-lint.js"
        hook_support.main()


if __name__ == "__main__":
    main()
