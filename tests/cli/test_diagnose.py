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

import passing_lines
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

# Logs without an error that has a cause: nothing may be called certain, and mostly nothing at all.
HARMLESS = [
    "12 passed in 3.20s\n",
    "[INFO] RUNTIME(1,python3): aicore timeout is set to 1000 ms\n",
    "INFO:root:Segmentation fault handler installed\n",
    "processed 507015 tokens in 3 s, 107002 of them padded\n",
    "highly skilled workers\n",
    "out_of_memory_policy = retry\n",
    "downloading libhccl.so from the mirror\n",
    "checked GLIBCXX_3.4.30: found\n",
    "pip install numpy sympy decorator\nSuccessfully installed numpy-1.26.4\n",
    "commit 3f40005be 2025-01-01\n",
    "see issue #137 and exit criteria 139\n",
    "loading /dev/davinci0 ... ok\n",
    "HCCL_CONNECT_TIMEOUT=600\n",
    "tile shape: (64, 64)\n",
    "MB/s 207001.5, 500000 iterations\n",
    "no module was left without a name\n",
    "[DEBUG] DRV: Permission denied is handled for /dev/davinci9\n",
    "Kill the process when it hangs\n",
    "0x7f60aa00 F2 FC EZ\n",
    "the bus errors of last week are gone\n",
    "12 passed, 0 failed; 失败：0\n",
    "-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\n",
    "        Possible Cause: the network port is abnormal or the device is lost.\n",
    "./a: /lib/libcurl.so.4: no version information available (required by ./a)\n",
    "Unable to find image 'ubuntu:22.04' locally\n22.04: Pulling from library/ubuntu\n",
    "the check for an index out of range passed\n",
    # Warnings of a run that went well, and a test of an error that passed.
    "/w/softmax.py:40: UserWarning: fp64 is not supported on NPU, error expected\n==== 14 passed, 2 warnings in 38.21s ====\n",
    "[W compiler_depend.ts:51] Warning: CAUTION: The operator 'aten::isin' is not currently supported on the NPU backend\n"
    "done, exit status 0\n",
    "tests/test_limits.py::test_says_npu_out_of_memory[NPU out of memory] PASSED\n",
]
# A pattern's words beside others that mean something else; None: nothing is known of the log.
NEAR = [
    ("ImportError: libgomp.so.1: cannot allocate memory in static TLS block\n", "loader.static-tls", "host.memory"),
    ("rtMalloc failed: error code is 107002, context pointer null\n", "acl.context", "acl.oom"),
    ("ErrCode: F74007! Enum: ADDRESS_OUT_OF_RANGE\n", "code.address-range", "code.unwritten"),
    ("ErrCode: F74008! Enum: WORKSPACE_ITER_INVALID\n", "code.unwritten", "code.address-range"),
    ("ImportError: /opt/x.so: undefined symbol: _ZNSt12atomicIbE\n", "loader.symbol", "loader.torch-abi"),
    ("ModuleNotFoundError: No module named 'torchvision'\n", "python.module-missing", "python.torch-missing"),
    ("ModuleNotFoundError: No module named 'yaml'\n", "python.module-missing", "cann.python-module"),
    ("/bin/x: version `GLIBC_2.34' not found\n", "loader.glibc", "loader.glibcxx"),
    ("Alloc tensor [1] size [9] exceeds MEM_L0C size [8]!\n", "pypto.l0-exceeded", "pypto.ub-exceeded"),
    ("RuntimeError: [Errno 12] Cannot allocate memory\n", "host.memory", "acl.oom"),
    ("EZ1001: aclnnX or aclnnXGetWorkspaceSize not in libopapi.so, or libopapi.sonot found.\n",
     "acl.operator-missing", "loader.cann"),
    # The name of a source file and a call are not "compile" and "timeout".
    ("RuntimeError: npuSynchronizeDevice:build/torch_npu.dir/compiler_depend.ts:456 NPU function error: "
     "AclrtSynchronizeDeviceWithTimeout, error code is 507015\n", "aicore.exception", "pypto.compile-timeout"),
    # The compiler is there, and the loader lacks a library of it.
    ("/opt/ccec_compiler/bin/ccec: error while loading shared libraries: libtinfo.so.5: cannot open shared object file: "
     "No such file or directory\n", "loader.missing", "build.compiler"),
    # What is occupied or opened is not a device.
    ("RuntimeError: port 29500 is occupied by another process\n", None, "device.used"),
    ("OSError: cannot open cache/lock.db in exclusive mode\n", None, "device.used"),
    ("OSError: cannot open /data/device.lock in exclusive mode\n", None, "device.used"),
    # set_env.sh does not set it.
    ("run.sh: line 3: ASCEND_RT_VISIBLE_DEVICES: unbound variable\n", "shell.unbound", "python.cann-variable"),
]
# Texts as programs print them, for single forms of a pattern: log, cause, category.
FORMS = [
    ("free(): double free detected in tcache 2\nAborted\n", "host.double-free", "host_crash"),
    ("torch.distributed.DistStoreError: Timed out after 301 seconds waiting for clients. 3/8 clients joined.\n",
     "torch.rendezvous", "communication"),
    ("torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError\n", "torch.rendezvous", "communication"),
    ("RendezvousConnectionError: The connection to the C10d store has failed.\n", "torch.rendezvous",
     "communication"),
    ("The client socket has timed out after 300s while trying to connect to (10.0.0.1, 29500).\n",
     "torch.rendezvous", "communication"),
    ("The client socket has failed to connect to [node0]:29500 (errno: 111 - Connection refused).\n",
     "torch.rendezvous", "communication"),
    ("NPU function error: HBM MULTI BIT ECC ERROR, error code is 507054\n", "acl.hbm", "device"),
    ("the suspected memory error is reported, error code is 507055\n", "acl.hbm", "device"),
    ("ModuleNotFoundError: No module named 'pypto.pypto_impl'\n", "loader.tilefwk", "environment"),
    ("OSError: libascendcl.so: cannot open shared object file: wrong ELF class: ELFCLASS32\n", "loader.format",
     "environment"),
    ("c++: fatal error: Killed signal terminated program cc1plus\n", "host.killed", "oom"),
    ("/usr/bin/ld: a.o: in function `main':\na.c:(.text+0x9): undefined reference to `aclInit'\n",
     "build.undefined", "environment"),
    ("hbm multi bit ECC error, device_id=2\n", "acl.hbm", "device"),
    ("aclrtSynchronizeStream: error code is 507056\n", "acl.link", "communication"),
    ("EE1001: The argument is invalid.Reason: rtSetDevice failed: device 3 is used in exclusive mode\n", "device.used",
     "device"),
    ("[ERROR] pass failed: UB memory usage 278528 exceeds the limit 196608\n", "pypto.ub-exceeded", "tile_shape"),
    ("TypeError: 'SymbolicScalar' object cannot be interpreted as an integer\n", "pypto.not-concrete", "structure"),
    ("WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(': [Errno -3] Temporary failure "
     "in name resolution')': /simple/pypto/\nERROR: Could not find a version that satisfies the requirement pypto (from "
     "versions: none)\n", "pip.network", "environment"),
    ("python3: malloc.c:2617: sysmalloc: Assertion `(old_top == initial_top (av))' failed.\nAborted\n", "host.heap",
     "host_crash"),
    ("RuntimeError: CUDA error: no kernel image is available for execution on the device\n", "torch.cuda", "structure"),
    ("E89999: Inner Error!\n        op[MatMul], tiling func failed[FUNC:OpTiling]\n", "acl.tiling", "other"),
    ("/opt/set_env.sh: line 3: ASCEND_OPP_PATH: unbound variable\n", "python.cann-variable", "environment"),
    ("run.sh: line 4: ASCEND_HOME_PATH: unbound variable\n", "python.cann-variable", "environment"),
    ("[ERROR] Compile task timeout: kernel softmax_0\n", "pypto.compile-timeout", "timeout"),
    ("RuntimeError: compile kernel softmax_0 timed out after 600 s\n", "pypto.compile-timeout", "timeout"),
    ("[ERROR] compile kernel softmax_0 timeout\n", "pypto.compile-timeout", "timeout"),
    ("RuntimeError: the device is occupied by another process\n", "device.used", "device"),
    ("libgomp: Thread creation failed: Resource temporarily unavailable\n", "host.threads", "environment"),
    ("RuntimeError: Found dtype Half but expected Float\n", "torch.dtypes", "structure"),
    ("[ERROR] version of the driver 23.0 is not compatible with the CANN toolkit 8.2\n", "driver.version",
     "environment"),
    ("E10001: [PID: 9] Value [Ascend910B] for parameter [--soc_version] is invalid.\n", "acl.soc", "environment"),
    ("RuntimeError: call aclnnAdd failed, detail:EZ9999: Inner Error!\n  Op Add does not has any binary.\n",
     "acl.kernels-missing", "environment"),
    ("RuntimeError: Expected at least 4 tensor argument(s), got 3.\n", "launch.arguments", "structure"),
    ("AttributeError: partially initialized module 'pypto' has no attribute 'frontend' (most likely due to a circular "
     "import)\n", "python.circular", "structure"),
    ("EZ3003: [PID: 8] No supported Ops kernel and engine are found for [Gate_44], optype [Gate].\n", "aclnn.operator",
     "environment"),
    ("RuntimeError: ({'errCode': 'E60108', 'reason': 'Minimum load size may exceed L1 buffer'},)\n"
     "E40021: Failed to compile Op [conv].\n", "triton.buffer", "tile_shape"),
    ("ParserError: ErrCode: F00002, ValueError: Input tensor 'y' cannot be reassigned.\n", "pypto.rebound", "structure"),
    ("[Toolkit] [ERROR] the package architecture x86_64 is not consistent with the current system architecture "
     "aarch64.\n", "host.architecture", "environment"),
    ("E10016: [PID: 4] Opname [images] specified in [--insert_op_conf] is not found in the model.\n",
     "ge.node-missing", "other"),
    ("[ERROR] OP(3,python3): kernel bin not found, opType=Add\n", "acl.kernel-lookup", "environment"),
    ("torch._dynamo.exc.Unsupported: builtin: print\n", "torch.compile", "structure"),
    # What failed first comes before what waited for it, or only says that a file is missing.
    ("[rank1] EI0002: The wait execution of the Notify register times out.\n[rank6] Kernel task happen error, "
     "retCode=0x26, [aicore exception].\n", "aicore.exception", "aicore"),
    ("ls: cannot access '/usr/local/opp': No such file or directory\n[ERROR] aclnnAddCustomGetWorkspaceSize failed. "
     "ERROR: 561107\n", "acl.kernels-missing", "environment"),
    ("E   AssertionError: Tensor-likes are not close!\nE   Greatest absolute difference: nan at index (1, 0)\n",
     "pypto.nan-mismatch", "precision"),
    ("rtKernelLaunch:ErrCode=107003, desc=[stream not in current context]\n", "acl.stream-context", "structure"),
    ("RuntimeError: call aclnnAddCustom failed, detail:EZ9999: Inner Error!\nTiling failed\n", "acl.tiling", "other"),
    ("NotImplementedError: Could not run 'aten::geqrf' with arguments from the 'PrivateUse1' backend.\n",
     "torch.operation", "other"),
    ("step 412 loss nan grad_norm nan\nAssertionError: loss is not finite\n", "precision.training", "precision"),
    ("ModuleNotFoundError: No module named 'numpy.core._multiarray_umath'\n", "numpy.import", "environment"),
    ("Error downloading object: lib/x.so (7c1): Smudge error\nOSError: ./lib/x.so: invalid ELF header\n", "git.lfs",
     "environment"),
    ("An error CQE occurred.\n  Possible Cause: 1. The network between two devices is abnormal.\n", "acl.link",
     "communication"),
    ("[ERROR] load model from file failed, errorCode is 500002\n", "acl.model", "other"),
    ("JIT execution failed: ErrCode: F00002, ValueError: The format of 2nd input tensor 29 does not match the format of "
     "input tensor definition ND.\n", "launch.annotation", "structure"),
    ("FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp']\n", "host.temporary", "environment"),
    ("CMake Error: CMake was unable to find a build program corresponding to \"Ninja\".\n", "build.host-compiler",
     "environment"),
    ("FeError: ErrCode: F00002, ValueError: m must have exactly 2 elements, but got 3\n", "pypto.argument-kind",
     "structure"),
    ("EI0003: In [HcclSend], value [7] for parameter [destRank] is invalid.\n", "hccl.argument", "structure"),
    ("EK0001: Value [/opt/prof] for parameter [output] is invalid. Reason: Dir /opt/prof does not have write "
     "permission.\n", "host.permission", "environment"),
    ("RuntimeError: NPU is not available.\n", "launch.no-npu", "device"),
    ("NPU function error: aclrtCreateStreamWithConfig, error code is 207000\n", "acl.feature", "environment"),
    ("Drv(EL9999): drvGetDevNum failed. open /dev/davinci_manager: No such file or directory\n", "driver.node", "device"),
    ("EJ0001: Failed to initialize the HCCP process. Reason: Maybe the last training process is running.\n"
     "tsd client wait response fail\n", "hccl.process", "communication"),
    ("ASSERT FAILED: ErrCode: F21003! Enum: FunctionErr::INVALID_VAL\nView: shape size [2] and offset size [3] must be "
     "equal to the operand's dim size [3]\n", "pypto.rank-inconsistent", "structure"),
    ("ImportError: /usr/lib64/libruntime.so: undefined symbol: halResourceIdCheck\n", "driver.symbol", "environment"),
    ("RuntimeError: call aclnnAdd failed, detail:EZ9999: Inner Error!\nGet path and read binary_info_config.json failed, "
     "please check if the opp_kernel package is installed!\n", "acl.kernels-missing", "environment"),
    ("AER: PCIe Bus Error: severity=Uncorrected (Fatal)\nAclrtSynchronizeStream, error code is 507010\n", "host.fault",
     "device"),
    ("blk_update_request: I/O error, dev nvme0n1\nOSError: [Errno 30] Read-only file system: '/d'\n", "host.fault",
     "device"),
    ("Aicpu kernel execute failed, errorCode=2a\n[ERROR] [GatherV2] indices[117] = 32001 is not in [0, 32000)\n",
     "aicpu.index", "structure"),
    ("E: Release file is not valid yet (invalid for another 6h 41min 12s).\n", "host.clock", "environment"),
    # Plain words, in a line that reports an error.
    ("[ERROR] gather: index out of range\n", "words.bounds", "structure"),
    ("[错误] 输入形状不匹配\n", "words.shape", "structure"),
    # Lines that look as if nothing were wrong, or count something else.
    ("KeyError: 0\n", "python.key", "structure"),
    ("max_diff 0.5 > tol 1e-3\n", "pypto.precision", "precision"),
    ("FAIL: max_diff=0.5>1e-3\n", "pypto.precision", "precision"),
    ("torch.allclose(out, ref): False\n", "pypto.precision", "precision"),
    ("precision tests: PASSED=3 FAIL=2\n", "pypto.precision", "precision"),
    ("compare failed: 3\n", "pypto.precision", "precision"),
    ("AssertionError: output differs from golden: False\n", "pypto.precision", "precision"),
    ("误差 0.5 超过 1e-3\n", "pypto.precision", "precision"),
    ("test_x.py::test_a FAILED [ 10%] NPU out of memory\n", "acl.oom", "oom"),
    ("RuntimeError: NPU out of memory. 0 bytes free; no error message\n", "acl.oom", "oom"),
    ("aicore error, device_id: 0, no other task\n", "aicore.exception", "aicore"),
    ("Kernel panic - not syncing: Fatal exception\n", "host.hardware", "device"),
    ("error: aclInit was not called\n", "acl.not-initialised", "environment"),
    ("RuntimeError: x is not contiguous\n", "torch.storage", "structure"),
    ("没有权限，打开失败\n", "words.permission", "environment"),
    ("dcmi module initialize failed. ret is -8005\n[ERROR] DRV: open /dev/davinci_manager failed, errno(13), "
     "Permission denied\n", "acl.permission", "device"),
]


