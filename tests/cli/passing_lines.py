"""Lines of runs in which nothing is wrong, with words that errors are made of as well. test_diagnose.py reads them."""

LINES = r"""
max diff: 1e-7 (threshold 1e-3) -> PASS
max diff 1e-7 is within tolerance 1e-3
mismatch ratio: 0.00%
Mismatched elements: 0 / 65536 (0.0%)
torch.allclose(out, golden, rtol=1e-3, equal_nan=False): True
precision tests: PASSED=12 FAIL=0
精度测试：通过 12，失败 0
0 elements out of tolerance
Max absolute difference: 1e-08, all close
compare result: 12 passed, failed 0
output mismatch count: 0
golden mismatch: none
precision compare: 0 failed
device 0: packets lost: 0
device 0 dropped 0 packets
overheat protection: enabled
temperature 45 C does not exceed the limit 95 C
temperature limit not exceeded: 45 C
NPU 3 health status: OK, alarm: none
health status: OK, last Alarm: none
device is busy: no
set device 0, is busy waiting enabled
device 0 is not occupied
network is unreachable: false
Requirement already satisfied: foo; Requires-Python >=3.8
Requires-Python: >=3.8
Downloading https://host/Ninja is required to load C++ extensions.html
waiting for clients: 8/8 connected
Connection refused: 0, Connection timed out: 0
12 jobs evicted: 0
pods: Running 3, Evicted 0
torch.compile graph breaks: 0
[1/3] Building CXX object foo.cc.o
g++ -Wall [-Werror] foo.c
c++ -std=c++17 -Wall -Werror -O2 -fPIC -c error_report.cpp
The _lzma module is available
No module named foo is needed any more
EDAC MC0: 0 UE on any memory
checksum mismatch: none
shape mismatch: none
is trusted: the file is not signed
first defined here for documentation
Signal 9 handler installed
handler for Signal 9 installed
timed out after 0 retries: no
Barrier reached before it timed out
dlopen libfoo.so: ok, 加载 libfoo.so 没有失败
syntax error tests: 0
ok 3 - tests that 'foo' returned non-zero exit status are skipped
expected a sequence of 3 tests, got 3
3 tests must be contiguous
input is_contiguous: True
x is not contiguous, calling .contiguous()
unused argument check: argument 'x' must be int, not float [XFAIL]
world_size should be 8: yes
Invalid rank 3 handled
CUDA driver not found, using NPU instead: nvcc: not found
whether CUDA_HOME environment variable is not set: yes
checking for nvcc: not found
sh: nvidia-smi: command not found
using fallback: pip's numpy
Could not find cmake-format, skipping
Package 'foo' not found, optional
[ RUN      ] Foo.DeadlineExceeded
[       OK ] Foo.DeadlineExceeded (0 ms)
[ RUN      ] Timeout.TimeoutError
test_x.py::test_raises_memoryerror PASSED
tests/test_err.py::test_MemoryError PASSED
tests/test_err.py::test_out_of_bounds[index out of range] PASSED
test_shape.py::test_x[shape mismatch] PASSED
Ran test_ValueError ... ok
[INFO] device*busy
ERROR tests: 0
epoch 3 max_abs_err=1e-6 -> ok
max_diff=1.2e-7 -> PASS
max diff: 0.00012, mean diff: 1e-6
cos_sim = 0.99999 < 1.0001
cosine similarity: 0.9999 (< 1.0)
Maximum error: 1e-6 never exceeds 1e-3
error never exceeds tolerance
result matches golden; mismatch with golden: 0
relative error 1e-6 does not exceed 1e-3
精度对比：0 个不通过
误差 1e-6 未超过 1e-3
精度达标，没有精度失败的用例
compare failed: 0
output differs from golden: False
all_close: True (strict=False)
allclose(equal_nan=False) -> True
+++ Timeout +++ disabled
temperature: 40C (limit not exceeded)
Deadline exceeded: 0
Installing collected packages: sympy, attrs
Successfully installed attrs
please install with: pip install foo
Collecting setuptools (requires python >=3.8)
Resource busy check: device or resource busy=0
warning: invalid escape sequence '\d'
DeprecationWarning: invalid escape sequence \d (SyntaxError in the future)
ResourceWarning: unclosed socket
Warning: torch.meta: Cannot copy out of meta tensor is deprecated
hint: to avoid "CUDA out of memory", lower batch
logging: oom_reaper disabled
Machine check: passed
Kernel panic handler registered
Model loaded, not found cache, building
Stack dump: enabled
PLEASE submit a bug report only if this fails
test passed: raises AttributeError: 'Tensor' object has no attribute 'softmax' as expected
PASSED test_x.py::test_missing - ModuleNotFoundError: No module named 'foo'
xfail: NameError: name 'x' is not defined
SKIPPED [1] test_x.py:3: could not import 'torch_npu': No module named 'torch_npu'
1 skipped: No module named 'acl'
============================= test session starts ==============================
test_ops.py::test_add[float32-64] PASSED                                 [ 50%]
test_ops.py::test_out_of_memory PASSED                                   [100%]
test_ops.py::test_timeout SKIPPED (timed out waiting for a device)       [100%]
tests/test_x.py::test_bad_shape[shape mismatch] XFAIL (shape mismatch)   [ 10%]
================== 12 passed, 2 skipped, 1 xfailed in 3.20s ===================
SKIPPED [3] tests/test_npu.py:12: NPU is not available
    Start 12: unit.oom_segfault
 3/14 Test #3: cli.out_of_memory ................   Passed    0.31 sec
100% tests passed, 0 tests failed out of 14
Total Test time (real) =   3.10 sec
[----------] 3 tests from Alloc.OutOfMemory
[ RUN      ] Device.LostHeartbeat
[       OK ] Device.LostHeartbeat (3 ms)
[  PASSED  ] 3 tests.
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| 0     910B3               | OK            | 93.5        41                0    / 0             |
| No running processes found in NPU 0                                                            |
Successfully installed attrs-23.2.0 decorator-5.1.1 sympy-1.12
Requirement already satisfied: numpy<2 in /usr/lib/python3/dist-packages (from torch) (1.26.4)
Collecting cloudpickle>=2.0 (from -r requirements.txt (line 3))
  Attempting uninstall: numpy
    Found existing installation: numpy 2.0.1
-- The CXX compiler identification is GNU 12.2.0
-- Performing Test HAVE_FLAG_WERROR - Success
-- Performing Test HAVE_STD_FILESYSTEM - Failed
-- Could NOT find GTest (missing: GTEST_LIBRARY)
-- Looking for pthread_create in pthreads - not found
checking whether the C compiler works... yes
checking for strlcpy... no
22.04: Pulling from library/ubuntu
Digest: sha256:2b7412e6465c3c7fc5bb21d3e6f1917c167358449fecac8176c6e496e5c1f05f
Status: Downloaded newer image for ubuntu:22.04
step 100 loss 2.3412 grad_norm 1.02 lr 1e-4 nan_count 0
step 100 | loss: 2.34 | grad norm: 1.204 | number of skipped iterations: 0 | number of nan iterations: 0 |
found nan: False, found inf: False
nan check: passed
number of non-finite gradients: 0
loss scale: 65536.0, overflow: False
iteration 12: no overflow detected on aicore
output has nan: False
output contains NaN: False
[INFO] RUNTIME(812,python3):2025-01-01-10:00:00.1 [stream.cc:77] stream synchronize timeout set to 1800000
[DEBUG] GE(812,python3):2025-01-01-10:00:00.1 out of memory threshold is 90
[EVENT] HCCL(812,python3):2025-01-01-10:00:00.1 connection timeout 120 s, retry 3
[INFO] HCCL(812,python3):2025-01-01-10:00:00.1 Entry-HcclCommInitRootInfo:ranks[8], rank[0]
[INFO] PROFILING(812,python3): profiling aicore error counters enabled
Profiling finished: 0 tasks timed out
profiler: aicpu timeout count: 0
[W compiler_depend.ts:80] Warning: FutureWarning: torch.npu.amp is deprecated (function operator())
/usr/lib/python3/dist-packages/torch/x.py:3: FutureWarning: `clean_up_tokenization_spaces` was not set
cases: 12, timeouts: 0, crashes: 0, out of memory: 0
Segmentation fault: 0, bus error: 0
aicore error: none
aicore exception: no
aicore timeout: disabled
watchdog: deadlock detection: enabled
core dumped: no
device 0 health status: OK, Critical: 0
NPU 0 is not busy
no device is busy
not out of memory
no kernel was compiled twice
HBM UCE count: 0
uncorrectable ECC errors: 0
multi bit ECC error count: 0
lost heartbeat count: 0
no lost heartbeat
broken pipe handler installed
Connection reset by peer: 0
max_diff 1.5e-5 < 1e-3, ok
max_diff=0.0 <= 1e-3 => OK
max diff = 3e-6, tolerance = 1e-3, PASS
allclose: True
cosine similarity 0.99998 > 0.999
relative error within the limit
精度对比通过，误差 1e-6
对比失败：0
结果不一致：0
编译失败 0
未发现异常
所有用例通过，0 个失败
UB memory usage 1024 does not exceed the limit 196608
L0A size is not exceeded
index does not exceed the shape, no element is out of bounds
file checksum mismatch: no
Kernel panic handler installed
Killed workers: 0
case 0: max_diff=1.2e-7 -> PASS
all cases passed
DeprecationWarning: invalid escape sequence
test_x.py::test_MemoryError PASSED
SKIPPED [1] test_x.py:3: No module named 'torch_npu'
ASCEND_CUSTOM_OPP_PATH is not set, using the built-in operators
RANK_TABLE_FILE is not set, ranks come from torchrun
HCCL_SOCKET_IFNAME is not set, eth0 is used
device memory occupied 3 GB
device 3: 2 packets lost, resent
mte_l1_bw 31.2 GB/s, vec_ub_size 196608
matmul: using split_k = 4
workspace capacity: 16777216
PRIMARY_INPUT_ORDER = ['x', 'y']
socket timeout: 30 s
compile timeout: 600
aicore timeout: 1000 ms
notify wait timeout = 1800
saved kernel_meta/fusion_result.json
kernel_meta/.lock taken and released
ulimit -l unlimited
vm.nr_hugepages = 1024
RLIMIT_MEMLOCK unlimited, RLIMIT_NPROC 4096
the folder tests is not a package, skipping
loading vendors/custom/libcust_opapi.so
[aicore] kernel softmax_0 launched on 40 cores
C++17 support: yes
the stream is captured into graph 1
minimum loss scale: 1
the shape contains -1, so the axis is dynamic
blocking_rules: none
acl is not initialized yet, initializing
ProcessGroupHCCL does not time out before 1800 s
""".strip("\n").splitlines()
