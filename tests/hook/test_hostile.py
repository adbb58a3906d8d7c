#!/usr/bin/env python3
"""Hostile events, files and surroundings: there is always an answer, and never a false "clean"."""
import json
import os
import resource
import signal
import subprocess
import time
import unittest

import hook_support
from hook_support import BAD_IMPL, CLEAN_IMPL, COMMON, OLD, HookTest, edit_event, main

WRONG = [None, True, 7, 1.5, "", [], {}, [[]], {"a": None}, "x" * 5000, "a\0b", "\ud800"]
NAMES = [("post-edit", COMMON), ("pre-edit", COMMON), ("post-bash", COMMON), ("stop", COMMON),
         ("post-edit", OLD), ("pre-edit-backup", OLD), ("post-bash", OLD), ("stop", OLD)]


class Events(HookTest):
    def test_wrong_types_everywhere(self):
        before = self.snapshot()
        fields = ("tool_input", "tool_name", "tool_result", "tool_response", "cwd", "session_id",
                  "hook_event_name", "stop_hook_active", "args", "turn_id", "sessionID")
        for value in WRONG:
            event = {field: value for field in fields}
            for name, form in NAMES:
                self.assertSilent(self.hook(name, event, form))
            for field in ("file_path", "filePath", "command"):
                for tool in ("Write", "apply_patch", "Bash"):
                    event = {"tool_name": tool, "tool_input": {field: value}, "cwd": value}
                    for name, form in NAMES:
                        self.assertSilent(self.hook(name, event, form))
        self.assertEqual(self.snapshot(), before)
        self.assertFalse(self.cache.exists())

    def test_path_traversal(self):
        op = self.operator(impl=BAD_IMPL)
        (op / "modules").mkdir()
        for path in (f"{op}/modules/../rowscale_impl.py", f"{op}/nowhere/../rowscale_impl.py",
                     f"/..{op}/./rowscale_impl.py", f"{op}//rowscale_impl.py/",
                     f"{op}/modules/../../rowscale/rowscale_impl.py"):
            answer = self.hook("post-edit", edit_event(path))
            self.assertBlocks(answer, "OL07")
            self.assertIn(" rowscale_impl.py:2 ", answer.reason)
        self.assertSilent(self.hook("post-edit", edit_event("../" * 400 + "etc/passwd")))
        self.assertSilent(self.hook("post-edit", edit_event("/" * 5000 + "a_impl.py")))
        self.assertSilent(self.hook("post-edit", edit_event("x/" * 1500 + "a_impl.py")))

    def test_deep_json(self):
        for depth in (1000, 1000000):
            for text in ("[" * depth, '{"tool_input":' * depth, "[" * depth + "]" * depth):
                self.assertIn("Not checked", self.hook("post-edit", text).context)

    def test_zeros_in_a_row(self):
        """Each is a number of JSON, and the next makes the text none: both readers see all of it."""
        start = time.monotonic()
        for text in ("0" * 2000000, "[" + "0" * 2000000 + "]", "-0" * 1000000, "0.0" * 700000):
            self.assertIn("Not checked", self.hook("post-edit", text).context)
        self.assertLess(time.monotonic() - start, 10)

    def test_a_very_large_patch(self):
        patch = "*** Update File: /nowhere/x.py\n" * 2000000
        event = {"tool_name": "apply_patch", "tool_input": {"command": patch}}
        start = time.monotonic()
        self.assertBlocks(self.hook("post-edit", event))
        self.assertLess(time.monotonic() - start, 10)


