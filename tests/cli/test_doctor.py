#!/usr/bin/env python3
"""`pypto-lint doctor`: what the program takes an operator directory for.

Usage: test_doctor.py BINARY [unittest options]
"""
import os
import shutil

import catalogue
import support
from support import CliTest, call

STUB = "# PYPTO_PENDING_STUB\n"
ARTIFACTS = ["SPEC.md", "API_REPORT.md", "rowscale_golden.py", "GOLDEN_PERF_REPORT.md", "DESIGN.md",
             "eval/module_interfaces.yaml", "eval/test_inputs.py", "eval/adversarial_suite.json",
             "eval/adversarial_runner.py", "eval/evaluation_report.json", "MEMORY.md",
             "rowscale_impl.py", "README.md", "test_rowscale.py", "rowscale_tuning_report.md",
             ".orchestrator_state.json"]

# At stage 4 with an implementation, a golden and a module's test: what belongs to other stages.
OTHER_STAGES = catalogue.ids("9-11 13 14 30-34 39 40 43 44 53 54 59 63")
RUN = [rule.id for rule in catalogue.RULES if rule.id not in OTHER_STAGES]


def shown(ids):
    """As the page shows a list of rules: how many, and lines of ids."""
    rules = support.call("rules", "--format", "json").json()["rules"]
    names = {rule["id"]: rule["name"] for rule in rules}
    lines = [""]
    for place, rule in enumerate(ids):
        word = f" {rule} {names[rule]}" + ("," if place + 1 < len(ids) else "")
        lines += [""] if len(lines[-1]) + len(word) > 93 else []
        lines[-1] += word
    return "\n   ".join([str(len(ids)), *lines])


PAGE = """\
Directory       {dir}
Recognised      yes: found as an operator directory in a tree
Operator        rowscale (the folder's name)
State file      missing
Stage           4 (inferred from DESIGN.md, rowscale_golden.py)
Modules         2 (MEMORY.md:3)
Scope           the whole operator; implementation files: 1
    modules/rowscale_module1_impl.py
Kernels         none: no function decorated with @pypto.frontend.jit, so most rules find nothing to look at
PyPTO           9.2 (the newest one described: no version is set, no package found)
Python          {python}
Settings        none

Phases
  M1 (suffix 1)
    modules/rowscale_module1_impl.py            present
    modules/rowscale_module1_golden.py          broken
    modules/test_rowscale_module1.py            empty
  M2 (suffix 12)
    modules/rowscale_module12_impl.py           stub
    modules/rowscale_module12_golden.py         missing
    modules/test_rowscale_module12.py           missing

Artifacts
  SPEC.md                                     present     stage 1
  API_REPORT.md                               missing     stage 1
  rowscale_golden.py                          present     stage 2
  GOLDEN_PERF_REPORT.md                       missing     stage 2
  DESIGN.md                                   present     stage 3
  eval/module_interfaces.yaml                 missing     stage 4
  eval/test_inputs.py                         missing     stage 4
  eval/adversarial_suite.json                 missing     stage 4
  eval/adversarial_runner.py                  missing     stage 4
  eval/evaluation_report.json                 missing     stage 4
  MEMORY.md                                   present     stage 5
  rowscale_impl.py                            missing     stage 5
  README.md                                   missing     stage 5
  test_rowscale.py                            missing     stage 5/6
  rowscale_tuning_report.md                   missing     stage 7
  .orchestrator_state.json                    missing     stage 1-7

Rules
  run: {run}
  belong to other stages: {other}

Not readable
  nothing
"""


