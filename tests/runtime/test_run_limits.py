"""`pypto-lint run`: limits of time and memory, signals, the terminal, and what must not be left behind.

Usage: test_run_limits.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import os
import pty
import signal
import subprocess
import time

from run_test import RunTest, main


class Limits(RunTest):
    """The time, the memory, core files."""

    def test_status_and_streams_under_a_time_limit(self):
        self.write("p.py", """
            import os, signal, sys
            print("out")
            print("err", file=sys.stderr)
            if sys.argv[1] == "signal":
                os.kill(os.getpid(), signal.SIGTERM)
            sys.exit(int(sys.argv[1]))
        """)
        for status in (0, 1, 3, 124):
            done = self.run_lint("--timeout", "60", "p.py", str(status))
            self.assertEqual((done.returncode, done.stdout), (status, "out\n"))
            self.assertIn("err\n", done.stderr)
        self.assertEqual(self.run_lint("--timeout=60", "p.py", "signal").returncode, -15)

    def test_time_is_over(self):
        # It starts others, in groups of their own too, and none wants to end.
        self.write("p.py", """
            import os, signal, subprocess, sys, time
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for new in (False, True):
                child = subprocess.Popen(["sleep", "100"], start_new_session=new)
                print(child.pid, flush=True)
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    print(os.getpid(), flush=True)
                    time.sleep(100)
                os._exit(0)
            sys.stdout.flush()
            while True:
                time.sleep(100)
        """)
        start = time.monotonic()
        done = self.run_lint("--timeout", "0.7", "p.py")
        self.assertEqual(done.returncode, 124, done)
        self.assertLess(time.monotonic() - start, 6)
        self.assertIn("after 0.7 seconds", done.stderr)
        pids = [int(line) for line in done.stdout.split()]
        self.assertEqual(len(pids), 3)
        for pid in pids:
            self.assertFalse(os.path.exists("/proc/%d" % pid), pid)

    def test_nothing_is_left_after_a_program_that_ended_in_time(self):
        self.write("p.py", "import subprocess; "
                           "print(subprocess.Popen(['sleep', '100'], stdout=2).pid)\n")
        done = self.run_lint("--timeout", "60", "p.py")
        self.assertEqual(done.returncode, 0)
        self.assertFalse(os.path.exists("/proc/%d" % int(done.stdout)))

    def test_signals_are_passed_on(self):
        self.write("p.py", """
            import signal, sys, time
            if sys.argv[1] == "stubborn":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if sys.argv[1] == "polite":
                signal.signal(signal.SIGTERM, lambda *a: sys.exit(7))
            print("ready", flush=True)
            time.sleep(100)
        """)
        for kind, status in (("plain", -15), ("stubborn", -15), ("polite", 7)):
            process = subprocess.Popen([self.BINARY, "run", "--timeout", "60", "p.py", kind],
                                       cwd=self.folder, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            self.assertEqual(process.stdout.readline(), b"ready\n")
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, status, kind)

    def test_a_signal_is_passed_on_once(self):
        """The program has priority over the linter on their processor, so it handles a signal before a second one is sent."""
        self.write("p.py", """
            import os, signal, sys, time
            received, sent = os.pipe()
            os.set_blocking(sent, False)
            signal.set_wakeup_fd(sent)
            signal.signal(signal.SIGTERM, lambda *a: None)
            print("ready", flush=True)
            count = len(os.read(received, 1))
            time.sleep(0.2)
            os.set_blocking(received, False)
            try:
                count += len(os.read(received, 9))
            except BlockingIOError:
                pass
            sys.exit(count)
        """)
        processor = {min(os.sched_getaffinity(0))}
        for _ in range(5):
            process = subprocess.Popen([self.BINARY, "run", "--timeout", "60", "p.py"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       preexec_fn=lambda: os.sched_setaffinity(0, processor))
            self.assertEqual(process.stdout.readline(), b"ready\n")
            os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, 1)

    def test_terminal(self):
        """Under a time limit, too, the program reads the terminal and gets its Ctrl-C."""
        self.write("p.py", """
            import os, sys, time
            print("name?", flush=True)
            print("hello", input(), os.tcgetpgrp(0) == os.getpgrp(), flush=True)
            try:
                time.sleep(100)
            except KeyboardInterrupt:
                print("stopped", flush=True)
                sys.exit(9)
        """)
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execv(self.BINARY, [self.BINARY, "run", "--timeout", "60", "p.py"])
        seen = b""
        for wait, answer in ((b"name?", b"you\n"), (b"hello you True", b"\x03"),
                             (b"stopped", b"")):
            while wait not in seen:
                seen += os.read(terminal, 1000)
            time.sleep(0.2)
            os.write(terminal, answer)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 9, seen)
        os.close(terminal)

    def test_memory(self):
        self.write("p.py", """
            import resource, sys
            print(resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(4)[0])
            try:
                bytes(2 ** 31)
            except MemoryError:
                sys.exit(5)
        """)
        for more in ((), ("--timeout", "60")):
            done = self.run_lint("--mem-limit", "1G", *more, "p.py")
            self.assertEqual((done.returncode, done.stdout), (5, "1073741824 0\n"))
        self.assertEqual(self.run_lint("--mem-limit", "3000M", "p.py").returncode, 0)

    def test_no_core_file(self):
        self.write("p.py", "import os; os.abort()\n")
        for more in ((), ("--timeout", "60")):
            self.assertEqual(self.run_lint(*more, "p.py").returncode, -6)
            self.assertEqual(os.listdir(self.folder), ["p.py"])

    def test_not_started(self):
        script = self.write("my-python", "no program\n")
        os.chmod(script, 0o755)
        self.write("p.py", "")
        for more in ((), ("--timeout", "60")):
            done = self.run_lint("--python", script, *more, "p.py")
            self.assertEqual(done.returncode, 2)
            self.assertIn("my-python: Exec format error", done.stderr)


if __name__ == "__main__":
    main()
