"""Texts of logs, and what `pypto-lint diagnose` must make of them. test_diagnose.py reads them."""

# Logs without an error that has a cause: nothing may be called certain, and mostly nothing at all.
HARMLESS = [
    "12 passed in 3.20s\n",
    "[INFO] RUNTIME(1,python3): aicore timeout is set to 1000 ms\n",
    "INFO:root:Segmentation fault handler installed\n",
    "mismatch 0 / 4096 elements\n结论：0/128 行不一致\nmismatched rows: 0\n",
    "[INFO] UB 空间不足，自动减小 tile\n",
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
    "status: 200, 207001 bytes sent\n",
    "loss decode 107002 tokens\n",
    "failed 0, passed 507010\n",
    "heart beat 3 packets lost 0\n",
    "consider renaming 'a' to 'b'\n",
    "EDAC sbridge: MEMORY QUEUE\n",
    "MB/s 207001.5, 500000 iterations\n",
    "no module was left without a name\n",
    # Levels at the start of the line, in either case.
    "INFO 01-23 10:11:12 [importing.py:53] probe: ModuleNotFoundError: No module named 'torch_npu'\n",
    "(EngineCore pid=12) DEBUG 01-23 10:11:12 NPU out of memory. Tried to allocate 1 GiB\n",
    "[info] ModuleNotFoundError: No module named 'torch_npu'\n",
    "[D] ModuleNotFoundError: No module named 'torch_npu'\n",
    "[DEBUG] DRV: Permission denied is handled for /dev/davinci9\n",
    "Kill the process when it hangs\n",
    "0x7f60aa00 F2 FC EZ\n",
    "f70eYMv8O+MA4mcALxY1/6BI0\nF91a2Qx+\nF70000F\ncommit F7\n",
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
    ("ImportError: /v/pypto/lib/libtile_fwk_runtime.so: undefined symbol: rtsLaunchKernelWithHostArgs, version RUNTIME_9.0\n",
     "loader.cann-symbol", "loader.torch-abi"),
    ("ERROR: Could not find a version that satisfies the requirement torch-npu==2.5.1 (from versions: 2.7.1)\n", "pip.no-version",
     "build.cmake-package"),
    ("CMake Error at a.cmake:230 (message):\n  Could NOT find Torch (missing: TORCH_LIBRARY)\n", "build.cmake-package", "pip.no-version"),
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
    ("the suspected memory error is reported, error code is 507055\n", "acl.hbm-code", "device"),
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
    ("RuntimeError: CHECK FAILED: ErrCode: FC1001! Enum: ERR_CONFIG_ALIGNMENT\nThe last axis of input must be 32-byte "
     "aligned in op ROWARGMAX_SINGLE, shape [8, 32001]\n", "pypto.axis-alignment", "structure"),
    ("ValueError: CHECK FAILED: ErrCode: FC0000! Enum: ERR_PARAM_INVALID\nThe k should less than or equal to tile shape of "
     "the last axis, k: 2048, tile: 1024\n", "pypto.topk-tile", "tile_shape"),
    ("error: ErrCode: F00005, NotImplementedError: While loop is not supported by the PTO parser yet.\n", "pypto.while",
     "structure"),
    ("test_longk.py::test_mm[k4096]   max_rel 3.1e-03  FAIL (rtol 1e-3)\n", "pypto.precision", "precision"),
    ("ImportError: libopencv_core.so.4.5: cannot open shared object file: No such file or directory\n", "loader.missing",
     "environment"),
    ("[ 4%] a.h:17:10: fatal error: concepts: No such file or directory\nmake: *** [Makefile:91: all] Error 2\n",
     "build.compiler-old", "environment"),
    ("[Driver] [WARNING]rebuild driver ko\nmake[1]: *** /lib/modules/5.10.0/build: No such file or directory.  Stop.\n"
     "[Driver] [ERROR]Driver package install failed, please retry after uninstall and reboot!\n", "driver.kernel-headers",
     "environment"),
    ("Could NOT find Python3 (missing: Python3_INCLUDE_DIRS Development.Module)\n", "build.python-headers", "environment"),
    ("Matmul K-axis mismatch: A [64, 128] K=128, B [64, 32] K=64, aTrans=false, bTrans=false\n", "pypto.matmul-k",
     "structure"),
    # A client indents what a command printed; that does not make it source.
    ("● Bash(python a.py)\n  ⎿  Traceback (most recent call last):\n       File \"a.py\", line 2, in f\n"
     "         g()\n     RuntimeError: NPU out of memory\n", "acl.oom", "oom"),
    ("[pypto] ASCEND_HOME_PATH is not set, run_mode = RunMode.SIM\nAssertionError: Tensor-likes are not close!\n",
     "pypto.sim-mode", "structure"),
    ("Failed_to_Start_the_HCCP_Process(EJ0001): Failed to initialize the HCCP process. Reason: Maybe the last training "
     "process is running.\n", "hccl.process", "communication"),
    ("AttributeError: module 'pypto' has no attribute 'frontend'\n", "python.pypto-folder", "environment"),
    # The lines about the cause take precedence over the assertion that follows them.
    ("[ERROR] [OoOSchedule] AllocTensorMemRange failed: tensor magic 41 needs 1048576 bytes in MEM_UB, capacity 196608 "
     "bytes\nRuntimeError: ASSERTION FAILED: ret == SUCCESS\n", "pypto.ub-exceeded", "tile_shape"),
    ("[ERROR] [PyPTO][Pass] cannot allocate buffer for tensor %57 memType MEM_L1 need 600000, limit 524288\n"
     "RuntimeError: ASSERTION FAILED: res == SUCCESS\n", "pypto.buffer-exceeded", "tile_shape"),
    ("[ERROR] [Operation] CheckMatmulOperands: input dtype mismatch, lhs DT_BF16, rhs DT_FP32\n"
     "RuntimeError: ASSERTION FAILED: operandA.GetDataType() == operandB.GetDataType()\n", "pypto.matmul-type", "structure"),
    ("NotImplementedError: FileSystem does not appear to support flock; use SoftFileLock instead\n", "host.no-locks",
     "environment"),
    # Plain words, in a line that reports an error.
    ("[ERROR] gather: index out of range\n", "words.bounds", "structure"),
    ("[错误] 输入形状不匹配\n", "words.shape", "structure"),
    # Lines that look as if nothing were wrong, or count something else.
    ("KeyError: 0\n", "python.key", "structure"),
    ("max_diff 0.5 > tol 1e-3\n", "pypto.precision", "precision"),
    ("  - reduce_bhsd ........ F42003\n", "code.F42003", "tile_shape"),
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
ANNOTATION = "ValueError: The dtype of 3rd input tensor torch.float32 does not match the dtype of input tensor definition\n"
# Names its cause, which has one remedy.
TILE = "RuntimeError: OP EXP[7] in/output total size [262144] exceeds MEM_UB size [196608]!\n"
# A text that names its cause, where that need not be why the run failed: log, first cause, is it certain?
DOUBTS = [
    (TILE, "pypto.ub-exceeded", True),
    ("raise " + TILE, "pypto.ub-exceeded", False),
    ("# " + TILE, "pypto.ub-exceeded", False),
    ("attempt 1: NPU out of memory, falling back to a smaller batch\n", "acl.oom", False),
    (TILE + "==== 14 passed in 3.10s ====\n", "pypto.ub-exceeded", False),
    (TILE + "==== 14 passed in 3.10s ====\n" + TILE, "pypto.ub-exceeded", True),
    (TILE + "==== 1 failed, 14 passed in 3.10s ====\n", "pypto.ub-exceeded", True),
    ("AER: PCIe Bus Error: severity=Uncorrected (Fatal)\nNPU function error, error code is 507010\n", "host.fault", False),
    ("device 3 is abnormal\nOSError: [Errno 30] Read-only file system: '/d'\n", "host.read-only", False),
    (OOM + "Successfully installed numpy-1.26.4\n" + TILE, "pypto.ub-exceeded", True),
    (TRACE + TILE + DIRECT + TRACE + "zoo.Odd: what\n", "pypto.ub-exceeded", False),
    (TRACE + TILE + HANDLING + TRACE + ZERO, "python.zero", False),
    (TRACE + TILE + HANDLING + TRACE + TILE, "pypto.ub-exceeded", True),
    # A slip in the handler hides what it was to report.
    (TRACE + ANNOTATION + HANDLING + TRACE + "AttributeError: 'Logger' object has no attribute 'eror'\n",
     "launch.annotation", False),
    # Words amid others need not report an error, unless the program calls the line one.
    ("cmake: command not found workaround\n", "build.host-compiler", False),
    ("run.sh: line 3: cmake: command not found\n", "build.host-compiler", False),
    ("/opt/x: /lib64/libc.so.6: version `GLIBC_2.34' not found (required by /opt/x)\n", "loader.glibc", True),
    ("we saw version `GLIBC_2.34' not found here\n", "loader.glibc", False),
    ("gcc: not found, using clang\n", "build.host-compiler", False),
    ("[    5.0] blk_update_request: I/O error, dev fd0, sector 0 op 0x0\n", "host.fault", False),
    ("未复现 aicore timeout\n", "aicore.timeout", False),
    ("pypto: reshape number of elements: 4096 == 4096 ok\n", "pypto.reshape", False),
    ("CANN 8.0 lower than 8.2 is supported by this wheel too\n", "torch.versions", False),
    ("file too short, padding with zeros\n", "loader.short", False),
    ("tensor x is on cpu, moving it to npu\n", "torch.device-mix", False),
    # The words are PyPTO's, and the program is another one.
    ("ValueError: index dtype must be int64 for pandas join\n", "pypto.index-type", False),
    # What a docstring and a commit say, and an error after which the run goes on.
    ("pypto reference\n    " + TILE, "pypto.ub-exceeded", False),
    ("commit 1234567\n    pypto: tiles\n\n    " + TILE + "    was printed before\n", "pypto.ub-exceeded", False),
    ("commit 1234567\n    pypto: tiles\n" + TRACE + TILE, "pypto.ub-exceeded", True),
    (TRACE + TILE + "[caught, continuing with cpu]\n", "pypto.ub-exceeded", False),
    ("batch 64: " + TILE + "batch 32 ok\n", "pypto.ub-exceeded", False),
    (TRACE + TILE + "tile (64, 512) rejected\n", "pypto.ub-exceeded", False),
    (TILE + "loss=0.31\n" + TILE, "pypto.ub-exceeded", True),
    # Memory of the device, then of the host.
    (OOM + "MemoryError\n", "acl.oom", False),
    ("Read timed out. Retrying (1/3)\n", "pip.server", False),
    ("MemoryError was fixed in this release\n", "host.memory", False),
    ("We saw No space left on device last week\n", "host.disk", False),
    ("- avoid ResolutionImpossible by pinning\n", "pip.conflict", False),
    ("Expect: " + TILE, "pypto.ub-exceeded", False),
    # Quoted in a chat, a table, a list, a test's source, a list of commits, a diff, JSON; the same after a stamp is not.
    ("User: I get this error: ImportError: libhccl.so: cannot open shared object file: No such file or directory\n",
     "loader.cann", False),
    ("| `ImportError: libhccl.so: cannot open shared object file: No such file or directory` | source set_env.sh |\n",
     "loader.cann", False),
    ("1. " + TILE, "pypto.ub-exceeded", False),
    ("> " + TILE, "pypto.ub-exceeded", False),
    ("+" + TILE, "pypto.ub-exceeded", False),
    ("例如：" + TILE, "pypto.ub-exceeded", False),
    ('The test checks that "RuntimeError: NPU out of memory. Tried to allocate 20 GiB" is reported\n', "acl.oom", False),
    ('{"role":"user","content":"I see RuntimeError: NPU out of memory. Tried to allocate 1 GiB"}\n', "acl.oom", False),
    ("abc1234 fix \"ModuleNotFoundError: No module named 'acl'\" under sudo\n", "python.acl-missing", False),
    ("2025-01-01 10:00:00,123 [rank3] worker.py:12: " + TILE, "pypto.ub-exceeded", True),
    ("autotune: config 512 failed: " + TILE, "pypto.ub-exceeded", False),
    # Shown by a warning, ignored, or tried again; after an exception that is not known.
    ("2025-01-01 12:00:00 WARNING could not load the backend\n" + TRACE + "ModuleNotFoundError: No module named 'torch_npu'\n",
     "python.torch-npu-missing", False),
    ("Exception ignored in: <function Foo.__del__ at 0x7f>\n" + TRACE + "ModuleNotFoundError: No module named 'acl'\n",
     "python.acl-missing", False),
    ("ERROR: attempt 1 failed: " + TILE + "attempt 2 succeeded\n", "pypto.ub-exceeded", False),
    (TRACE + "mypkg.ConfigFault: bad shard 17\n\ndouble free or corruption (!prev)\n", "host.heap", False),
    # What the machine reports first may be why the rest fails.
    ("[ERROR] HCCL: EI0006 socket timeout, link to rank 3 lost\n[ERROR] RUNTIME: aicore timeout, error code is 507014\n",
     "aicore.timeout", False),
    ("[ERROR] we saw OP EXP[7] in/output total size [9] exceeds MEM_UB size [8]! again\n", "pypto.ub-exceeded", True),
    # Of two forms of one pattern in a line, the one that makes it certain.
    ("pypto.error.FeError: K-axis mismatch; K axis of x is not equal to 3\n", "pypto.matmul-k", True),
    ("E19999: Inner Error!\n        here OP EXP[7] total size [9] exceeds MEM_UB size [8] was seen\n", "pypto.ub-exceeded", True),
    # The outcome of one case is not that of a run.
    (TILE + "length 4096 -> PASSED, length 4000 -> FAILED\n", "pypto.ub-exceeded", True),
    # What the compiled part of a package is called does not make a circle of imports.
    ("ImportError: cannot import name 'x' from partially initialized module 'torch' (most likely due to a circular "
     "import)\n", "python.circular", False),
    ("ImportError: cannot import name 'pypto_impl' from partially initialized module 'pypto' (most likely due to a "
     "circular import)\n", "loader.tilefwk", False),
    ("ErrCode: F72001! Enum: SchedErr::TASK_WAIT_TIMEOUT, 0 of 1152 tasks\n", "code.F72001", False),
    # One code for several checks.
    ("ErrCode: FC0000! Enum: ERR_PARAM_INVALID\n", "code.FC0000", False),
    # That the result differs says less than how it differs.
    ("AssertionError: Tensor-likes are not close!\nGreatest relative difference: 1.0 at index (896, 0)\n",
     "precision.zero", False),
    # The same command again, or another one that fails later; a look at how things are changes nothing.
    ("$ python3 a.py\n" + TRACE + TILE + "$ vi a.py\n$ python3 a.py\nno output for 600 s, ^C\n", "pypto.ub-exceeded", False),
    ("$ python3 a.py\n" + TRACE + TILE + "$ python3 b.py\n[ERROR] engine stopped: bad table\n", "pypto.ub-exceeded", False),
    ("$ python3 a.py\n" + TRACE + TILE + "$ npu-smi info -t health -i 3\nError Code : 0x80E01801\n", "pypto.ub-exceeded", True),
    ("$ python3 a.py\n" + TRACE + TILE + "ERROR: Job failed: exit code 1\n", "pypto.ub-exceeded", True),
    # The run goes on, whatever its work is.
    (TRACE + TILE + "epoch 4 finished\n", "pypto.ub-exceeded", False),
    (TRACE + TILE + "Epoch 3/10, val_acc 0.91\n", "pypto.ub-exceeded", False),
    (TRACE + TILE + "10:00:05 request 13 served in 3 ms\n", "pypto.ub-exceeded", False),
    (TRACE + TILE + "10:00:05 INFO worker: next one\n", "pypto.ub-exceeded", False),
    (TRACE + TILE + "10:00:05 INFO worker: shutting down\n", "pypto.ub-exceeded", True),
    (TRACE + TILE + "step 400 of 1000\n", "pypto.ub-exceeded", False),
    ("tile [128,128]: ErrCode: F40005!\ntile [64,64]: compiled, 12 us\n", "code.F40005", False),
    (TRACE + TILE + "got the expected error\n", "pypto.ub-exceeded", False),
    # A code in a sentence.
    ("如果出现 ErrCode: F40005，请减小 tile\n", "code.F40005", False),
    ("ErrCode: F40005 will be raised if the tile is too large\n", "code.F40005", False),
    ("ErrCode: F40005 (simulated by fault injection)\n", "code.F40005", False),
    ("avoid ErrCode: F40005 by a smaller tile\n", "code.F40005", False),
    ("error code 507053 appears in table 3\n", "acl.hbm-code", False),
    ("color code F40005\n", "code.F40005", False),
    ("警告：ErrCode: F40005!\n", "code.F40005", False),
    ("ErrCode: F40005! Enum: X\n", "code.F40005", True),
    # What somebody shows, and what a doctest expects.
    ("$ cat yesterday.log\n" + TRACE + TILE, "pypto.ub-exceeded", False),
    ("$ grep ERROR ~/ascend/log/debug/plog/plog-7_1.log\n[ERROR] " + TILE, "pypto.ub-exceeded", True),
    ("Expected:\n" + TRACE + TILE + "Got nothing\n", "pypto.ub-exceeded", False),
    # An error before it that nothing explains, unless it only announces the traceback.
    ("[ERROR] foo: engine stopped\n" + TRACE + TILE, "pypto.ub-exceeded", False),
    ("[ERROR] foo: request failed\n" + TRACE + TILE, "pypto.ub-exceeded", True),
]
# Logs of several files, in the order in which they are read: one says nothing about the next. Files, cause,
# is it certain?
FOLDERS = [
    ((TRACE + TILE, "hello\nbye\n"), "pypto.ub-exceeded", True),
    (("ERROR: something broke\n", "see docs about driver error:out of memory foo\n"), "acl.oom", False),
    ((TRACE + TILE, "loss=0.31\n14 passed in 3 s\n"), "pypto.ub-exceeded", True),
]
# Whether a log went well in the end: log, status.
DEVICES = "RuntimeError: Expected all tensors to be on the same device, but found at least two devices\n"
SESSION = "===== test session starts =====\n"
RESOLVER = ("$ pip install torch\nERROR: pip's dependency resolver does not currently take into account all the packages that "
            "are installed.\ntorch-npu 2.5.1 requires torch==2.5.1, but you have torch 2.7.1 which is incompatible.\n"
            "Successfully installed torch-2.7.1\n")
OUTCOMES = [
    # Another step of the same run goes well: that says nothing of an error before it, whether a pattern knows it or not.
    ("make: *** [all] Error 2\ncleanup rc=0\n", 19),
    ("[ERROR] x failed\n[ERROR] y failed\ncleanup rc=0\n", 1),
    ("gadget failed\nBUILD SUCCESSFUL\n", 1),
    (TRACE + "CustomProblem: out of cheese\ncleanup: exit code 0\n", 1),
    ("ERROR: Exception in ASGI application\n" + TRACE + "CustomThing: y\nINFO: Application startup complete.\n", 1),
    # The warning is about something else than the traceback after it.
    ("2025-01-01 10:00:00 WARNING loader: slow disk\n" + TRACE + OOM + "cleanup: exit code 0\n", 16),
    # The status of one of several commands.
    ("li@n:~$ ./t.sh 2>&1 | tee l\nerror: no such op\nli@n:~$ echo $?\n0\n", 1),
    ("li@n:~$ ./t.sh || true\nerror: no such op\nli@n:~$ echo $?\n0\n", 1),
    ("li@n:~$ nohup ./t.sh &\nerror: no such op\nli@n:~$ echo $?\n0\n", 1),
    ("li@n:~$ cd a && ./t.sh 'a;b' 2>&1\nerror: no such op\nli@n:~$ echo $?\n0\n", 0),
    # Something else is tried again, or what fails each time.
    (OOM + "Retrying upload of the log\nupload exit code 0\n", 16),
    (OOM + "WARNING: Retrying (Retry(total=4)) after connection broken by ReadTimeoutError: /simple/foo/\n"
     "Successfully installed foo-1.0\n", 16),
    ("HBM multi-bit ecc error\nretrying checkpoint upload\nexit code 0\n", 21),
    ("错误：加载失败\n重试上传日志\n上传完成，exit status 0\n", 1),
    (DEVICES + "sending mail, attempt 2\nSuccessfully built mail\n", 10),
    ("error: no answer from the mirror\nRetrying in 3 s\ndone, exit code 0\n", 0),
    # A session of tests ends with its summary, and only that tells how it went.
    (SESSION + "3 passed in 1.00s\n" + TRACE + OOM + "monitor: exit code 0\n", 16),
    (SESSION + "ERROR    root:a.py:3 on purpose\nchild: exit code 0\nERROR    root:a.py:4 on purpose\n3 passed in 3 s\n", 0),
    (SESSION + "ERROR    root:a.py:3 worker gone\nchild: exit code 0\n", 1),
    (SESSION + "ERROR    root:a.py:3 on purpose\n=== warnings summary ===\n=== 3 passed, 1 warning in 3.00s ===\n", 0),
    ("li@n:~$ pytest -q\nERROR    root:a.py:3 on purpose\n3 passed in 3 s\n", 0),
    # The same heading again is the next step of one job, and no repetition.
    ("==> node1\nERROR: no such op\n==> node1\nexit status 0\n", 1),
    ("Step 1/9 : RUN make\nerror: x\nStep 1/9 : RUN make\nexit code 0\n", 1),
    # A success that is only expected, denied, or of another run.
    ("error: x\n  expected exit code 0, got 1\n", 1),
    ("ERROR: kernel x failed\nNot all tests passed\n", 1),
    ("ERROR: kernel x failed\nall tests passed: False\n", 1),
    ("error: x\n[  PASSED  ] 0 tests.\n", 1),
    ("E: x failed\ncheck: exit code 0 wanted, 3 seen\n", 1),
    # A line denies the words for a failure one by one.
    ("测试完成：20 个通过，10 个失败\n", 1), ("[ERROR] 10 个失败\n", 1), ("同步流失败 0x7bc83\n", 1), ("测试失败：03 号用例\n", 1),
    ("Ran 5 tests: 3 failed, 0 errors\n", 1), ("Tests run: 5, Failures: 3, Errors: 0, Skipped: 0\n", 1),
    ("errors: 3, failed: 0\n", 1), ("Errors: 0  Failures: 2\n", 1), ("[INFO] softmax: FAILED, max diff 0.3\n", 1),
    ("INFO: 3 of 10 tests failed\n", 1), ("INFO main - 3 failed\n", 1), ("INFO:main:3 failed in 2 s\n", 0), ("INFO 3 failed\n", 1),
    ("2025-01-02 10:00:00,123 - main - INFO - 3 failed, 5 passed\n", 1), ("INFO main - 0 failed\n", 0), ("INFO main - case 3 failed\n", 0),
    ("INFO shard 1: exited with status 139\n", 1), ("INFO shard 1: exited with code 0\n", 0), ('<testsuite tests="4" failures="1" errors="0">\n', 1),
    ('<testsuite tests="4" failures="0" errors="0">\n', 0), ('{"tests": 4, "failures": 1}\n', 1), ('{"tests": 4, "failures": 0}\n', 0),
    ("Found 3 errors (3 fixed, 0 remaining).\n", 0), ("Found 3 errors (1 fixed, 2 remaining).\n", 1), ("Found 3 errors (0 fixed, 10 remaining).\n", 1),
    ("job: 7 failures, 0 remaining retries\n", 1), ("[INFO] 5 errors, 0 remaining attempts, giving up\n", 1),
    ("+ trap 'echo failed at line $LINENO' ERR\n", 0), ("relative error of row 3: 1.1e-05\n", 0), ("relative error of row 3: nan\n", 1),
    ("relative error of row 3: 0.3 exceeds 0.1\n", 13), ("relative error of row 3 too large\n", 1),
    ("INFO main - 3 failed logins\n", 0), ("INFO main - 3 failed, retrying\n", 0), ("INFO main - job at 10:00:13 failed\n", 0),
    ("INFO main - expected: 3 failed\n", 0), ("INFO main - 3 failed (last run: 0)\n", 1), ("INFO main - last run: 3 failed\n", 0),
    ("[DEBUG] softmax: FAILED\n", 0), ("compare failed: 0 elements equal\n", 13),
    # A number that starts with 0 and names a part does not count differences.
    ("output of core 0/24 differs from golden\n", 13), ("result of tile 0/16: mismatch with golden\n", 13),
    ("golden check, case 0/3: mismatch\n", 13),
    ("0 of 4096 elements differ\n", 0), ("Mismatched 0 / 4096\n", 0), ("10/4096 elements differ\n", 13),
    ("CHECK FAILED: size should not exceed 192 KB\n", 10), ("output is not within tolerance, check failed\n", 1),
    ("kernel launch failed: blockDim must not exceed 48\n", 1), ("[ERROR] device 0 crashed, no error code returned\n", 1),
    ("[ERROR] training aborted; cleanup exited with code 0\n", 1), ("compilation failed without error message\n", 1),
    ("Kernel launch failed in BYPASS mode\n", 1), ("graph PASS ReshapeFusion failed\n", 1),
    ("kernel compile failed, 3 tests SKIPPED\n", 1), ("test_x.py::test_a SKIPPED (failed to import acl)\n", 0),
    # Levels and words for an error in other notations.
    ('{"level":"error","msg":"engine stopped"}\n', 1), ('{"levelname": "CRITICAL", "message": "engine stopped"}\n', 1),
    ("[E] engine stopped\n", 1), ("<ERROR> engine stopped\n", 1), ("2025-01-01 10:00:00|ERROR|engine stopped\n", 1),
    ("E0101 12:00:00.123456 1234 engine.cc:12] stopped\n", 1), ("1..2\nok 1 - a\nnot ok 2 - b\n", 1),
    ("校验不通过\n", 1), ("Exit code: 1\n", 1), ("verification NOT PASS\n", 1), ("严重：引擎停止\n", 1),
    # Source shown by a compiler, and a row of a table.
    ("rank | error\n3 | RuntimeError: gadget lost\n", 1), ("12 | raise RuntimeError('gadget lost')\n", 0),
    ("12 |     RuntimeError: gadget lost\n", 0),
    # Errors made on purpose, and another use of "injecting".
    ("fault injection: kill rank 9\nERROR rank 9 exited, signal 9\nverdict: PASS\n", 0),
    ("Injecting LoRA adapters\nRuntimeError: gadget lost\nverdict: PASS\n", 1),
    # How far a result is off, and names.
    ("max error: 1e-6\n", 0), ("mean abs error: 0.0001\n", 0), ("softmax: max relative error: 2.3e-05, tolerance 1e-3\n", 0),
    ("error: 0.0012 < atol\n", 0), ("error: nan\n", 1), ("kernel error tolerance: 1e-3\n", 0), ("error: 404 at index 3\n", 1),
    ("error code: 0\n", 0), ("ret = 0, errcode 0\n", 0), ("错误数：0\n", 0), ("Error rate 0 %\n", 0), ("error code: 0x7bc83\n", 1),
    ("[ 20%] Building CXX object src/fatal_error_handler.cc.o\n", 0), ("FAILED_DIR=/x\n", 0), ("TESTS_FAILED=3\n", 1),
    # Counters and rates of errors, source that a compiler shows, a verdict in two letters.
    ("HBM Double Bit Error Count    : 0\nError Code : NA\nPCIe fatal error count: 0\n", 0), ("HBM Error Count : 3\n", 1),
    ("%SER 31.07 (sentence error rate)\n", 0), ("a.cpp:88:13: warning: unused\n   88 |     int lastError = GetLastError();\n", 0),
    ("CHECK softmax: NG\n", 13), ("FAILED tests: 0\n", 0), ("Failed Tests (0)\n", 0), ("FAILED tests: 2\n", 1),
    ("失败用例数: 0，成功用例数: 12\n", 0), ("测试未通过：输出与参考不一致\n", 1), ("未通过 0 个，通过 12 个\n", 0),
    ("li@n:~$ ./a.out\nli@n:~$ echo $?\n139\n", 1), ("li@n:~$ grep -q x y\nli@n:~$ echo $?\n1\n", 0),
    ("result: mismatch at [3, 4]: 1.0 vs 2.0\n", 13),
    # What a program, a job, a script, a test program and a drill say of themselves as a whole.
    ("[ERROR] GE(1,a): EH9999: Inner Error!\ntrain exit code: 0\n", 0),
    ("[ERROR] GE(1,a): EH9999: Inner Error!\ncleanup exit code: 0\n", 19),
    (TRACE + OOM + "train exit code: 0\n", 16), ("3 tests FAILED\nscript exit code: 0\n", 1),
    ("E0305 01:10:20.100 api.py:869] failed (exitcode: -15) local_rank: 2\nworker group successfully finished.\n", 0),
    ("+ rm x\nrm: cannot remove 'x': No such file or directory\n+ exit 0\n", 0),
    ("+ rm x\nrm: cannot remove 'x': No such file or directory\n+ exit 1\n", 19),
    ("[ERROR] x is null (161001)\n[       OK ] A.b (1 ms)\n[  PASSED  ] 3 tests.\n", 0),
    ("[  FAILED  ] A.b (1 ms)\n[  PASSED  ] 3 tests.\n", 1),
    ("[drill] inject: SIGKILL rank 9\nERROR rank 9 exited, signal 9\n[drill] verdict: PASSED\n", 0),
    ("ERROR rank 9 exited, signal 9\nverdict: PASSED\n", 16),
    ("Status:       Succeeded\nEvents:\n  Warning  FailedScheduling  3h  volcano  0/3 nodes: 3 Insufficient huawei.com/Ascend910.\n", 0),
    ("Status:       Pending\nEvents:\n  Warning  FailedScheduling  3h  volcano  0/3 nodes: 3 Insufficient huawei.com/Ascend910.\n", 21),
    ("[worker 4] JSONDecodeError in doc 587001, skipped\n", 0),
    # A summary of cases clears earlier errors, but neither exceptions nor anything that follows.
    ("ERROR: gadget failed\nsmoke: 4/4 checks passed\n", 0), (TRACE + OOM + "smoke: 4/4 checks passed\n", 16),
    ("smoke: 3/4 checks passed\n", 1), ("smoke: 3/4 checks passed\nperf: 2/2 checks passed\n", 1),
    ("12/48 cases passed\n48/48 cases passed\n", 0), ("通过 2/3 个用例\n3/3 checks passed\n", 1),
    ("a: 9 passed, 2 failed\nb: 14 passed, 0 failed\n", 1), ("a: 14 passed, 0 failed\nb: 9 passed, 2 failed\n", 1),
    ("Results: 7 of 9 cases passed\n", 1), ("candidate 3 failed to compile (UB overflow), next candidate\n", 0),
    ("total=5 pass=3 skip=0 fail=2\n", 1), ("48/48 cases passed\nexit code 1\n", 1),
    ("all cases PASSED\nSegmentation fault (core dumped)\n", 17), ("48/48 cases passed\n" + TRACE + OOM, 16),
    ("make: *** [Makefile:3: all] Error 2\nall tests passed\n", 19), ("ERROR: x\nall tests passed on rank 0\n", 1),
    ("test_a (t.A) ... [ERROR] gadget failed\nok\n---\nRan 3 tests in 0.4s\n\nOK (skipped=1)\n", 0),
    ("[ERROR] gadget failed\nRan 3 tests in 0.4s\n\nFAILED (errors=1)\n", 1), ("[ERROR] gadget failed\nOK\n", 1),
    ("$ python3 -m unittest\n" + OOM + "Ran 3 tests in 0.4s\n\nOK\n", 0),
    ("$ python3 -m unittest\nRan 3 tests in 0.4s\n\nOK\n" + OOM, 16),
    # The job runner knows how the job ended; a script that ends with `exit 0` may have ignored an exception.
    (TRACE + OOM + "second attempt: passed\nFinished: SUCCESS\n", 0), ("[ERROR] x\nFinished: FAILURE\n", 1),
    ("Finished: SUCCESS\n[ERROR] cleanup: gadget failed\n", 1), ("[ERROR] x\nJob succeeded\n", 0),
    ("+ python3 a.py\n" + TRACE + OOM + "+ echo done\ndone\n+ exit 0\n", 16),
    ("+ python3 a.py\n" + TRACE + OOM + "+ python3 -m pytest -q\n3 passed in 3 s\n+ exit 0\n", 0),
    ("+ python3 a.py\n3 tests FAILED\n+ exit 0\n", 1),
    ("+ python3 a.py\n[ERROR] RUNTIME: EZ9999 aicore exception, error code 507015\n+ exit 0\n", 14),
    ("+ rm x\nrm: cannot remove 'x': No such file or directory\n++ exit 0\n+ python3 a.py\n", 19),
    ("+ python3 a.py\n" + TRACE + OOM + "+ python3 -m pytest -q\n3 passed in 3 s\n+ exit 1\n", 16),
    # `|| true`, and failures that make ignores.
    ("+ reset -i 0\nError: no such command\n+ true\n+ python3 b.py\n", 0), ("+ python3 a.py\n" + TRACE + OOM + "+ true\n", 16),
    ("rm: cannot remove 'x': No such file or directory\nmake: [Makefile:31: tidy] Error 1 (ignored)\n", 0),
    # Commands that print a status, with other text or after another command.
    ("$ python3 a.py\n[ERROR] x is null\n$ echo rc=$?\nrc=0\n", 0), ("$ python3 a.py\n[ERROR] x\n$ echo rc=$?\nrc=1\n", 1),
    ("$ ./a.out\n$ echo \"status: $?\"\nstatus: 139\n", 1), ("$ timeout 600 ./a.out; echo $?\nlaunch\n124\n", 1),
    ("$ ./a.out; echo $?\n139\n$ ls\n", 1), ("$ ./count; echo $?\n139\n0\n", 0),
    # CANN's log of a run that ended with 0 reports no failure; the log of another run may. Words of a command are not errors.
    ("$ python3 a.py\n$ echo $?\n0\n$ grep ERROR ~/ascend/log/debug/plog/plog-1.log\n[ERROR] TDT: x not exist, skip\n", 0),
    ("$ python3 a.py\n$ echo $?\n0\n$ ls ~/ascend/log/debug/plog\nplog-1.log\n$ echo $?\n0\n"
     "$ grep ERROR ~/ascend/log/debug/plog/plog-1.log\n[ERROR] TDT: x not exist, skip\n", 0),
    ("$ python3 a.py\n$ ls ~/ascend/log/debug/plog\nplog-1.log\n$ echo $?\n0\n"
     "$ grep ERROR ~/ascend/log/debug/plog/plog-1.log\n[ERROR] TDT(9,p): gadget failed\n", 1),
    ("$ python3 a.py\n$ grep ERROR ~/ascend/log/debug/plog/plog-1.log\n[ERROR] TDT(9,p): gadget failed\n", 1),
    ("$ python3 a.py\n$ echo $?\n0\n$ python3 b.py\n$ cat ~/ascend/log/plog-2.log\n[ERROR] TDT(9,p): gadget failed\n", 1),
    ("li@n:~$ grep -c ERROR a.log\n", 0), ("[ERROR] task # find failed\n", 1),
    ("$ pypto-lint explain OL48\nerror[OL48] tile-not-constant\n", 0),
    ("$ pypto-lint explain OL48\nx\n$ python3 a.py\n" + TRACE + OOM, 16),
    # Errors that a test expects.
    ("oom: caught OutOfMemory as expected: NPU out of memory. Tried to allocate 4096 GiB  ok\n", 0),
    ("test_a: expected error not raised: gadget failed\n", 1), ("unexpected error: gadget failed\n", 1),
    ("result not as expected: gadget failed\n", 1),
    # pip installs nevertheless; the next run shows whether the conflict matters.
    (RESOLVER + "$ python3 -m pytest -q\n5 passed in 2.00s\n", 0), (RESOLVER + "$ echo $?\n0\n", 20), (RESOLVER, 20),
    (RESOLVER + "$ python3 a.py\n" + TRACE + OOM, 20),
    # Warnings of a program that did its work.
    ("[W a.ts:133] Warning: CAUTION: The operator 'aten::x' is not currently supported on the NPU backend\nbest model saved to a.pt\n", 0),
    ("drwxr-xr-x 2 li li 4096 Jan  1 failed_cases\n", 0), ("call failed.Reason: no memory pool\n", 1),
]
# Reports of this program: text, status, first cause or None, and what is shown of case, modes and rules.
HAL = "ImportError: libascend_hal.so: cannot open shared object file: No such file or directory\n"
SKIPPED = "L1_canonical  sim PASS  npu SKIPPED\nnpu: ASCEND_HOME_PATH unset, torch_npu not importable: " + HAL
SUMMARY = "status=%s cases=%s modes=sim:%s,npu:SKIPPED report=eval/evaluation_report.json\n"
OWN_REPORTS = [
    # A mode that was skipped did not fail, in a report that passes or not.
    (SKIPPED + SUMMARY % ("PASS", "10/10", "PASS"), 0, None, None),
    ("rope M1: FAIL\n  npu: SKIPPED: ASCEND_HOME_PATH is not set; install CANN\n  L3_odd (L3)\n    sim: FAIL (precision): y differs\n"
     "First failure: L3_odd\n" + SUMMARY % ("FAIL", "9/10", "FAIL"), 13, "verify.precision", "case L3_odd; sim:FAIL,npu:SKIPPED"),
    # A report answers for what it lists, not for what failed before it.
    (HAL + SKIPPED + SUMMARY % ("PASS", "10/10", "PASS"), 21, "loader.hal", None),
    # The same words without a skipped mode.
    ("npu: ASCEND_HOME_PATH unset, torch_npu not importable: " + HAL, 21, "loader.hal", None),
    # evaluation_report.json: the gate, and a category.
    ('{\n "status": "ERROR",\n "lint": {\n  "gate": "blocked",\n  "rules": [{"id": "OL48", "count": 2}]\n },\n'
     ' "first_failure": {\n  "case_id": null,\n  "failure_category": "structural"\n }\n}\n', 12, "verify.gate", "rules OL48"),
    ('{\n "status": "FAIL",\n "per_mode_status": {"sim": "FAIL", "npu": "SKIPPED"},\n "first_failure": {\n  "case_id": "L2_a",\n'
     '  "failure_category": "precision"\n },\n "environment": {"unavailable": {\n  "npu": "ASCEND_HOME_PATH is not set"\n }}\n}\n',
     13, "verify.precision", "case L2_a"),
    (SUMMARY % ("FAIL", "0/10", "ERROR"), 19, "verify.failed", "sim:ERROR,npu:SKIPPED"),
    ("first_failure: case L2_a  category runtime  verdict other\n" + SUMMARY % ("FAIL", "2/10", "ERROR"), 19, "verify.runtime",
     "case L2_a; sim:ERROR,npu:SKIPPED"),
    # An error that is named in the same log says more than the category.
    ("pypto.error.FeError: OP ADD[1] in/output total size [262144] exceeds MEM_UB size [196608]!\n"
     "first_failure: case L2_a  category runtime  verdict other\n", 11, "pypto.ub-exceeded", None),
    # Warnings of a report that passes, or fails.
    ("warning undefined-output a_impl.py:44: never written\n" + SUMMARY % ("PASS", "7/7", "PASS"), 0, None, None),
    # The gate, as a program prints it for information.
    ('INFO gate: report.lint = {"gate": "blocked", "OL48": 2, "OL50": 1}\n', 12, "verify.gate", "rules OL48, OL50"),
    ('INFO gate: report.lint = {"gate": "passed", "OL48": 0}\n', 0, None, None),
    # check.
    ("custom/x/x_impl.py:29:7: error[OL48] tile-not-constant: the tile is not constant\n", 12, "lint.finding", None),
]
