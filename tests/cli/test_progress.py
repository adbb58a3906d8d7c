#!/usr/bin/env python3
"""The line of progress of a long check: on a terminal only, without colour, gone at the end.

Usage: test_progress.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))
# Each costs its rules and its evaluation, so that a check of all takes longer than the first half second.
KERNEL = "import pypto\n\n\n@pypto.frontend.jit\ndef kernel(x: pypto.Tensor([64, 64], pypto.DT_FP32)):\n" + \
    "    x[:] = pypto.exp(x)\n" * 200


class Line(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        for number in range(400):
            with open(os.path.join(cls.folder.name, f"kernel{number}.py"), "w", encoding="utf-8") as file:
                file.write(KERNEL)

    def check(self, stderr, **more):
        variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        return subprocess.run([BINARY, "check", "."], cwd=self.folder.name, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=stderr, env={**variables, "TERM": "xterm", **more},
                              check=False)

    def on_terminal(self, **more):
        leader, follower = pty.openpty()
        done = self.check(follower, **more)
        os.close(follower)
        text = b""
        try:
            while part := os.read(leader, 65536):
                text += part
        except OSError:  # the other end is closed
            pass
        os.close(leader)
        return done, text.decode()

    def test_terminal(self):
        """Counts that only rise, and nothing left of them."""
        done, text = self.on_terminal(NO_COLOR="1")
        counts = [int(number) for number in re.findall(r"\r\[(\d+)/400\]", text)]
        self.assertTrue(counts, text[:200])
        self.assertEqual(counts, sorted(counts))
        self.assertNotIn("\x1b", text)
        self.assertRegex(text, r"\r +\r")  # taken away
        self.assertEqual(text[text.rindex("]"):].strip("] \r\n").count("["), 0)
        self.assertIn(done.returncode, (0, 1))

    def test_elsewhere(self):
        """Nothing in a pipe, and nothing on a terminal that cannot go back."""
        self.assertNotIn(b"\r", self.check(subprocess.PIPE).stderr)
        self.assertNotIn("[", self.on_terminal(TERM="dumb")[1].replace("\x1b[", ""))


if __name__ == "__main__":
    unittest.main()
