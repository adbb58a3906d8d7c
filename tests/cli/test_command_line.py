#!/usr/bin/env python3
"""The commands as such: help, unknown words, and that docs/command-line.md tells the truth.

Usage: test_command_line.py BINARY [unittest options]
"""
import re

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
        shown = re.findall(r"^  (--?[a-z][a-z-]*(?: [^ ]+)?)  ",
                           call("help", "check").out.split("Options:")[1], re.M)
        self.assertGreater(len(shown), 15)
        self.assertEqual(sorted(written), sorted(shown))

    def test_every_command_is_in_the_page_and_in_help(self):
        overview = call("help").out.split("Commands:")[1].split("\n\n")[0]
        commands = re.findall(r"^  ([a-z]+) ", overview, re.M)
        self.assertIn("check", commands)
        self.assertIn("doctor", commands)
        page = PAGE.read_text(encoding="utf-8").split("\n## Commands\n")[1].split("\n## ")[0]
        for command in commands:
            self.assertRegex(page, rf"`pypto-lint \[?{command}\b")
            done = call("help", command)
            self.assertEqual((done.status, done.err), (0, ""))
            self.assertIn(f"pypto-lint {'[check]' if command == 'check' else command}", done.out)

    def test_help_has_both_languages(self):
        for args in ((), ("check",), ("doctor",), ("rules",)):
            chinese = call("help", *args, env={"PYPTO_LINT_LANG": "zh"}).out
            self.assertTrue(any("\u4e00" <= c <= "\u9fff" for c in chinese))
            english = call("help", *args).out
            self.assertFalse(any("\u4e00" <= c <= "\u9fff" for c in english))

    def test_help_options(self):
        for args in (("--help",), ("-h",), ("check", "--help"), ("doctor", "-h"), ("rules", "-h"),
                     ("explain", "--help")):
            done = call(*args)
            self.assertEqual((done.status, done.err), (0, ""), args)
            self.assertIn("pypto-lint", done.out)

    def test_wrong_usage(self):
        for args in (("--nonsense",), ("check", "--nonsense"), ("help", "nonsense"),
                     ("rules", "--nonsense"), ("explain",), ("explain", "OL99"),
                     ("doctor", "--nonsense", "x"), ("check", "--format", "xml"),
                     ("check", "--stage"), ("check", "-j", "0"), ("check", "no/such/file.py")):
            done = call(*args, cwd=self.folder)
            self.assertEqual(done.status, 2, args)
            self.assertTrue(done.err.startswith("pypto-lint: "), args)

    def test_version(self):
        done = call("--version")
        self.assertRegex(done.out, r"\Apypto-lint \d+\.\d+\.\d+\n\Z")


if __name__ == "__main__":
    support.main()
