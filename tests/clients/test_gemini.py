#!/usr/bin/env python3
"""Gemini CLI with the project's hooks, against a scripted model.

Usage: test_gemini.py BINARY [unittest options]
"""
import json

import model_server
from client_support import (BAD_IMPL, CLEAN_IMPL, IMPL, MARK, PASSING, RUN_FAILING, RUN_PASSING, RUN_SLOW, STATE,
                            ClientTest, main, tool)

USER_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
}


def shell(command):
    return tool("run_shell_command", command=command)


class GeminiCli(ClientTest):
    name = "gemini"
    program = ["node", "@google/gemini-cli/bundle/gemini.js"]
    dialect = model_server.Gemini

    def setUp(self):
        super().setUp()
        settings = self.home / ".gemini/settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps(USER_SETTINGS), encoding="utf-8")

    def call(self, url):
        env = self.environment(GEMINI_API_KEY="dummy", GOOGLE_GEMINI_BASE_URL=url, GEMINI_CLI_TRUST_WORKSPACE="true")
        return [*self.command(), "--yolo", "--model", "gemini-2.5-pro", "--prompt", "Go."], env

    def test_tools(self):
        self.configure()
        state = self.read(STATE)
        script = [
            tool("write_file", file_path=str(self.project / IMPL), content=BAD_IMPL),
            tool("write_file", file_path=IMPL, content=CLEAN_IMPL),
            tool("replace", file_path=IMPL, old_string="import pypto\n", instruction="x",
                 new_string="import pypto\nfrom pypto import *\n"),
            tool("replace", file_path=IMPL, old_string="from pypto import *\n", instruction="x", new_string=""),
            shell(f"echo > {IMPL}"), tool("write_file", file_path=STATE, content="{}"),
            shell(f"echo {{}} > {STATE}"), shell(f"cat {IMPL}"),
            shell(RUN_PASSING), shell(RUN_FAILING), shell(f"{RUN_PASSING}; exit 3"), shell(f"cat {PASSING}"),
            tool("run_shell_command", command=RUN_SLOW, is_background=True),
        ]
        self.converse(script)
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
        self.assertNothingSaid(12)
        self.assertEndsAtOnce(script)

    def test_a_program_that_does_not_run(self):
        self.configure()
        self.switchable("older")
        program = self.folder / "bin/pypto-lint"
        script = [tool("write_file", file_path=IMPL, content=BAD_IMPL), shell(self.turn("killed")),
                  tool("write_file", file_path=IMPL, content=BAD_IMPL + "# 2\n"), shell(f"rm '{program}'"),
                  tool("write_file", file_path=IMPL, content=BAD_IMPL + "# 3\n"), shell(RUN_FAILING), {"text": "Finished."}]
        self.converse(script)
        self.assertIn("pypto-lint is missing or too old (status 2), these settings want", self.first_request())
        for step, status in ((0, 2), (2, 137), (4, 127)):
            self.assertIn(f"did not run (status {status}): the file is not checked", self.told(step))
        self.assertIn("did not run (status 127): no verdict about a test", self.told(5))
        self.assertIn("did not run (status 127): the gate is not checked", self.told(6))
        self.assertEqual(self.read(IMPL), BAD_IMPL + "# 3\n")
        self.assertEqual(len(self.server.requests), len(script) + 1)

    def test_stop(self):
        """The gate holds the agent once; then it may end although nothing was repaired. The client
        reads a project's settings only in its top folder, hence those of the user."""
        self.configure("--user")
        self.converse([{"text": "Finished."}, {"text": "No more."}], cwd="custom/rowscale")
        self.assertGateHolds(0)
        self.assertEqual(len(self.server.requests), 2)


if __name__ == "__main__":
    main(GeminiCli, "@google/gemini-cli")
