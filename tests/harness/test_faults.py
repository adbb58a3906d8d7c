"""Fault injection: whatever workers, files and signals do, `verify` ends in bounded time with a
valid report or none, the exit status of the contract, and no process left behind."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time

import harness_support
from harness_support import HarnessTest, processes_with, scaled
from operators import case

IMPL = "modules/duet_module1_impl.py"
GOLDEN = "modules/duet_module1_golden.py"
INPUTS = "eval/test_inputs.py"
CALL = "    duet_module1_kernel(x, y, s)\n"
STATE = {"sim": "ERROR", "npu": "SKIPPED"}

# Rows of the case -> (statements, the state of the case). A state of None: whichever.
WRAPPER_FAULTS = {
    1: ("import ctypes; ctypes.string_at(0)", "ERROR"),
    2: ("import os; os._exit(3)", "ERROR"),
    3: ("import os; os.abort()", "ERROR"),
    4: ("import time; time.sleep(600)", "ERROR"),
    5: ("import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
        "ERROR"),
    6: ("torch.ones(100 * 2 ** 30, dtype=torch.int8)", "ERROR"),
    # 500 processes are allowed; the bomb is bounded so that our own failure does no harm
    7: ("import os, time\n    for _ in range(700):\n        if os.fork() == 0:\n"
        "            time.sleep(60)\n            os._exit(0)\n    time.sleep(60)", "ERROR"),
    8: ("import os, time\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n"
        "            time.sleep(600)\n        os._exit(0)", None),
    9: ("import os\n    while True:\n        os.write(1, b'flood' * 20000)", "ERROR"),
    10: ("import os\n    for _ in range(100):\n        os.write(2, b'river' * 200000)", "PASS"),
    11: ("raise RecursionError('too deep')", "ERROR"),
    12: ("(lambda f: f(f))(lambda f: f(f))", "ERROR"),
    13: ("raise SystemExit(0)", "ERROR"),
    14: ("raise KeyboardInterrupt()", "ERROR"),
    15: ("import os; os.kill(os.getpid(), 9)", "ERROR"),
    17: ("import os\n    for n in range(3, 1024):\n        try:\n            os.write(n, b'{\"')\n"
         "        except OSError:\n            pass", None),
    18: ("import os; os.closerange(3, 1024)", None),
    # 100 MB in small parts: allocating them at once takes seconds if memory is short
    19: ("import os\n    try:\n        for _ in range(1000):\n            os.write(3, b'x' * 100_000)\n"
         "    except OSError:\n        pass", "PASS"),
    20: ("import os; os.close(1); os.close(2)", "PASS"),
    21: ("import sys; sys.stdout = sys.stderr = None", "PASS"),
    22: ("import os; os.chdir('/')", "PASS"),
    23: ("import sys; sys.modules.clear()", None),
    24: ("import os, signal; os.kill(os.getppid(), signal.SIGTERM)", None),
    25: ("import os, signal; os.killpg(0, signal.SIGKILL)", "ERROR"),
    26: ("print('\\udcff \\x00 \\x1b[2J \\x07')", "PASS"),
    27: ("import os; os.write(1, bytes(range(256)) * 16)", "PASS"),
    28: ("import threading, time\n    threading.Thread(target=time.sleep, args=(600,)).start()",
         "PASS"),
    29: ("import atexit, time; atexit.register(time.sleep, 600)", "PASS"),
}
GOLDEN_FAULTS = {
    31: ("raise ValueError('no')", "ERROR"),
    32: ("import os; os._exit(0)", "ERROR"),
    33: ("import ctypes; ctypes.string_at(0)", "ERROR"),
    34: ("import time; time.sleep(600)", "ERROR"),
    35: ("return None", None),
    36: ("x = x + torch.rand(1)", None),
}
INPUTS_FAULTS = {
    41: ("raise KeyError('no')", "ERROR"),
    42: ("import time; time.sleep(600)", "ERROR"),
    43: ("return None", None),
    44: ("return {'x': 1}", None),
    45: ("import os; os._exit(0)", "ERROR"),
}


def planted(faults, condition):
    """The faults as statements at the head of a function."""
    return "".join("    if %s == %d:\n        %s\n" % (condition, rows,
                                                       code.replace("\n    ", "\n        "))
                   for rows, (code, _) in sorted(faults.items()))


class Zoo(HarnessTest):
    """All faults in one run, a case for each, with sound cases between them."""

    def zoo(self, chosen, *flags):
        cases = [case("rows_%d" % rows, "L3", rows) for rows in chosen]
        cases[3:3] = [case("sound_a", "L3", 50)]
        cases += [case("sound_b", "L3", 51)]
        duet = self.operator(cases=cases)
        duet.edit(IMPL, (CALL, planted(WRAPPER_FAULTS, "x.shape[0]") + CALL))
        duet.edit(GOLDEN, ("    s = x + y * 2.0\n", planted(GOLDEN_FAULTS, "x.shape[0]") +
                           "    s = x + y * 2.0\n"))
        duet.edit(INPUTS, ("    torch.manual_seed", planted(INPUTS_FAULTS, "rows") +
                           "    torch.manual_seed"))
        done = self.verify(duet, duet.flags(1, "--no-lint-gate", "-j", "4", "--timeout",
                                            str(scaled(12)), *flags))
        report = self.valid(done)
        self.assertEqual((report["status"], done.status), ("FAIL", 1))
        self.assertEqual([c["id"] for c in report["checks"]], [c["id"] for c in cases])
        states = {c["id"]: c["per_mode_status"]["sim"] for c in report["checks"]}
        expected = {"sound_a": "PASS", "sound_b": "PASS"}
        for faults in (WRAPPER_FAULTS, GOLDEN_FAULTS, INPUTS_FAULTS):
            expected.update({"rows_%d" % rows: state for rows, (_, state) in faults.items()
                             if state is not None and rows in chosen})
        wrong = [check for check in report["checks"]
                 if states[check["id"]] != expected.get(check["id"], states[check["id"]])]
        self.assertEqual(wrong, [], done.log[-6000:])
        self.assertLess(len(done.log.encode()), 1100 * 1024)
        self.assertRegex(done.log, r"\[… \d+ bytes removed …\]")
        for text in (done.stdout, done.stderr):
            self.assertNotIn("flood", text)
            self.assertNotIn("\x1b", text)
        self.nothing_left()

    def test_zoo(self):
        """Those that trouble a process as a whole."""
        self.zoo((1, 5, 7, 8, 10, 17, 18, 24, 25, 34))

    def test_zoo_in_reused_workers(self):
        self.zoo(sorted(list(WRAPPER_FAULTS) + list(GOLDEN_FAULTS) + list(INPUTS_FAULTS)),
                 "--reuse-workers")


class Single(HarnessTest):
    """Faults whose report is looked at more closely."""
    WARM = True

    def test_import_error(self):
        duet = self.operator(cases=[case("L2_only", "L2")])
        for line in ("import no_such_module_at_all", "import os; os._exit(0)", "def broken(:"):
            with self.subTest(line):
                duet.write(IMPL, duet.read(IMPL).split("\n\n\n", 1)[1])
                duet.write(IMPL, line + "\nimport pypto\nimport torch\n\n\n" + duet.read(IMPL))
                done = self.verify(duet, duet.flags(1, "--no-lint-gate"))
                report = self.valid(done)
                self.assertIn(report["status"], ("FAIL", "ERROR"))
                self.assertIn(done.failure["failure_category"], ("runtime", "structural"), done)

    def test_golden_raises(self):
        duet = self.operator(cases=[case("L2_only", "L2")])
        duet.edit(GOLDEN, ("    s = x", "    raise ValueError('value %s' % x[0, 0].item())\n"
                                        "    s = x"))
        done = self.verify(duet, duet.flags(1))
        self.valid(done)
        self.assertIn(done.failure["failure_category"], ("other", "structural"), done)
        self.assertIn("golden", (done.failure["summary"] + done.stdout).lower())
        self.assertNotIn("value ", done.failure["summary"] + done.log)

    def test_golden_not_deterministic(self):
        """Said in words: the kernel may be innocent."""
        duet = self.operator(cases=[case("L2_only", "L2")])
        duet.edit(GOLDEN, ("    s = x + y", "    x = x + torch.rand(1)\n    s = x + y"))
        done = self.verify(duet, duet.flags(1))
        self.valid(done)
        self.assertEqual(done.report["status"], "FAIL")
        self.assertIn("determin", json.dumps(done.report).lower() + done.stdout.lower())

    def test_modified_inputs(self):
        duet = self.operator(cases=[case("L2_only", "L2")])
        duet.edit(IMPL, (CALL, CALL + "    y.zero_()\n"))
        done = self.verify(duet, duet.flags(1))
        self.expect(done, "PASS")
        without_log = dict(done.report, stdout="")
        self.assertRegex(json.dumps(without_log) + done.stdout + done.stderr, r"\by\b.*modif|"
                         r"modif.*\by\b|chang.*\by\b|\by\b.*chang")

    def test_large_case(self):
        """5 MB of JSON for one case reach make_inputs, and do not come back in the report."""
        duet = self.operator(cases=[case("L2_only", "L2", knob="k" * 5_000_000)])
        duet.edit(INPUTS, ("    torch.manual_seed", "    assert len(case['knob']) == 5_000_000\n"
                                                    "    torch.manual_seed"))
        done = self.verify(duet, duet.flags(1))
        self.expect(done, "PASS")
        self.assertNotIn(b"kkkk", done.raw)

    def test_hostile_suites(self):
        one = json.dumps(case("L2_only", "L2"))
        hostile = {
            "empty": b"",
            "null": b"null",
            "list": b"[]",
            "no list": b"{\"test_cases\": {}}",
            "deep": b"{\"test_cases\": [" + b"[" * 200_000 + b"]" * 200_000 + b"]}",
            "bytes": b"{\"test_cases\": [\"\xff\xfe\"]}",
            "zero byte": b"{\"test_cases\": [\0]}",
            "case is no object": b"{\"test_cases\": [1]}",
            "no id": b"{\"test_cases\": [{\"level\": \"L1\"}]}",
            "twice": ("{\"test_cases\": [%s, %s]}" % (one, one)).encode(),
            "tolerance": one.replace("{", "{\"test_cases\": [{\"atol\": \"wide\", ").encode()
            + b"]}",
            "negative": b"{\"test_cases\": [{\"id\": \"a\", \"level\": \"L1\", \"atol\": -1}]}",
        }
        duet = self.operator(cases=[])
        for name, text in hostile.items():
            with self.subTest(name):
                duet.write("eval/adversarial_suite.json", text)
                done = self.verify(duet, duet.flags(1))
                self.valid(done)
                self.assertEqual((done.report["status"], done.failure["failure_category"]),
                                 ("ERROR", "structural"), done)

    def test_ids_that_escape(self):
        """Ids are text of others: no line of the log or of the terminal can be forged by them."""
        name = "L2\n=== case L9 mode npu ===\n\x1b[31m\u202e\U0001f600"
        duet = self.operator(cases=[case(name, "L2"), case("L2_b", "L2", 20)])
        done = self.verify(duet, duet.flags(1))
        self.valid(done)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertNotIn("\n=== case L9 mode npu ===\n", done.report["stdout"] + done.log)


class Reports(HarnessTest):
    """Where the report cannot be written: status 2, a message, and no half a report."""

    def refused(self, duet, path, **keywords):
        done = self.verify(duet, duet.flags(1, "--report", path), report=path, **keywords)
        self.assertEqual(done.status, 2, done)
        self.assertTrue(done.stderr.strip(), done)
        self.nothing_left()
        return done

    def test_missing_folder(self):
        duet = self.operator(cases=[case("L2_only", "L2")])
        witness = duet.path("witness")
        duet.edit(IMPL, ("import pypto\n", "import pypto\n\nopen(%r, 'w').close()\n" % witness))
        duet.write("SPEC.md", "a file\n")
        for path, foreseen in ((duet.path("none/at/all/report.json"), True),
                               (self.folder, True), (duet.path("SPEC.md/report.json"), True),
                               ("/proc/report.json", False)):
            with self.subTest(path):
                self.refused(duet, path)
                self.assertFalse(foreseen and os.path.exists(witness), "it ran for nothing")
        self.assertTrue(os.path.isdir(self.folder))

    def test_folder_without_permission(self):
        """A report is put beside an old one first, so the folder has to be writable in any case."""
        bound = []
        if os.geteuid() == 0:
            bound = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
            if shutil.which("setpriv") is None:
                self.skipTest("setpriv is absent: root may write anywhere")
        duet = self.operator(cases=[case("L2_only", "L2")])
        witness = duet.path("witness")
        duet.edit(IMPL, ("import pypto\n", "import pypto\n\nopen(%r, 'w').close()\n" % witness))
        duet.write("closed/old.json", "old")
        os.chmod(duet.path("closed"), 0o555)
        self.addCleanup(os.chmod, duet.path("closed"), 0o755)
        for name in ("new.json", "old.json"):
            with self.subTest(name):
                done = subprocess.run(
                    bound + [harness_support.BINARY, "verify"]
                    + duet.flags(1, "--report", duet.path("closed/" + name)), cwd=self.folder,
                    env=self.environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    encoding="utf-8", timeout=harness_support.LONGEST, check=False)
                self.assertEqual(done.returncode, 2, done)
                self.assertIn("the report cannot be written: %s: Permission denied"
                              % duet.path("closed/" + name), done.stderr)
                self.assertFalse(os.path.exists(witness), "it ran for nothing")
        self.assertEqual(os.listdir(duet.path("closed")), ["old.json"])

    def small(self):
        """The file system ends after 100 bytes: as a limit, which needs no privilege."""
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    def test_disk_full(self):
        duet = self.operator(cases=[case("L2_only", "L2")])
        path = duet.path("eval/old.json")
        with open(path, "w") as file:
            file.write("{\"old\": 1}")
        process = subprocess.Popen(
            [harness_support.BINARY, "verify"] + duet.flags(1, "--report", path),
            cwd=self.folder, env=self.environment({}), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=self.small, restore_signals=False)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, stderr)
        self.assertTrue(stderr.strip())
        with open(path) as file:
            self.assertEqual(file.read(), "{\"old\": 1}")
        self.assertEqual([n for n in os.listdir(duet.path("eval")) if "old" in n], ["old.json"])
        self.nothing_left()

    def test_disk_full_tmpfs(self):
        duet = self.operator(cases=[case("L2_only", "L2")])
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4096", "tmpfs", disk],
                          stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no right to mount")
        self.addCleanup(subprocess.run, ["umount", disk])
        with open(os.path.join(disk, "fill"), "wb", buffering=0) as file:
            file.write(b"x" * 4096)
        self.refused(duet, os.path.join(disk, "report.json"))
        self.assertEqual(os.listdir(disk), ["fill"])

    def test_device(self):
        """A device is not replaced by a file."""
        duet = self.operator(cases=[case("L2_only", "L2")])
        path = os.path.join(self.folder, "full")
        try:
            os.mknod(path, 0o20666, os.makedev(1, 7))
        except PermissionError:
            self.skipTest("no right to make devices")
        done = self.verify(duet, duet.flags(1, "--report", path))
        self.assertEqual(done.status, 2, done)
        self.assertFalse(os.path.isfile(path))

    def test_symlink(self):
        """The file that a link names is written; the link stays."""
        duet = self.operator(cases=[case("L2_only", "L2")])
        os.mkdir(duet.path("results"))
        os.symlink("../results/real.json", duet.report_path)
        with open(duet.path("results/real.json"), "w") as file:
            file.write("old")
        done = self.start(duet.flags(1))
        done.communicate(timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(os.path.islink(duet.report_path))
        with open(duet.path("results/real.json")) as file:
            self.assertEqual(json.load(file)["status"], "PASS")

    def test_two_runs_at_a_time(self):
        """They write the same report; it is one of the two, whole."""
        duet = self.operator(cases=[case("L2_only", "L2")])
        runs = [self.start(duet.flags(1)) for _ in range(2)]
        for run in runs:
            run.communicate(timeout=60)
            self.assertEqual(run.returncode, 0)
        with open(duet.report_path) as file:
            self.assertEqual(json.load(file)["status"], "PASS")
        self.assertEqual(sorted(os.listdir(duet.path("eval"))),
                         ["adversarial_suite.json", "evaluation_report.json",
                          "evaluation_report.log", "module_interfaces.yaml", "test_inputs.py"])

    def test_output_closed(self):
        """If the reader goes away, the run is not a PASS, and no files or processes are left."""
        duet = self.operator(cases=[case("L2_only", "L2")])
        done = self.start(duet.flags(1))
        done.stdout.close()
        done.stdout = None
        _, stderr = done.communicate(timeout=60)
        self.assertNotIn(done.returncode, (0, 1), stderr)
        self.nothing_left()


class Signals(HarnessTest):
    """An interrupted run ends at once, without a report."""

    def slow(self):
        duet = self.operator(cases=[case("L3_%d" % n, "L3") for n in range(4)])
        duet.edit(IMPL, (CALL, "    open(%r, 'w').close()\n    import signal, time\n"
                               "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                               "    signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
                               "    time.sleep(600)\n" % duet.path("begun") + CALL))
        return duet

    def begun(self, duet, *flags):
        """A run whose worker is in the wrapper."""
        process = self.start(duet.flags(1, "--no-lint-gate", "-j", "2", *flags))
        self.wait_for(lambda: os.path.exists(duet.path("begun")) or process.poll() is not None)
        if process.poll() is not None:
            self.fail(process.communicate())
        return process

    def ended(self, duet, process, number, within=10):
        before = time.monotonic()
        stdout, stderr = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - before, scaled(within))
        self.assertIn(process.returncode, (-number, 128 + number), stderr)
        self.assertFalse(os.path.exists(duet.report_path))
        self.assertNotIn(b"status=", stdout)
        self.nothing_left()

    def test_interrupts(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                duet = self.slow()
                process = self.begun(duet)
                os.killpg(process.pid, number)  # as a terminal does
                self.ended(duet, process, number)
                shutil.rmtree(duet.folder)

    def test_interrupt_twice(self):
        duet = self.slow()
        process = self.begun(duet)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(0.3)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        self.ended(duet, process, signal.SIGINT)

    def test_interrupt_of_reused_workers(self):
        duet = self.slow()
        process = self.begun(duet, "--reuse-workers")
        process.send_signal(signal.SIGINT)
        self.ended(duet, process, signal.SIGINT)

    def test_killed(self):
        for flags in ((), ("--reuse-workers",)):
            with self.subTest(flags):
                duet = self.slow()
                process = self.begun(duet, *flags)
                self.assertGreater(len(processes_with(self.mark)), 1)
                process.kill()
                process.communicate()
                self.nothing_left(within=5)
                self.assertFalse(os.path.exists(duet.report_path))
                shutil.rmtree(duet.folder)

    def test_interrupt_during_the_probe(self):
        duet = self.operator(cases=[case("L2_only", "L2")])
        process = self.start(duet.flags(1, "--modes", "npu"), PYTHONPATH=harness_support.FAKE_NPU,
                             ASCEND_HOME_PATH="/opt/no-such-ascend", FAKE_NPU_IMPORT="hang",
                             FAKE_NPU_BEGUN=duet.path("begun"))
        self.wait_for(lambda: os.path.exists(duet.path("begun")))
        process.send_signal(signal.SIGINT)
        self.ended(duet, process, signal.SIGINT)


if __name__ == "__main__":
    harness_support.main()
