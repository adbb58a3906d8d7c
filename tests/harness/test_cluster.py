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

    def log_of(self, number):
        with open(os.path.join(self.folder, "dask%d.log" % number)) as log:
            return log.read()

    def start_cluster(self, workers):
        """A scheduler and so many workers of one thread, all on the loopback device."""
        scheduler = self.dask("dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                              "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
        self.address = self.wait_for(
            lambda: re.search(r"Scheduler at: +(tcp://\S+)", self.log_of(0))).group(1)
        started = [self.start_worker(number) for number in range(workers)]
        self.wait_for(lambda: self.log_of(0).count("Starting worker compute stream") == workers)
        return scheduler, started

    def start_worker(self, number):
        return self.dask("dask_worker", self.address, "--host", "127.0.0.1", "--no-nanny",
                         "--nthreads", "1", "--name", "worker%d" % number, "--no-dashboard",
                         "--local-directory", os.path.join(self.folder, "worker%d" % number))

    def flags_of(self, operator, *more):
        return operator.flags(1, "--scheduler", self.address, "--no-lint-gate", *more)

    def slow_operator(self, seconds=0.5):
        """Each case takes a while, and the first to run leaves a file."""
        operator = self.operator("duet", CASES)
        operator.edit(operator.impl(1), (
            "    return", "    import time\n    open(%r, 'w').close()\n    time.sleep(%s)\n    return"
            % (operator.path("begun"), seconds)))
        return operator

    def begun(self, operator, **variables):
        """A run that has a case on a worker."""
        if os.path.exists(operator.path("begun")):
            operator.remove("begun")
        process = self.start(self.flags_of(operator), **variables)
        self.wait_for(lambda: os.path.exists(operator.path("begun")))
        return process

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

    def interrupted(self, operator):
        """Ctrl-C while jobs run; then nothing runs on the machines, either."""
        process = self.begun(operator)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT, stderr)
        self.assertLess(time.monotonic() - begin, 15)
        self.wait_for(lambda: not self.tasks(), 5)

    def after(self, operator, change, **variables):
        """A run during which something happens to the cluster, once it has a job."""
        process = self.begun(operator, **variables)
        change()
        begin = time.monotonic()
        stdout, stderr = process.communicate(timeout=harness_support.LONGEST)
        return harness_support.Done(process.returncode, stdout, stderr,
                                    time.monotonic() - begin, operator.report_path)

    def test_runs(self):
        """One cluster for all, as each program of Dask takes seconds to start; at last one of its
        workers is killed in the middle of a run."""
        _, workers = self.start_cluster(2)
        operator = self.operator("duet", CASES[:2])
        remote = self.verify(operator, self.flags_of(operator))
        self.expect(remote, "PASS")
        local = self.verify(operator, operator.flags(1, "--no-lint-gate"))
        self.assertEqual(without_times(remote.raw), without_times(local.raw))

        operator.edit(operator.impl(1), ("    return", "    import os\n    os.abort()\n    return"))
        crashed = self.verify(operator, self.flags_of(operator, "--case", CASES[0]["id"]))
        self.expect(crashed, "FAIL", "runtime", "host_crash")
        os.remove(operator.report_path)

        operator = self.slow_operator(90)
        self.interrupted(operator)
        self.assertFalse(os.path.exists(operator.report_path))

        operator = self.slow_operator()
        done = self.after(operator, workers[0].kill)
        self.assertIn("Remove worker", self.log_of(0))
        self.expect_all_once(done)
        self.wrong_values(self.operator("duet", CASES[:2]))

    def wrong_values(self, operator):
        """No line is searched on a cluster: the answer says what to run instead, and that finds it."""
        right, wrong = "pypto.mul(y_tile, 2.0)", "pypto.mul(y_tile, 3.0)"
        operator.edit(operator.impl(1), (right, wrong))
        case = CASES[1]["id"]
        done = self.verify(operator, self.flags_of(operator, "--case", case, "--blame"))
        report = self.expect(done, "FAIL", "precision", "precision")
        advice = "not searched on a cluster; run the case with --case and --blame on this machine"
        self.assertIn("blame: " + advice, done.stdout)
        [blame] = [check["blame"] for check in report["checks"]]
        self.assertEqual((blame["status"], blame["text"]), ("not searched", advice))
        done = self.verify(operator, operator.flags(1, "--no-lint-gate", "--case", case, "--blame"))
        blame = self.expect(done, "FAIL", "precision", "precision")["checks"][0]["blame"]
        with open(operator.path(operator.impl(1)), encoding="utf-8") as file:
            line = file.read().partition(wrong)[0].count("\n") + 1
        self.assertEqual((blame["status"], blame["line"]), ("found", line), done)

    def test_losses(self):
        """No worker, a scheduler that hangs, one that dies: each in bounded time, with one line."""
        scheduler, _ = self.start_cluster(0)
        operator = self.slow_operator()
        short = {"PYPTO_LINT_CLUSTER_SECONDS": "6"}
        done = self.verify(operator, self.flags_of(operator), **short)
        self.expect_trouble(done, "no workers")

        self.start_worker(0)
        self.wait_for(lambda: "Starting worker compute stream" in self.log_of(0))
        done = self.after(operator, lambda: scheduler.send_signal(signal.SIGSTOP), **short)
        self.expect_trouble(done, "does not answer")
        self.assertLess(done.seconds, 30)

        scheduler.send_signal(signal.SIGCONT)
        self.wait_for(lambda: not self.tasks())
        done = self.after(operator, scheduler.kill, **short)
        self.expect_trouble(done, "Dask scheduler")
        self.assertLess(done.seconds, 30)

    def test_no_scheduler(self):
        operator = self.operator("duet")
        self.address = "tcp://127.0.0.1:9"
        short = {"PYPTO_LINT_CLUSTER_SECONDS": "2"}
        done = self.verify(operator, self.flags_of(operator), **short)
        self.expect_trouble(done, "no Dask scheduler at tcp://127.0.0.1:9")
        self.address = "nonsense://here"
        done = self.verify(operator, self.flags_of(operator), **short)
        self.expect_trouble(done, "nonsense")

    def test_no_distributed(self):
        operator = self.operator("duet")
        folder = os.path.join(self.folder, "without")
        os.mkdir(folder)
        with open(os.path.join(folder, "distributed.py"), "w") as file:
            file.write("raise ImportError('not here')\n")
        self.address = "tcp://127.0.0.1:9"
        done = self.verify(operator, self.flags_of(operator), PYTHONPATH=folder)
        self.expect_trouble(done, "python3-distributed")


if __name__ == "__main__":
    if subprocess.run([harness_support.PYTHON, "-c", "import distributed"],
                      stderr=subprocess.DEVNULL).returncode:
        print("distributed is not installed: skipped")
        sys.exit(77)
    harness_support.main()
