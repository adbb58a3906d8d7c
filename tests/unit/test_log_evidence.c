/* Tests of evidence: which lines of a log tell how a cause came about, and which do not. */
#include "diagnose/glob.h"
#include "operator/text.h"

#include "log_fixture.h"

#define NOT_CLOSE     "AssertionError: Tensor-likes are not close!\n"
#define CORE_FAILED   "RuntimeError: aclrtSynchronizeStream failed, error code is 507015\n"
#define OUT_OF_MEMORY "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB\n"
#define NO_HCCL                                                                                    \
    "ImportError: libhccl.so: cannot open shared object file: No such file or directory\n"
#define MTE          "errorStr: The DDR address of the MTE instruction is out of range.\n"
#define CORE_TIMEOUT "RuntimeError: aicore timeout, error code is 507014\n"
#define NO_SOCKET    "EI0006: Getting socket times out.\n"
#define BAD_DEVICE   "RuntimeError: NPU function error: aclrtSetDevice, error code is 107001\n"
#define NO_SPACE     "OSError: [Errno 28] No space left on device\n"

/* Logs, and the evidence of their first cause; "": none. */
static const struct {
    const char *evidence, *log;
} rows[] = {
    /* Switched off, denied, zero, or passed. */
    {"", "allow_hf32=False\n" NOT_CLOSE},
    {"seen.hf32", "allow_hf32=True\n" NOT_CLOSE},
    {"", "golden contains nan: False\nAssertionError: nan mismatch\n"},
    {"", "golden contains nan? no\nAssertionError: nan mismatch\n"},
    {"", "golden nan count: 0\nAssertionError: nan mismatch\n"},
    {"", "Process memory(MB) : 0\n" OUT_OF_MEMORY},
    {"seen.memory-taken", "Process memory(MB) : 58210\n" OUT_OF_MEMORY},
    {"", "$ docker run --memory=0 x\nKilled\n"},
    {"", "http_proxy=\nfatal: unable to access 'https://h/x.git/': Failed to connect\n"},
    {"", "  test_tail_rows PASSED\n" NOT_CLOSE},
    {"",
     "DataLoader(drop_last=True)\nEI0002: The wait execution of the Notify register times out.\n"},
    /* Plain words, and tables that list something else. */
    {"", "conv padding=1\n" NOT_CLOSE},
    {"", "coverage report (50.0%)\n" NOT_CLOSE "Mismatched elements: 3 / 1024 (0.3%)\n"},
    {"", "registered atexit hook\nSegmentation fault (core dumped)\n"},
    {"", "| 1 | 128 | fp16 | 33 |\n" OUT_OF_MEMORY},
    /* Inodes: the percentage decides; the same row without their heading counts blocks. */
    {"", "IFree IUse% Mounted on\n/dev/sda1 1000 10 990 1% /w\n" NO_SPACE},
    {"seen.inodes", "IFree IUse% Mounted on\n/dev/sda1 1000 1000 0 100% /w\n" NO_SPACE},
    {"", "Available Use% Mounted on\n/dev/sda1 1000 1000 0 100% /w\n" NO_SPACE},
    /* Chips are compared. */
    {"", "[INFO] soc_version: Ascend910B1, device Ascend910B\n" CORE_FAILED},
    {"seen.other-chip", "built for Ascend310P3, device Ascend910B1\n" CORE_FAILED},
    {"", "$ ./cann-kernels-310p_8.run\nerrno:561112, /kernel/config/ascend310p/a.json not exist\n"},
    {"seen.kernels-chip",
     "$ ./cann-kernels-910b_8.run\nerrno:561112, /kernel/config/ascend310p/a.json not exist\n"},
    /* Memory that grows with every step. It always grows in the first ones. */
    {"", "mem_alloc 3.0G\nmem_alloc 4.1G\nmem_alloc 4.2G\nmem_alloc 4.2G\n" OUT_OF_MEMORY},
    {"", "mem_alloc 9G\nmem_alloc 4G\nmem_alloc 5G\nmem_alloc 6G\nmem_alloc 7G\n"
         "mem_alloc 8G\n" OUT_OF_MEMORY},
    {"seen.memory-grows",
     "mem_alloc 3G\nmem_alloc 4G\nmem_alloc 5G\nmem_alloc 6G\nmem_alloc 7G\n" OUT_OF_MEMORY},
    /* The inner sizes of a product; a `while` that runs while a kernel is recorded. */
    {"form.inner-sizes", "RuntimeError: call aclnnQuantMatmulV4 failed, detail:EZ1001: Invalid:\n"
                         "        x1 and x2 k dim not equal, x1 k dim is 64, x2 k dim is 128.\n"},
    {"", "RuntimeError: call aclnnAdd failed, detail:EZ1001: Invalid:\n        k dim is 64\n"},
    {"form.recorded-while", "  File \"/v/pypto/lower.py\", line 4, in visit_While\n"
                            "E   Failed: Timeout (>600.0s) from pytest-timeout.\n"},
    {"", "  File \"/w/ref.py\", line 4, in scan\n    while off < x.shape[0]:\n"
         "E   Failed: Timeout (>600.0s) from pytest-timeout.\n"},
    /* sudo does not use the virtual environment. */
    {"seen.other-shell",
     "(v) $ sudo pytest -q a.py\nE   ModuleNotFoundError: No module named 'pypto'\n"},
    {"", "(v) $ pytest -q a.py\nE   ModuleNotFoundError: No module named 'pypto'\n"},
    /* modprobe's words for a module of another kernel. */
    {"seen.version-magic", "modprobe: ERROR: could not insert 'drv_x': Exec format error\n"
                           "drv_x: version magic '5.10.0-182' should be '5.10.0-216'\n"},
    {"", "exec /usr/bin/python3: Exec format error\n"},
    /* An exp with and without subtracting the maximum. */
    {"", "p  fp16  nan  nan  3/4  FAIL\n25: m = pypto.amax(s)\n26: e = pypto.exp(s - m)\n"},
    {"seen.exp-overflow", "p  fp16  nan  nan  3/4  FAIL\n26: e = pypto.exp(s)\n"},
    {"form.pointer-file",
     "ImportError: /w/c.so: file too short\nversion https://git-lfs.github.com/spec/v1\n"},
    /* The work of another command says nothing, what a command shows does. */
    {"", "$ python3 a.py\nworkspace size 343597\n$ python3 b.py\n" OUT_OF_MEMORY},
    {"seen.workspace", "$ python3 b.py\nworkspace size 343597\n" OUT_OF_MEMORY},
    {"", "$ cmake --build . -- -j8\n$ python3 train.py\nKilled\n"},
    {"", "$ sudo python3 -m pip install x\n$ python3 a.py\n" NO_HCCL},
    {"seen.other-shell", "$ sudo python3 a.py\n" NO_HCCL},
    {"hint.sourced", "$ source /a/set_env.sh\n$ python3 a.py\n" NO_HCCL},
    {"seen.no-set-env", "$ source /a/set_env.sh\nbash: /a/set_env.sh: No such file or directory\n"
                        "$ python3 a.py\n" NO_HCCL},
    {"seen.tail", NOT_CLOSE "$ cat a.py\n    for i in pypto.loop(n // 8):\n"},
    /* The nearest one, and of two in a line the earlier row. */
    {"seen.hf32", "allow_hf32=True\nref = gelu(x, approximate='none')\n" NOT_CLOSE},
    {"seen.hf32", "ref = gelu(x, approximate='none')\nallow_hf32=True\n" NOT_CLOSE},
    {"seen.in-group", "open /dev/davinci0 failed: Permission denied\n"
                      "uid=1(li) gid=1(li) groups=1(li),9(HwHiAiUser)\n"},
    {"", "open /dev/davinci0 failed: Permission denied\nuid=0(root) groups=0(root)\n"},
    /* The line of the kernel that the error names, not its neighbour. */
    {"", "ErrCode: F0000B! Enum: INVALID_SHAPE\n  File \"a.py\", line 13\n"
         "11 |     a = pypto.matmul(q, k)\n13 |     c = pypto.add(b, m)\n"},
    {"seen.matmul", "ErrCode: F0000B! Enum: INVALID_SHAPE\n  File \"a.py\", line 11\n"
                    "11 |     a = pypto.matmul(q, k)\n13 |     c = pypto.add(b, m)\n"},
    /* Two values that must go together. */
    {"", "allowed rtol 1e-5, bfloat16\n" NOT_CLOSE "Greatest relative difference: 0.5 at (0,)\n"},
    {"seen.narrow-tolerance",
     "output bf16\n" NOT_CLOSE
     "Greatest relative difference: 0.0039 at (0,) (up to 1e-05 allowed)\n"},
    {"", "loaded in bf16\n" NOT_CLOSE "Greatest relative difference: 0.0039 at (0,)\n"
         "out dtype torch.float32\n"},
    {"", NOT_CLOSE "Greatest relative difference: 0.0039 at (0,)\n"
                   "x bf16\ny bf16\nout dtype torch.float32\n"},
    {"", "out dtype torch.float32\n" NOT_CLOSE "Greatest relative difference: 0.0039 at (0,)\n"},
    {"hint.small", NOT_CLOSE "Greatest relative difference: 0.0039 at (0,)\n"},
    {"", "vocab_size=32000, max id 31999\n" MTE},
    {"seen.beyond-table", "vocab_size=32000, max id 32000\n" MTE},
    {"", "set_vec_tile_shapes(64, 512)\n" CORE_TIMEOUT},
    {"seen.tiny-tile", "set_vec_tile_shapes(1, 8)\n" CORE_TIMEOUT},
    {"", "dev 0 tls switch[0]\ndev 1 tls switch[0]\n" NO_SOCKET},
    {"seen.tls", "dev 0 tls switch[0]\ndev 1 tls switch[1]\n" NO_SOCKET},
    {"", "launch blockDim=40, split: 40 parts\n" NOT_CLOSE},
    {"seen.fewer-blocks", "launch blockDim=20, split: 40 parts\n" NOT_CLOSE},
    {"", "lib/aarch64-linux-gnu\n$ uname -m\naarch64\n" NO_HCCL},
    {"seen.other-processor", "lib/aarch64-linux-gnu\n$ uname -m\nx86_64\n" NO_HCCL},
    {"seen.visible", "+ export ASCEND_RT_VISIBLE_DEVICES=0,1\n" BAD_DEVICE},
    {"seen.too-many-ranks", "+ export ASCEND_RT_VISIBLE_DEVICES=0,1\n"
                            "+ torchrun --nproc_per_node=4 a.py\n" BAD_DEVICE},
    {"", NOT_CLOSE "kernel: rsqrt(var + 1e-5)\ngolden: rsqrt(var + 1e-5)\n"},
    {"seen.epsilon", NOT_CLOSE "kernel: rsqrt(var + 1e-5)\ngolden: rsqrt(var + 1e-6)\n"},
    {"", NOT_CLOSE "manual_seed(7)\nmanual_seed(7)\n"},
    {"seen.seeds", NOT_CLOSE "manual_seed(7)\nmanual_seed(8)\n"},
    {"", "step 4 loss 2.1 gnorm 0.7\nRuntimeError: loss is nan at step 5\n"},
    {"seen.diverged", "step 4 loss 412.1 gnorm 77120.0\nRuntimeError: loss is nan at step 5\n"},
    /* What says little gives way to anything else, however near it is. */
    {"hint.block", NOT_CLOSE "Mismatched elements: 512 / 1024 (50.0%)\n"},
    {"seen.parallel", "for i in pypto.loop(n, parallel=True):\n\n\n" NOT_CLOSE
                      "Mismatched elements: 512 / 1024 (50.0%)\n"},
    /* Of another package than the missing one. */
    {"", "Successfully installed torch_npu-2.1\nModuleNotFoundError: No module named 'flask'\n"},
};

