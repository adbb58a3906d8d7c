"""What the black-box tests of `pypto-lint verify` share: operators in folders of their own, runs of
the program, a look at what it left behind.

Usage of each test file: test_*.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
Status 77 (skipped) where the interpreter that runs the workers has no torch.
"""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

import operators
import warm_python

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE_NPU = os.path.join(HERE, "fake_npu")
PYTHON = os.environ.get("PYPTO_LINT_PYTHON") or "/usr/bin/python3"
MARK = "HARNESS_TEST_MARK"
BINARY = ""


def scaled(seconds):
    """A limit in seconds, longer where PYPTO_LINT_TEST_SCALE says that the machine is slow."""
    return seconds * int(os.environ.get("PYPTO_LINT_TEST_SCALE") or 1)


LONGEST = scaled(120)  # seconds that no run of a test needs

# The report's first keys, in this order; further keys may follow.
REPORT_KEYS = ["op_name", "impl_file", "up_to_module", "total_modules", "status", "checks",
               "cases_total", "cases_passed", "per_mode_status", "first_failure", "stdout"]
CHECK_KEYS = ["id", "level", "precision_checked", "all_close", "max_abs_diff", "max_rel_diff",
              "per_mode_status"]
FAILURE_KEYS = ["case_id", "failing_module_boundary", "failure_category",
                "divergence_fingerprint", "summary"]
STATES = ("PASS", "FAIL", "ERROR", "SKIPPED")
FORBIDDEN = {"golden_tensors", "golden_values", "golden_source", "raw_inputs", "input_tensors",
             "truth", "truth_tuple"}
SUMMARY = re.compile(r"status=(PASS|FAIL|ERROR) cases=(\d+)/(\d+) modes=(\S*) report=(.*)")


def no_constant(name):
    """JSON has no NaN and no Infinity."""
    raise ValueError("%s is no JSON" % name)


def warm_variables(kind="worker"):
    """Variables by which verify, or test and run (kind "program"), take forks of an interpreter that has
    imported torch."""
    return warm_python.variables(kind, PYTHON)


def processes_with(mark):
    """Numbers of the processes whose environment holds the mark (zombies have none)."""
    wanted, found = ("%s=%s" % (MARK, mark)).encode(), []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open("/proc/%s/environ" % name, "rb") as file:
                if wanted in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            pass  # it has ended
    return found


class Done:
    """A run that has ended. `report` is None when there is none, `log` is empty then."""

    def __init__(self, status, stdout, stderr, seconds, report_path):
        self.status, self.seconds, self.report_path = status, seconds, report_path
        self.raw_stdout, self.raw_stderr = stdout, stderr
        self.stdout = stdout.decode("utf-8", "replace")
        self.stderr = stderr.decode("utf-8", "replace")
        self.raw = b""
        self.report, self.log = None, ""
        log_path = os.path.splitext(report_path)[0] + ".log"
        if os.path.isfile(log_path):
            with open(log_path, "rb") as file:
                self.log = file.read().decode("utf-8")
        if os.path.isfile(report_path):
            with open(report_path, "rb") as file:
                self.raw = file.read()
            self.report = json.loads(self.raw.decode("utf-8"), parse_constant=no_constant)

    def __str__(self):
        return "status %s\n--- stdout\n%s\n--- stderr\n%s\n--- report\n%s" % (
            self.status, self.stdout[-3000:], self.stderr[-3000:],
            self.raw.decode("utf-8", "replace")[:6000])

    @property
    def failure(self):
        return self.report["first_failure"]

    def check(self, identity):
        return [c for c in self.report["checks"] if c["id"] == identity][0]