OOM = "RuntimeError: NPU out of memory. Tried to allocate 1 GiB\n"
TRACE = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
HANDLING = "\nDuring handling of the above exception, another exception occurred:\n\n"
DIRECT = "\nThe above exception was the direct cause of the following exception:\n\n"
ZERO = "ZeroDivisionError: division by zero\n"
# A text that names its cause, where that need not be why the run failed: log, first cause, is it certain?
DOUBTS = [
    (OOM, "acl.oom", True),
    ("raise " + OOM, "acl.oom", False),
    ("# " + OOM, "acl.oom", False),
    ("attempt 1: NPU out of memory, falling back to a smaller batch\n", "acl.oom", False),
    (OOM + "==== 14 passed in 3.10s ====\n", "acl.oom", False),
    (OOM + "==== 14 passed in 3.10s ====\n" + OOM, "acl.oom", True),
    (OOM + "==== 1 failed, 14 passed in 3.10s ====\n", "acl.oom", True),
    ("AER: PCIe Bus Error: severity=Uncorrected (Fatal)\nNPU function error, error code is 507010\n", "host.fault", False),
    ("device 3 is abnormal\nOSError: [Errno 30] Read-only file system: '/d'\n", "host.read-only", False),
    (OOM + "Successfully installed numpy-1.26.4\nOSError: [Errno 28] No space left on device\n", "host.disk", True),
    (TRACE + OOM + DIRECT + TRACE + "zoo.Odd: what\n", "acl.oom", False),
    (TRACE + OOM + HANDLING + TRACE + ZERO, "python.zero", True),
    (TRACE + OOM + HANDLING + TRACE + OOM, "acl.oom", True),
]


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
        self.assertEqual((first["id"], first["confidence"], first["log"]["line"]), ("aicore.mte-address", "certain", 1))
        self.assertEqual((report["status"], report["category"]), (14, "aicore"))
        self.assertIsNone(report["digest"])
        # The place comes from the traceback: device errors are noticed later.
        self.assertEqual((first["kernel"]["file"], first["kernel"]["line"], first["kernel"]["elsewhere"]),
                         ("custom/softmax/softmax_impl.py", 8, True))
        self.assertEqual([cause["confidence"] for cause in report["causes"][1:]], ["likely"] * 2)

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
        self.assertEqual(report["causes"][0]["confidence"], "certain")
        self.assertEqual(report["status"], 20)

    def test_text(self):
        done = call("diagnose", "-", stdin=IMPORT.encode())
        self.assertEqual(done.status, 20)
        self.assertRegex(done.out, r"\ACause     the loader does not find CANN's libraries \(certain, loader.cann\)\n")
        self.assertIn("Log       line 4: ImportError: libhccl.so", done.out)
        self.assertIn("Page      docs/kernel-authors/diagnose.md#installation\n", done.out)
        self.assertIn("Route     environment: ", done.out)
        chinese = call("diagnose", "--lang", "zh", "-", stdin=IMPORT.encode()).out
        self.assertRegex(chinese, r"\A原因      加载器找不到 CANN 的库（?")

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
        for log in HARMLESS:
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
        failed = self.look("\n".join([*passing_lines.LINES, "RuntimeError: NPU out of memory"]) + "\n")
        self.assertEqual([(cause["id"], cause["confidence"]) for cause in failed["causes"]], [("acl.oom", "certain")])

    def test_near(self):
        for log, right, wrong in NEAR:
            with self.subTest(log=log):
                ids = [cause["id"] for cause in self.look(log)["causes"]]
                self.assertEqual(ids[0] if ids else None, right)
                self.assertNotIn(wrong, ids)

    def test_forms(self):
        for log, right, category in FORMS:
            with self.subTest(log=log):
                report = self.look(log)
                self.assertEqual((report["causes"][0]["id"], report["category"]), (right, category))

    def test_doubts(self):
        for log, right, certain in DOUBTS:
            with self.subTest(log=log):
                first = self.look(log)["causes"][0]
                self.assertEqual((first["id"], first["confidence"] == "certain"), (right, certain))

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
        for alone in ("E19876", "ERR04099", "训练任务执行失败，退出码 1\n", "zoo.exc.Unlisted: what\n"):
            report = self.look(alone)
            self.assertEqual((report["status"], report["causes"]), (1, []), alone)
            self.assertEqual(len(report["digest"]["errors"]), 1)
        self.assertIn("(50 times)", call("diagnose", "-", stdin=log.encode()).out)
        clean = self.look("")
        self.assertEqual((clean["status"], clean["digest"]), (0, None))

    def test_arguments(self):
        self.assertEqual(call("diagnose", "F40005").status, 11)
        self.assertEqual(call("diagnose", "NPU out of memory").status, 16)
        for word in ("no-such-file.log", "", "/dev/null"):
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
