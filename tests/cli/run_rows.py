"""Whole logs and the exit status that `diagnose` must end with: how the run of interest went, whatever else the log shows.
See also OUTCOMES in log_rows.py."""

OOM = "RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n"
TRACE = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
NO_X = "rm: cannot remove 'x': No such file or directory\n"
FATAL = 'fatal: [n1]: FAILED! => {"msg": "non-zero return code", "rc": 1, "stderr": "Error response from daemon: No such container: a"}\n'
RECAP = "PLAY RECAP *********\n"
HOST = "n%d                    : ok=5    changed=2    unreachable=%d    failed=%d    skipped=0    rescued=0    ignored=1\n"

OUTCOMES = [
    # What a command only shows was written earlier: it says nothing once work of this log went well.
    ("$ cat last.log\n" + TRACE + OOM + "$ python3 a.py\n$ echo $?\n0\n", 0),
    ("$ cat last.log\n" + TRACE + OOM + "$ python3 a.py\n", 16),
    ("$ cat last.log\n" + TRACE + OOM + "$ cat good.log\n5 passed in 2.00s\n", 16),
    ("$ python3 a.py\n$ echo $?\n0\n$ cat last.log\n" + TRACE + OOM, 16),
    ("$ cat last.log\n" + TRACE + OOM + "$ python3 a.py\n$ echo $?\n0\n$ python3 b.py\n[ERROR] gadget failed\n", 16),
    ("$ cat last.log; ./run.sh\n" + TRACE + OOM + "$ python3 a.py\n$ echo $?\n0\n", 16),
    # Histories and sources report nothing.
    ("$ git log -3\nfix RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n", 0),
    ("$ git diff\n+    RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n", 0),
    ("$ git diff\n+ RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n$ python3 a.py\n[ERROR] gadget failed\n", 1),
    ("+ cat a.log\n+ python3 a.py\n[ERROR] gadget failed\n", 1),
    ("$ git pull\nerror: Your local changes to the following files would be overwritten by merge:\n", 19),
    ("$ sed -n 1,9p a.py\nRuntimeError: NPU out of memory. Tried to allocate 1 GiB\n", 0),
    ("$ tail -n 9 a.log\nRuntimeError: NPU out of memory. Tried to allocate 1 GiB\n", 16),
    ("$ cat a.py; python3 a.py\n" + OOM, 16), ("$ ls && ./a.out\n" + OOM, 16), ("$ cat a.py | head\n" + OOM, 0),
    # The session of unittest begins with its first result and ends with its sum.
    ("test_a (t.A.test_a) ... " + TRACE + OOM + "ok\ntest_b (t.A.test_b) ... ok\n-----\nRan 2 tests in 0.4s\n\nOK\n", 0),
    ("test_a (t.A.test_a) ... " + TRACE + OOM + "ok\ntest_b (t.A.test_b) ... FAIL\n-----\nRan 2 tests in 0.4s\n\nFAILED (failures=1)\n", 16),
    ("..ERROR:root:gadget failed\n" + TRACE + OOM + ".\n-----\nRan 3 tests in 0.4s\n\nOK (skipped=1)\n", 0),
    (TRACE + OOM + "...\n-----\nRan 3 tests in 0.4s\n\nOK\n", 16),
    (TRACE + OOM + "..\n-----\nRan 2 tests in 0.4s\n\nOK\n", 16),
    ("..\n-----\nRan 2 tests in 0.4s\n\nOK\n" + TRACE + OOM, 16),
    ("./a.sh: gadget failed\n-----\nRan 2 tests in 0.4s\n\nFAILED (errors=1)\n", 1),
    # ansible: what it ignores, and its results by host.
    (FATAL + "...ignoring\n" + RECAP + HOST % (1, 0, 0) + HOST % (2, 0, 0), 0),
    (FATAL + RECAP + HOST % (1, 0, 1) + HOST % (2, 0, 0), 20), (FATAL + RECAP + HOST % (1, 1, 0) + HOST % (2, 0, 0), 20),
    (RECAP + HOST % (1, 0, 1), 1), (FATAL + "...ignoring\nok: [n2]\n", 0),
    # Rows of a table that passed or were skipped, with a reason.
    ("attn_b64    -      -   skip (out of memory guard: needs 71.2 GiB)\n", 0),
    ("inject      -      -   pass (raised RuntimeError: aicore exception, error code is 507015)\n", 0),
    ("| attn_b64 | - | skip (NPU out of memory) |\n", 0),
    ("attn_b64    -      -   skips it: NPU out of memory\n", 16),
    # What a launcher puts before a line does not hide how the line begins; one rank is not the run.
    ("[1,3]<stderr>:" + OOM, 16), ("[1,0]<stdout>:3 passed, 0 failed\n[ERROR] gadget failed\n", 1),
    ("[ERROR] gadget failed\n[1,0]<stdout>:3 passed, 0 failed\n", 1), ("[ERROR] gadget failed\n[rank0]: exit code 0\n", 1),
    ("2025-01-01T10:00:05.1234567Z ##[group]Run a\n2025-01-01T10:00:06.1234567Z [INFO] NPU out of memory is tested\n", 0),
    ("tests-1  | ===== test session starts =====\ntests-1  | [ERROR] gadget failed\ntests-1  | ==== 3 passed in 1.00s ====\n", 0),
    ("tests-1  | ===== test session starts =====\ntests-1  | [ERROR] gadget failed\ntests-1  | ==== 1 failed in 1.00s ====\n", 1),
]
