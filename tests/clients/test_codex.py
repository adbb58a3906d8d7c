#!/usr/bin/env python3
"""Codex with the project's hooks, against a scripted model.

Usage: test_codex.py BINARY [unittest options]
"""
import model_server
from client_support import (BAD_IMPL, CLEAN_IMPL, IMPL, MARK, PASSING, RUN_FAILING, RUN_PASSING, RUN_SLOW, STATE,
                            ClientTest, main)

# Its models are known to the client by name; this one edits with the tool apply_patch.
CONFIG = """\
model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[projects."{project}"]
trust_level = "trusted"
"""


def added(path, text):
    return f"*** Add File: {path}\n" + "".join(f"+{line}\n" for line in text.splitlines())


def patch(*parts):
    text = "".join(parts)
    return {"tool": "apply_patch", "raw": f"*** Begin Patch\n{text}*** End Patch\n"}


def shell(command):
    return {"tool": "exec_command", "input": {"cmd": command}}


REPAIR = f"*** Update File: {IMPL}\n@@\n import pypto\n-from pypto import *\n import torch\n"


class Codex(ClientTest):
    name = "codex"
    program = ["node", "@openai/codex/bin/codex.js"]
    dialect = model_server.Responses

    def call(self, url):
        settings = self.home / ".codex/config.toml"
        settings.parent.mkdir()
        settings.write_text(CONFIG.format(url=url, project=self.project), encoding="utf-8")
        # The user trusts new hooks once, by hand; the scratch project is sandbox enough.
        return [*self.command(), "exec", "--dangerously-bypass-hook-trust",
                "--dangerously-bypass-approvals-and-sandbox", "Go."], self.environment(SCRIPTED_KEY="dummy")

    def test_edits(self):
        self.configure()
        script = [
            patch(added(IMPL, BAD_IMPL)), patch(REPAIR),
            patch(added("notes.md", "x"), added("custom/rowscale/modules/rowscale_module1_impl.py", BAD_IMPL)),
        ]
        self.converse(script)
        self.assertBlocked(0)
        self.assertEqual(self.told(0).count("[OL07][S0]"), 1)
        self.assertNothingSaid(1)
        self.assertEqual(self.read(IMPL), CLEAN_IMPL)
        self.assertBlocked(2, "[OL07][S0] modules/rowscale_module1_impl.py:2")
        self.assertEndsAtOnce(script)

    def test_guards(self):
        self.configure()
        self.write(IMPL, CLEAN_IMPL)
        state = self.read(STATE)
        self.converse([
            shell(f"echo > {IMPL}"),
            patch(f"*** Update File: {STATE}\n@@\n-{state}\n+{{}}\n"),
            # No event follows a patch that goes through the shell.
            shell(f"apply_patch <<'END'\n{patch(added('custom/rowscale/new_impl.py', BAD_IMPL))['raw']}END\n"),
            shell(f"cat {IMPL}"),
        ])
        self.assertIn("禁止通过 bash/shell 写入算子产物文件", self.told(0))
        self.assertIn("禁止直接修改 .orchestrator_state.json", self.told(1))
        self.assertIn("禁止通过 bash/shell 写入算子产物文件", self.told(2))
        self.assertNothingSaid(3)
        self.assertEqual((self.read(IMPL), self.read(STATE)), (CLEAN_IMPL, state))
        self.assertFalse((self.project / "custom/rowscale/new_impl.py").exists())

    def test_verdicts(self):
        """It tells hooks the output, not the exit status."""
        self.configure()
        self.converse([shell(RUN_PASSING), shell(RUN_FAILING), shell(f"cat {PASSING}"),
                       {"tool": "exec_command", "input": {"cmd": RUN_SLOW, "yield_time_ms": 300}}])
        self.assertIn(f"{MARK} parse-result] precision_pass", self.told(0))
        self.assertIn(f"{MARK} parse-result] no_marker: the output contains no marker; the exit status", self.told(1))
        self.assertNothingSaid(2)
        self.assertNothingSaid(3)

    def test_a_program_that_does_not_run(self):
        self.configure()
        self.switchable("older")
        program = self.folder / "bin/pypto-lint"
        script = [patch(added(IMPL, BAD_IMPL)), shell(self.turn("killed")), patch(added("custom/rowscale/b_impl.py", BAD_IMPL)),
                  shell(f"rm '{program}'"), patch(added("custom/rowscale/c_impl.py", BAD_IMPL)), shell(RUN_FAILING),
                  {"text": "Finished."}]
        self.converse(script)
        self.assertIn("pypto-lint is missing or too old (status 2), these settings want", self.first_request())
        for step, status in ((0, 2), (2, 137), (4, 127)):
            self.assertIn(f"did not run (status {status}): the file is not checked", self.told(step))
        self.assertIn("did not run (status 127): this call is not guarded", self.told(5))
        self.assertIn("did not run (status 127): no verdict about a test", self.told(5))
        self.assertIn("did not run (status 127): the gate is not checked", self.told(6))
        self.assertEqual(len(self.server.requests), len(script) + 1)

    def test_stop(self):
        """The gate holds the agent once; then it may end although nothing was repaired."""
        self.configure()
        self.converse([{"text": "Finished."}, {"text": "No more."}], cwd="custom/rowscale")
        self.assertGateHolds(0)
        self.assertEqual(len(self.server.requests), 2)


if __name__ == "__main__":
    main(Codex, "@openai/codex")
