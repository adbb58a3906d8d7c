/* Units of operator/python_run.h: how a run ends, what it may use, and that nothing of it stays
 * behind. Every expected value is what the Python code of the test does by construction. */
#include "operator/python_run.h"

#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static Arena arena;
static char folder[64];

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    snprintf(folder, sizeof folder, "/tmp/pypto-lint-python-XXXXXX");
    unsetenv("PYPTO_LINT_PYTHON");
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    char path[128];
    static const char *const names[] = {"mark", "tool", "big"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    unsetenv("PYPTO_LINT_PYTHON");
    arena_free(&arena);
    return 0;
}

static PythonJob job_of(const char *const *arguments)
{
    return (PythonJob){.arguments = arguments,
                       .milliseconds = 20000,
                       .memory = (uint64_t)4 << 30,
                       .file_size = 1 << 20,
                       .processes = 500,
                       .output = 4096};
}

/* Runs the code; sys.argv[1] is the test's folder. */
static PythonResult run_code(const char *code)
{
    const char *arguments[] = {"-B", "-c", code, folder, NULL};
    PythonJob job = job_of(arguments);
    return python_run(&arena, &job);
}

static void assert_text(Str actual, const char *expected)
{
    assert_string_equal(str_dup(&arena, actual), expected);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool mark_exists(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/mark", folder);
    return access(path, F_OK) == 0;
}

/* --- how it ends */

static void test_exit_status_and_streams(void **state)
{
    (void)state;
    PythonResult result = run_code("import sys; print('out'); print('err', file=sys.stderr)");
    assert_int_equal(result.end, PROCESS_EXITED);
    assert_int_equal(result.value, 0);
    assert_text(result.out, "out\n");
    assert_text(result.err, "err\n");
    result = run_code("import sys; sys.exit(3)");
    assert_int_equal(result.end, PROCESS_EXITED);
    assert_int_equal(result.value, 3);
    result = run_code("import os; os._exit(0)");
    assert_int_equal(result.end, PROCESS_EXITED);
    assert_int_equal(result.value, 0);
}

static void test_exception(void **state)
{
    (void)state;
    PythonResult result = run_code("raise ValueError('boom')");
    assert_int_equal(result.end, PROCESS_EXITED);
    assert_int_equal(result.value, 1);
    assert_true(str_ends(result.err, STR("ValueError: boom\n")));
}

static void test_signal(void **state)
{
    (void)state;
    PythonResult result = run_code("import os, signal; os.kill(os.getpid(), signal.SIGKILL)");
    assert_int_equal(result.end, PROCESS_KILLED);
    assert_int_equal(result.value, SIGKILL);
    result = run_code("import os; os.abort()");
    assert_int_equal(result.end, PROCESS_KILLED);
    assert_int_equal(result.value, SIGABRT);
}

static void test_endless_loop(void **state)
{
    (void)state;
    const char *arguments[] = {"-c", "while True: pass", NULL};
    PythonJob job = job_of(arguments);
    job.milliseconds = 400;
    int64_t start = now_ms();
    PythonResult result = python_run(&arena, &job);
    int64_t taken = now_ms() - start;
    assert_int_equal(result.end, PROCESS_LATE);
    assert_in_range(taken, 400, 2500);
}

static void test_loop_that_ignores_signals(void **state)
{
    (void)state;
    const char *arguments[] = {"-c",
                               "import signal, time\n"
                               "for s in (1, 2, 3, 15): signal.signal(s, signal.SIG_IGN)\n"
                               "time.sleep(60)\n",
                               NULL};
    PythonJob job = job_of(arguments);
    job.milliseconds = 400;
    int64_t start = now_ms();
    assert_int_equal(python_run(&arena, &job).end, PROCESS_LATE);
    assert_in_range(now_ms() - start, 400, 2500);
}

static void test_no_interpreter(void **state)
{
    (void)state;
    setenv("PYPTO_LINT_PYTHON", "/nonexistent/python3", 1);
    PythonResult result = run_code("pass");
    assert_int_equal(result.end, PROCESS_NOT_FOUND);
    assert_text(result.interpreter, "/nonexistent/python3");
    setenv("PYPTO_LINT_PYTHON", "no-such-python-anywhere", 1);
    result = run_code("pass");
    assert_int_equal(result.end, PROCESS_NOT_FOUND);
    setenv("PYPTO_LINT_PYTHON", folder, 1); /* a folder is no program */
    assert_int_equal(run_code("pass").end, PROCESS_NOT_FOUND);
}

/* An executable file that is no program: exec fails, with ENOEXEC. */
static void test_interpreter_that_does_not_start(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/tool", folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "neither ELF nor script\n", 23), 23);
    close(fd);
    setenv("PYPTO_LINT_PYTHON", path, 1);
    PythonResult result = run_code("pass");
    assert_int_equal(result.end, PROCESS_NOT_STARTED);
    assert_int_equal(result.value, ENOEXEC);
}

/* --- limits */

static void test_memory(void **state)
{
    (void)state;
    const char *arguments[] = {"-c", "x = bytearray(3 << 30)", NULL};
    PythonJob job = job_of(arguments);
    job.memory = (uint64_t)1 << 30;
    PythonResult result = python_run(&arena, &job);
    assert_int_equal(result.end, PROCESS_EXITED);
    assert_int_equal(result.value, 1);
    assert_true(str_ends(result.err, STR("MemoryError\n")));
}

static void test_file_size(void **state)
{
    (void)state;
    PythonResult result = run_code("import sys\n"
                                   "with open(sys.argv[1] + '/big', 'wb') as f:\n"
                                   "    f.write(bytes(3 << 20))\n");
    assert_int_equal(result.end, PROCESS_EXITED);
    assert_int_equal(result.value, 1);
    assert_true(str_contains(result.err, STR("OSError: [Errno 27]"))); /* EFBIG */
    char path[128];
    struct stat info;
    snprintf(path, sizeof path, "%s/big", folder);
    assert_int_equal(stat(path, &info), 0);
    assert_true(info.st_size <= 1 << 20);
}

static void test_output_keeps_the_end(void **state)
{
    (void)state;
    PythonResult result = run_code("import sys\n"
                                   "for i in range(200): sys.stderr.write('x' * 50000 + '\\n')\n"
                                   "sys.stderr.write('last line\\n')\n"
                                   "sys.stdout.write('short')\n");
    assert_int_equal(result.end, PROCESS_EXITED);
    assert_int_equal(result.value, 0);
    assert_int_equal(result.err.length, 4096);
    assert_true(str_ends(result.err, STR("xxx\nlast line\n")));
    assert_text(result.out, "short");
}

/* 200 sleeping children, each of which would leave a mark after a second. Whether the count or the
 * limit of the user's processes stops it depends on who runs the test. */
static void test_processes(void **state)
{
    (void)state;
    const char *code = "import os, sys, time\n"
                       "for i in range(200):\n"
                       "    if os.fork() == 0:\n"
                       "        time.sleep(1.5)\n"
                       "        open(sys.argv[1] + '/mark', 'w')\n"
                       "        os._exit(0)\n"
                       "time.sleep(30)\n";
    const char *arguments[] = {"-c", code, folder, NULL};
    PythonJob job = job_of(arguments);
    job.processes = 60;
    PythonResult result = python_run(&arena, &job);
    assert_true(result.end == PROCESS_TOO_MANY ||
                (result.end == PROCESS_EXITED && result.value == 1));
    nanosleep(&(struct timespec){2, 0}, NULL);
    assert_false(mark_exists());
}

/* --- what it sees */

static void test_environment(void **state)
{
    (void)state;
    setenv("PYPTO_LINT_TEST_SECRET", "secret", 1);
    setenv("PYTHONPATH", folder, 1);
    PythonResult result = run_code("import os, sys\n"
                                   "print(os.environ.get('PYPTO_LINT_TEST_SECRET'),\n"
                                   "      os.environ['PYTHONDONTWRITEBYTECODE'],\n"
                                   "      sys.argv[1] in sys.path, sys.stdin.read() == '')\n");
    unsetenv("PYPTO_LINT_TEST_SECRET");
    unsetenv("PYTHONPATH");
    assert_text(result.out, "None 1 True True\n");
}

static void test_descriptors(void **state)
{
    (void)state;
    int fd = open("/dev/null", O_RDONLY); /* on purpose without O_CLOEXEC */
    assert_true(fd >= 0);
    PythonResult result = run_code("import os\n"
                                   "def there(fd):\n"
                                   "    try: return bool(os.fstat(fd))\n"
                                   "    except OSError: return False\n"
                                   "print([fd for fd in range(512) if there(fd)])\n");
    close(fd);
    assert_text(result.out, "[0, 1, 2]\n");
}

/* Only where namespaces can be had: there Python is the second process. */
static void test_network(void **state)
{
    (void)state;
    PythonResult result = run_code("import os, socket\n"
                                   "names = sorted(name for _, name in socket.if_nameindex())\n"
                                   "print(os.getpid() == 2, names)\n");
    assert_int_equal(result.value, 0);
    if (str_starts(result.out, STR("True"))) {
        assert_text(result.out, "True ['lo']\n");
        result = run_code("import socket\n"
                          "s = socket.socket()\n"
                          "s.connect(('127.0.0.1', 9))\n");
        assert_int_equal(result.value, 1);
        assert_true(str_contains(result.err, STR("unreachable")));
    }
}

/* --- what stays behind */

/* A grandchild in a session of its own, holding the output open, ends with the run. */
static void test_daemon(void **state)
{
    (void)state;
    int64_t start = now_ms();
    PythonResult result = run_code("import os, sys, time\n"
                                   "if os.fork() == 0:\n"
                                   "    os.setsid()\n"
                                   "    if os.fork() == 0:\n"
                                   "        time.sleep(1.5)\n"
                                   "        open(sys.argv[1] + '/mark', 'w')\n"
                                   "        time.sleep(60)\n"
                                   "    os._exit(0)\n"
                                   "os.wait()\n"
                                   "print('done')\n");
    assert_int_equal(result.end, PROCESS_EXITED);
    assert_int_equal(result.value, 0);
    assert_text(result.out, "done\n");
    assert_true(now_ms() - start < 5000);
    nanosleep(&(struct timespec){2, 0}, NULL);
    assert_false(mark_exists());
}

static void test_nothing_is_leaked(void **state)
{
    (void)state;
    int before = open_descriptors();
    for (int i = 0; i < 5; i++) {
        run_code("import sys; sys.exit(1)");
    }
    setenv("PYPTO_LINT_PYTHON", "/nonexistent/python3", 1);
    run_code("pass");
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no zombie */
    assert_int_equal(errno, ECHILD);
}

static void *run_in_thread(void *data)
{
    Arena own;
    arena_init(&own, 0);
    char code[64];
    int number = *(int *)data;
    snprintf(code, sizeof code, "import sys; sys.exit(%d)", number);
    const char *arguments[] = {"-c", code, NULL};
    PythonJob job = job_of(arguments);
    PythonResult result = python_run(&own, &job);
    *(int *)data = result.end == PROCESS_EXITED ? result.value : -1;
    arena_free(&own);
    arena_drop_cache(); /* of this thread */
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = 10 + i;
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(numbers[i], 10 + i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_exit_status_and_streams),
        TEST(test_exception),
        TEST(test_signal),
        TEST(test_endless_loop),
        TEST(test_loop_that_ignores_signals),
        TEST(test_no_interpreter),
        TEST(test_interpreter_that_does_not_start),
        TEST(test_memory),
        TEST(test_file_size),
        TEST(test_output_keeps_the_end),
        TEST(test_processes),
        TEST(test_environment),
        TEST(test_descriptors),
        TEST(test_network),
        TEST(test_daemon),
        TEST(test_nothing_is_leaked),
        TEST(test_threads),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
