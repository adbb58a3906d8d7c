#!/usr/bin/env python3
"""A state file that says nothing is never silence: `check` and the gates end with status 2 and say what is wrong.

Usage: test_state_file.py BINARY [unittest options]
"""
import unittest

import support
from support import CliTest, call

STATE = "rowscale/.orchestrator_state.json"
SOUND = '{"operator_name": "rowscale", "current_stage": 5, "max_stage": 7, "stage_status": {}}'
KERNEL = "from pypto import *\n"
# Content, and what the message says of it.
BROKEN = (
    ("{", "it is not JSON: line 1, column 2"),
    ("", "it is not JSON: line 1, column 1"),
    ('{"current_stage": 5,\n }', "it is not JSON: line 2"),
    (b'{"operator_name": "\xff", "current_stage": 5}', "UTF-8"),
    ("null", "it holds null (expected: a JSON object)"),
    ("[5]", "it holds a list (expected: a JSON object)"),
    ("5", "it holds a number (expected: a JSON object)"),
    ("{}", "it has no current_stage"),
    ('{"current_stage": null}', "its current_stage is null"),
    ('{"current_stage": 0}', "its current_stage is 0 (expected: a number from 1 to 7)"),
    ('{"current_stage": 99}', "its current_stage is 99"),
    ('{"current_stage": -3}', "its current_stage is -3"),
    ('{"current_stage": "x"}', 'its current_stage is "x"'),
    ('{"current_stage": [5]}', "its current_stage is a list"),
    ('{"current_stage": ' + "9" * 400 + "}", "its current_stage is 999"),
    (b"{" + b" " * 5_000_000 + b"}", "larger than 4194304 bytes"),
)


class StateFile(CliTest):
    def setUp(self):
        super().setUp()
        self.write("rowscale/rowscale_impl.py", KERNEL)
        self.write("rowscale/rowscale_golden.py", "import torch\n")

    def assertTold(self, done, what):
        self.assertEqual(done.status, 2, (what, done.out, done.err))
        self.assertIn(f"{STATE}: broken, so the stage is not known: ", done.err)
        self.assertIn(what, done.err)
        self.assertIn('state_transition', done.err)
        self.assertIn('"current_stage": 5', done.err)  # what to write

    def test_check_and_gates(self):
        ways = (("check", "."), ("check", "rowscale"), ("check", "rowscale/rowscale_impl.py"),
                ("check", "--op-dir", "rowscale"), ("check", "--whole-operators", "rowscale/rowscale_golden.py"),
                ("--stage", "5", "--op-dir", "rowscale"), ("--phase", "M1", "--op-dir", "rowscale"),
                ("--design", "--op-dir", "rowscale"))
        for content, what in BROKEN:
            self.write(STATE, content)
            for way in ways:
                self.assertTold(call(*way, "--no-exec", "--format", "concise", cwd=self.folder), what)

    def test_what_can_be_judged_is_judged(self):
        self.write(STATE, "{")
        for place in ("rowscale", "rowscale/rowscale_impl.py"):
            done = call("check", place, "--format", "json", cwd=self.folder)
            self.assertIn("OL07", {f["rule"] for f in done.json()["findings"]})

    def test_no_file(self):
        path = self.folder / STATE
        path.mkdir()
        self.assertTold(call("check", "rowscale", cwd=self.folder), "it is not a regular file")
        path.rmdir()
        path.symlink_to("nowhere")
        self.assertTold(call("check", "rowscale", cwd=self.folder), "it is not a regular file")

    @unittest.skipIf(support.ROOT_MAY_ALL, "root may read everything")
    def test_unreadable(self):
        self.write(STATE, SOUND).chmod(0)
        self.assertTold(call("check", "rowscale", cwd=self.folder), "cannot be read")

    def test_with_a_stage_check_does_without_it(self):
        """Then OL24 judges the file."""
        self.write(STATE, "{")
        done = call("check", "--stage", "5", "rowscale", "--format", "json", cwd=self.folder)
        self.assertEqual((done.status, done.err), (1, ""))
        self.assertIn("OL24", {f["rule"] for f in done.json()["findings"]})
        self.assertIn("broken, so the stage is not known", done.json()["notices"][0]["message"])

    def test_sound_ones(self):
        for stage in ("5", '"5"', "5.9", '" 5 "', "true"):
            self.write(STATE, SOUND.replace('5', stage, 1))
            done = call("check", "rowscale", cwd=self.folder)
            self.assertNotIn("broken", done.err + done.out)

    def test_the_old_command_line_keeps_its_statuses(self):
        for content, _ in BROKEN[:8]:
            self.write(STATE, content)
            for stage, status in (("3", 2), ("99", 0)):
                done = call("--check-gate", "--op-dir", "rowscale", "--stage", stage, cwd=self.folder)
                self.assertEqual((done.status, "broken, so" in done.err), (status, False))
        done = call("--lint-golden", "--op-dir", "rowscale", cwd=self.folder)
        self.assertEqual((done.status, done.err), (0, ""))

    def test_in_chinese(self):
        self.write(STATE, '{"current_stage": 99}')
        done = call("check", "rowscale", "--lang", "zh", cwd=self.folder)
        self.assertEqual(done.status, 2)
        self.assertIn("current_stage 是 99（应为 1 到 7 的数）", done.err)


if __name__ == "__main__":
    support.main()
