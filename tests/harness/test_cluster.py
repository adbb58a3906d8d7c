"""Runs on a Dask cluster: a real scheduler and two workers on this machine, some of which go down.

Usage: test_cluster.py PYPTO_LINT [UNITTEST_ARGUMENTS…]. Status 77 (skipped) without torch or
distributed.
"""
import json
import os
import re
import signal
import subprocess
import sys
import time

import harness_support
import operators

SLOW = ("    return", "    import time\n    time.sleep(1.0)\n    return")
CASES = [operators.case("L%d_%s" % (level, name), "L%d" % level)
         for level in (1, 2, 3, 4) for name in ("a", "b")]


def without_times(text):
    """A report without what differs from run to run."""
    report = json.loads(text)
    report.pop("timing", None)
    for check in report["checks"]:
        check.pop("timing", None)
    return report


class ClusterTest(harness_support.HarnessTest):
    def setUp(self):
        super().setUp()
        self.processes = []
        self.addCleanup(self.end_all)
        self.address = None

    def end_all(self):
        for process in self.processes:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
        self.nothing_left(10)  # the jobs end with the workers that started them

    def dask(self, *words):
        """Starts a program of the cluster; its place in the list of processes."""
        log = open(os.path.join(self.folder, "dask%d.log" % len(self.processes)), "wb")
        with log:
            process = subprocess.Popen(
                [harness_support.PYTHON, "-m", "distributed.cli." + words[0]] + list(words[1:]),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env=self.environment({}))
        self.processes.append(process)
        return process

    def wait_for(self, found, seconds=60):
        end = time.monotonic() + seconds
        while True:
            value = found()
            if value:
                return value
            self.assertLess(time.monotonic(), end, "the cluster does not start")
            time.sleep(0.1)

    def log_of(self, number):
        with open(os.path.join(self.folder, "dask%d.log" % number)) as log:
            return log.read()

    def start_cluster(self, workers):
        """A scheduler and so many workers of one thread, all on the loopback device."""
        scheduler = self.dask("dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                              "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
        self.address = self.wait_for(
            lambda: re.search(r"Scheduler at: +(tcp://\S+)", self.log_of(0))).group(1)
        started = [self.dask("dask_worker", self.address, "--host", "127.0.0.1", "--no-nanny",
                             "--nthreads", "1", "--name", "worker%d" % number, "--no-dashboard",
                             "--local-directory", os.path.join(self.folder, "worker%d" % number))
                   for number in range(workers)]
        self.wait_for(lambda: self.log_of(0).count("Starting worker compute stream") == workers)
        return scheduler, started

    def flags_of(self, operator, *more):
        return operator.flags(1, "--scheduler", self.address, "--no-lint-gate", *more)

    def slow_operator(self):
        """Each case takes a second more."""
        operator = self.operator("duet", CASES)
        operator.edit(operator.impl(1), SLOW)
        return operator

    def expect_all_once(self, done):
        report = self.expect(done, "PASS")
        self.assertEqual([check["id"] for check in report["checks"]],
                         [case["id"] for case in CASES], done)
        self.assertEqual((report["cases_passed"], report["cases_total"]), (len(CASES),) * 2)
        for case in CASES:
            self.assertEqual(report["stdout"].count("=== case %s mode sim ===" % case["id"]), 1)

    def expect_trouble(self, done, words):
        self.assertEqual(done.status, 2, done)
        self.assertIsNone(done.report, done)
        self.assertIn(words, done.stderr)

    def interrupt(self, process, seconds):
        """What becomes of a run that is interrupted after so long."""
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, stderr = process.communicate(timeout=60)
        return process.returncode, time.monotonic() - begin, stderr

    def tasks(self):
        """Commands of this test that run a job for the cluster."""
        found = []
        for number in harness_support.processes_with(self.mark):
            try:
                with open("/proc/%d/cmdline" % number, "rb") as file:
                    found.append(file.read())
            except OSError:
                pass  # it has ended
        return [words for words in found if b"verify-job" in words or b"_lint_worker\0" in words]

    def test_same_report(self):
        self.start_cluster(2)
        operator = self.operator("duet")
        remote = self.verify(operator, self.flags_of(operator))
        self.expect(remote, "PASS")
        local = self.verify(operator, operator.flags(1, "--no-lint-gate"))
        self.assertEqual(without_times(remote.raw), without_times(local.raw))

    def test_killed_worker(self):
        _, workers = self.start_cluster(2)
        operator = self.slow_operator()
        process = self.start(self.flags_of(operator))
        time.sleep(5)
        workers[0].kill()
        stdout, stderr = process.communicate(timeout=harness_support.LONGEST)
        done = harness_support.Done(process.returncode, stdout, stderr, 0, operator.report_path)
        self.assertIn("Remove worker", self.log_of(0))
        self.expect_all_once(done)

    def test_killed_scheduler(self):
        scheduler, _ = self.start_cluster(1)
        operator = self.slow_operator()
        process = self.start(self.flags_of(operator))
        time.sleep(4)
        scheduler.kill()
        begin = time.monotonic()
        stdout, stderr = process.communicate(timeout=harness_support.LONGEST)
        self.assertLess(time.monotonic() - begin, 60)
        done = harness_support.Done(process.returncode, stdout, stderr, 0, operator.report_path)
        self.expect_trouble(done, "Dask scheduler")

    def test_stopped_scheduler(self):
        scheduler, _ = self.start_cluster(1)
        operator = self.slow_operator()
        process = self.start(self.flags_of(operator))
        time.sleep(4)
        scheduler.send_signal(signal.SIGSTOP)
        begin = time.monotonic()
        stdout, stderr = process.communicate(timeout=harness_support.LONGEST)
        self.assertLess(time.monotonic() - begin, 60)
        done = harness_support.Done(process.returncode, stdout, stderr, 0, operator.report_path)
        self.expect_trouble(done, "does not answer")

    def test_no_workers(self):
        self.start_cluster(0)
        operator = self.operator("duet")
        self.expect_trouble(self.verify(operator, self.flags_of(operator)), "no workers")

    def test_no_scheduler(self):
        operator = self.operator("duet")
        self.address = "tcp://127.0.0.1:9"
        done = self.verify(operator, self.flags_of(operator))
        self.expect_trouble(done, "no Dask scheduler at tcp://127.0.0.1:9")
        self.address = "nonsense://here"
        self.expect_trouble(self.verify(operator, self.flags_of(operator)), "nonsense")

    def test_no_distributed(self):
        operator = self.operator("duet")
        folder = os.path.join(self.folder, "without")
        os.mkdir(folder)
        with open(os.path.join(folder, "distributed.py"), "w") as file:
            file.write("raise ImportError('not here')\n")
        self.address = "tcp://127.0.0.1:9"
        done = self.verify(operator, self.flags_of(operator), PYTHONPATH=folder)
        self.expect_trouble(done, "python3-distributed")

    def test_failures_are_the_same(self):
        """A crash and a limit, judged as they are at home."""
        self.start_cluster(1)
        operator = self.operator("duet", CASES[:2])
        operator.edit(operator.impl(1), ("    return", "    import os\n    os.abort()\n    return"))
        done = self.verify(operator, self.flags_of(operator))
        self.expect(done, "FAIL", "runtime", "host_crash")

    def test_interrupted(self):
        self.start_cluster(1)
        operator = self.slow_operator()
        operator.edit(operator.impl(1), ("time.sleep(1.0)", "time.sleep(90.0)"))
        process = self.start(self.flags_of(operator))
        self.wait_for(self.tasks)
        status, seconds, stderr = self.interrupt(process, 1)
        self.assertEqual(status, -signal.SIGINT, stderr)
        self.assertLess(seconds, 15)
        self.assertFalse(os.path.exists(operator.report_path))
        self.wait_for(lambda: not self.tasks(), 5)  # nothing runs on the machines, either


if __name__ == "__main__":
    if subprocess.run([harness_support.PYTHON, "-c", "import distributed"],
                      stderr=subprocess.DEVNULL).returncode:
        print("distributed is not installed: skipped")
        sys.exit(77)
    harness_support.main()
