#!/usr/bin/env python3
"""OpenCode with the plugin of hooks/opencode, against a scripted model.

Usage: test_opencode.py BINARY [unittest options]
"""
import json
import re

import model_server
from client_support import (BAD_IMPL, BAD_OTHER, CLEAN_IMPL, IMPL, MARK, OTHER_IMPL, PASSING, RUN_FAILING,
                            RUN_PASSING, RUN_SLOW, SLOW_LIMIT, STATE, ClientTest, main, tool)

AGENT = "pypto-op-coder"
PLUGIN = ".opencode/plugin/pypto-lint.ts"
# A stand-in for the workflow's state machine: it tells what it was asked.
STATE_TOOL = """\
export const StateTool = async () => ({
  tool: {
    state_transition: {
      description: "Moves the state machine.", args: {},
      execute: async (asked) => JSON.stringify({ ok: true, asked }),
    },
  },
})
"""


def shell(command):
    return tool("bash", command=command, description="a step of the script")


class OpenCode(ClientTest):
    name = "opencode"
    program = ["opencode-linux-x64-baseline/bin/opencode"]
    dialect = model_server.ChatCompletions
    agent = AGENT
    left_out = ""
    lsp = False

    def setUp(self):
        super().setUp()
        self.write(f".opencode/agent/{AGENT}.md", "---\ndescription: Writes operators.\nmode: primary\n---\nGo.\n")
        self.write(".opencode/plugin/state.js", STATE_TOOL)

    def call(self, url):
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "scripted",
                    "options": {"baseURL": f"{url}/v1", "apiKey": "dummy"},
                    "models": {"m": {"name": "m", "tool_call": True, "limit": {"context": 100000, "output": 9000}}}}
        self.write("opencode.json", json.dumps({
            "autoupdate": False, "share": "disabled", "snapshot": False, "lsp": self.lsp, "formatter": False,
            "permission": {"*": "allow"}, "model": "scripted/m", "small_model": "scripted/m",
            "provider": {"scripted": provider}}))
        # It wants to fetch its own package at every start; the model's server tells it at once that
        # there is none.
        env = self.environment(
            OPENCODE_DISABLE_MODELS_FETCH="1", OPENCODE_DISABLE_AUTOUPDATE="1", OPENCODE_DISABLE_LSP_DOWNLOAD="1",
            OPENCODE_DISABLE_DEFAULT_PLUGINS="1", PYPTO_LINT_UNCHECKED_AGENTS=self.left_out,
            npm_config_registry=url, npm_config_fetch_retries="0")
        return [*self.command(), "run", "--print-logs", "--log-level", "WARN", "--agent", self.agent, "Go."], env

    def test_tools(self):
        """All in one conversation: a start takes seconds."""
        self.configure()
        absolute, state = str(self.project / IMPL), self.read(STATE)
        self.converse([
            tool("write", filePath=absolute, content=BAD_IMPL), tool("write", filePath=absolute, content=CLEAN_IMPL),
            tool("edit", filePath=IMPL, oldString="import pypto\n", newString="import pypto\nfrom pypto import *\n"),
            tool("edit", filePath=IMPL, oldString="from pypto import *\n", newString=""),
            shell(f"echo > {IMPL}"), tool("write", filePath=str(self.project / STATE), content="{}"),
            shell(f"echo {{}} > {STATE}"), shell(f"cat {IMPL}"),
            shell(RUN_PASSING), shell(RUN_FAILING), shell(f"{RUN_PASSING}; exit 3"), shell(f"cat {PASSING}"),
            tool("state_transition", action="complete_stage", stage=5, op_dir="custom/rowscale"),
            tool("state_transition", action="start_stage", stage=6),
            # No rule of stage 7 objects.
            tool("state_transition", action="complete_stage", stage=7),
            tool("bash", command=RUN_SLOW, description="x", timeout=300),
        ])
        self.assertBlocked(0)
        self.assertNothingSaid(1)
        self.assertBlocked(2)
        self.assertNothingSaid(3)
        self.assertIn("禁止通过 bash/shell 写入算子产物文件", self.told(4))
        self.assertIn("禁止直接修改 .orchestrator_state.json", self.told(5))
        self.assertIn("禁止通过 bash/shell 直接写入", self.told(6))
        self.assertNothingSaid(7)
        self.assertEqual((self.read(IMPL), self.read(STATE)), (CLEAN_IMPL, state))
        self.assertIn(f"{MARK} parse-result] precision_pass", self.told(8))
        self.assertIn(f"{MARK} parse-result] runtime_error", self.told(9))
        self.assertIn(f"{MARK} parse-result] precision_pass", self.told(10))
        self.assertNothingSaid(11)
        self.assertIn("[OL13][S1]", self.told(12))
        self.assertIn("(README.md)", self.told(12))
        self.assertNotIn('"ok"', self.told(12))
        self.assertIn('"ok":true', self.told(13))
        self.assertIn('"warnCount": 0', self.told(14))
        self.assertIn('"ok": true', self.told(14))
        self.assertIn(f"{MARK} parse-result] runtime_error", self.told(15))

    def test_a_program_that_does_not_run(self):
        """The agent that everybody starts with. Killed, crashed, too slow, older, missing: each write says
        that it was not checked; the first request says so of all."""
        self.configure()
        self.switchable("older")
        self.agent = "build"
        plugin = self.read(PLUGIN)
        self.assertIn("HOOK_LIMIT = 30_000", plugin)
        self.write(PLUGIN, plugin.replace("HOOK_LIMIT = 30_000", f"HOOK_LIMIT = {SLOW_LIMIT}_000"))
        program = self.folder / "bin/pypto-lint"
        states = [("older", "ended with status 2"), ("killed", "ended with status -1"),
                  ("crashed", "ended with status -1"), ("slow", f"no answer in {SLOW_LIMIT} s"), ("gone", "Executable not found")]
        script = []
        for mode, _ in states:
            change = f"rm '{program}'" if mode == "gone" else self.turn(mode)
            script += [shell(change), tool("write", filePath=IMPL, content=f"{BAD_IMPL}# {mode}\n")]
        script += [shell(RUN_FAILING), shell(f"echo {{}} > {STATE}")]
        self.converse(script)
        self.assertIn("Operators are not checked: tell the user.", self.first_request())
        for number, (mode, says) in enumerate(states):
            told = self.told(2 * number + 1)
            self.assertIn("plugin-error: not checked", told, mode)
            self.assertIn(says, told, mode)
        self.assertTrue(self.read(IMPL).endswith("# gone\n"))  # no write is refused
        self.assertIn("plugin-error: not checked", self.told(len(script) - 2))
        self.assertIn("plugin-error: not checked", self.told(len(script) - 1))
        self.assertNotEqual(self.read(STATE), "{}\n")

    def test_the_agent_that_everybody_starts_with(self):
        """A program that is older than the plugin; an operator whose state file is broken, and one whose first
        file is written."""
        self.configure()
        self.switchable()
        self.agent = "build"
        self.write(PLUGIN, re.sub(r'const VERSION = "[\d.]+"', 'const VERSION = "99.0.0"', self.read(PLUGIN)))
        script = [tool("write", filePath=IMPL, content=BAD_IMPL), shell(f"rm {IMPL}"),
                  tool("state_transition", action="complete_stage", stage=5, op_dir="custom/rowscale"),
                  shell(f"sh '{self.folder}/break.sh'"), tool("write", filePath=IMPL, content=BAD_IMPL + "# 2\n"),
                  tool("write", filePath=OTHER_IMPL, content=BAD_OTHER)]
        self.converse(script)
        self.assertIn("The settings want pypto-lint 99.0.0 or later", self.first_request())
        self.assertBlocked(0)
        self.assertEqual(self.told(0).count("[OL07][S0]"), 1)
        self.assertIn("禁止通过 bash/shell 写入算子产物文件", self.told(1))
        self.assertIn("[OL13][S1]", self.told(2))
        for step, path, says in ((4, IMPL, "[not checked]"), (5, OTHER_IMPL, "[OL07][S0] addone_impl.py:2")):
            with self.subTest(path):
                self.assertIn(says, self.told(step))

    def test_the_language_server(self):
        """Without the plugin: OpenCode asks the server after a write and passes its errors on."""
        self.agent = "build"
        self.lsp = {"pypto-lint": {"command": ["pypto-lint", "server"], "extensions": [".py", ".md"]}}
        self.converse([tool("write", filePath=str(self.project / IMPL), content=BAD_IMPL),
                       tool("write", filePath=str(self.project / IMPL), content=CLEAN_IMPL)])
        self.assertEqual(self.told(0).count("OL07: non-canonical PyPTO import"), 1, self.told(0))
        self.assertIn("Write 'import pypto' at the top of the file", self.told(0))
        self.assertNotIn("OL07", self.told(1))

    def test_agents_that_are_left_out(self):
        self.configure()
        self.agent, self.left_out = "build", "plan, build"
        self.converse([tool("write", filePath=IMPL, content=BAD_IMPL), shell(f"echo >> {IMPL}")])
        self.assertNothingSaid(0)
        self.assertNothingSaid(1)
        self.assertEqual(self.read(IMPL), BAD_IMPL + "\n")


if __name__ == "__main__":
    main(OpenCode, "opencode-linux-x64-baseline")
