#!/usr/bin/env python3
"""`pypto-lint diagnose`: logs in, causes out. What each pattern makes of its own example is tested in
tests/unit/test_diagnose.c; here are whole logs, what must not be taken for a cause, and hostile logs.

Usage: test_diagnose.py BINARY [unittest options]
"""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess

import log_rows
import passing_lines
import run_rows
import support
from support import CliTest, call

IMPL = """\
import pypto

@pypto.frontend.jit
def softmax_kernel(x: pypto.Tensor([4, 4], pypto.DT_FP32), y: pypto.Tensor([4, 4], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(4, 4)
    for i in pypto.loop(1):
        y[:] = pypto.add(
            pypto.exp(x),
            x)
"""
DEVICE = """\
[ERROR] RUNTIME(23,python3):2025-01-01-10:00:00.001 [device_error_proc.cc:1404]24 errcode:(0, 0x80, 0) \
errorStr: The DDR address of the MTE instruction is out of range.
Traceback (most recent call last):
  File "custom/softmax/softmax_impl.py", line 8, in softmax_wrapper
    torch.npu.synchronize()
RuntimeError: NPU function error: aclrtSynchronizeDevice, error code is 507035
[ERROR] 2025-01-01-10:00:00 (PID:23, Device:0, RankID:-1) ERR00100 PTA call acl api failed
"""
IMPORT = """\
Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/torch_npu/__init__.py", line 18, in <module>
    import torch_npu._C
ImportError: libhccl.so: cannot open shared object file: No such file or directory

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/w/test_softmax.py", line 3, in <module>
    import torch
RuntimeError: Failed to load the backend extension: torch_npu. You can disable extension auto-loading.
"""