class Operator:
    """An operator directory custom/<name> in a folder of its own."""

    def __init__(self, folder, name, cases=None):
        self.name, self.root = name, folder
        self.folder = os.path.join(folder, "custom", name)
        files = (operators.ladder_files() if name == "ladder" else
                 operators.operator_files(name))
        for path, text in files.items():
            self.write(path, text)
        self.cases(cases if cases is not None else operators.DUET_CASES)

    def path(self, relative):
        return os.path.join(self.folder, relative)

    def write(self, relative, text):
        path = self.path(relative)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)
        return path

    def read(self, relative):
        with open(self.path(relative), encoding="utf-8") as file:
            return file.read()

    def edit(self, relative, *pairs):
        """Replaces texts, each of which must be there."""
        text = self.read(relative)
        for old, new in pairs:
            if old not in text:
                raise AssertionError("%r is not in %s" % (old, relative))
            text = text.replace(old, new)
        self.write(relative, text)

    def remove(self, relative):
        os.remove(self.path(relative))

    def cases(self, cases, **more):
        """Writes the suite."""
        suite = {"op_name": self.name, "total_modules": self.modules(), "test_cases": cases}
        suite.update(more)
        self.write("eval/adversarial_suite.json", json.dumps(suite, indent=2))

    def modules(self):
        return {"duet": 2, "trio": 3, "ladder": 1}[self.name]

    def suffix(self, module):
        return "".join(str(n) for n in range(1, module + 1))

    def impl(self, module):
        return "modules/%s_module%s_impl.py" % (self.name, self.suffix(module))

    def golden(self, module):
        return "modules/%s_module%s_golden.py" % (self.name, self.suffix(module))

    @property
    def report_path(self):
        return self.path("eval/evaluation_report.json")

    def flags(self, module, *more):
        """A run of the phase in mode sim by one worker, as each starts torch; what is given in `more`
        comes last and so wins."""
        return ["--impl", self.path(self.impl(module)), "--up-to-module", str(module),
                "--suite", self.path("eval/adversarial_suite.json"), "--modes", "sim",
                "-j", "1"] + list(more)


