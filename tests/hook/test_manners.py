#!/usr/bin/env python3
"""Manners of all hooks towards hostile events: an answer that harms nobody, nothing written but the
counter, nothing started but git for the backup, and npu-smi by OL42."""
import copy
import json
import os
import stat
import subprocess
import tempfile
import time

import hook_support
from hook_support import BAD_IMPL, CLEAN_IMPL, COMMON, OLD, Answer, HookTest, edit_event, main

NAMES = [("post-edit", COMMON), ("pre-edit", COMMON), ("post-bash", COMMON), ("stop", COMMON),
         ("post-edit", OLD), ("pre-edit-backup", OLD), ("post-bash", OLD), ("stop", OLD)]
CONTROL = "[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]"


def client_events(op):
    """An event of each client, with all fields that it sends."""
    path = f"{op}/rowscale_impl.py"
    patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch\n"
    return [
        {"session_id": "s", "transcript_path": "/t", "cwd": str(op), "hook_event_name": "PostToolUse",
         "permission_mode": "default", "tool_name": "Write", "tool_use_id": "u",
         "tool_input": {"file_path": path, "content": "x = 1\n"},
         "tool_response": {"filePath": path, "success": True}},
        {"session_id": "s", "turn_id": "t", "cwd": str(op), "hook_event_name": "PostToolUse",
         "model": "m", "tool_name": "apply_patch", "tool_input": {"command": patch},
         "tool_response": "Success"},
        {"session_id": "s", "cwd": str(op), "hook_event_name": "AfterTool", "timestamp": "1",
         "tool_name": "write_file", "tool_input": {"file_path": path, "content": "x = 1\n"},
         "tool_response": {"llmContent": "ok", "returnDisplay": "ok"}},
        {"sessionID": "s", "tool": "write", "args": {"filePath": path, "content": "x = 1\n"}},
        {"session_id": "s", "cwd": str(op), "hook_event_name": "PostToolUse", "tool_name": "Bash",
         "tool_input": {"command": "python3 test_rowscale.py", "description": "d"},
         "tool_response": {"stdout": "[PRECISION_PASS]", "stderr": "", "interrupted": False}},
        {"session_id": "s", "cwd": str(op), "hook_event_name": "Stop", "stop_hook_active": False},
    ]


def reduced(event):
    """The event without one of its fields, for each field at any depth."""
    for key, value in event.items():
        rest = copy.copy(event)
        del rest[key]
        yield rest
        if isinstance(value, dict):
            for inner in reduced(value):
                yield {**event, key: inner}


