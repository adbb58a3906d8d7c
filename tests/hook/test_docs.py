#!/usr/bin/env python3
"""What users read: the excerpts in docs/clients/ are what the hooks say."""
import pathlib
import subprocess
import sys

import hook_support
from hook_support import BAD_IMPL, HookTest, edit_event, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/init"))
import client_table  # noqa: E402

PAGES = {client: page for client, (_, _, page) in client_table.hook_clients(ROOT).items()}
# Where a client tells hooks no exit status.
UNKNOWN_STATUS = ("codex",)


class Pages(HookTest):
    def shown(self, client, hook, text):
        """If the client calls the hook, its page must show what that says."""
        if hook not in client_table.installed_hooks(ROOT, client):
            return
        page = PAGES[client]
        if text not in page.read_text(encoding="utf-8"):
            self.fail(f"docs/clients/{page.name} does not show what `hook {hook}` says. Put it there, word for word, in "
                      f"a block of text:\n{text}")

    def test_block(self):
        op = self.operator(impl=BAD_IMPL)
        event = edit_event(op / "rowscale_impl.py", cwd=str(op))
        # Asked once: the fifth block at the same place says more.
        answer = self.hook("post-edit", event, args=("--client", "claude"))
        self.assertTrue(answer.reason.startswith(hook_support.HEADER))
        for client in PAGES:
            self.shown(client, "post-edit", answer.reason)

    def test_guard(self):
        self.operator()
        command = "rm custom/rowscale/rowscale_impl.py"
        event = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": str(self.folder)}
        answer = self.hook("pre-edit", event, args=("--client", "claude"))
        self.assertEqual(answer.decision, "block")
        for client in PAGES:
            self.shown(client, "pre-edit", answer.reason)

    def test_verdict(self):
        for client in PAGES:
            result = {"stdout": ""} if client in UNKNOWN_STATUS else {"stdout": "", "exit_code": 3}
            event = {"tool_name": "Bash", "tool_input": {"command": "python3 custom/rowscale/test_failing.py"},
                     "tool_response": "" if client in UNKNOWN_STATUS else result}
            answer = self.hook("post-bash", event, args=("--client", "codex" if client == "codex" else "claude"))
            self.assertIn("parse-result]", answer.context)
            self.shown(client, "post-bash", answer.context)

    def test_old_settings_are_not_in_the_guide(self):
        """There is one place for the settings: hooks/."""
        guide = (ROOT / "docs/agents/hooks.md").read_text(encoding="utf-8")
        self.assertNotIn('"type": "command"', guide)


class OtherPages(HookTest):
    """What pre-commit and GitHub show of a finding."""

    def check(self, *options):
        self.operator(stage=None, impl=BAD_IMPL)
        done = subprocess.run([hook_support.BINARY, "check", "custom/rowscale/rowscale_impl.py", *options],
                              cwd=self.folder, capture_output=True, check=False,
                              env=self.environment({"NO_COLOR": "1"}))
        finding = done.stdout.decode("utf-8").split("\n\n")[0].rstrip("\n")
        self.assertIn("OL07", finding)
        return finding

    def test_pre_commit(self):
        self.assertIn(self.check(), (ROOT / "docs/ci/pre-commit.md").read_text(encoding="utf-8"))

    def test_github(self):
        self.assertIn(self.check("--format", "github"), (ROOT / "docs/ci/github.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
