#!/usr/bin/env python3
"""Claude Code with the project's hooks, against a scripted model.

Usage: test_claude.py BINARY [unittest options]
"""
import re

import model_server
from client_support import (BAD_IMPL, BAD_OTHER, CLEAN_IMPL, FAILING, IMPL, MARK, OTHER_IMPL, PASSING, RUN_FAILING,
                            ROOT, RUN_PASSING, RUN_SLOW, SLOW_LIMIT, STATE, ClientTest, main, strings)


class ClaudeCode(ClientTest):
    name = "claude"
    program = ["node", "@anthropic-ai/claude-code/cli-wrapper.cjs"]
    dialect = model_server.Anthropic
    plugin = None

    def call(self, url):
        env = self.environment(
            ANTHROPIC_BASE_URL=url, ANTHROPIC_API_KEY="dummy", DISABLE_AUTOUPDATER="1", DISABLE_TELEMETRY="1",
            DISABLE_ERROR_REPORTING="1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1")
        return [*self.command(), "-p", "Go.", "--allowedTools", "Read,Write,Edit,Bash",
                *(["--plugin-dir", str(self.plugin)] if self.plugin else [])], env

    def test_the_plugin(self):
        """Hooks and language server of the plugin folder, without settings in the project."""
        self.plugin = ROOT / "hooks/claude-plugin"
        self.converse([self.tool("Write", file_path=IMPL, content=BAD_IMPL), self.bash("sleep 2"),
                       self.tool("Edit", file_path=IMPL, old_string="import *", new_string="import  *"),
                       self.bash("sleep 2"), self.tool("Read", file_path=IMPL),
                       self.tool("Write", file_path=IMPL, content=CLEAN_IMPL)])
        self.assertBlocked(0)
        said = "\n".join(text for request in self.server.requests for text in strings(request))
        self.assertIn("OL07: non-canonical PyPTO import", said)

    def tool(self, name, **values):
        if "file_path" in values:
            values["file_path"] = str(self.project / values["file_path"])
        return {"tool": name, "input": values}

    def bash(self, command):
        return self.tool("Bash", command=command, description="a step of the script")

    def test_edits(self):
        self.configure()
        script = [
            self.tool("Write", file_path=IMPL, content=BAD_IMPL),
            self.tool("Write", file_path=IMPL, content=CLEAN_IMPL),
            self.tool("Edit", file_path=IMPL, old_string="import pypto\n",
                      new_string="import pypto\nfrom pypto import *\n"),
            self.tool("Edit", file_path=IMPL, old_string="from pypto import *\n", new_string=""),
        ]
        self.converse(script)
        self.assertBlocked(0)
        # Once: not in the reason and again in the context.
        self.assertEqual(self.told(0).count("[OL07][S0]"), 1)
        self.assertNotIn("未检查", self.first_request())
        self.assertNothingSaid(1)
        self.assertBlocked(2)
        self.assertNothingSaid(3)
        self.assertEqual(self.read(IMPL), CLEAN_IMPL)
        self.assertEndsAtOnce(script)

    def test_an_agent_that_repairs_nothing(self):
        """The fifth block at the same place tells it to stop; a document that is frozen says so; a
        long list reaches it whole."""
        self.configure()
        many = CLEAN_IMPL.replace("import pypto\n", "import pypto\n" + "from pypto import *\n" * 400)
        self.converse([self.tool("Write", file_path=IMPL, content=f"{BAD_IMPL}# {n}\n") for n in range(5)] + [
            self.tool("Write", file_path="custom/rowscale/SPEC.md", content="# Specification\n"),
            self.tool("Write", file_path="custom/rowscale/many_impl.py", content=many),
        ])
        for step in range(5):
            self.assertBlocked(step)
            self.assertEqual("Blocked five times" in self.told(step), step == 4)
        self.assertIn("rollback_to_stage, target_stage=1", self.told(5))
        self.assertBlocked(6, "[OL07][S0] many_impl.py:2 ")
        self.assertRegex(self.told(6), r"… and \d+ more\n\nblocking_rules: OL07")

    def test_guards(self):
        self.configure()
        self.write(IMPL, CLEAN_IMPL)
        state = self.read(STATE)
        self.converse([
            self.bash(f"echo > {IMPL}"),
            self.tool("Read", file_path=STATE),
            self.tool("Write", file_path=STATE, content="{}"),
            self.bash(f"echo {{}} > {STATE}"),
            self.bash(f"cat {IMPL}"),
        ])
        self.assertIn("禁止通过 bash/shell 写入算子产物文件", self.told(0))
        self.assertIn("禁止直接修改 .orchestrator_state.json", self.told(2))
        self.assertIn("禁止通过 bash/shell 直接写入", self.told(3))
        self.assertNothingSaid(4)
        self.assertEqual((self.read(IMPL), self.read(STATE)), (CLEAN_IMPL, state))

    def test_verdicts(self):
        self.configure()
        self.converse([self.bash(RUN_PASSING), self.bash(RUN_FAILING), self.bash(f"{RUN_PASSING}; exit 3"),
                       self.bash(f"cat {PASSING} {FAILING}"),
                       self.tool("Bash", command=RUN_SLOW, description="x", run_in_background=True),
                       self.tool("Bash", command=RUN_SLOW, description="x", timeout=300)])
        self.assertIn(f"{MARK} parse-result] precision_pass", self.told(0))
        self.assertIn(f"{MARK} parse-result] runtime_error", self.told(1))
        self.assertIn(f"{MARK} parse-result] precision_pass", self.told(2))
        for step in (3, 4, 5):  # the last two go on in the background
            self.assertNothingSaid(step)

    def edit(self, text):
        return self.tool("Write", file_path=IMPL, content=text)

    def test_a_program_that_does_not_run(self):
        """Missing, killed, crashed, too slow, older: the model hears of it each time, and is not held for
        ever at the end."""
        self.configure()
        self.switchable()
        settings = self.read(".claude/settings.json")
        self.assertIn("timeout 18 pypto-lint hook post-edit", settings)
        self.write(".claude/settings.json", settings.replace("timeout 18", f"timeout {SLOW_LIMIT}"))
        program = self.folder / "bin/pypto-lint"
        states = [("killed", 137), ("crashed", 139), ("slow", 124), ("older", 2), ("gone", 127)]
        script = []
        for mode, status in states:
            change = f"rm '{program}'" if mode == "gone" else self.turn(mode)
            script += [self.bash(change), self.edit(f"{BAD_IMPL}# {mode}\n")]
        script += [self.bash(RUN_FAILING), self.bash("true"), {"text": "Finished."}]
        self.converse(script)
        for number, (mode, status) in enumerate(states):
            told = self.told(2 * number + 1)
            self.assertIn(f"pypto-lint did not run (status {status}): the file is not checked", told, mode)
            self.assertEqual(self.read(IMPL).endswith("# gone\n"), True)  # no write is refused
        after = len(script) - 3
        self.assertIn("did not run (status 127): no verdict about a test", self.told(after))
        self.assertIn("did not run (status 127): this call is not guarded", self.told(after))
        self.assertIn("did not run (status 127): no verdict about a test", self.told(after + 1))
        self.assertIn("did not run (status 127): the gate is not checked", self.told(after + 2))
        self.assertEqual(len(self.server.requests), len(script) + 1)

    def test_an_older_program_and_newer_settings(self):
        """At the start the model hears that the program is older; words that it does not know are told, and
        what it knows is done."""
        self.configure()
        self.switchable("older")
        settings = self.read(".claude/settings.json")
        for hook in ("pre-edit", "post-edit", "stop"):
            settings = settings.replace(f"pypto-lint hook {hook})", f"pypto-lint hook {hook} --new-option)")
        self.assertEqual(settings.count("--new-option"), 3)
        self.write(".claude/settings.json", settings)
        script = [self.bash(self.turn("run")), self.edit(BAD_IMPL), self.edit(CLEAN_IMPL), {"text": "Finished."}]
        self.converse(script)
        self.assertIn("pypto-lint is missing or too old (status 2), these settings want", self.first_request())
        self.assertBlocked(1)
        for step in (1, 2):
            self.assertIn("does not know '--new-option'", self.told(step))
        self.assertEqual(self.read(IMPL), CLEAN_IMPL)
        self.assertEqual(len(self.server.requests), len(script))

    def test_settings_of_a_newer_version(self):
        """A program that knows its own version: it says itself that it is older. And an operator whose state
        file is broken, and one whose first file is written."""
        self.configure()
        self.switchable()
        settings = self.read(".claude/settings.json")
        self.write(".claude/settings.json", re.sub(r"--wants [\d.]+", "--wants 99.0.0", settings))
        self.converse([self.edit(BAD_IMPL), self.bash(f"sh '{self.folder}/break.sh'"), self.edit(BAD_IMPL + "# 2\n"),
                       self.tool("Write", file_path=OTHER_IMPL, content=BAD_OTHER)])
        self.assertIn("The settings want pypto-lint 99.0.0 or later", self.first_request())
        self.assertBlocked(0)
        for step, path, says in ((2, IMPL, "[not checked]"), (3, OTHER_IMPL, "[OL07][S0] addone_impl.py:2")):
            with self.subTest(path):
                self.assertIn(says, self.told(step))

    def test_stop(self):
        """The gate holds the agent once; then it may end although nothing was repaired."""
        self.configure()
        self.converse([self.bash("cd custom/rowscale && ls"), {"text": "Finished."}, {"text": "No more."}])
        self.assertGateHolds(1)
        self.assertLessEqual(len(self.server.requests), 4)
        self.assertIn(self.output.strip(), ("No more.", "Done."))


if __name__ == "__main__":
    main(ClaudeCode, "@anthropic-ai/claude-code")