static void test_evidence(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diagnosis diagnosis = diagnose(rows[i].log);
        assert_true(diagnosis.count > 0);
        const char *id = first_evidence(&diagnosis);
        if (strcmp(id, rows[i].evidence) != 0) {
            print_error("'%s', not '%s': %s", id, rows[i].evidence, rows[i].log);
        }
        assert_string_equal(id, rows[i].evidence);
        tear_down(NULL);
    }
}

/* Each file has its own; and what it says decides words and route. */
static void test_evidence_of_files(void **state)
{
    (void)state;
    LogScan *scan = log_scan_begin(&arena, forms, STR(""));
    const Str logs[] = {STR("$ sudo python3 a.py\nall fine\n"),
                        STR("$ sudo python3 a.py\n" NO_HCCL),
                        STR("$ sudo python3 a.py\nall fine\n")};
    for (int i = 0; i < 3; i++) {
        log_scan_file(scan, str_format(&arena, "r%d.log", i));
        log_scan_add(scan, logs[i].at, logs[i].length);
        log_scan_file_end(scan);
    }
    Diagnosis diagnosis = diagnosis_of(scan);
    assert_string_equal(diagnosis.causes[0].evidence->file.at, "r1.log");
    assert_int_equal(diagnosis.causes[0].reason, REASON_EVIDENCE);
    diagnosis = diagnose("Process memory(MB) : 58210\n" OUT_OF_MEMORY);
    assert_int_equal(diagnosis.status, DIAGNOSIS_FIRST_STATUS + DIAGNOSIS_DEVICE);
    assert_int_equal(diagnose(OUT_OF_MEMORY).status, DIAGNOSIS_FIRST_STATUS + DIAGNOSIS_OOM);
}

