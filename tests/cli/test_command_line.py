#!/usr/bin/env python3
"""The commands as such: help, unknown words, and that docs/command-line.md tells the truth.

Usage: test_command_line.py BINARY [unittest options]
"""
import re
import subprocess
import sys

import support
from support import CliTest, call

PAGE = support.ROOT / "docs" / "command-line.md"


def option_rows(text):
    """Names of the options in the option tables of the page: the first column."""
    names = re.findall(r"^\| `(-[^`]*)` \|", text, re.M)
    return [name.replace("\\|", "|") for name in names]


class Help(CliTest):
    def test_option_table_agrees_with_help(self):
        section = PAGE.read_text(encoding="utf-8").split("\n## Options of `check`\n")[1]
        section = section.split("\n## ")[0]
        written = option_rows(section)
        shown = re.findall(r"^  (--?[a-z][a-z-]*(?:, --[a-z-]+)?(?: [^ ]+)?)  ",
                           call("help", "check").out.split("Options:")[1], re.M)
        self.assertGreater(len(shown), 15)
        self.assertEqual(sorted(written), sorted(shown))

    def test_every_command_is_in_the_page_and_in_help(self):
        overview = call("help").out.split("Commands:")[1].split("\n\n")[0]
        summaries = dict(re.findall(r"^  ([a-z]+) +(.*)", overview, re.M))
        self.assertLess({"check", "doctor", "completions"}, set(summaries))
        page = PAGE.read_text(encoding="utf-8").split("<!-- list of commands -->")[1].split("<!-- end of list")[0]
        listed = dict(re.findall(r"^\| `pypto-lint \[?([a-z]+)\b.*?` \| (.*) \|$", page, re.M))
        self.assertEqual(list(listed), list(summaries))
        for command, summary in summaries.items():
            self.assertTrue(listed[command].replace("\\|", "|").startswith(summary.partition(" (docs/")[0]))
            done = call("help", command)
            self.assertEqual((done.status, done.err), (0, ""))
            usage = f"pypto-lint {'[check]' if command == 'check' else command}"
            self.assertTrue(done.out.startswith(f"Usage: {usage}"), done.out)
            self.assertEqual(done.out.splitlines()[1], summary)
            self.assertEqual(call(command, "--help").out, done.out)

    def test_every_row_of_commands_is_a_command(self):
        rows = (support.ROOT / "src" / "cli" / "commands.def").read_text(encoding="utf-8")
        names = re.findall(r'^COMMAND\("([a-z-]+)"', rows, re.M)
        overview = call("help").out.split("Commands:")[1].split("\n\n")[0]
        self.assertEqual([name for name in names if name != "verify-job"], re.findall(r"^  (\S+)", overview, re.M))
        done = call("verify-job", stdin=b"{")
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertIn("standard input", done.err)

    def test_lists_of_the_pages_are_made_from_the_tables(self):
        script = support.ROOT / "scripts" / "make_lists.py"
        done = subprocess.run([sys.executable, script, "--check"], capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def test_help_has_both_languages(self):
        for args in ((), ("check",), ("doctor",), ("rules",)):
            chinese = call("help", *args, env={"PYPTO_LINT_LANG": "zh"}).out
            self.assertTrue(any("\u4e00" <= c <= "\u9fff" for c in chinese))
            english = call("help", *args).out
            self.assertFalse(any("\u4e00" <= c <= "\u9fff" for c in english))

    def test_help_options(self):
        for args in (("--help",), ("-h",), ("check", "--help"), ("doctor", "-h"), ("rules", "-h"),
                     ("explain", "--help"), ("help", "--help"), ("help", "-h")):
            done = call(*args)
            self.assertEqual((done.status, done.err), (0, ""), args)
            self.assertIn("pypto-lint", done.out)

    def test_wrong_usage(self):
        for args in (("--nonsense",), ("check", "--nonsense"), ("help", "nonsense"),
                     ("help", "check", "nonsense"), ("--help", "nonsense"), ("--version", "nonsense"),
                     ("--version", "--verbose", "nonsense"), ("--version", "--", "--verbose"),
                     ("help", "--nonsense"),
                     ("rules", "--nonsense"), ("explain",), ("explain", "OL99"),
                     ("doctor", "--nonsense", "x"), ("check", "--format", "xml"),
                     ("check", "--stage"), ("check", "-j", "0"), ("check", "no/such/file.py")):
            done = call(*args, cwd=self.folder)
            self.assertEqual(done.status, 2, args)
            self.assertTrue(done.err.startswith("pypto-lint: "), args)

    def test_version(self):
        done = call("--version")
        self.assertRegex(done.out, r"\Apypto-lint \d+\.\d+\.\d+\n\Z")


class Npu(CliTest):
    """OL42 asks npu-smi: never one of the linted repository, never with --no-exec."""

    def ask(self, path, *args):
        """(status of OL42, was npu-smi started?) of a run in the folder."""
        mark = self.folder / "started"
        self.write("op/test_op.py", 'run_mode = "sim"\n')
        for name in ("npu-smi", "bin/npu-smi"):
            self.write(name, f"#!/bin/sh\n: > '{mark}'\n").chmod(0o755)
        done = call("check", "--op-dir", "op", "--stage", "5", "--rules", "OL42", "--format", "json", *args,
                    cwd=self.folder, env={"PATH": path.format(self.folder)})
        status, = [entry["status"] for entry in done.json()["rules"] if entry["id"] == "OL42"]
        started = mark.exists()
        mark.unlink(missing_ok=True)
        return status, started

    def test_relative_folders_are_passed_over(self):
        for path in ("", ":", "/nowhere:", ":/nowhere", "/nowhere::/none", ".", "bin", "./bin", "bin:."):
            self.assertEqual(self.ask(path), ("SKIP", False), path)

    def test_absolute_folders(self):
        self.assertEqual(self.ask("{}/bin"), ("FAIL", True))
        self.assertEqual(self.ask("bin:{}"), ("FAIL", True))

    def test_no_exec(self):
        self.assertEqual(self.ask("{}/bin", "--no-exec"), ("SKIP", False))


class Terminal(CliTest):
    """Nothing from outside reaches the terminal as an escape sequence."""

    def assert_tame(self, text):
        self.assertEqual([c for c in text if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160], [])

    def test_key_of_the_settings(self):
        self.write(".pypto-lint.yaml", '"\\x1b]0;x\\a": 1\n')
        self.write("x.py", "x = 1\n")
        for args in (("check", "x.py"), ("doctor", ".")):
            done = call(*args, cwd=self.folder)
            self.assertEqual(done.status, 2)
            self.assertIn("\\x1b]0;x\\x07", done.out + done.err)
            self.assert_tame(done.out + done.err)

    def test_arguments(self):
        for args in (("check", "a\x1b[2Jb"), ("check", "--\x1b[2J"), ("help", "\x1b[2J"),
                     ("doctor", "\x1b[2J\u202e"), ("explain", "\x1b[2J")):
            done = call(*args, cwd=self.folder)
            self.assertEqual(done.status, 2)
            self.assertIn("\\x1b[2J", done.err)
            self.assert_tame(done.err)
            self.assertNotIn("\u202e", done.err)

    def test_long_message(self):
        name = "no-such-" * 600
        self.assertIn(name, call("check", name, cwd=self.folder).err)

    def test_doctor(self):
        folder = "row\x1b[31m\nscale"
        self.write(f"{folder}/.orchestrator_state.json",
                   '{"operator_name": "a\\u001b]0;x\\u0007", "current_stage": 5}')
        self.write(f"{folder}/README.md", "")
        done = call("doctor", self.folder / folder)
        self.assertIn("row\\x1b[31m\\x0ascale", done.out)
        self.assertIn("a\\x1b]0;x\\x07 (from the state file)", done.out)
        self.assertIn("  test_a\\x1b]0;x\\x07.py", done.out)
        self.assert_tame(done.out + done.err)


if __name__ == "__main__":
    support.main()