class HarnessTest(unittest.TestCase):
    """Operators, runs, and assertions about reports. With `WARM` the workers of a class are forks of
    one interpreter that has imported torch; no class about the processes of workers has it."""
    WARM = False

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="harness-", dir=os.getcwd())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.mark = uuid.uuid4().hex
        self.addCleanup(self.kill_leftovers)

    def kill_leftovers(self):
        for number in processes_with(self.mark):
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(number, signal.SIGKILL)

    def operator(self, name="duet", cases=None):
        return Operator(self.folder, name, cases)

    def environment(self, variables):
        kept = {k: v for k, v in os.environ.items()
                if not k.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON", "ASCEND_", "FAKE_NPU",
                                     "TILE_FWK_", "LD_PRELOAD", "ASAN_", "COLUMNS"))}
        kept.update({MARK: self.mark, "LC_ALL": "C.UTF-8"})
        if self.WARM:
            kept.update(warm_variables())
        elif "PYPTO_LINT_PYTHON" in os.environ:
            kept["PYPTO_LINT_PYTHON"] = os.environ["PYPTO_LINT_PYTHON"]
        kept.update(variables)
        return kept

    def start(self, arguments, command="verify", folder=None, **variables):
        """The running program, in a session of its own so that a Ctrl-C can be sent to it."""
        return subprocess.Popen([BINARY, command] + arguments, cwd=folder or self.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=self.environment(variables),
                                start_new_session=True)

    def verify(self, operator, arguments, report=None, **keywords):
        """Runs `verify`. The report of an earlier run does not count."""
        report = report or operator.report_path
        for old in (report, os.path.splitext(report)[0] + ".log"):
            if os.path.isfile(old):
                os.remove(old)
        before = time.monotonic()
        process = self.start(arguments, **keywords)
        try:
            stdout, stderr = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            self.kill_leftovers()
            process.kill()
            process.communicate()
            self.fail("verify does not end: %s" % arguments)
        return Done(process.returncode, stdout, stderr, time.monotonic() - before, report)

    def wait_for(self, found, seconds=60, trouble="what was waited for does not happen"):
        """What `found` returns once it is true."""
        end = time.monotonic() + scaled(seconds)
        while True:
            value = found()
            if value:
                return value
            self.assertLess(time.monotonic(), end, trouble)
            time.sleep(0.02)

    def nothing_left(self, within=3.0):
        """No process that carries this test's mark lives on. (Forks do not carry it.)"""
        self.assertFalse(self.WARM)
        deadline = time.monotonic() + scaled(within)
        while processes_with(self.mark):
            if time.monotonic() > deadline:
                left = []
                for number in processes_with(self.mark):
                    with contextlib.suppress(OSError), \
                            open("/proc/%d/cmdline" % number, "rb") as file:
                        left.append("%d: %s" % (number, file.read().replace(b"\0", b" ")))
                if left:
                    self.fail("left behind: %s" % left)
            time.sleep(0.02)

    def valid(self, done):
        """The report has its keys, in their order, and none that is forbidden."""
        self.assertIsNotNone(done.report, done)
        report = done.report
        self.assertEqual(list(report)[:len(REPORT_KEYS)], REPORT_KEYS, done)
        self.assertIn(report["status"], ("PASS", "FAIL", "ERROR"))
        self.assertEqual(done.status, {"PASS": 0, "FAIL": 1, "ERROR": 2}[report["status"]], done)
        self.assertEqual(list(report["per_mode_status"]), ["sim", "npu"])
        for state in report["per_mode_status"].values():
            self.assertIn(state, STATES)
        self.assertEqual(report["cases_total"], len(report["checks"]), done)
        for check in report["checks"]:
            self.assertEqual(list(check)[:len(CHECK_KEYS)], CHECK_KEYS, done)
            self.assertEqual(list(check["per_mode_status"]), ["sim", "npu"])
            self.assertIsInstance(check["precision_checked"], bool)
            self.assertIsInstance(check["all_close"], bool)
        if report["first_failure"] is not None:
            self.assertEqual(list(report["first_failure"])[:len(FAILURE_KEYS)], FAILURE_KEYS)
            self.assertIn("verdict_category", report["first_failure"])
        self.assertEqual(report["first_failure"] is None, report["status"] == "PASS", done)
        self.assertIsInstance(report["stdout"], str)
        self.no_forbidden_key(report)
        return report

    def no_forbidden_key(self, value):
        stack = [value]
        while stack:
            top = stack.pop()
            if isinstance(top, dict):
                self.assertFalse(FORBIDDEN & set(top))
                stack.extend(top.values())
            elif isinstance(top, list):
                stack.extend(top)

    def summary(self, done):
        """Check the summary, which is the last line of stdout."""
        last = done.stdout.rstrip("\n").split("\n")[-1]
        self.assertRegex(last, SUMMARY, done)
        return SUMMARY.fullmatch(last).groups()

    def expect(self, done, status, category=None, verdict=None, fingerprint="all_fail",
               boundary=None, case_id=None):
        """A valid report with these values; the report."""
        report = self.valid(done)
        self.assertEqual(report["status"], status, done)
        if status == "PASS":
            return report
        failure = report["first_failure"]
        self.assertEqual((failure["failure_category"], failure["verdict_category"],
                          failure["divergence_fingerprint"]),
                         (category, verdict, fingerprint), done)
        self.assertTrue(failure["summary"])
        self.assertNotIn("\n", failure["summary"])
        if boundary is not None:
            self.assertEqual(failure["failing_module_boundary"], boundary, done)
        if case_id is not None:
            self.assertEqual(failure["case_id"], case_id, done)
        return report


def main():
    """Runs the tests of the calling file."""
    global BINARY
    if len(sys.argv) < 2:
        sys.exit("usage: %s PYPTO_LINT [UNITTEST_ARGUMENTS…]" % sys.argv[0])
    BINARY = os.path.abspath(sys.argv.pop(1))
    if subprocess.run([PYTHON, "-c", "import importlib.util as u, sys;"
                       "sys.exit(u.find_spec('torch') is None)"]).returncode:
        print("torch is not installed: skipped")
        sys.exit(77)
    unittest.main(module="__main__")