class Files(HookTest):
    def edit(self, path, form=COMMON, **more):
        return self.hook("post-edit", edit_event(path), form, **more)

    def assertUnchecked(self, answer, why):
        self.assertBlocks(answer)
        self.assertIn("[not checked]", answer.reason)
        self.assertIn(why, answer.reason)
        # Told once; the old form repeats what the reason says.
        old = "decision" in answer.json["hookSpecificOutput"]
        self.assertEqual("[not checked]" in answer.context, old)

    def test_not_a_regular_file(self):
        op = self.operator()
        for make in (os.mkfifo, os.mkdir):
            for name in ("rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py"):
                (op / name).unlink()
                make(op / name)
                for form in (COMMON, OLD):
                    self.assertUnchecked(self.edit(op / name, form), "not a regular file")
                self.operator_again(op, name)

    def operator_again(self, op, name):
        (op / name).rmdir() if (op / name).is_dir() else (op / name).unlink()
        (op / name).write_text("", encoding="utf-8")

    def test_only_when_a_check_is_due(self):
        op = self.operator(stage=2)
        (op / "rowscale_impl.py").unlink()
        os.mkfifo(op / "rowscale_impl.py")
        self.assertSilent(self.edit(op / "rowscale_impl.py"))

    def test_reported_only(self):
        op = self.operator()
        (op / "rowscale_impl.py").unlink()
        os.mkfifo(op / "rowscale_impl.py")
        answer = self.edit(op / "rowscale_impl.py", env={"PYPTO_OP_LINT_POST_EDIT_BLOCK": "0"})
        self.assertIsNone(answer.decision)
        self.assertIn("not a regular file", answer.context)

    def test_links(self):
        op = self.operator(impl=BAD_IMPL)
        link = op / "linked_impl.py"
        link.symlink_to("rowscale_impl.py")
        self.assertBlocks(self.edit(link), "OL07")
        link.unlink()
        link.symlink_to("linked_impl.py")
        self.assertUnchecked(self.edit(link), "Too many levels")
        link.unlink()
        link.symlink_to("nowhere")
        self.assertUnchecked(self.edit(link), "No such file")
        link.unlink()
        link.symlink_to("/dev/zero")
        self.assertUnchecked(self.edit(link), "not a regular file")
        (self.folder / "other").symlink_to(op)
        self.assertBlocks(self.edit(self.folder / "other/rowscale_impl.py"), "OL07")

    def test_a_deleted_file_is_no_trouble(self):
        op = self.operator()
        self.assertSilent(self.edit(op / "gone_impl.py"))

    def test_too_large(self):
        op = self.operator()
        for name in ("rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py"):
            (op / name).write_text("x = 1\n" * 400000, encoding="utf-8")
            self.assertUnchecked(self.edit(op / name), "larger than")
        op = self.operator(stage=1)
        (op / "SPEC.md").write_text("x\n" * 1000000, encoding="utf-8")
        self.assertUnchecked(self.edit(op / "SPEC.md"), "larger than")

    def test_not_utf8(self):
        op = self.operator()
        (op / "rowscale_impl.py").write_bytes(CLEAN_IMPL.encode() + b"# \xff\n")
        self.assertBlocks(self.edit(op / "rowscale_impl.py"))
        op = self.operator(stage=1)
        (op / "SPEC.md").write_bytes(b"\xff\xfe")
        self.assertUnchecked(self.edit(op / "SPEC.md"), "not UTF-8")

    def test_another_file_that_cannot_be_read_does_not_block(self):
        op = self.operator(stage=4)
        (op / "DESIGN.md").write_bytes(b"\xff\xfe")
        answer = self.edit(op / "rowscale_impl.py")
        self.assertIsNone(answer.decision)
        self.assertIn("DESIGN.md: not checked: not UTF-8", answer.context)
        self.assertUnchecked(self.edit(op / "DESIGN.md"), "not UTF-8")

    def test_state_that_is_kept_from_us(self):
        op = self.operator(impl=BAD_IMPL)
        (op / ".orchestrator_state.json").write_text(" " * 5000000, encoding="utf-8")
        self.assertUnchecked(self.edit(op / "rowscale_impl.py"), ".orchestrator_state.json")
        answer = self.hook("stop", {"cwd": str(op)})
        self.assertBlocks(answer)
        self.assertIn(".orchestrator_state.json", answer.reason)

    @unittest.skipIf(hook_support.ROOT_MAY_ALL, "root may read everything")
    def test_forbidden(self):
        op = self.operator()
        (op / "rowscale_impl.py").chmod(0)
        self.assertUnchecked(self.edit(op / "rowscale_impl.py"), "Permission denied")

    def test_broken_settings(self):
        op = self.operator()
        self.write("custom/.pypto-lint.yaml", "fail-on: [\n")
        for form in (COMMON, OLD):
            self.assertUnchecked(self.edit(op / "rowscale_impl.py", form), ".pypto-lint.yaml")

    def test_bad_attribute_list(self):
        op = self.operator()
        env = {"PYPTO_LINT_ATTRS_FILE": "/nowhere"}
        self.assertUnchecked(self.edit(op / "rowscale_impl.py", env=env), "PYPTO_LINT_ATTRS_FILE")
        self.assertBlocks(self.hook("stop", {"cwd": str(op)}, env=env))

    # --- text from files

    def test_terminal_and_log_commands(self):
        op = self.operator()
        evil = "\x1b[31m\n::error::x\u202e[OL99][S0]_impl.py"
        path = op / evil
        path.parent.mkdir(exist_ok=True)
        path.write_text(BAD_IMPL.replace("import *", "import \x1b]0;x\x07"), encoding="utf-8")
        for form in (COMMON, OLD):
            answer = self.edit(path, form)
            self.assertBlocks(answer)
            for text in (answer.reason, answer.context):
                self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
                for line in text.split("\n"):
                    self.assertFalse(line.lstrip().startswith("::"), line)
                    self.assertFalse(line.startswith("  [OL99]"), line)
            self.assertNotRegex(answer.out[:-1], "[\x00-\x1f\x7f\u202e]")

    def test_messages_quote_sources_safely(self):
        op = self.operator()
        (op / "rowscale_impl.py").write_text(
            BAD_IMPL + "\nx = '\u202e\x1b[2J' + pypto.no_such\x0c_name\n", encoding="utf-8")
        answer = self.edit(op / "rowscale_impl.py")
        self.assertNotRegex(answer.reason, "[\x00-\x09\x0b-\x1f\x7f\u202e]")

    def test_names_that_are_not_utf8(self):
        op = self.operator()
        name = b"bad\xff_impl.py"
        with open(os.fsencode(op) + b"/" + name, "w", encoding="utf-8") as file:
            file.write(BAD_IMPL)
        raw = json.dumps(edit_event(op / "NAME")).encode().replace(b"NAME", name)
        # JSON cannot carry the name: the file is not found, which is not the same as clean.
        self.assertUnchecked(self.hook("post-edit", raw), "not UTF-8")
        lone = json.dumps(edit_event(op / "bad\udcff_impl.py"))
        self.assertUnchecked(self.hook("post-edit", lone), "not UTF-8")

    def test_operator_in_a_folder_that_is_not_utf8(self):
        op = self.operator(impl=BAD_IMPL)
        os.rename(os.fsencode(self.folder / "custom"), os.fsencode(self.folder) + b"/cus\xfftom")
        folder = os.fsencode(self.folder) + b"/cus\xfftom/" + os.fsencode(op.name)
        answer = self.hook("post-edit", edit_event("rowscale_impl.py"), cwd=folder)
        self.assertBlocks(answer, "OL07")
        self.assertBlocks(self.hook("stop", {}, cwd=folder), "OL07")

    def test_hostile_python(self):
        op = self.operator()
        for text in ("(" * 100000, "x = " + "-" * 200000 + "1\n", "if x:\n" * 5000, "\\\n" * 100000,
                     "\x00" * 1000, "'" * 99999, "#\n" * 200000, "f'{" * 1000, "\r" * 200000,
                     "A" * 240000 + " = [" + "*a," * 80000 + "]\n"):
            (op / "rowscale_impl.py").write_text(text, encoding="utf-8")
            start = time.monotonic()
            answer = self.edit(op / "rowscale_impl.py")
            self.assertEqual((answer.status, answer.err), (0, ""))
            self.assertLess(time.monotonic() - start, 10, text[:10])


