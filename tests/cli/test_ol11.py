#!/usr/bin/env python3
"""OL11, the rule that runs the golden: what it says, what it lets the golden do, when it stays away.

    test_ol11.py --binary PATH [OPTION of unittest …]

The small cases are the folders of tests/fixtures/OL11: gate.json there is what the gate must say
(expected.json is the same case without execution). The others are written here. Each case runs in a
copy of its operator directory; nothing may be added to it, and no process of it may remain.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures/OL11"
GOLDEN = "rowscale_golden.py"
LIMIT = 10  # seconds, from the rule's page
BINARY = None
PLACE = ("file", "line", "column", "end_line", "end_column", "status")


def listing(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*"))


def processes_naming(text):
    """Numbers of the processes (not of this one) with the text in their command line."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if text.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                pass
    return found


class Golden(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="pypto-lint-ol11-"))
        self.folder = self.root / "rowscale"
        self.folder.mkdir()
        self.mark = self.root / "mark"
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, code):
        (self.folder / GOLDEN).write_text(code.replace("MARK", repr(str(self.mark))))

    def run_linter(self, *args, stdin="", env=None, lang="en", cwd=None):
        environment = {**os.environ, "PYPTO_LINT_LANG": lang, **(env or {})}
        if "PYPTO_LINT_PYTHON" not in (env or {}):
            environment.pop("PYPTO_LINT_PYTHON", None)
        return subprocess.run([BINARY, *args], input=stdin.encode(), capture_output=True,
                              timeout=60, env=environment, cwd=cwd or self.root, check=False)

    def gate(self, *args, env=None, lang="en", cwd=None):
        """(status of OL11, its reason, its findings) of the stage gate."""
        before = listing(self.folder)
        done = self.run_linter("--stage", "2", "--op-dir", str(self.folder), "--rules", "OL11",
                               "--format", "json", *args, env=env, lang=lang, cwd=cwd)
        report = json.loads(done.stdout)
        rule = next(entry for entry in report["rules"] if entry["id"] == "OL11")
        notes = done.stderr.decode().splitlines()
        self.assertEqual(len(notes), 2 if rule["status"] == "SKIP" else 0, notes)
        self.assertEqual(listing(self.folder), before)
        self.assertEqual(processes_naming(str(self.folder)), [])
        findings = [f for f in report["findings"] if f["rule"] == "OL11"]
        # It holds up this gate, although its severity is S2.
        self.assertEqual(done.returncode, int(len(report["findings"]) > 0))
        return rule["status"], rule.get("reason", ""), findings

    def assert_fails(self, *parts, **options):
        status, _, findings = self.gate(**options)
        self.assertEqual((status, len(findings)), ("FAIL", 1), findings)
        for part in parts:
            self.assertIn(part, findings[0]["message"])
        return findings[0]

    # --- what it says

    def test_fixtures(self):
        cases = sorted(FIXTURES.glob("*/gate.json"))
        self.assertGreaterEqual(len(cases), 15)
        for path in cases:
            with self.subTest(path.parent.name):
                shutil.rmtree(self.folder)
                shutil.copytree(path.parent / "rowscale", self.folder)
                self.compare(json.loads(path.read_text(encoding="utf-8")))

    def compare(self, expected):
        status, reason, findings = self.gate()
        status_zh, _, findings_zh = self.gate(lang="zh")
        self.assertEqual((status, reason), (expected["status"], ""))
        self.assertEqual(status_zh, status)
        self.assertEqual(len(findings), len(expected["findings"]), findings)
        for want, found, found_zh in zip(expected["findings"], findings, findings_zh):
            for key in PLACE:
                self.assertEqual(found[key], want.get(key, found[key]), key)
                self.assertEqual(found[key], found_zh[key], key)
            for part in want["contains"]:
                self.assertIn(part, found["message"])
            self.assertTrue(any("\u4e00" <= c <= "\u9fff" for c in found_zh["message"]))
            for text in (found["message"], found_zh["message"], found["hint"]):
                self.assertTrue(text.isprintable(), text)

    def test_severity_decides_the_exit_status(self):
        self.write("raise ValueError\n")
        gate = ["--stage", "2", "--op-dir", str(self.folder), "--rules", "OL11"]
        for threshold, status in (("S0", 0), ("S1", 1), ("S2", 1), ("never", 0)):
            done = self.run_linter(*gate, "--fail-on", threshold)
            self.assertEqual(done.returncode, status, threshold)
            last = done.stdout.decode().splitlines()[-1]
            passes = "the gate passes, with 1 finding(s) that do not block it (--fail-on"
            self.assertEqual(last.startswith(passes), status == 0, last)
        self.assertEqual(self.run_linter(*gate).returncode, 1)
        # The old command line keeps its status.
        done = self.run_linter("--check-gate", "--op-dir", str(self.folder), "--stage", "2")
        self.assertFalse(json.loads(done.stdout)["passed"])
        self.assertNotIn("the gate passes", done.stdout.decode() + done.stderr.decode())

    def test_golden_that_cannot_be_imported_holds_up_the_gate(self):
        """What made this gate green: torch is missing, and nobody sees it."""
        self.write("import no_such_package\n\n\ndef rowscale_golden(x):\n    return x\n")
        (self.folder / ".orchestrator_state.json").write_text(
            '{"operator_name": "rowscale", "current_stage": 2, "max_stage": 7, "stage_status": {}}')
        (self.folder / "GOLDEN_PERF_REPORT.md").write_text("| op | count | mean_duration | total |\n")
        done = self.run_linter("--stage", "2", "--op-dir", str(self.folder), "--format", "concise")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(b"No module named 'no_such_package'", done.stdout)
        done = self.run_linter("--check-gate", "--stage", "2", "--op-dir", str(self.folder))
        self.assertEqual(done.returncode, 0)

    def test_the_interpreter_is_named(self):
        """One function decides for OL11, run and verify."""
        self.write("raise ValueError\n")
        tool = self.root / "mine"
        tool.symlink_to(sys.executable)
        for options in ({"env": {"PYPTO_LINT_PYTHON": str(tool)}}, {"args": ("--python", str(tool))}):
            _, _, findings = self.gate(*options.get("args", ()), env=options.get("env"))
            self.assertIn(f"(by {tool})", findings[0]["message"])
            self.assertIn("--python", findings[0]["hint"])
        default = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else shutil.which("python3")
        _, _, findings = self.gate()
        self.assertIn(f"(by {default})", findings[0]["message"])
        doctor = self.run_linter("doctor", str(self.folder), "--format", "json")
        self.assertEqual(json.loads(doctor.stdout)["python"], default)

    def test_a_gate_that_was_not_to_run_it_says_so(self):
        self.write("x = 1\n")
        done = self.run_linter("--stage", "2", "--op-dir", str(self.folder), "--rules", "OL11,OL15",
                               "--no-exec")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.decode().splitlines()[-1], "the gate passes; not checked: OL11")

    def test_compiled_copies_do_not_count(self):
        """One that Python need not compare with its source (PEP 552) could be another program."""
        python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
        code = ("import py_compile, sys; py_compile.compile(sys.argv[1], doraise=True, "
                "invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)")
        self.write("fine = 1\n")
        subprocess.run([python, "-c", code, str(self.folder / GOLDEN)], check=True)
        self.assertTrue(list(self.folder.glob("__pycache__/*.pyc")))
        self.write("raise ValueError('the source')\n")
        status, _, findings = self.gate("--python", python)
        self.assertEqual(status, "FAIL")
        self.assertIn("the source", findings[0]["message"])

    def test_long_last_line_is_cut(self):
        self.write("raise ValueError('x' * 5000)\n")
        finding = self.assert_fails("ValueError: xxx", "…")
        self.assertLess(len(finding["message"]), 300)

    def test_output_that_is_not_utf8(self):
        self.write("import os\nos.write(2, b'bad \\xff\\xfe byte\\n')\nos._exit(1)\n")
        self.assert_fails("bad \ufffd\ufffd byte")

    def test_signal(self):
        self.write("import os\nos.kill(os.getpid(), 9)\n")
        self.assert_fails("signal 9")

    def test_no_interpreter(self):
        self.write("x = 1\n")
        self.assert_fails("'/nonexistent/python3'", env={"PYPTO_LINT_PYTHON": "/nonexistent/python3"})
        self.assert_fails("'python9'", env={"PYPTO_LINT_PYTHON": "python9"})

    def test_interpreter_that_does_not_start(self):
        self.write("x = 1\n")
        tool = self.root / "tool"
        tool.write_text("neither ELF nor script\n")
        tool.chmod(0o755)
        self.assert_fails("does not start", env={"PYPTO_LINT_PYTHON": str(tool)})

    # --- what the golden may do

    def test_endless_loop_with_children(self):
        """32 processes, each in a session of its own and deaf to signals, and a loop."""
        self.write("import os, signal, time\n"
                   "for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):\n"
                   "    signal.signal(s, signal.SIG_IGN)\n"
                   "for i in range(5):\n"
                   "    if os.fork() == 0:\n"
                   "        os.setsid()\n"
                   "while True: time.sleep(0.2)\n")
        start = time.monotonic()
        self.assert_fails("longer than 10 seconds")
        taken = time.monotonic() - start
        self.assertGreater(taken, LIMIT - 0.5)
        self.assertLess(taken, LIMIT + 5)

    def test_huge_allocation(self):
        self.write("x = bytearray(1 << 36)\n")
        self.assert_fails("MemoryError")

    def test_large_file(self):
        self.write("f = open(MARK, 'wb')\nf.write(bytes(64 << 20))\n")
        self.assert_fails("OSError")
        self.assertLessEqual(self.mark.stat().st_size, 16 << 20)

    def test_output_flood(self):
        self.write("import sys\n"
                   "for i in range(400):\n"
                   "    sys.stdout.write('o' * 100000)\n"
                   "    sys.stderr.write('e' * 100000 + '\\n')\n"
                   "raise KeyError('after the flood')\n")
        self.assertEqual(self.assert_fails("KeyError: 'after the flood'")["line"], 5)

    def test_early_exit_leaves_nothing(self):
        self.write("import os, time\n"
                   "print('early')\n"
                   "if os.fork() == 0:\n"
                   "    os.setsid()\n"
                   "    time.sleep(60)\n"
                   "os._exit(0)\n")
        start = time.monotonic()
        self.assertEqual(self.gate()[0], "PASS")
        self.assertLess(time.monotonic() - start, LIMIT - 2)

    def test_environment(self):
        self.write("import os, sys\n"
                   "assert 'SECRET_TOKEN' not in os.environ\n"
                   "assert sys.dont_write_bytecode and sys.stdin.read() == ''\n"
                   "assert os.getcwd() == os.path.dirname(os.path.dirname(__file__)), os.getcwd()\n")
        status, _, findings = self.gate(env={"SECRET_TOKEN": "x"})
        self.assertEqual(status, "PASS", findings)

    def test_relative_path_folders_are_not_searched(self):
        self.write("x = 1\n")
        tool = self.root / "mypython"
        tool.write_text(f"#!/bin/sh\n: > '{self.mark}'\n")
        tool.chmod(0o755)
        self.assert_fails("'mypython'", env={"PATH": ".:", "PYPTO_LINT_PYTHON": "mypython"})
        self.assertFalse(self.mark.exists())

    def test_end_of_the_linter_ends_python(self):
        self.write("open(MARK, 'w')\nimport time\ntime.sleep(60)\n")
        with subprocess.Popen([BINARY, "--stage", "2", "--op-dir", str(self.folder)],
                              stdout=subprocess.DEVNULL, cwd=self.root) as linter:
            end = time.monotonic() + LIMIT
            while not self.mark.exists() and time.monotonic() < end:
                time.sleep(0.05)
            self.assertTrue(self.mark.exists())
            linter.send_signal(signal.SIGKILL)
        end = time.monotonic() + 5
        while processes_naming(str(self.folder)) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(processes_naming(str(self.folder)), [])

    # --- when it stays away

    def test_not_executed(self):
        self.write("open(MARK, 'w')\n")
        (self.folder / "SPEC.md").write_text("# rowscale\n")  # an operator directory
        folder = str(self.folder)
        payload = json.dumps({"cwd": folder, "tool_input": {"file_path": f"{folder}/{GOLDEN}"}})
        for args in (["check", "--op-dir", folder, "--stage", "2"],
                     ["check", str(self.root), "--stage", "2"],
                     [str(self.root), "--stage", "2"],
                     [folder], ["check", folder], [f"{folder}/{GOLDEN}"],
                     ["--stage", "2", "--op-dir", folder, "--no-exec"],
                     ["--phase", "M1", "--op-dir", folder], ["--design", "--op-dir", folder],
                     ["hook", "post-edit"], ["hook", "stop"],
                     ["--hook", "post-edit"], ["--hook", "stop"],
                     ["--lint-golden", "--op-dir", folder, "--stage", "2"]):
            with self.subTest(" ".join(args)):
                self.run_linter(*args, stdin=payload)
                self.assertFalse(self.mark.exists())

    def test_reason(self):
        self.write("x = 1\n")
        status, reason, findings = self.gate("--no-exec")
        self.assertEqual((status, findings), ("SKIP", []))
        self.assertIn("--no-exec", reason)
        self.assertIn("--no-exec", self.gate("--no-exec", lang="zh")[1])

    def test_gate_executes(self):
        """The counterpart of test_not_executed."""
        self.write("open(MARK, 'w')\n")
        self.assertEqual(self.gate()[0], "PASS")
        self.assertTrue(self.mark.exists())


def main():
    global BINARY
    parser = argparse.ArgumentParser(description="Runs OL11 against goldens of all kinds.")
    parser.add_argument("--binary", required=True, help="the pypto-lint to test")
    options, rest = parser.parse_known_args()
    BINARY = str(pathlib.Path(options.binary).resolve())
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