class Doctor(CliTest):
    def look(self, op="rowscale", status=0, **options):
        done = call("doctor", self.folder / op, "--format", "json", **options)
        self.assertEqual((done.status, done.err), (status, ""))
        return done.json()

    def states(self, report, key="artifacts"):
        return {file["path"]: file["state"] for file in report[key]}

    def write_all(self):
        for name in ("SPEC.md", "DESIGN.md", "rowscale_golden.py"):
            self.write(f"rowscale/{name}", "x = 1\n")
        self.write("rowscale/MEMORY.md", "# Memory\n\nmodule_count: 2\n")
        self.write("rowscale/modules/rowscale_module1_impl.py", "x = 1\n")
        self.write("rowscale/modules/rowscale_module1_golden.py", "def (\n")
        self.write("rowscale/modules/test_rowscale_module1.py", "")
        self.write("rowscale/modules/rowscale_module12_impl.py", STUB)

    # --- the page

    def test_page(self):
        self.write_all()
        done = call("doctor", self.folder / "rowscale")
        python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else shutil.which("python3")
        expected = PAGE.format(dir=(self.folder / "rowscale").resolve(), python=python, run=shown(RUN),
                               other=shown(OTHER_STAGES))
        self.assertEqual((done.status, done.err), (0, ""))
        self.assertEqual(done.out, expected)

    def test_page_in_chinese(self):
        self.write_all()
        done = call("doctor", "--lang", "zh", self.folder / "rowscale")
        self.assertEqual(done.status, 0)
        for line in ("算子            rowscale (目录名)", "状态文件        缺失",
                     "阶段            4 (推断依据：DESIGN.md, rowscale_golden.py)",
                     "    modules/rowscale_module12_impl.py           待实现桩",
                     "  SPEC.md                                     存在        阶段 1",
                     f"  运行: {len(RUN)}"):
            self.assertIn("\n" + line + "\n", "\n" + done.out)

    def test_no_stage_is_not_no_rule(self):
        """Files that exist are judged at no stage, too, as `check` shows."""
        self.write("custom/alone/alone_impl.py", "import pypto\n")
        stage = [line for line in call("doctor", self.folder / "custom/alone").out.splitlines() if "Stage" in line]
        self.assertEqual(stage, ["Stage           unknown: rules run on the files that exist"])
        self.assertIn("error[OL08]", call("check", self.folder / "custom/alone", "--format", "concise").out)

    def test_json(self):
        self.write_all()
        report = self.look()
        self.assertEqual(report["op_name"], "rowscale")
        self.assertEqual(report["op_name_source"], "folder")
        self.assertEqual(report["state_file"], "missing")
        self.assertEqual(report["stage"], {"number": 4, "source": "artifacts",
                                           "artifacts": ["DESIGN.md", "rowscale_golden.py"]})
        self.assertEqual((report["module_count"], report["module_count_source"]), (2, "MEMORY.md"))
        self.assertEqual([(p["phase"], p["suffix"]) for p in report["phases"]],
                         [(1, "1"), (2, "12")])
        self.assertEqual(self.states(report["phases"][0], "files"), {
            "modules/rowscale_module1_impl.py": "present",
            "modules/rowscale_module1_golden.py": "broken",
            "modules/test_rowscale_module1.py": "empty"})
        self.assertEqual(list(self.states(report)), ARTIFACTS)
        self.assertEqual(report["implementation_files"], ["modules/rowscale_module1_impl.py"])
        self.assertEqual(report["kernels"], 0)
        # Those of stage 4, and those of the implementation and the module tests that are there.
        run = report["rules"]["run"]
        self.assertLess(set(catalogue.STAGES[4]), set(run))
        self.assertEqual(run, RUN)
        self.assertEqual(report["rules"]["switched_off"], [])
        self.assertEqual(report["settings"], None)
        self.assertEqual(report["unreadable"], [])

    def test_json_of_odd_bytes(self):
        folder = self.folder / os.fsdecode(b"row\xff\xc2\x9bscale")
        folder.mkdir()
        (folder / "SPEC.md").write_text("x")
        done = call("doctor", folder, "--format", "json")
        self.assertEqual((done.status, done.err), (0, ""))
        self.assertEqual(done.json()["op_name"], "row\ufffd\x9bscale")
        self.assertTrue(done.json()["absolute"].endswith("/row\ufffd\x9bscale"))
        self.assertNotIn("\x9b", done.out)

    # --- name and stage

    def test_name_and_stage_of_the_state_file(self):
        self.write("work/.orchestrator_state.json", '{"operator_name": "rowscale", "current_stage": 6}')
        report = self.look("work")
        self.assertEqual((report["op_name"], report["op_name_source"]), ("rowscale", "state file"))
        self.assertEqual((report["stage"]["number"], report["stage"]["source"]), (6, "state file"))
        self.assertEqual(report["state_file"], "valid")
        self.assertEqual(report["rules"]["run"], catalogue.STAGES[6])
        self.assertTrue(report["recognised"])
        self.assertIn("test_rowscale.py", self.states(report))

    def test_broken_state_file(self):
        self.write("rowscale/.orchestrator_state.json", "[]")
        self.write("rowscale/README.md", "x")
        report = self.look(status=2)
        self.assertEqual(report["unreadable"], [{"file": ".orchestrator_state.json",
                                                 "message": "it holds a list (expected: a JSON object)"}])
        self.assertEqual(report["state_file"], "invalid")
        self.assertEqual(report["stage"], {"number": 0, "source": "unknown", "artifacts": []})
        self.assertEqual((report["op_name"], report["rules"]["run"]), ("rowscale", []))

    def test_stages_from_artifacts(self):
        for files, stage in ((["SPEC.md"], 2), (["SPEC.md", "API_REPORT.md"], 3),
                             (["API_REPORT.md", "DESIGN.md"], 4), (["README.md", "DESIGN.md"], 4),
                             (["README.md", "rowscale_impl.py"], 5),
                             (["rowscale_impl.py", "test_rowscale.py", "SPEC.md"], 5),
                             (["MEMORY.md"], 0)):
            folder = f"{'-'.join(files)}/rowscale"
            for name in files:
                self.write(f"{folder}/{name}", "x = 1\n")
            self.assertEqual(self.look(folder)["stage"]["number"], stage, files)

    def test_folder_that_is_no_operator(self):
        self.write("notes/README.md", "x")
        report = self.look("notes")
        self.assertFalse(report["recognised"])

    # --- modules

    def test_module_count_of_the_design(self):
        self.write("rowscale/MEMORY.md", "`module_count`: 7\n")
        self.write("rowscale/DESIGN.md", "Decision: split,\nmodule_count = 3\n")
        report = self.look()
        self.assertEqual((report["module_count"], report["module_count_source"]), (3, "DESIGN.md"))
        self.assertEqual([p["suffix"] for p in report["phases"]], ["1", "12", "123"])

    def test_single_module_has_no_phases(self):
        self.write("rowscale/MEMORY.md", "module_count: 1\n")
        self.assertEqual(self.look()["phases"], [])
        done = call("doctor", self.folder / "rowscale")
        self.assertIn("a single module is built at once", done.out)

    def test_phases_follow_the_files_when_nothing_is_stated(self):
        self.write("rowscale/modules/test_rowscale_module123.py", "x = 1\n")
        report = self.look()
        self.assertEqual(report["module_count"], None)
        self.assertEqual([p["phase"] for p in report["phases"]], [1, 2, 3])

    def test_absurd_module_count(self):
        self.write("rowscale/MEMORY.md", "module_count: 99999999999999999999\n")
        report = self.look()
        self.assertEqual(len(report["phases"]), 99)
        self.assertTrue(report["phases"][9]["suffix"] == "12345678910")

    # --- settings and trouble

    def test_settings(self):
        path = self.write(".pypto-lint.yaml", "ignore: [OL15]\n")
        self.write("rowscale/SPEC.md", "x")
        report = self.look(status=0)
        self.assertEqual(report["settings"], str(path.resolve()))
        self.assertEqual(report["rules"]["switched_off"], ["OL15"])
        self.assertEqual(report["rules"]["run"], ["OL11", "OL24", "OL59"])

    def test_broken_settings(self):
        self.write("rowscale/.pypto-lint.yaml", "ignore: [OL99]\n")
        report = self.look(status=2)
        self.assertIn("OL99", report["settings_error"])

    def test_unreadable(self):
        self.write("rowscale/SPEC.md", b"\xff\xfe")
        self.write("rowscale/.pypto-lint.yaml", "max-file-size: 40 B\n")
        self.write("rowscale/rowscale_impl.py", "x = 1\n" * 10)
        report = self.look(status=2)
        self.assertEqual(self.states(report)["SPEC.md"], "unreadable")
        self.assertEqual(self.states(report)["rowscale_impl.py"], "unreadable")
        self.assertEqual({(f["file"], f["message"]) for f in report["unreadable"]}, {
            ("SPEC.md", "not checked: not UTF-8 at byte 0"),
            ("rowscale_impl.py", "not checked: larger than 40 bytes (max-file-size)")})

    def test_usage(self):
        for args in (("missing",), ("a", "b"), ("--format", "xml"), ("--nonsense",), ()):
            done = call("doctor", *args, cwd=self.folder)
            self.assertEqual((done.status, done.out), (2, ""), args)
            self.assertTrue(done.err.startswith("pypto-lint: "))

    def test_default_is_the_directory_around_the_working_directory(self):
        self.write("rowscale/SPEC.md", "x")
        self.write("rowscale/rowscale_impl.py", "x = 1\n")
        self.write("rowscale/modules/x.txt", "x")
        done = call("doctor", "--format=json", cwd=self.folder / "rowscale" / "modules")
        self.assertEqual(done.json()["op_name"], "rowscale")


if __name__ == "__main__":
    support.main()
