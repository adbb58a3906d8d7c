#!/usr/bin/env python3
"""On a terminal `init` asks, and takes nothing but a yes for a yes."""
import os
import pty
import select
import subprocess
import time

import init_support
from init_support import InitTest, installed, main

PATH = ".claude/settings.json"


class Terminal(InitTest):
    def talk(self, answer, *args, between=lambda: None):
        """Runs `init` on a terminal; sends `answer` when it asks. (status, what was shown)."""
        master, slave = pty.openpty()
        process = subprocess.Popen([init_support.BINARY, "init", "--client", "claude", *args], stdin=slave,
                                   stdout=slave, stderr=slave, cwd=self.project, env=self.environment(),
                                   start_new_session=True)
        os.close(slave)
        shown, limit, asked = b"", time.monotonic() + 30, False
        while time.monotonic() < limit:
            if not select.select([master], [], [], 0.2)[0]:
                continue
            try:
                part = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            shown += part
            if not part:
                break
            if not asked and b"[y/N]" in shown:
                asked = True
                between()
                os.write(master, answer)
        process.wait(timeout=30)
        os.close(master)
        return process.returncode, shown.decode("utf-8"), asked

    def test_yes(self):
        for answer in ("y\n", "Y\n", "yes\n", " y \n", "是\n"):
            status, shown, asked = self.talk(answer.encode())
            self.assertTrue(asked)
            self.assertEqual(status, 0, shown)
            self.assertIn("+++ b/.claude/settings.json", shown)
            self.assertLess(shown.index("+++ b/"), shown.index("[y/N]"))
            self.assertEqual(self.read(PATH), installed("hooks/claude/settings.json"))
            (self.project / PATH).unlink()

    def test_anything_else_is_no(self):
        for answer in (b"\n", b"n\n", b"no\n", b"yup\n", b"\x04", b"x" * 3000 + b"\n"):
            status, shown, asked = self.talk(answer)
            self.assertTrue(asked)
            self.assertEqual(status, 1, shown)
            self.assertIn("nothing was changed", shown)
            self.assertFalse((self.project / PATH).exists())

    def test_not_asked(self):
        status, _, asked = self.talk(b"", "--dry-run")
        self.assertEqual((status, asked), (1, False))
        status, _, asked = self.talk(b"", "--yes")
        self.assertEqual((status, asked), (0, False))
        status, shown, asked = self.talk(b"")
        self.assertEqual((status, asked), (0, False))
        self.assertIn("nothing to do", shown)

    def test_file_changes_meanwhile(self):
        """What was shown is what is written, or nothing is."""
        self.write(PATH, '{"a": 1}')
        status, shown, _ = self.talk(b"y\n", between=lambda: self.write(PATH, '{"a": 2}'))
        self.assertEqual((status, self.read(PATH)), (2, '{"a": 2}'))
        self.assertIn("changed in the meantime", shown)
        (self.project / PATH).unlink()
        status, shown, _ = self.talk(b"y\n", between=lambda: self.write(PATH, "{}"))
        self.assertEqual((status, self.read(PATH)), (2, "{}"))
        status, shown, _ = self.talk(b"y\n", between=(self.project / PATH).unlink)
        self.assertEqual((status, (self.project / PATH).exists()), (2, False))


if __name__ == "__main__":
    main()
