#!/usr/bin/env python3
"""What users install: the commands in hooks/ as shells run them, with a program that runs and with one
that does not."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import hook_support
from hook_support import BAD_IMPL, HookTest, edit_event, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/init"))
import client_table  # noqa: E402

SETTINGS = {client: source for client, (_, source) in client_table.json_clients(ROOT).items()}
SHELLS = [shell for shell in ("dash", "bash", "zsh", "busybox") if shutil.which(shell)]
# Programs that do not do their work, and the status that a shell has for them.
BROKEN = {
    "missing": (None, 127),
    "killed": ("kill -KILL $$", 128 + signal.SIGKILL),
    "crashed": ("kill -SEGV $$", 128 + signal.SIGSEGV),
    "older": ("echo 'pypto-lint: unknown argument' >&2; exit 2", 2),
    "half an answer": ("""printf '{"decision":"block","rea'; kill -KILL $$""", 128 + signal.SIGKILL),
    "an answer, then killed": ("""echo '{"decision":"block","reason":"x"}'; kill -KILL $$""", 128 + signal.SIGKILL),
    "slow": ("sleep 30", 124),
}


def installed():
    """(client, event of the client, hook of ours, settings of the hook) for each command."""
    for client, name in SETTINGS.items():
        settings = json.loads((ROOT / name).read_text(encoding="utf-8"))
        for event, entries in settings["hooks"].items():
            for hook in (hook for entry in entries for hook in entry["hooks"]):
                yield client, event, re.search(r"pypto-lint hook ([\w-]+)", hook["command"]).group(1), hook


class Settings(HookTest):
    def setUp(self):
        super().setUp()
        self.tools = self.folder / "bin"
        self.tools.mkdir()
        self.event = edit_event(self.operator(impl=BAD_IMPL) / "rowscale_impl.py",
                                cwd=str(self.folder / "custom/rowscale"), stop_hook_active=False)

    def program(self, text):
        path = self.tools / "pypto-lint"
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            path.chmod(0o755)

    def run_command(self, command, shell="dash", **event):
        words = [shell, "sh", "-c", command] if shell == "busybox" else [shell, "-c", command]
        env = self.environment({"PATH": f"{self.tools}:{os.environ['PATH']}"})
        # As the clients write it: without blanks.
        text = json.dumps({**self.event, **event}, separators=(",", ":"))
        done = subprocess.run(words, input=text.encode(), capture_output=True, env=env, cwd=self.folder, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 0, command)
        return json.loads(done.stdout) if done.stdout else None

    def test_all_hooks_are_there(self):
        for client in SETTINGS:
            hooks = {hook for name, _, hook, _ in installed() if name == client}
            if len(hooks) > 1:  # a client may have an event for one only
                self.assertEqual(hooks, {"session-start", "pre-edit", "post-edit", "post-bash", "stop"}, client)

    def test_with_the_program(self):
        (self.tools / "pypto-lint").symlink_to(hook_support.BINARY)
        for client, event, hook, settings in installed():
            if client_table.own_form(ROOT, client):
                continue  # its events and answers are for a test of its own
            blocks = hook in ("post-edit", "stop")
            for shell in SHELLS:
                answer = self.run_command(settings["command"], shell)
                self.assertEqual((answer or {}).get("decision"), "block" if blocks else None, (client, event))
                self.assertEqual(answer is None, not blocks)

    def test_the_clocks(self):
        """The program answers first, then the shell, and only then the client gives up on both."""
        own = (ROOT / "src/clients/hook_facts.c").read_text(encoding="utf-8")
        for client, event, hook, settings in installed():
            shells = int(re.search(r"timeout (\d+) ", settings["command"]).group(1))
            programs = int(re.search(rf'{{"{hook}", [^}}]*?(\d+),', own).group(1))
            clients = settings["timeout"] / (1000 if client == "gemini" else 1)
            self.assertTrue(programs < shells < clients, (client, event))
            self.assertIn(clients, range(10, 31))

    def test_the_version(self):
        """The settings name the version that they come with."""
        version = re.search(r"project\(pypto-lint VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
        for client, event, hook, settings in installed():
            if hook == "session-start":
                command = settings["command"]
                self.assertIn(f"hook session-start --wants {version.group(1)}", command)
                self.assertEqual(set(re.findall(r"\d+\.\d+\.\d+", command)), {version.group(1)}, (client, event))

    def test_without_the_program(self):
        for state, (text, status) in BROKEN.items():
            self.program(text)
            for client, event, hook, settings in installed():
                command = re.sub(r"timeout \d+", "timeout 0.1", settings["command"])
                for shell in SHELLS if state == "killed" else SHELLS[:1]:
                    with self.subTest(state=state, client=client, event=event, shell=shell):
                        self.check_answer(event, hook, self.run_command(command, shell), status)

    def check_answer(self, event, hook, answer, status):
        nested = answer.get("hookSpecificOutput", {})
        text = answer.get("reason") or nested.get("additionalContext")
        self.assertIn(f"(status {status})", text)
        self.assertIn("未检查", text)
        self.assertEqual(answer.get("decision"), "block" if hook in ("post-edit", "stop") else None)
        # The names that a client takes: its own, or those of Claude Code.
        names = {"BeforeTool": "PreToolUse", "AfterTool": "PostToolUse"}
        if nested:
            self.assertEqual(nested["hookEventName"], names.get(event, event))

    def test_the_end_comes(self):
        """An agent that was held once is let go, and so is one of a client that does not say."""
        self.program("exit 3")
        for client, _, hook, settings in installed():
            if hook == "stop":
                for active in (True, None, "false"):
                    answer = self.run_command(settings["command"], stop_hook_active=active)
                    self.assertEqual(list(answer), ["systemMessage"], client)
                    self.assertIn("(status 3)", answer["systemMessage"])

    def test_nothing_in_an_event_is_run(self):
        (self.tools / "pypto-lint").symlink_to(hook_support.BINARY)
        marker = self.folder / "marker"
        for text in (f"'; touch {marker}; '", f"$(touch {marker})", f"`touch {marker}`", f'"; touch {marker}; "'):
            for _, _, _, settings in installed():
                self.run_command(settings["command"], prompt=text, session_id=text)
        self.assertFalse(marker.exists())


if __name__ == "__main__":
    main()