/* Words of evidence do not use up what causes are looked for with, and what is cut is counted. */
static void test_evidence_effort(void **state)
{
    (void)state;
    LogScan *scan = log_scan_begin(&arena, forms, STR(""));
    Buf line = {.arena = &arena};
    for (uint32_t i = 0; i < pattern_count; i++) {
        Str globs = str_from(patterns[i].globs), glob;
        for (size_t at = 0;
             patterns[i].level == ROW_EVIDENCE && text_next_line(globs, &at, &glob);) {
            buf_addf(&line, " x%.*sx", (int)glob_anchor(glob).length, glob_anchor(glob).at);
        }
    }
    buf_add_char(&line, '\n');
    log_scan_file(scan, STR(""));
    for (int i = 0; i < 60; i++) {
        log_scan_add(scan, line.at, line.length);
    }
    uint64_t cut = scan->lines_cut;
    uint64_t pieces = line.length / (LOG_PIECE - LOG_OVERLAP) + 1; /* a long line comes in pieces */
    assert_true(cut > 0 && cut <= 60 * pieces);
    const char *last = OUT_OF_MEMORY;
    log_scan_add(scan, last, strlen(last));
    log_scan_file_end(scan);
    bool found = false;
    for (uint32_t i = 0; i < pattern_count; i++) {
        found = found || (scan->matches[i].count > 0 && strcmp(patterns[i].id, "acl.oom") == 0);
    }
    assert_true(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOG_TEST(test_evidence),
        LOG_TEST(test_evidence_of_files),
        LOG_TEST(test_evidence_effort),
    };
    return RUN_LOG_TESTS(tests);
}
