/* Tests of the errors that a success at the end of a log clears; tests/cli/log_rows.py has more. */
#include "log_fixture.h"

#define TRACE                                                                                      \
    "Traceback (most recent call last):\n  File \"a.py\", line 4, in <module>\n    f()\n"          \
    "AssertionError: Tensor-likes are not close!\n"
#define LOST                                                                                       \
    "Traceback (most recent call last):\n  File \"a.py\", line 4, in <module>\n    f()\n"          \
    "RuntimeError: gadget lost\n"
#define DEVICE "[ERROR] RUNTIME: EZ9999 aicore exception, error code 507015\n"
#define NO_X   "rm: cannot remove 'x': No such file or directory\n"

/* Logs, and whether they end in success. */
static const struct {
    const char *line;
    bool well;
} rows[] = {
    /* A script that ends with `exit 0` may have ignored failures. */
    {"+ python3 a.py\n" TRACE "+ echo 'see log'\nsee log\n+ exit 0\n", false},
    {"+ python3 a.py\n" TRACE "+ trap cleanup EXIT\n+ exit 0\n", false},
    {"+ python3 a.py\n" TRACE "+ collect\n++ exit 0\n", false},
    {"+ python3 a.py\n" TRACE "++ exit 0\n+ exit 1\n", false},
    {"+ python3 a.py\n" DEVICE "+ exit 0\n", false},
    {"+ python3 a.py\n3 tests FAILED\n+ exit 0\n", false},
    {"+ rm x\n" NO_X "+ exit 0\n", true},
    {"+ rm x\n" NO_X "++ exit 0\n", false},
    {"+ scancel 7.0\nslurmstepd: error: *** STEP 7.0 ON n CANCELLED AT 2026-05-19T11:32:08 ***\n"
     "+ exit 0\n",
     true},
    {"+ rm x\n" NO_X "+ exit 1\n", false},
    /* The launcher reports a status of 0. */
    {"[ERROR] gadget slow\nexit code: 0\n", true},
    {"[ERROR] gadget slow\ncleanup exit code: 0\n", false},
    {TRACE "exit code: 0\n", false},
    {DEVICE "exit code: 0\n", false},
    {"3 tests FAILED\nexit code: 0\n", false},
    /* A drill must announce that errors are made on purpose. */
    {"fault injection: kill 9\n" DEVICE "verdict: PASS\n", true},
    {"Injecting LoRA adapters\n" DEVICE "verdict: PASS\n", false},
    {DEVICE "verdict: PASS\n", false},
    /* The summary of the test program itself, unless a test failed. */
    {"[ERROR] gadget slow\n[  PASSED  ] 3 tests.\n", true},
    {"[ERROR] gadget slow\n[  PASSED  ] 0 tests.\n", false},
    {"[  FAILED  ] A.b (1 ms)\n[  PASSED  ] 3 tests.\n", false},
    {"[  PASSED  ] 3 tests.\n" DEVICE, false},
    /* Steps and cases show that the program went on after an exception; "done" does not, and a
     * count may come from another program. */
    {LOST "step 3 loss 0.1\n3/3 checks passed\n", true},
    {LOST "done\n3/3 checks passed\n", false},
    {LOST "compile done.\n3/3 checks passed\n", false},
    {LOST "OK\n3/3 checks passed\n", false},
    /* The status of a pipe's first command, unless another command ran after the pipe. */
    {"$ make | tee log\nerror: x\n$ echo ${PIPESTATUS[0]}\n0\n", true},
    {"$ cd a && make |& tee log\nerror: x\n$ echo ${PIPESTATUS[0]}\n0\n", true},
    {"$ make | tee log\nerror: x\n$ echo $?\n0\n", false},
    {"$ make | tee log; date\nerror: x\n$ echo ${PIPESTATUS[0]}\n0\n", false},
    {"$ make | tee log && date\nerror: x\n$ echo ${PIPESTATUS[0]}\n0\n", false},
    {"$ make; ./a | tee log\nerror: x\n$ echo ${PIPESTATUS[0]}\n0\n", false},
    /* A task of gradle is not a quotation, which later work would clear. */
    {"> Task :a:run FAILED\n$ pytest\n3 passed in 2s\n", false},
    {"> RuntimeError: x\n$ pytest\n3 passed in 2s\n", true},
    {"> Task :a:test\nerror: x\nBUILD SUCCESSFUL in 2s\n", false},
    {"> Task :a:test\nBUILD SUCCESSFUL in 2s\n", true},
};

static void test_success(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if ((diagnose(rows[i].line).status == 0) != rows[i].well) {
            fail_msg("%s", rows[i].line);
        }
        tear_down(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {LOG_TEST(test_success)};
    return RUN_LOG_TESTS(tests);
}