class Diagnose(CliTest):
    def look(self, log, *options, **more):
        done = call("diagnose", "--format", "json", *options, "-", stdin=log.encode(), **more)
        self.assertEqual(done.err, "")
        report = done.json()
        self.assertEqual(done.status, report["status"])
        return report

    def test_device(self):
        report = self.look(DEVICE)
        first = report["causes"][0]
        self.assertEqual((first["id"], first["confidence"], first["log"]["line"]), ("aicore.mte-address", "likely", 1))
        self.assertEqual((report["status"], report["category"]), (14, "aicore"))
        self.assertIsNone(report["digest"])
        # The place comes from the traceback: device errors are noticed later.
        self.assertEqual((first["kernel"]["file"], first["kernel"]["line"], first["kernel"]["elsewhere"]),
                         ("custom/softmax/softmax_impl.py", 8, True))
        self.assertEqual([cause["confidence"] for cause in report["causes"][1:]], ["likely"] * 2)
        self.assertIn("comes about in several ways", first["reason"])

    def test_kernel(self):
        impl = self.write("softmax_impl.py", IMPL)
        place = self.look(DEVICE, "--kernel", impl)["causes"][0]["kernel"]
        self.assertEqual((place["text"], place["call"]), ("pypto.exp(x),", "pypto.exp(x)"))
        done = call("diagnose", "--kernel", impl, "-", stdin=DEVICE.replace("line 8", "line 9").encode())
        self.assertIn("softmax_impl.py:9 softmax_wrapper", done.out)
        self.assertIn("call: pypto.add(", done.out)
        # Beyond the end, a file that does not parse, and one that is not there.
        for text, line in ((IMPL, "line 99"), ("def (:\n" * 20, "line 8")):
            impl.write_text(text, encoding="utf-8")
            place = self.look(DEVICE.replace("line 8", line), "--kernel", impl)["causes"][0]["kernel"]
            self.assertIsNone(place["call"])
        done = call("diagnose", "--kernel", self.folder / "none.py", "-", stdin=b"x")
        self.assertEqual((done.status, done.out), (2, ""))

    def test_chain(self):
        report = self.look(IMPORT)
        self.assertEqual([cause["id"] for cause in report["causes"]], ["loader.cann", "torch.backend"])
        self.assertEqual(report["status"], 20)

    def test_text(self):
        done = call("diagnose", "-", stdin=IMPORT.encode())
        self.assertEqual(done.status, 20)
        self.assertRegex(done.out, r"\ACause     the loader does not find a library of CANN: .* \(likely, loader.cann\)\n")
        self.assertIn("Log       line 4: ImportError: libhccl.so", done.out)
        self.assertIn("Page      docs/kernel-authors/diagnose.md#installation\n", done.out)
        self.assertIn("Route     environment: ", done.out)
        chinese = call("diagnose", "--lang", "zh", "-", stdin=IMPORT.encode()).out
        self.assertRegex(chinese, r"\A原因      加载器找不到 CANN 的某个库：")

    def test_pages(self):
        """The page of each pattern exists, with the part that is named."""
        folder = support.ROOT / "src" / "diagnose"
        text = "".join(path.read_text(encoding="utf-8")
                       for path in [folder / "patterns.def", *folder.glob("patterns/*.def")])
        pages = set(re.findall(r'"(kernel-authors/[^"]+)"', text))
        rules = set(re.findall(r'"((?:OL|KS)\d\d)"', text))
        self.assertGreater(len(pages), 8)
        self.assertGreater(len(rules), 8)
        for rule in rules:
            self.assertTrue((support.ROOT / "docs" / "rules" / f"{rule}.md").is_file(), rule)
        for page in pages:
            path, _, part = page.partition("#")
            headings = re.findall(r"^#+ (.*)$", (support.ROOT / "docs" / path).read_text(encoding="utf-8"), re.M)
            if part:
                self.assertIn(part, [heading.lower().replace(" ", "-") for heading in headings], page)

    def test_harmless(self):
        for log in log_rows.HARMLESS:
            with self.subTest(log=log):
                self.assertEqual(self.look(log)["causes"], [])

    def test_passing(self):
        """Runs that passed are called nothing else: no cause, no line that reports an error, status 0."""
        whole = self.look("\n".join(passing_lines.LINES) + "\n")
        if (whole["status"], whole["causes"], whole["digest"]) != (0, [], None):
            for line in passing_lines.LINES:
                with self.subTest(line=line):
                    report = self.look(line + "\n")
                    self.assertEqual((report["status"], report["causes"], report["digest"]), (0, [], None))
            self.fail("the lines are harmless one by one only")
        # And they do not weaken what is really wrong.
        failed = self.look("\n".join([*passing_lines.LINES, log_rows.TILE]))
        self.assertEqual([(cause["id"], cause["confidence"]) for cause in failed["causes"][:1]],
                         [("pypto.ub-exceeded", "certain")])

    def test_near(self):
        for log, right, wrong in log_rows.NEAR:
            with self.subTest(log=log):
                ids = [cause["id"] for cause in self.look(log)["causes"]]
                self.assertEqual(ids[0] if ids else None, right)
                self.assertNotIn(wrong, ids)

    def test_forms(self):
        for log, right, category in log_rows.FORMS:
            with self.subTest(log=log):
                report = self.look(log)
                self.assertEqual((report["causes"][0]["id"], report["category"]), (right, category))

    def test_doubts(self):
        for log, right, certain in log_rows.DOUBTS:
            with self.subTest(log=log):
                first = self.look(log)["causes"][0]
                self.assertEqual((first["id"], first["confidence"] == "certain"), (right, certain))

    def test_own_reports(self):
        """What verify and check write is read as what it says: skipped is not failed, passed is clean."""
        for log, status, right, message in log_rows.OWN_REPORTS:
            with self.subTest(log=log):
                report = self.look(log)
                first = (report["causes"] or [{"id": None, "log": {"message": None}}])[0]
                self.assertEqual((report["status"], first["id"], first["log"]["message"]), (status, right, message))

    def test_overcome(self):
        """A log that ends with a run that went well has no error left, and says what it got over."""
        lock = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812\n"
        raised = "ERROR    pypto:config.py:77 ErrCode: F0000C! Enum: INVALID_TILE Invalid tile values: kL0=0\n"
        retried = ("WARNING: Retrying (Retry(total=4)) after connection broken by 'ReadTimeoutError': /simple/x/\n"
                   "Successfully installed x-1.0\n")
        session = "=== test session starts ===\n"
        for log in (session + log_rows.OOM + "==== 14 passed in 3.10s ====\n",
                    session + raised + "==== 8 passed, 1 xfailed in 14.55s ====\n", log_rows.OOM + "$ echo $?\n0\n",
                    "$ python3 a.py\n" + log_rows.OOM + "$ ls\na.py\n$ python3 a.py\n$ echo $?\n0\n",
                    lock + "waiting 20 s, attempt 2 of 5\nProcessing triggers for man-db\n+ ctest\n100% tests passed, 0 tests failed\n",
                    "C:\\w>python a.py\n" + log_rows.OOM + "C:\\w>python a.py\n14 passed in 3 s\n",
                    "> python3 a.py\n" + log_rows.OOM + "> python3 a.py\n14 passed in 3 s\n",
                    "rank 5: ERROR recoverable: link down on port 3 for 40 ms\nbench done, exit 0\n",
                    "DEBUG:backend:probing\n" + log_rows.TRACE + "RuntimeError: no NPU: NPU is not available\n"
                    "Uvicorn running on http://0.0.0.0:8000\n"):
            with self.subTest(log=log):
                report = self.look(log)
                self.assertEqual((report["status"], report["category"], report["digest"]), (0, None, None))
                self.assertIn("ends with a run that went well", call("diagnose", "-", stdin=log.encode()).out)
        self.assertEqual((self.look(retried)["status"], self.look(retried)["causes"]), (0, []))
        for log, status in ((log_rows.OOM + "==== 14 passed in 3.10s ====\ngadget failed\n", 16),
                            # A run that went well says nothing of another one.
                            (log_rows.OOM + "$ find / -name x\n/opt/x\n$ echo $?\n0\n", 16),
                            ("root@n1:/w# python3 a.py\n" + log_rows.OOM + "root@n1:/w# python3 b.py\n== 14 passed in 3 s ==\n", 16),
                            ("+ python3 a.py\n" + log_rows.OOM + "+ ctest\n100% tests passed, 0 tests failed out of 4\n", 16),
                            (lock + "Processing triggers for man-db\n+ ctest\n100% tests passed, 0 tests failed out of 4\n", 20),
                            (log_rows.OOM + "[rank0] done rc=0\n", 16),
                            # One execution may be of several programs: what went well later need not be what failed.
                            (log_rows.OOM + "==== 14 passed in 3.10s ====\n", 16),
                            ("$ ./ci.sh\n" + log_rows.OOM + "14 passed in 3 s\n", 16),
                            (lock + "100% tests passed, 0 tests failed out of 41\n", 20),
                            ("Segmentation fault (core dumped)\ndocker: exit status 0\n", 17),
                            ("##[group]Unit tests\nFAIL: softmax\nTensor-likes are not close!\ngit exit code 0\n", 13),
                            ("C:\\w>python a.py\n" + log_rows.OOM + "C:\\w>ctest\n100% tests passed\n", 16),
                            ("python a.py; echo $?\n" + log_rows.OOM + "1\nls; echo $?\n0\n", 16),
                            ("[rank0]: " + log_rows.OOM + "Uvicorn running on http://0.0.0.0:8000\n", 16),
                            ("$ make\n" + log_rows.OOM + "$ cd b\n$ make\n$ echo $?\n0\n", 16),
                            ("gadget failed\n=== test session starts ===\n=== 14 passed in 3.10s ===\n", 1),
                            (log_rows.OOM + "Successfully installed numpy-1.26.4\n", 16), (log_rows.OOM + "$ echo $?\n1\n", 16),
                            ("backup[311]: aborted, see /var/log/b12.trace\n", 1)):
            with self.subTest(log=log):
                self.assertEqual(self.look(log)["status"], status)
        for log, status in log_rows.OUTCOMES + run_rows.OUTCOMES:
            with self.subTest(log=log):
                self.assertEqual(self.look(log)["status"], status)

    def test_evidence(self):
        """Another line of the file tells which way a cause came about; one of another file does not."""
        busy = "        Process id:40931   Process name:train.py  Process memory(MB):58210\n"
        for log, line in ((log_rows.OOM + busy, 2), (busy + log_rows.OOM, 1)):
            report = self.look(log)
            first = report["causes"][0]
            self.assertEqual((first["id"], first["confidence"], first["evidence"]["line"]), ("acl.oom", "likely", line))
            self.assertIn("another process", first["cause"])
            self.assertRegex(call("diagnose", "-", stdin=log.encode()).out, rf"\nEvidence +line {line}: Process id:40931")
        self.assertIsNone(self.look(log_rows.OOM)["causes"][0]["evidence"])
        # Alone it reports no error, and it says nothing of another cause.
        self.assertEqual(self.look(busy)["status"], 0)
        self.assertIsNone(self.look(busy + log_rows.TILE)["causes"][0]["evidence"])
        self.write("log/a.log", busy)
        self.write("log/b.log", log_rows.OOM)
        report = call("diagnose", "--format", "json", "log", cwd=self.folder).json()
        self.assertIsNone(report["causes"][0]["evidence"])
        # In the source that a traceback shows, and in a message that only suggests it.
        shown = ('Traceback (most recent call last):\n  File "a.py", line 9, in f\n    sys.setrecursionlimit(10**7)\n'
                 "Segmentation fault (core dumped)\n")
        self.assertEqual(self.look(shown)["causes"][0]["evidence"]["line"], 3)
        advice = "ImportError: libhccl.so: cannot open shared object file. Please run 'source set_env.sh'\n"
        self.assertIsNone(self.look(advice)["causes"][0]["evidence"])

    def test_message(self):
        """What PyPTO prints after a code is shown with it."""
        log = "E   RuntimeError: CHECK FAILED: ErrCode: FC0000! Enum: X\nE   odd axis, in op FOO\nE   func Check, line 3\n"
        self.assertEqual(self.look(log)["causes"][0]["log"]["message"], "odd axis, in op FOO")
        self.assertRegex(call("diagnose", "-", stdin=log.encode()).out, r"\nMessage +odd axis, in op FOO\n")
        self.assertIsNone(self.look("ErrCode: FC0000! Enum: X\nfunc Check, line 3\n")["causes"][0]["log"]["message"])

    def test_shown_places(self):
        """The line that PyPTO shows, and the frames of a crash."""
        kernel = (log_rows.TRACE + "error: ErrCode: F00001, TypeError: range() not support symbolic scalar yet\n"
                  " --> /w/attn_impl.py:52:14\n   |\n52 |     for blk in range(n):\n")
        crash = ('Fatal Python error: Segmentation fault\n\nCurrent thread 0x01 (most recent call first):\n'
                 '  File "/usr/lib/python3.9/site-packages/pypto/operation.py", line 3120 in view\n'
                 '  File "/w/gate_impl.py", line 40 in gate\n  File "/w/test_gate.py", line 29 in test\n')
        for log, right, place in ((kernel, "pypto.range-symbolic", ("/w/attn_impl.py", 52)),
                                  (crash, "host.segfault", ("/w/gate_impl.py", 40))):
            first = self.look(log)["causes"][0]
            self.assertEqual((first["id"], (first["kernel"]["file"], first["kernel"]["line"])), (right, place))

    def test_unknown(self):
        log = "".join(f"[ERROR] gadget {n} failed: 0x{n:04x}, error code 507987\n" for n in range(50))
        log += 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nzoo.Odd: 3\n'
        report = self.look(log)
        self.assertEqual((report["status"], report["category"], report["causes"]), (1, None, []))
        digest = report["digest"]
        self.assertEqual(digest["exception"]["text"], "zoo.Odd: 3")
        self.assertEqual([(line["line"], line["count"]) for line in digest["errors"]], [(1, 50)])
        self.assertEqual([(code["code"], code["count"]) for code in digest["codes"]], [("507987", 50)])
        self.assertIn("ACL runtime", digest["codes"][0]["family"])
        for alone in ("E19876", "ERR04099", "训练任务执行失败，退出码 1\n", "zoo.exc.Unlisted: what\n",
                      "broker[211] E halt: no lease\nbroker[211] exit 3\n"):
            report = self.look(alone)
            self.assertEqual((report["status"], report["causes"]), (1, []), alone)
            self.assertEqual(len(report["digest"]["errors"]), 1)
        self.assertIn("(50 times)", call("diagnose", "-", stdin=log.encode()).out)
        clean = self.look("")
        self.assertEqual((clean["status"], clean["digest"]), (0, None))

    def test_arguments(self):
        self.assertEqual(call("diagnose", "F40005").status, 11)
        self.assertEqual(call("diagnose", "NPU out of memory").status, 16)
        for word in ("no-such-file.log", "", "/dev/null", "my build.log", "RUNLOG", "999999"):
            done = call("diagnose", word, cwd=self.folder)
            self.assertEqual((done.status, done.out), (2, ""), word)
            self.assertIn("pypto-lint: ", done.err)

    def test_folder(self):
        self.write("log/debug/plog/plog-1.log", "all is well\nEZ9999: Inner Error!\n")
        self.write("log/run/device-0/d.log", DEVICE)
        self.write("log/core", b"\x7fELF\0\0\0NPU out of memory\n")
        self.write("log/notes.md", "NPU out of memory\n")
        self.write("secret", "NPU out of memory\n")
        os.symlink(self.folder / "secret", self.folder / "log" / "link.log")
        os.symlink(self.folder, self.folder / "log" / "up")
        os.mkfifo(self.folder / "log" / "pipe")
        done = call("diagnose", "--format", "json", "log", cwd=self.folder)
        report = done.json()
        self.assertEqual(report["causes"][0]["id"], "aicore.mte-address")
        self.assertEqual(report["causes"][0]["log"]["file"], "log/run/device-0/d.log")
        self.assertNotIn("acl.oom", [cause["id"] for cause in report["causes"]])
        self.assertEqual([line.split(":")[0] for line in report["skipped"]],
                         ["log/core", "log/link.log", "log/notes.md", "log/pipe", "log/up"])
        self.assertEqual((report["files"], report["complete"]), (2, True))
        done = call("diagnose", self.folder / "log" / "pipe")
        self.assertEqual((done.status, done.out), (2, ""))

    def test_folders(self):
        for number, (logs, right, certain) in enumerate(log_rows.FOLDERS):
            for name, log in zip("abc", logs):
                self.write(f"{number}/{name}.log", log)
            first = call("diagnose", "--format", "json", str(number), cwd=self.folder).json()["causes"][0]
            self.assertEqual((first["id"], first["confidence"] == "certain"), (right, certain), logs)

    def test_messages_of_pieces(self):
        """A code at the end of a file has no message, and a long exception is shown from its beginning."""
        self.write("log/a.log", "CHECK FAILED: ErrCode: FC0000!\n")
        self.write("log/b.log", log_rows.TRACE + "zoo.Odd: " + "x" * 9000 + "\n")
        report = call("diagnose", "--format", "json", "log", cwd=self.folder).json()
        self.assertIsNone(report["causes"][0]["log"]["message"])
        self.assertTrue(report["digest"]["exception"]["text"].startswith("zoo.Odd: xx"))

    def test_unreadable_log(self):
        """A log that cannot be read is not taken for one without errors."""
        self.write("log/a.log", "all is well\n")
        self.write("log/b.log", DEVICE).chmod(0)
        if support.ROOT_MAY_ALL:
            self.skipTest("may read everything")
        done = call("diagnose", "log", cwd=self.folder)
        self.assertEqual(done.status, 2)
        self.assertIn("log/b.log", done.err)

    def test_hostile(self):
        """Much of everything in bounded memory, and an answer."""
        block = bytes(range(256)) * 4096
        logs = {
            "long line": b"x" * (64 << 20) + b" NPU out of memory",
            "binary": block * 32 + b"\nNPU out of memory\n",
            "tracebacks": b'Traceback (most recent call last):\n  File "a_impl.py", line 3, in f\nOddError: 1\n' * 500000
                          + b"NPU out of memory\n",
            "kinds": b"".join(b"[ERROR] %s failed\n" % bytes([97 + n % 26, 97 + n // 26 % 26, 97 + n // 676 % 26])
                              for n in range(20000)) * 20 + b"NPU out of memory\n",
            "escapes": b"\x1b[31m" * 2000000 + b"\x1b]" + b"a" * 1000000 + b"\nNPU out of memory\n",
        }

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))

        sanitized = b"__asan_init" in pathlib.Path(support.BINARY).read_bytes()
        for name, log in logs.items():
            with self.subTest(name=name):
                done = subprocess.run([support.BINARY, "diagnose", "--format", "json", "-"], input=log, timeout=60,
                                      capture_output=True, preexec_fn=None if sanitized else limit, check=False)
                self.assertEqual(done.stderr, b"")
                report = json.loads(done.stdout)
                self.assertEqual(report["causes"][0]["id"], "acl.oom")
                self.assertEqual((report["bytes"], done.returncode), (len(log), 16))

    def test_output_is_safe(self):
        """Nothing of the log reaches a terminal raw."""
        done = subprocess.run([support.BINARY, "diagnose", "-"], capture_output=True, check=False,
                              input=b"error: \xe2\x80\xae\xff NPU out of memory \x9b31m\x07\n")
        self.assertEqual(done.returncode, 16)
        done.stdout.decode("utf-8")
        for raw in (b"\xe2\x80\xae", b"\x9b", b"\x07", b"\x1b"):
            self.assertNotIn(raw, done.stdout)

    def test_closed_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([support.BINARY, "diagnose", "-"], input=DEVICE.encode(), stdout=writer,
                              stderr=subprocess.PIPE, check=False)
        os.close(writer)
        self.assertIn(done.returncode, (2, -signal.SIGPIPE))


if __name__ == "__main__":
    support.main()
