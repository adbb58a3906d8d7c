"""Whole logs and the exit status that `diagnose` must give: whether the last run that matters succeeded, whatever else is shown.
See also OUTCOMES in log_rows.py."""

OOM = "RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n"
CORE = "[ERROR] ASCENDCL(811,a): synchronize stream failed, runtime result = 507015\n"
TRACE = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
NO_X = "rm: cannot remove 'x': No such file or directory\n"
FATAL = 'fatal: [n1]: FAILED! => {"msg": "non-zero return code", "rc": 1, "stderr": "Error response from daemon: No such container: a"}\n'
RECAP = "PLAY RECAP *********\n"
HOST = "n%d                    : ok=5    changed=2    unreachable=%d    failed=%d    skipped=0    rescued=0    ignored=1\n"

OUTCOMES = [
    # Text that a command shows was written earlier: it is ignored once work in this log has succeeded.
    ("$ cat last.log\n" + TRACE + OOM + "$ python3 a.py\n$ echo $?\n0\n", 0),
    ("$ cat last.log\n" + TRACE + OOM + "$ python3 a.py\n", 16),
    ("$ cat last.log\n" + TRACE + OOM + "$ cat good.log\n5 passed in 2.00s\n", 16),
    ("$ python3 a.py\n$ echo $?\n0\n$ cat last.log\n" + TRACE + OOM, 16),
    ("$ cat last.log\n" + TRACE + OOM + "$ python3 a.py\n$ echo $?\n0\n$ python3 b.py\n[ERROR] gadget failed\n", 16),
    ("$ cat last.log; ./run.sh\n" + TRACE + OOM + "$ python3 a.py\n$ echo $?\n0\n", 16),
    # Histories and pages report nothing; what follows the source of a program may be the output of another command.
    ("$ git log -3\nfix RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n", 0),
    ("$ git diff\n+    RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n", 0),
    ("$ git diff\n+ RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n$ python3 a.py\n[ERROR] gadget failed\n", 1),
    ("+ cat a.log\n+ python3 a.py\n[ERROR] gadget failed\n", 1),
    ("$ git pull\nerror: Your local changes to the following files would be overwritten by merge:\n", 19),
    ("$ sed -n 1,9p a.md\nRuntimeError: NPU out of memory. Tried to allocate 1 GiB\n", 0),
    ("$ tail -n 9 a.log\nRuntimeError: NPU out of memory. Tried to allocate 1 GiB\n", 16),
    ("$ cat a.py; python3 a.py\n" + OOM, 16), ("$ ls && ./a.out\n" + OOM, 16), ("$ cat a.md | head\n" + OOM, 0), ("$ cat a.py\n    x = f()\nFAIL: the test is not independent\n", 1),
    # Names that begin like shell words, conditions that do the work, and commands that follow one that only shows or read its output.
    ("$ for i in 0 1\n> do\n> ./a $i\n> done\n" + TRACE + OOM, 16),
    ("$ finetune --config a.yaml\n" + TRACE + OOM, 16), ("$ while python3 a.py; do :; done\n" + TRACE + OOM, 16),
    ("$ ssh n4 'git log' && python3 a.py\n" + TRACE + OOM, 16), ("$ git show HEAD:a.py | python3 -\n" + TRACE + OOM, 16),
    # A session of unittest begins with its first result and ends with its summary.
    ("test_a (t.A.test_a) ... " + TRACE + OOM + "ok\ntest_b (t.A.test_b) ... ok\n-----\nRan 2 tests in 0.4s\n\nOK\n", 0),
    ("test_a (t.A.test_a) ... " + TRACE + OOM + "ok\ntest_b (t.A.test_b) ... FAIL\n-----\nRan 2 tests in 0.4s\n\nFAILED (failures=1)\n", 16),
    ("..ERROR:root:gadget failed\n" + TRACE + OOM + ".\n-----\nRan 3 tests in 0.4s\n\nOK (skipped=1)\n", 0),
    (TRACE + OOM + "...\n-----\nRan 3 tests in 0.4s\n\nOK\n", 16),
    (TRACE + OOM + "..\n-----\nRan 2 tests in 0.4s\n\nOK\n", 16),
    ("..\n-----\nRan 2 tests in 0.4s\n\nOK\n" + TRACE + OOM, 16),
    ("./a.sh: gadget failed\n-----\nRan 2 tests in 0.4s\n\nFAILED (errors=1)\n", 1),
    # ansible: failures that it ignores, and its results by host.
    (FATAL + "...ignoring\n" + RECAP + HOST % (1, 0, 0) + HOST % (2, 0, 0), 0),
    (FATAL + RECAP + HOST % (1, 0, 1) + HOST % (2, 0, 0), 20), (FATAL + RECAP + HOST % (1, 1, 0) + HOST % (2, 0, 0), 20),
    (RECAP + HOST % (1, 0, 1), 1), (FATAL + "...ignoring\nok: [n2]\n", 0),
    # Rows of a table that passed or were skipped, with a reason.
    ("attn_b64    -      -   skip (out of memory guard: needs 71.2 GiB)\n", 0),
    ("inject      -      -   pass (raised RuntimeError: aicore exception, error code is 507015)\n", 0),
    ("| attn_b64 | - | skip (NPU out of memory) |\n", 0),
    ("attn_b64    -      -   skips it: NPU out of memory\n", 16),
    # The prefix of a launcher does not hide how the line begins; one rank does not speak for the run.
    ("[1,3]<stderr>:" + OOM, 16), ("[1,0]<stdout>:3 passed, 0 failed\n[ERROR] gadget failed\n", 1),
    ("[ERROR] gadget failed\n[1,0]<stdout>:3 passed, 0 failed\n", 1), ("[ERROR] gadget failed\n[rank0]: exit code 0\n", 1),
    ("2025-01-01T10:00:05.1234567Z ##[group]Run a\n2025-01-01T10:00:06.1234567Z [INFO] NPU out of memory is tested\n", 0),
    ("tests-1  | ===== test session starts =====\ntests-1  | [ERROR] gadget failed\ntests-1  | ==== 3 passed in 1.00s ====\n", 0),
    ("tests-1  | ===== test session starts =====\ntests-1  | [ERROR] gadget failed\ntests-1  | ==== 1 failed in 1.00s ====\n", 1),
    # An error, then work, then the end of the whole program: the run recovered. Without work in between it did not, and work
    # clears neither a wrong result nor a count of failures.
    (TRACE + OOM + "iter 10 loss 3.2\ndone, exit code 0\n", 0), (TRACE + OOM + "iter 10 loss 3.2\n3/3 cases passed\n", 0),
    (TRACE + OOM + "worker process exited with code 0\nworker process exited with code 0\n", 16),
    (TRACE + OOM + "exit code 0\n", 16), (TRACE + OOM + "[wrapper] log saved\nexit code 0\n", 16),
    (TRACE + OOM + "3/3 cases passed\n[exit code: 0]\n", 0), (TRACE + OOM + "iter 10 loss 3.2\ncleanup exit code 0\n", 16),
    ("iter 10 loss 3.2\n" + TRACE + OOM + "exit code 0\n", 16), (TRACE + OOM + "iter 10 loss 3.2\nexit code 1\n", 16),
    ("a: Tensor-likes are not close!\nb: max diff 0.0001 PASS\nexit code 0\n", 13),
    ("a: FAILED\nb: max diff 0.0001 PASS\nexit code 0\n", 1), ("make: *** [all] Error 2\ntest_b PASS\nexit code 0\n", 19),
    (TRACE + OOM + "iter 10 loss 3.2\nall 8 workers exited with code 0\n", 0), (TRACE + OOM + "SUCCEEDED after 1 restart\n", 0),
    ("CHECK FAILED: ErrCode: FC0001! Enum: X\n   -> rejected as expected   ok\nexit status 0\n", 0),
    ("CHECK FAILED: ErrCode: FC0001! Enum: X\nexit status 0\n", 10),
    ("注入故障 1/1: kill\n" + OOM + "故障 1/1 恢复   [通过]\n演练结束: 1/1 通过\n", 0), (OOM + "演练 结束\n", 16),
    ("10:03:11 [lock] ERROR: device 2 busy, attempt 2/5\n10:03:44 run a ... OK\n10:03:47 all 2 cases passed\n", 0),
    ("test_a: 2/2 passed\n" + TRACE + OOM + "iter 10 loss 3.2\n3/3 cases passed\n", 0),
    (TRACE + OOM + "test_b: 3/3 passed\ntest_c: 4/4 passed\n", 16), ("fault injection: disabled\n" + TRACE + OOM + "3/3 passed\n", 16),
    ("config error_inject=False\n" + TRACE + OOM + "3/3 passed\n", 16),
    # Steps that are allowed to fail, and the result of the job that runs them.
    ("$ make docs\nmake: *** [Makefile:31: docs] Error 2\nJob docs failed (allowed to fail)\n$ make test\n3 passed in 2.00s\n", 0),
    ("$ make docs\nmake: *** [Makefile:31: docs] Error 2\n$ make test\n3 passed in 2.00s\n", 19),
    ("a.py:4: error: Incompatible types\n##[warning]mypy is informational (continue-on-error)\n3 passed in 2.00s\n", 0),
    ("[ERROR] x failed\nPipeline #81 passed with warnings\n", 0), ("[ERROR] x failed\nPipeline #81 not passed\n", 1),
    ("[ERROR] x failed\n#11 naming to docker.io/library/a:1 done\n", 0), ("##[warning]Failed to save a cache\n", 0),
    ("##[error]Process completed with exit code 1.\n", 1),
    ("2025-01-01 10:00:00.123 | INFO     | main:10: 3 failed, 2 passed\n", 1), ("INFO | 3 failed, 2 passed\n", 1),
    ("3 failed, 2 passed (last run: 0 failed)\n", 1), ("last run: 3 failed, 2 passed\n5 passed in 2.00s\n", 0),
    # A built image, successful hosts or a step of a pipeline do not clear the errors of another command.
    ("$ python3 a.py\n" + TRACE + OOM + "$ docker build .\n#11 naming to docker.io/library/a:1 done\n", 16),
    ("$ python3 a.py\n" + TRACE + OOM + "$ docker build .\nSuccessfully tagged a:1\n", 16),
    ("$ docker build .\nStep 1/2 : RUN a\n[ERROR] x failed\nStep 2/2 : RUN b\nSuccessfully tagged a:1\n", 0),
    ("$ python3 a.py\n" + TRACE + OOM + "$ ansible-playbook b.yml\n" + RECAP + HOST % (1, 0, 0), 16),
    ("$ ansible-playbook b.yml\n" + FATAL + "...ignoring\n" + RECAP + HOST % (1, 0, 0), 0),
    (TRACE + OOM + "Pipeline parallel self-check passed\n", 16), (TRACE + OOM + "Workflow init succeeded\n", 16),
    ("$ kubectl logs train-0\n" + TRACE + OOM + "$ kubectl get pod\ntrain-0   0/1     Error       0          120m\n"
     "cleanup-1   0/1     Completed   0          120m\n", 16),
    # Quotations, and lines that introduce one.
    ("Internal error:\n  gadget lost\n", 1), ("Compilation error:\n  gadget lost\n", 1), ("编译错误：\n  gadget lost\n", 19),
    ("昨天的报错是这个（旧日志）:\n\n> [ERROR] x failed\n> " + OOM + "今天:\n$ python3 a.py\n$ echo $?\n0\n", 0),
    ("昨天的报错如下：\n5 passed in 2.00s\n", 0),
    ("@li yesterday's error was:\n\n> [ERROR] x failed\n> " + OOM + "\ntoday:\n$ python3 a.py\n$ echo $?\n0\n", 0),
    ("@li the error is:\n\n> [ERROR] x failed\n> " + OOM, 16), ("error:\n  gadget lost\n", 1), ("build failed with errors:\n", 1),
    # A failed query or preparation, followed by work that succeeds; other work that fails.
    ("$ python3 -c 'import torch_npu'\n" + TRACE + OOM + "$ python3 a.py\nhello: PASS\n$\n", 0),
    ("$ python3 -c 'import torch_npu'\n" + TRACE + OOM + "$ python3 a.py\nhello\n$\n", 16),
    ("$ python3 b.py\n" + TRACE + OOM + "$ python3 a.py\nhello: PASS\n$\n", 16),
    ("$ docker run a python3 b.py\n" + TRACE + OOM + "$ python3 a.py\nhello: PASS\n$\n", 16),
    ("$ python3 a.py\n" + TRACE + OOM + "$ python3 a.py\nno errors, 12 tensors identical\n", 0),
    ("$ python3 a.py\n" + TRACE + OOM + "(venv) $ python3 a.py\nhello: PASS\n", 0),
    ("$ python3 a.py\n" + TRACE + OOM + "$ python3 a.py --rows 1024\nhello: PASS\n", 16),
    ("+ pip install x\nERROR: No matching distribution found for x\n+ pip install -i http://h x==2\nSuccessfully installed x-2\n", 0),
    ("+ pip install x\nERROR: No matching distribution found for x\n+ pip install y\nSuccessfully installed y-2\n", 20),
    ("$ python3 a.py | tee l\n[ERROR] x failed\n$ echo ${PIPESTATUS[0]}\n0\n", 0),
    ("$ python3 a.py | tee l\n[ERROR] x failed\n$ echo ${PIPESTATUS[1]}\n0\n", 1),
    # Errors that are ignored, from an earlier run, or quoted in a line of information; source shown by a compiler.
    ("[ERROR] component 4 not registered, ignore\n", 0), ("[ERROR] component 4 not registered\n", 1),
    ("INFO nightly: previous nightly FAILED: see below\nINFO nightly | 1 failed, 210 passed in 1802.11s\n", 0),
    ("INFO nightly: 1 failed, 210 passed in 1802.11s\n", 1), ("mail sent (subject: nightly OK, was FAILED)\n", 0),
    ("/w/fatal.cpp: In function 'void ReportFatal(int)':\n/w/fatal.cpp:41:14: warning: unused\n"
     "   41 |     uint32_t errorCode = 507015;\n", 0),
    ("3/3 shapes passed, no errors\n", 0), ("[ERROR] x\n3/3 shapes passed, no errors\n", 0), ("a: 2 passed, 1 error\n", 1),
    ('{"level":"error","msg":"connect failed: connection refused","attempt":1}\n{"level":"info","msg":"listening on :8080"}\n', 0),
    ('{"level":"error","msg":"connect failed: connection refused"}\n{"level":"info","msg":"listening on :8080"}\n', 22),
    # A pod that has ended, an ending in Chinese, programs that run beside the main one, and measured errors.
    ("  Warning  FailedScheduling  118m  volcano  0/6 nodes are available: 6 Insufficient huawei.com/Ascend910.\n"
     "NAME    READY   STATUS      RESTARTS   AGE\ntrain-0   0/1     Completed   0          120m\n", 0),
    ('  Warning  FailedMount  115m  kubelet  MountVolume.SetUp failed for volume "ckpt" : mount failed: exit status 32\n'
     "NAME    READY   STATUS      RESTARTS   AGE\ntrain-0   0/1     Completed   0          120m\n", 0),
    ("  Warning  FailedScheduling  118m  volcano  0/6 nodes are available: 6 Insufficient huawei.com/Ascend910.\n"
     "NAME    READY   STATUS      RESTARTS   AGE\ntrain-0   0/1     Pending   0          120m\n", 21),
    ("负向用例: 非法 dtype, 期望报错 FC0001\nCHECK FAILED: ErrCode: FC0001! Enum: X\n负向用例: 报错符合预期, 通过\n"
     "汇总: 总数 4, 通过 4, 失败 0, 错误 0\n门禁通过, 退出码 0\n", 0),
    ("CHECK FAILED: ErrCode: FC0001! Enum: X\n门禁未通过, 退出码 1\n", 10),
    (TRACE + OOM + "iter 10 loss 3.2\ncleanup done, exit code 0\n", 16),
    (TRACE + OOM + "[autotune] skipped\n[autotune] 2/6 batch=128 ... 41.2 ms\n[done] verification PASS, exit 0\n", 0),
    ("[ERROR] TUNE: load knowledge bank failed, use default strategy\n", 0), ("[ERROR] TUNE: load knowledge bank failed\n", 1),
    ("l2norm: error max 1.19e-07, tolerance 1e-5\n", 0), ("l2norm: error max 1.19e-02 exceeds 1e-5\n", 1), ("error code max 3\n", 1),
    # A wrong result stays wrong, even if all other cases pass.
    ("op A: ok\nop B: mismatch 512/1024 elements (50.0%)\nop C: ok\nall done, exit code 0\n", 13),
    ("op A: ok\nop B: mismatch 0/1024 elements (0.0%)\nop C: ok\nall done, exit code 0\n", 0),
    ("a: max err 1e-6 PASS\nb: max err 3.2 > 1e-3\nc: max err 1e-6 PASS\nexit code 0\n", 13), ("max err 1e-6 -> PASS\n", 0),
    # Failing runs whose log also shows a success, or ends with one.
    ("$ python3 hello.py\nhello: PASS\n$ python3 a.py\n" + TRACE + OOM + "$\n", 16),
    ("rank 0: iter 10 loss 2.1\nrank 3: " + OOM + "rank 0: iter 20 loss 2.0\n", 16),
    ("> " + OOM + "\nHow can I fix it? hello.py works: PASS\n", 16), ("job 1: SUCCESS\njob 2: " + OOM + "Finished: FAILURE\n", 16),
    ("$ cat a.log\n" + TRACE + OOM + "$ python3 -c 'print(\"OK\")'\nOK\n", 16),
    ("iter 1 loss 2.2\n" + TRACE + OOM + "[elastic] giving up after 3 restarts\n", 16),
    ("compile ok\nsync: aicore timeout, error code is 507014\nfinalize ok\n", 18),
    ("unit tests: 12 passed\n" + TRACE + OOM + "lint: all checks passed\n", 16),
    ("[ERROR] TDT: session closed, ignore\n" + OOM, 16),
    # Retries, a search through candidates, the end of a service and of a job, and a repeated command.
    ("[10:10:01] 保存检查点失败: 磁盘忙, 重试\n[10:10:05] 保存检查点成功\n", 0), ("[10:10:01] 保存检查点失败: 磁盘忙, 重试\n", 1),
    ("ssh: connect to host n2 port 22: Connection refused\nretry 1/5 in 10 s\nconnected\n", 0),
    ("ssh: connect to host n2 port 22: Connection refused\nretry 1/5 in 10 s\n", 20),
    ("E: Could not get lock /var/lib/dpkg/lock-frontend\nWaiting for cache lock\nProcessing triggers for libc-bin\n", 0),
    ("[tune] 1/2 (128,128) failed: UB overflow\n[tune] 2/2 (64,64) 1.2 ms\n[tune] best (64,64)\n", 0),
    ("[tune] 1/2 (128,128) failed: UB overflow\n[tune] 2/2 (64,64) 1.2 ms\n", 11),
    ("[run] 1/2 (128,128) failed: UB overflow\n[run] 2/2 (64,64) 1.2 ms\n[run] best (64,64)\n", 11),
    (OOM + "step 1 loss 2.0\nJan 01 10:10:06 n1 systemd[1]: train.service: Deactivated successfully.\n", 0),
    ("srun: error: Unable to create step for job 880\nJob 881 COMPLETED, ExitCode=0:0\n", 0),
    ("srun: error: Unable to create step for job 880\nJob 881 FAILED, ExitCode=1:0\n", 1),
    ("li@n:~/w$ python3 a.py\n" + TRACE + OOM + "li@n:~/w$ python3 a.py\niter 1 loss 2.0\nli@n:~/w$\n", 0),
    ("li@n:~/w$ python3 a.py\n" + TRACE + OOM + "li@n:~/w$ python3 a.py\ncompiling\nli@n:~/w$\n", 16),
    ("li@n:~/w$ python3 a.py\n" + TRACE + OOM + "li@n:~/w$ python3 a.py\niter 1 loss 2.0\n" + OOM + "li@n:~/w$\n", 16),
    # Words for an error in counts, lists and measures.
    ('{"passed": 12, "failed": 0, "errors": [], "status": "ok"}\n', 0), ('{"passed": 12, "failed": 2}\n', 1),
    ("==12== ERROR SUMMARY: 0 errors from 0 contexts\n", 0), ("==12== ERROR SUMMARY: 3 errors from 1 contexts\n", 1),
    ("epoch 3 train_error 0.12 val_error 0.15\n", 0), ("expects failure ... got error F21003 (as expected)\n", 0),
    ("expects failure ... got error F21003, not as expected\n", 11),
    # An alternative or a restart, followed by work; by no work, or by another failure.
    ("ERROR: [Errno 98] Address already in use, trying port 8001\nINFO: Uvicorn running on http://0.0.0.0:8001\n", 0),
    ("ERROR: [Errno 98] Address already in use\nINFO: Uvicorn running on http://0.0.0.0:8001\n", 22),
    ("ERROR 404: Not Found.\ntrying mirror https://b/x.whl\n'x.whl' saved [12/12]\n", 0), ("ERROR 404: Not Found.\ntrying mirror https://b/x.whl\n", 19),
    ("slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO PREEMPTION ***\nsrun: job 12 requeued\n"
     "step 110 loss 2.0\n", 0),
    ("slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO PREEMPTION ***\nstep 110 loss 2.0\n", 19),
    ("[launcher] worker 3: x failed, restarting\nstep 10 loss 2.0\n[ERROR] worker 3 failed to start\n", 1),
    ("error: x.whl failed, retry 1\nerror: x.whl failed, retry 2\ngave up\n", 1),
    ("[ERROR] HBM multi-bit ECC error on device 6\nrestarting the container\nstep 10 loss 2.0\n", 21),
    ("=== drill: kill rank 3 ===\nERROR rank 3 lost (signal 9)\nrecovered in 12 s\n=== drill: end ===\ndrill result: 1/1 passed\n", 0),
    ("=== kill rank 3 ===\nERROR rank 3 lost (signal 9)\nrecovered in 12 s\n=== end ===\nresult: 1/1 passed\n", 16),
    ("$ rm x || echo none\n" + NO_X + "none\n$ python3 a.py\nall 5 checks passed\n$\n", 0),
    ("$ python3 b.py || echo bad\n" + TRACE + OOM + "bad\n$ python3 a.py\nall 5 checks passed\n$\n", 16),
    ("INFO: previous step failed: 3 of 5 cases FAILED\n", 1), ("INFO: previous run: 3 of 5 cases FAILED\nall 5 checks passed\n", 0),
    ("$ rm x || exit 1\n" + NO_X + "$ python3 a.py\nall 5 checks passed\n$\n", 19),
    (TRACE + OOM + "negative test 1: raised, PASS\n3/3 negative tests passed\n", 0), ("$ diff a.log b.log\n< " + OOM, 0),
    # A drill that counts unexpected errors; an exception that the program says it caught, followed by work and an ending.
    ("chaos: injecting fault (expected)\n" + CORE + "chaos: 3/3 cases OK, 0 unexpected errors\n", 0),
    ("chaos: injecting fault (expected)\n" + CORE + "chaos: 2/3 cases OK, 0 unexpected errors\n", 14),
    ("chaos: injecting fault (expected)\n" + CORE + "chaos: 3/3 cases OK, 1 unexpected error\n", 14),
    ("3/3 cases OK, 10 unexpected errors\n", 1),
    ("tune: caught " + OOM + "tune: batch 32 ok\nstep 500/500 loss 2.0\ntraining finished successfully\n", 0),
    ("tune: caught " + OOM + "training finished successfully\n", 16),
    ("tune: caught " + OOM + "tune: batch 32 ok\nstep 500/500 loss 2.0\n", 16),
    (OOM + "tune: batch 32 ok\nstep 500/500 loss 2.0\ntraining finished successfully\n", 16),
    ("tune: caught " + OOM + OOM + "tune: batch 32 ok\nstep 500/500 loss 2.0\ntraining finished successfully\n", 16),
    # "Health: OK" in a report on the machine is not the verdict of a run, and printing that report is not work.
    ("$ dmesg | tail -1\nHBM multi bit ecc error\n$ ./show\n    Health Status    : OK\n$\n", 21),
    ("$ dmesg | tail -1\nHBM multi bit ecc error\n$ for i in 0 1; do npu-smi info -i $i; done\nhealth: OK\n$\n", 21),
    ("$ dmesg | tail -1\nHBM multi bit ecc error\n$ ssh n4 'npu-smi info'\nhealth: OK\n$\n", 21),
]