class Surroundings(HookTest):
    def start(self, name, *, form=COMMON, before=None):
        return subprocess.Popen([hook_support.BINARY, form, name], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before,
                                env=self.environment(None), cwd=self.folder)

    def sanitized(self):
        with open(hook_support.BINARY, "rb") as binary:
            return b"__asan_init" in binary.read()

    def test_a_crash_is_no_clean_file(self):
        if self.sanitized():
            self.skipTest("sanitizers report crashes themselves")
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGALRM):
            for form in (COMMON, OLD):
                process = self.start("post-edit", form=form)
                time.sleep(0.2)  # it waits for its event
                process.send_signal(number)
                out, err = process.communicate()
                answer = hook_support.Answer(process.returncode, out, err)
                self.assertEqual((answer.status, answer.err), (0, ""))
                self.assertIn("Not checked", answer.context)

    def test_little_memory(self):
        if self.sanitized():
            self.skipTest("sanitizers need memory of their own")
        op = self.operator(impl=BAD_IMPL)
        event = json.dumps(edit_event(op / "rowscale_impl.py")).encode()
        answered = 0
        for megabytes in range(3, 40):
            limit = megabytes * 1024 * 1024
            process = self.start("post-edit", before=lambda: resource.setrlimit(
                resource.RLIMIT_AS, (limit, limit)))
            out, err = process.communicate(event)
            if process.returncode in (127, -signal.SIGSEGV, -signal.SIGKILL):
                continue  # too little to start a program at all
            if (process.returncode, err) == (2, b"pypto-lint: out of memory\n"):
                self.assertEqual(answered, 0)
                continue  # too little to read the arguments: clients and the settings' fallback take 2 for "not checked"
            answer = hook_support.Answer(process.returncode, out, err)
            self.assertEqual(answer.status, 0, (megabytes, err))
            self.assertBlocks(answer)
            answered += 1
        self.assertGreater(answered, 5)

    def test_nobody_reads(self):
        op = self.operator(impl=BAD_IMPL)
        process = self.start("post-edit")
        process.stdout.close()
        process.stdin.write(json.dumps(edit_event(op / "rowscale_impl.py")).encode())
        process.stdin.close()
        process.wait(timeout=10)
        process.stderr.close()
        self.assertIn(process.returncode, (0, 2))

    def test_a_working_directory_that_is_gone(self):
        op = self.operator(impl=BAD_IMPL)
        gone = self.folder / "gone"
        gone.mkdir()
        script = f'cd "{gone}" && rmdir "{gone}" && exec "$0" hook "$1"'
        for name, event in (("post-edit", edit_event(op / "rowscale_impl.py")), ("stop", {})):
            done = subprocess.run(["sh", "-c", script, hook_support.BINARY, name], check=False,
                                  input=json.dumps(event).encode(), capture_output=True,
                                  env=self.environment(None))
            gone.mkdir(exist_ok=True)
            answer = hook_support.Answer(done.returncode, done.stdout, done.stderr)
            self.assertEqual(answer.status, 0)
            self.assertEqual(answer.decision, "block" if name == "post-edit" else None)

    def test_speed(self):
        """A generous bound: the whole process on a small kernel takes about a millisecond."""
        op = self.operator(stage=7)
        best = 9.0
        for _ in range(20):
            start = time.monotonic()
            self.assertSilent(self.hook("post-edit", edit_event(op / "rowscale_impl.py")))
            best = min(best, time.monotonic() - start)
        self.assertLess(best, 1.0 if self.sanitized() else 0.1)


if __name__ == "__main__":
    main()
