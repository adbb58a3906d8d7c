#!/usr/bin/env python3
"""OpenCode with the plugin of hooks/opencode, against a scripted model.

Usage: test_opencode.py BINARY [unittest options]
"""
import json

import model_server
from client_support import (BAD_IMPL, CLEAN_IMPL, IMPL, MARK, PASSING, RUN_FAILING, RUN_PASSING, RUN_SLOW, STATE,
                            ClientTest, main, tool)

AGENT = "pypto-op-coder"
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

    def setUp(self):
        super().setUp()
        self.write(f".opencode/agent/{AGENT}.md", "---\ndescription: Writes operators.\nmode: primary\n---\nGo.\n")
        self.write(".opencode/plugin/state.js", STATE_TOOL)

    def call(self, url):
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "scripted",
                    "options": {"baseURL": f"{url}/v1", "apiKey": "dummy"},
                    "models": {"m": {"name": "m", "tool_call": True, "limit": {"context": 100000, "output": 9000}}}}
        self.write("opencode.json", json.dumps({
            "autoupdate": False, "share": "disabled", "snapshot": False, "lsp": False, "formatter": False,
            "permission": {"*": "allow"}, "model": "scripted/m", "small_model": "scripted/m",
            "provider": {"scripted": provider}}))
        # It wants to fetch its own package at every start; the model's server tells it at once that
        # there is none.
        env = self.environment(
            OPENCODE_DISABLE_MODELS_FETCH="1", OPENCODE_DISABLE_AUTOUPDATE="1", OPENCODE_DISABLE_LSP_DOWNLOAD="1",
            OPENCODE_DISABLE_DEFAULT_PLUGINS="1", npm_config_registry=url, npm_config_fetch_retries="0")
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

    def test_agents_that_write_no_operators(self):
        self.configure()
        self.agent = "build"
        self.converse([tool("write", filePath=IMPL, content=BAD_IMPL), shell(f"echo >> {IMPL}")])
        self.assertNothingSaid(0)
        self.assertNothingSaid(1)
        self.assertEqual(self.read(IMPL), BAD_IMPL + "\n")


if __name__ == "__main__":
    main(OpenCode, "opencode-linux-x64-baseline")
