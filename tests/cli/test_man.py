"""Manual pages: one for each command in both languages, as groff and man take them."""
import re
import shutil
import subprocess
import unittest

import support


class Man(support.CliTest):
    def setUp(self):
        super().setUp()
        overview = support.call("help").out.split("Commands:")[1].split("\n\n")[0]
        self.commands = re.findall(r"^  ([a-z-]+) ", overview, re.M)
        self.assertGreater(len(self.commands), 10)

    def pages(self):
        for lang in ("en", "zh"):
            for command in ("", *self.commands):
                done = support.call("man", "--lang", lang, *command.split())
                self.assertEqual((done.status, done.err), (0, ""), command)
                yield lang, command, done.out

    def test_every_command_and_option(self):
        for lang, command, page in self.pages():
            self.assertTrue(page.startswith(".\\\" Made by"), command)
            self.assertIn(".SH NAME\n" if lang == "en" else ".SH 名称\n", page)
            for option in re.findall(r"^  (--[a-z-]+)", support.call("help", *command.split()).out if command else "", re.M):
                if option != "--help":
                    self.assertIn("\\fB" + option.replace("-", "\\-"), page, command)
        whole = support.call("man").out
        for command in self.commands:
            self.assertIn("\\fBpypto\\-lint\\-" + command.replace("-", "\\-") + "\\fR(1)", whole)

    def test_wrong_use(self):
        for args in (("nothing",), ("verify-job",), ("check", "run"), ("--what",)):
            done = support.call("man", *args)
            self.assertEqual((done.status, done.out), (2, ""), args)

    @unittest.skipUnless(shutil.which("groff"), "groff is not there")
    def test_groff_has_no_complaint(self):
        for lang, command, page in self.pages():
            done = subprocess.run(["groff", "-k", "-K", "utf-8", "-man", "-ww", "-Tutf8", "-rLL=78n"], input=page.encode(),
                                  capture_output=True, timeout=60, check=False)
            # Lines of Chinese have no blanks at which they could be broken.
            complaints = [line for line in done.stderr.decode().splitlines() if lang == "en" or "adjust" not in line
                          and "break" not in line]
            self.assertEqual((done.returncode, complaints), (0, []), (lang, command))


if __name__ == "__main__":
    support.main()