class Everywhere(HookTest):
    def assertHarmless(self, answer):
        """A defined answer: an exit status that the host knows, no character that is obeyed."""
        self.assertIn(answer.status, (0, 2))
        self.assertNotRegex(answer.out[:-1], "[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
        message = (answer.json or {}).get("systemMessage", "")
        for text in (answer.reason, answer.context, message, answer.err):
            self.assertNotRegex(text, CONTROL)
            for line in text.split("\n"):
                self.assertFalse(line.lstrip().startswith("::"), line)

    def test_missing_fields(self):
        op = self.operator(impl=BAD_IMPL)
        for event in client_events(op):
            for part in reduced(event):
                for name, form in NAMES:
                    self.assertHarmless(self.hook(name, part, form))

    def test_an_event_without_its_file_says_nothing(self):
        op = self.operator(impl=BAD_IMPL)
        event = client_events(op)[0]
        del event["tool_input"]["file_path"]
        for form in (COMMON, OLD):
            self.assertSilent(self.hook("post-edit", event, form))

    def test_50_megabytes(self):
        op = self.operator(impl=BAD_IMPL)
        text = "x\n" * (25 * 1024 * 1024)
        event = json.dumps({**client_events(op)[4], "more": text}).encode()
        for name, form in NAMES[1:4]:  # post-edit: test_input.py
            start = time.monotonic()
            answer = self.hook(name, event, form)
            self.assertHarmless(answer)
            self.assertLess(time.monotonic() - start, 15)
            if name == "stop":
                self.assertBlocks(answer, "OL07")
            if name == "post-bash":
                self.assertIn("precision_pass", answer.context)

    def test_more_than_is_read(self):
        op = self.operator(impl=BAD_IMPL)
        for name in ("post-edit", "stop"):
            with tempfile.TemporaryFile() as event:
                event.write(json.dumps({"cwd": str(op)})[:-1].encode())
                event.truncate(257 * 1024 * 1024)  # zeros, which no disk holds
                event.seek(0)
                answer = self.hook(name, stdin=event, cwd=op)
            self.assertHarmless(answer)
            if name == "stop":
                self.assertBlocks(answer, "OL07")  # judges the folder that it is in
            else:
                self.assertIn("larger than 256 MiB", answer.context)

    def test_commands_to_terminals_and_logs(self):
        evil = "\x1b[2J\x1b]0;x\x07\n::error file=a::b\r\u202e\u2066::set-output name=x::y"
        op = self.operator(impl=BAD_IMPL)
        for name in (f"{evil}_impl.py", f"::{evil}_golden.py", f"test_{evil}.py"):
            bad = BAD_IMPL + f"\nx = '{evil}'.format(pypto.{'a' * 20}, '''{evil}''')\n"
            (op / name.replace("/", "")).write_text(bad, encoding="utf-8")
        (op / "SPEC.md").write_text(f"# {evil}\n## {evil}\n| {evil} |\n", encoding="utf-8")
        (op / "DESIGN.md").write_text(f"---\nmodule_count: {evil}\n---\n", encoding="utf-8")
        state = {"operator_name": evil, "current_stage": 5, evil: evil, "stage_status": {evil: evil}}
        for event in (edit_event(op / f"{evil}_impl.py", session_id=evil),
                      edit_event(op / f"::{evil}_golden.py"), edit_event(op / f"test_{evil}.py"),
                      edit_event(op / "SPEC.md"), edit_event(op / "DESIGN.md"),
                      {"cwd": str(op), "session_id": evil, "stop_hook_active": True},
                      {"cwd": evil, "tool_name": "Bash", "tool_input": {
                          "command": f"python3 test_x.py > {evil}_impl.py # .orchestrator_state.json"},
                       "tool_response": {"stdout": evil, "stderr": evil}}):
            for text in (None, json.dumps(state), evil):
                if text is not None:
                    (op / ".orchestrator_state.json").write_text(text, encoding="utf-8")
                for name, form in NAMES:
                    self.assertHarmless(self.hook(name, event, form, cwd=op))

    def test_names_that_are_not_utf8(self):
        op = self.operator(impl=BAD_IMPL)
        raw = [json.dumps(event).encode().replace(b"rowscale_impl", b"row\xff\xc0scale_impl")
               for event in client_events(op)]
        raw += [json.dumps(event).replace("rowscale_impl", "row\\udcffscale_impl")
                for event in client_events(op)]
        for event in raw:
            for name, form in NAMES:
                self.assertHarmless(self.hook(name, event, form))

    def test_files_that_would_keep_a_reader_waiting(self):
        op = self.operator(impl=BAD_IMPL)
        artifacts = [".orchestrator_state.json", "SPEC.md", "DESIGN.md", "API_REPORT.md", "README.md",
                     "MEMORY.md", "rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py",
                     ".pypto-lint.yaml"]
        for name in artifacts:
            path = op / name
            old = path.read_bytes() if path.exists() else None
            path.unlink(missing_ok=True)
            for make in (os.mkfifo, lambda p: p.symlink_to("/dev/zero"), lambda p: p.symlink_to(p)):
                make(path)
                for event, form in (("stop", COMMON), ("stop", OLD)):
                    start = time.monotonic()
                    self.assertHarmless(self.hook(event, {"cwd": str(op)}, form))
                    self.assertLess(time.monotonic() - start, 10, name)
                for edited in ("rowscale_impl.py", "DESIGN.md", name):
                    self.assertHarmless(self.hook("post-edit", edit_event(op / edited)))
                    self.assertHarmless(self.hook("pre-edit", edit_event(op / edited)))
                path.unlink()
            if old is not None:
                path.write_bytes(old)

    def test_traversal_in_every_place(self):
        op = self.operator(impl=BAD_IMPL)
        secret = self.write("secret/passwd_impl.py", "root:secret:0\n")
        up = f"{op}/../../custom/rowscale/../../secret/passwd_impl.py"
        for event in (edit_event(up), {"cwd": f"{op}/../../../../../../../../etc"},
                      edit_event(op / "rowscale_impl.py", cwd="/proc/self/root/etc")):
            for name, form in NAMES:
                answer = self.hook(name, event, form)
                self.assertHarmless(answer)
                self.assertNotIn("root:", answer.out + answer.err)
        self.assertEqual(secret.read_text(encoding="utf-8"), "root:secret:0\n")


class Surroundings(HookTest):
    """What a hook writes and starts."""

    def programs(self):
        """A folder for PATH whose programs note that they were started."""
        folder = self.folder / "bin"
        folder.mkdir()
        for name in ("sh", "bash", "python", "python3", "git", "npu-smi", "env"):
            path = folder / name
            path.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.folder}/started"\nexit 1\n',
                            encoding="utf-8")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(folder)

    def shell_events(self, op):
        words = "$(touch pwned) `touch pwned` ; touch pwned | touch pwned & \n touch pwned '\" #"
        for place in ("file_path", "command", "filePath"):
            for tool in ("Write", "Bash", "apply_patch", "write_file"):
                yield {"tool_name": tool, "cwd": words, "session_id": words, "tool_input": {
                    place: f"{op}/{words}_impl.py"}, "tool_response": {"stdout": words}}
        yield {"tool_name": "Bash", "tool_input": {"command": f"python3 test_a.py {words}"},
               "tool_response": {"stdout": words}, "cwd": str(op)}
        yield {"cwd": f"{op}/{words}"}
        yield {"cwd": str(op), "session_id": words}

    def run_all(self, op, path):
        env = {"PATH": path, "TMPDIR": str(self.folder / "tmp")}
        (self.folder / "tmp").mkdir(exist_ok=True)
        for event in self.shell_events(op):
            for name, form in NAMES:
                self.hook(name, event, form, env=env, cwd=op)

    def test_nothing_is_started(self):
        op = self.operator(impl=BAD_IMPL)
        self.run_all(op, self.programs())
        # OL42 asks whether there is an NPU, with words of its own.
        started = (self.folder / "started").read_text(encoding="utf-8").splitlines()
        self.assertEqual(set(started), {"npu-smi info"})
        self.assertEqual(list(self.folder.rglob("pwned*")), [])

    def test_the_backup_starts_git_alone(self):
        op = self.operator(stage=6)
        (op / "$(touch pwned);touch pwned_impl.py").write_text(CLEAN_IMPL, encoding="utf-8")
        event = edit_event(op / "$(touch pwned);touch pwned_impl.py")
        self.hook("pre-edit", event, env={"PATH": self.programs()}, cwd=op)
        started = (self.folder / "started").read_text(encoding="utf-8").splitlines()
        self.assertEqual({line.split()[0] for line in started}, {"git"})
        self.assertEqual(list(self.folder.rglob("pwned")), [])

    def test_nothing_is_written_but_the_counter(self):
        op = self.operator(impl=BAD_IMPL)
        self.write("tmp/.keep", "")
        before = self.snapshot()
        self.run_all(op, "/usr/bin:/bin")
        for name, form in NAMES:
            for event in client_events(op):
                self.hook(name, event, form, env={"TMPDIR": str(self.folder / "tmp")}, cwd=op)
        self.assertEqual(self.snapshot(), before)
        written = {str(p.relative_to(self.home)) for p in self.home.rglob("*") if p.is_file()}
        self.assertTrue(written)
        for name in written:
            self.assertRegex(name, r"^\.cache/pypto-lint/blocks-[0-9a-f]{16}$")

    def test_a_reader_that_leaves(self):
        """No answer can be given; the hook ends all the same, and says nothing of a clean file."""
        op = self.operator(impl=BAD_IMPL)
        event = json.dumps(edit_event(op / "rowscale_impl.py")).encode()
        done = subprocess.run(["sh", "-c", '"$0" hook post-edit | true', hook_support.BINARY],
                              input=event, capture_output=True, check=False, timeout=20,
                              env=self.environment(None))
        self.assertEqual(Answer(0, done.stdout, done.stderr).out, "")


if __name__ == "__main__":
    main()
