#!/usr/bin/env python3
"""A file has the same findings whether it is checked by itself or with its folder, and the first file of
an operator makes one.

Over all samples and fixtures, with a state file and without one, when the stage is a guess. What may differ is
listed with the reason; anything else is a file that some way of calling the program does not see.

Usage: test_same_findings.py BINARY [unittest options]
"""
import json
import os
import shutil
import unittest

import support
from support import CliTest, call

STATE = ".orchestrator_state.json"
# Findings that only the folder has: they hold two files against each other, and their rules belong to
# gates. OL41 reads every file when an implementation is there, and a golden by itself is of stage 3.
OF_THE_FOLDER = {"OL30", "OL31", "OL32", "OL33", "OL34", "OL41", "OL43"}
# A name of DESIGN.md is unused when no implementation uses it: one file by itself is all there is.
NARROWER = {"OL37"}
BAD = "import pypto as pp\n\n\n@pp.frontend.jit\ndef addone_kernel(x):\n    return x\n"


def operators():
    """Operator directories to copy: the samples and every fixture of a rule."""
    for base in ("examples/custom", "examples/broken/custom"):
        yield from sorted(p for p in (support.ROOT / base).iterdir() if p.is_dir())
    yield from sorted((support.ROOT / "tests/fixtures").glob("OL*/*/rowscale"))


def kind_of(name):
    return "impl" if name.endswith("_impl.py") else "golden" if name.endswith("_golden.py") else "test"


def belongs(path, op):
    """Has the file a name by which its operator knows it? A notice names the others."""
    name = path.rpartition("/")[2]
    base = f"{op}_module" if path.startswith("modules/") else op
    return name.startswith((base, f"test_{base}"))


class SameFindings(CliTest):
    def copy(self, state):
        """Every operator below a folder `custom` of its own; their folders, relative."""
        folders = []
        for number, source in enumerate(operators()):
            target = self.folder / f"c{number}" / "custom" / source.name
            shutil.copytree(source, target, symlinks=True)
            old = target / STATE
            if old.is_dir():
                shutil.rmtree(old)
            elif os.path.lexists(old):
                old.unlink()
            if state:
                old.write_text(json.dumps({"operator_name": source.name, "current_stage": 5, "max_stage": 7,
                                           "stage_status": {}}), encoding="utf-8")
            folders.append(target.relative_to(self.folder))
        return folders

    def findings(self, *paths):
        """By operator directory: the findings that can be compared."""
        report = call("check", "--no-config", "--no-exec", "--format", "json", *paths, cwd=self.folder).json()
        return {run["op_dir"]: {(f["file"], f["rule"], f["line"], f["column"], f["message"])
                                for f in run["findings"]} for run in report.get("runs", [report])}

    def files(self, folder):
        for pattern in ("*_impl.py", "*_golden.py", "test_*.py"):
            for below in ("", "modules/"):
                for path in sorted((self.folder / folder).glob(below + pattern)):
                    relative = str(path.relative_to(self.folder / folder))
                    if path.is_file() and belongs(relative, folder.name):
                        yield relative

    def compare(self, whole, single, folder, file):
        alone = single.get(str(folder), set())
        alone = {finding for finding in alone if finding[0] == file}
        there = {finding for finding in whole.get(str(folder), set()) if finding[0] == file}
        more = {f for f in alone - there if f[1] not in NARROWER}
        less = {f for f in there - alone if f[1] not in NARROWER | OF_THE_FOLDER}
        return [(str(folder), kind_of(file), "only by itself", *f) for f in sorted(more)] + [
            (str(folder), kind_of(file), "only with the folder", *f) for f in sorted(less)]

    def check_all(self, state):
        folders = self.copy(state)
        whole = self.findings(*folders)
        files = {folder: list(self.files(folder)) for folder in folders}
        self.assertGreater(sum(map(len, files.values())), 900)
        different = []
        for index in range(max(map(len, files.values()))):  # one file of each operator in one call
            jobs = [(folder, names[index]) for folder, names in files.items() if index < len(names)]
            single = self.findings(*(folder / name for folder, name in jobs))
            for job in jobs:
                different += self.compare(whole, single, *job)
        self.assertEqual(different, [])

    def test_with_a_state_file(self):
        self.check_all(True)

    def test_without_a_state_file(self):
        self.check_all(False)


class FirstFile(CliTest):
    def rules(self, *args, **options):
        done = call("check", *args, "--format", "json", **options)
        report = done.json()
        runs = [run for run in report.get("runs", [report]) if run["op_dir"] not in (".", None)]
        return done.status, {f["rule"] for run in runs for f in run["findings"]}

    def test_one_file_below_custom_makes_an_operator(self):
        for name, rule in (("addone_impl.py", "OL01"), ("modules/addone_module1_impl.py", "OL01")):
            path = self.write(f"{name}/custom/addone/{name}", BAD)
            for place in (path, self.folder / name / "custom/addone", self.folder / name):
                status, rules = self.rules(place)
                self.assertEqual(status, 1, place)
                self.assertIn(rule, rules, place)
        self.write("g/custom/addone/addone_golden.py", "import pypto\n")
        self.assertEqual(self.rules("g", cwd=self.folder)[1] & {"OL15"}, {"OL15"})
        self.write("t/custom/addone/test_addone.py", "import os\n")
        self.assertIn("OL20", self.rules("t", cwd=self.folder)[1])

    def test_only_below_custom_and_only_by_the_folders_name(self):
        for path in ("addone/addone_impl.py", "custom/addone/other_golden.py", "customs/addone/addone_golden.py",
                     "custom/custom_golden.py"):
            self.write(path, "import pypto\n")
        self.assertEqual(self.rules(".", cwd=self.folder), (0, set()))

    def test_implementation_and_golden_without_a_state_file(self):
        """Two files make stage 4 probable, at which no rule looks at an implementation."""
        self.write("addone/addone_impl.py", BAD)
        self.write("addone/addone_golden.py", "import torch\n\n\ndef addone_golden(x):\n    return x + 1\n")
        for place in ("addone/addone_impl.py", "addone", "."):
            status, rules = self.rules(place, cwd=self.folder)
            self.assertEqual(status, 1)
            self.assertGreaterEqual(rules, {"OL01", "OL07"}, place)
        # As pre-commit and the action call it.
        status, rules = self.rules("--whole-operators", "addone/addone_golden.py", cwd=self.folder)
        self.assertEqual((status, rules >= {"OL01", "OL07"}), (1, True))

    def test_doctor_knows_the_first_file(self):
        self.write("custom/addone/addone_impl.py", BAD)
        report = call("doctor", "custom/addone", "--format", "json", cwd=self.folder).json()
        self.assertTrue(report["recognised"])
        self.assertIn("OL01", report["rules"]["run"])
        self.assertNotIn("OL13", report["rules"]["run"])

    def test_kernels_under_another_name_are_named(self):
        self.write("custom/addone/addone_golden.py", "import torch\n")
        self.write("custom/addone/kernel.py", BAD)
        self.write("custom/addone/modules/other_module1_impl.py", BAD)
        self.write("custom/addone/helper.py", "import pypto\n")
        report = call("check", "custom/addone", "--format", "json", cwd=self.folder).json()
        named = {n["file"].partition("addone/")[2] for n in report["notices"] if "rename it" in n["message"]}
        self.assertEqual(named, {"kernel.py", "modules/other_module1_impl.py"})


if __name__ == "__main__":
    support.main()
