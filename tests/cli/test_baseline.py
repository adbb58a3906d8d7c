#!/usr/bin/env python3
"""`--baseline` and `--update-baseline`.

Usage: test_baseline.py BINARY [unittest options]
"""
import json
import os
import shutil
import unittest

import support
from support import CliTest, call

ALIAS = "import pypto as pp\n\n\ndef rowscale_wrapper(x):\n    return pp.add(x, x)\n"
KERNEL = ("import pypto\n\n\n@pypto.frontend.jit\ndef rowscale_kernel(x: pypto.Tensor([pypto.DYNAMIC, 128]), y):\n"
          "    pypto.set_vec_tile_shapes(x.shape[0], 128)\n    y[:] = x\n")
TILE = "    pypto.set_vec_tile_shapes(x.shape[0], 128)\n"


class Baseline(CliTest):
    def setUp(self):
        super().setUp()
        self.impl = self.write("op/rowscale/rowscale_impl.py", KERNEL)

    def check(self, *args, path="op/rowscale", rules=("--rules", "OL48")):
        return call("check", "--op-dir", path, "--stage", "5", *rules, "--format", "json", *args,
                    cwd=self.folder)

    def update(self, *args, **named):
        done = self.check("--baseline", "known.json", "--update-baseline", *args, **named)
        self.assertEqual(done.status, 0, done.err)
        return done

    def against(self, *args, **named):
        done = self.check("--baseline", "known.json", *args, **named)
        self.assertIn(done.status, (0, 1), done.err)
        return done

    def entries(self):
        return json.loads(self.read("known.json"))["entries"]

    def notices(self, done):
        return [n["message"] for n in done.json().get("notices", [])]

    def test_known_findings_are_left_out(self):
        self.assertEqual(self.check().status, 1)
        self.update()
        done = self.against()
        self.assertEqual((done.status, done.json()["findings"]), (0, []))
        self.assertEqual(done.json()["rules"][0]["status"], "PASS")
        self.assertEqual(self.notices(done), ["1 finding(s) left out, as the baseline lists them"])

    def test_the_file_has_one_entry_a_line(self):
        self.update()
        lines = self.read("known.json").split("\n")
        self.assertEqual(lines[:4], ["{", '  "version": 1,', '  "tool": "pypto-lint",', '  "entries": ['])
        self.assertEqual(lines[5:], ["  ]", "}", ""])
        entry, = self.entries()
        self.assertEqual(list(entry), ["file", "rule", "fingerprint", "occurrence", "text"])
        self.assertEqual((entry["file"], entry["rule"], entry["occurrence"], entry["text"]),
                         ("op/rowscale/rowscale_impl.py", "OL48", 1, TILE.strip()))

    def test_bytes_of_the_file(self):
        self.impl.write_text(KERNEL.replace(TILE, TILE * 2), encoding="utf-8")
        self.update()
        first, second = self.entries()
        line = ('    {{"file": "op/rowscale/rowscale_impl.py", "rule": "OL48", "fingerprint": "{}", "occurrence": {},'
                ' "text": "pypto.set_vec_tile_shapes(x.shape[0], 128)"}}')
        self.assertEqual(self.read("known.json"),
                         '{\n  "version": 1,\n  "tool": "pypto-lint",\n  "entries": [\n'
                         + line.format(first["fingerprint"], 1) + ",\n" + line.format(second["fingerprint"], 2)
                         + "\n  ]\n}\n")
        self.impl.write_text(KERNEL.replace("x.shape[0]", "64"), encoding="utf-8")
        self.update()
        self.assertEqual(self.read("known.json"),
                         '{\n  "version": 1,\n  "tool": "pypto-lint",\n  "entries": []\n}\n')

    def test_the_fingerprint_is_the_documented_one(self):
        self.update()
        value = 0xCBF29CE484222325
        for part in ("OL48", "op/rowscale/rowscale_impl.py", TILE.strip()):
            for byte in part.encode() + b"\xff":
                value = (value ^ byte) * 0x100000001B3 % 2**64
        self.assertEqual(self.entries()[0]["fingerprint"], f"{value:016x}")

    def test_moved_and_indented_lines_are_known(self):
        self.update()
        moved = KERNEL.replace("import pypto\n", "import pypto\n\n# a comment\nN = 3\n")
        moved = moved.replace("x.shape[0], 128", "x.shape[0],   128")
        self.impl.write_text(moved, encoding="utf-8")
        self.assertEqual(self.against().json()["findings"], [])

    def test_a_changed_line_is_new(self):
        self.update()
        self.impl.write_text(KERNEL.replace("shape[0]", "shape[1]"), encoding="utf-8")
        done = self.against()
        self.assertEqual((done.status, len(done.json()["findings"])), (1, 1))
        self.assertEqual(self.notices(done),
                         ["1 finding(s) of the baseline are gone; --update-baseline takes them out"])

    def test_a_second_equal_line_is_new(self):
        self.update()
        self.impl.write_text(KERNEL.replace(TILE, TILE * 2), encoding="utf-8")
        found = self.against().json()["findings"]
        self.assertEqual([f["line"] for f in found], [7])
        self.update()
        self.assertEqual([e["occurrence"] for e in self.entries()], [1, 2])

    def test_fixed_findings_leave_on_update(self):
        self.update()
        self.impl.write_text(KERNEL.replace("x.shape[0]", "64"), encoding="utf-8")
        done = self.update()
        self.assertEqual(self.notices(done), ["the baseline has 0 finding(s): 0 new, 1 gone"])
        self.assertEqual(json.loads(self.read("known.json")),
                         {"version": 1, "tool": "pypto-lint", "entries": []})

    def test_update_is_deterministic_and_rewrites_nothing(self):
        self.update()
        first = (self.folder / "known.json").stat()
        self.update()
        again = (self.folder / "known.json").stat()
        self.assertEqual((first.st_ino, first.st_mtime_ns), (again.st_ino, again.st_mtime_ns))

    def test_what_was_not_looked_at_stays(self):
        self.write("op/other/other_impl.py", KERNEL)
        self.update()
        self.update(path="op/other")
        self.assertEqual([e["file"] for e in self.entries()],
                         ["op/other/other_impl.py", "op/rowscale/rowscale_impl.py"])
        self.update(rules=("--rules", "OL02"))
        self.assertEqual(len(self.entries()), 2)
        shutil.rmtree(self.folder / "op/other")
        self.update()
        self.assertEqual([e["file"] for e in self.entries()], ["op/rowscale/rowscale_impl.py"])

    def test_a_file_that_does_not_parse_is_never_in_it(self):
        self.update()
        self.impl.write_text(KERNEL + "def broken(:\n", encoding="utf-8")
        done = self.check("--baseline", "known.json", "--update-baseline", rules=())
        self.assertEqual(done.status, 1)
        self.assertEqual({f["rule"] for f in done.json()["findings"]}, {"OL00"})
        rules = {e["rule"] for e in self.entries()}
        self.assertNotIn("OL00", rules)
        self.assertIn("OL48", rules)

    def test_it_holds_from_every_folder(self):
        self.update()
        done = call("check", "--op-dir", ".", "--stage", "5", "--rules", "OL48", "--format", "json",
                    "--baseline", "../../known.json", cwd=self.folder / "op/rowscale")
        self.assertEqual((done.status, done.json()["findings"]), (0, []))

    def test_files_above_the_baseline(self):
        (self.folder / "ci").mkdir()
        self.check("--baseline", "ci/known.json", "--update-baseline")
        entry, = json.loads(self.read("ci/known.json"))["entries"]
        self.assertEqual(entry["file"], "../op/rowscale/rowscale_impl.py")
        self.assertEqual(self.check("--baseline", "ci/known.json").status, 0)

    def test_it_holds_in_every_language(self):
        for case in sorted((support.ROOT / "examples/broken/custom").iterdir()):
            shutil.copytree(case, self.folder / "op" / case.name)
        args = ("check", "op", "--no-exec", "--format", "json", "--baseline", "known.json")
        call(*args, "--update-baseline", cwd=self.folder)
        english = self.read("known.json")
        self.assertGreater(len(self.entries()), 50)
        done = call(*args, "--lang", "zh", cwd=self.folder)
        self.assertEqual([f for run in done.json()["runs"] for f in run["findings"]], [])
        call(*args, "--update-baseline", "--lang", "zh", cwd=self.folder)
        self.assertEqual(self.read("known.json"), english)

    def test_known_findings_are_not_fixed(self):
        self.impl.write_text(ALIAS, encoding="utf-8")
        self.update(rules=("--rules", "OL07"))
        done = self.against("--fix", rules=("--rules", "OL07"))
        self.assertIn("0 finding(s) fixed", done.err)
        self.assertEqual(self.impl.read_text(encoding="utf-8"), ALIAS)

    def test_a_gate_looks_past_it(self):
        self.update()
        args = ("--stage", "5", "--op-dir", "op/rowscale", "--rules", "OL48", "--no-exec", "--format", "json")
        done = call(*args, "--baseline", "known.json", cwd=self.folder)
        self.assertEqual((done.status, len(done.json()["findings"])), (1, 1))
        self.assertEqual(self.notices(done), ["a gate ignores the baseline"])
        done = call(*args, "--baseline", "known.json", "--update-baseline", cwd=self.folder)
        self.assertEqual((done.status, done.out), (2, ""))

    def test_broken_baselines(self):
        for text, part in (("{", "not valid JSON"), ("[]", "not a baseline"), ('{"version": 2, "entries": []}', "not a baseline"),
                           ('{"version": 1, "entries": [{"file": "x"}]}', "entry 1"),
                           ('{"version": 1, "entries": [{"file": "x", "rule": "OL48", "fingerprint": "12",'
                            ' "occurrence": 1}]}', "entry 1"),
                           ('{"version": 1, "version": 1, "entries": []}', "not valid JSON")):
            with self.subTest(text=text):
                self.write("known.json", text)
                for extra in ((), ("--update-baseline",)):
                    done = self.check("--baseline", "known.json", *extra)
                    self.assertEqual(done.status, 2)
                    self.assertIn(part, done.err)
                    self.assertEqual(self.read("known.json"), text)

    def test_wrong_usage(self):
        for args in (("--update-baseline",), ("--baseline", "b.json", "--update-baseline", "--fix"),
                     ("--baseline", "b.json", "--update-baseline", "--phase", "M1"), ("--baseline", "")):
            done = self.check(*args)
            self.assertEqual((done.status, done.out), (2, ""), args)
        self.assertFalse((self.folder / "b.json").exists())
        done = self.check("--baseline", "lacking.json")
        self.assertEqual(done.status, 2)
        self.assertIn("lacking.json: cannot read the baseline", done.err)

    def test_nothing_is_written_when_something_could_not_be_read(self):
        self.update()
        before = self.read("known.json")
        done = call("check", "op/rowscale", "op/lacking", "--baseline", "known.json",
                    "--update-baseline", cwd=self.folder)
        self.assertEqual(done.status, 2)
        self.assertEqual(self.read("known.json"), before)

    def test_a_name_that_is_not_utf8(self):
        folder = bytes(self.folder) + b"/op/\xff"
        os.mkdir(folder)
        with open(folder + b"/loose.py", "w", encoding="utf-8") as file:
            file.write(KERNEL)
        args = ("check", "op", "--rules", "OL48", "--baseline", "known.json")
        self.assertEqual(call(*args, "--update-baseline", "--format", "json", cwd=self.folder).status, 0)
        self.assertEqual([e["file"] for e in self.entries()], ["op/rowscale/rowscale_impl.py", "op/\ufffd/loose.py"])
        self.assertEqual(call(*args, "--format", "json", cwd=self.folder).status, 0)


if __name__ == "__main__":
    support.main()
