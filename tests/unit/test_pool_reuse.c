/* Units of harness/pool/pool.h with `reuse`: one interpreter forks a child for each job. */
#include "pool_fixture.h"

/* The same with --template: the loop of the real template, around a package without imports. */
static const char *const template_runner[] = {
    "-c",
    "import os, sys, signal, time, types, importlib.util\n"
    "def answer(text): os.write(3, text if isinstance(text, bytes) else text.encode())\n"
    "def start(): exec(os.read(4, 1 << 20).decode()); os._exit(0)\n"
    "def add(name, **values):\n"
    "    module = sys.modules[name] = types.ModuleType(name)\n"
    "    module.__dict__.update(values)\n"
    "if sys.argv[1:] != ['--template']: start()\n"
    "exec(os.environ.get('POOL_TEST_IMPORTS', ''))\n"
    "add('fake', __path__=[])\n"
    "add('fake.backend', load=lambda mode: None)\n"
    "add('fake.__main__', start=start)\n"
    "add('fake.jobs', WITH_KERNEL=())\n"
    "def load(name):\n"
    "    path = os.path.join(os.path.dirname('" POOL_TEST_TEMPLATE "'), name + '.py')\n"
    "    spec = importlib.util.spec_from_file_location('fake.' + name, path)\n"
    "    module = sys.modules['fake.' + name] = importlib.util.module_from_spec(spec)\n"
    "    spec.loader.exec_module(module)\n"
    "    return module\n"
    "for name in ('channel', 'isolation'): setattr(sys.modules['fake'], name, load(name))\n"
    "load('template').main()\n",
    NULL};
static PoolOptions reusing_options(void)
{
    PoolOptions options = options_of();
    options.command = template_runner;
    options.reuse = true;
    options.jobs = 1;
    return options;
}

/* Each job is the child of the same process, sees only its descriptors, and ends as it would in a
 * process of its own; what one does to its process does not reach the next. */
static void test_reuse(void **state)
{
    (void)state;
    const char *who = "answer(repr((os.getppid(), os.getpid() == os.getsid(0), sys.argv,\n"
                      "             [fd for fd in os.listdir('/proc/self/fd') if int(fd) > 5])))";
    WorkerJob jobs[] = {job_of(who), job_of("sys.argv.append('dirty'); os.close(1)\nos._exit(3)"),
                        job_of("os.write(2, b'last words'); os.kill(os.getpid(), 11)"),
                        job_of("x = bytearray(100 << 30)"), job_of(who)};
    WorkerOutcome outcomes[5];
    PoolOptions options = reusing_options();
    int before = open_descriptors();
    assert_int_equal(pool_run(&arena, &options, jobs, 5, outcomes), 0);
    assert_int_equal(outcomes[0].end, PROCESS_EXITED);
    assert_int_equal(outcomes[0].value, 0);
    assert_true(str_contains(outcomes[0].result, STR(", True, ['-c'], ")));
    assert_text(outcomes[4].result, str_dup(&arena, outcomes[0].result));
    assert_int_equal(outcomes[1].value, 3);
    assert_int_equal(outcomes[2].end, PROCESS_KILLED);
    assert_int_equal(outcomes[2].value, SIGSEGV);
    assert_text(outcomes[2].log, "last words");
    assert_int_equal(outcomes[3].value, 1);
    assert_true(str_contains(outcomes[3].log, STR("MemoryError")));
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* What a job leaves behind is gone before the next one begins. */
static void test_reuse_daemon(void **state)
{
    (void)state;
    WorkerJob jobs[] = {job_of(daemon_code), job_of("time.sleep(1.6); answer(repr(os.path.exists("
                                                    "os.environ['POOL_TEST_MARK'])))")};
    WorkerOutcome outcomes[2];
    PoolOptions options = reusing_options();
    assert_int_equal(pool_run(&arena, &options, jobs, 2, outcomes), 0);
    assert_int_equal(outcomes[0].end, PROCESS_EXITED);
    assert_text(outcomes[1].result, "False");
}

static void test_reuse_late(void **state)
{
    (void)state;
    WorkerJob jobs[] = {job_of("while True: pass"),
                        job_of("signal.signal(15, signal.SIG_IGN)\nwhile True: pass"),
                        job_of("answer('well')")};
    WorkerOutcome outcomes[3];
    PoolOptions options = reusing_options();
    options.timeout_ms = 400;
    int64_t start = now_ms();
    assert_int_equal(pool_run(&arena, &options, jobs, 3, outcomes), 0);
    assert_in_range(now_ms() - start, 2800, 5500);
    assert_int_equal(outcomes[0].end, PROCESS_LATE);
    assert_int_equal(outcomes[1].end, PROCESS_LATE);
    assert_int_equal(outcomes[2].end, PROCESS_EXITED);
    assert_text(outcomes[2].result, "well");
}

/* A job that kills or stops the server, or has too many processes, takes it along: there is another
 * one for the next. */
static void test_reuse_server_lost(void **state)
{
    (void)state;
    WorkerJob jobs[] = {job_of("os.kill(os.getppid(), 9); time.sleep(60)"), job_of("answer('a')"),
                        job_of("for i in range(9): os.fork()\ntime.sleep(3)"),
                        job_of("answer('b')")};
    WorkerOutcome outcomes[4];
    PoolOptions options = reusing_options();
    options.processes = 100;
    int64_t start = now_ms();
    assert_int_equal(pool_run(&arena, &options, jobs, 4, outcomes), 0);
    assert_true(now_ms() - start < 5000);
    assert_int_equal(outcomes[0].end, PROCESS_KILLED);
    assert_text(outcomes[1].result, "a");
    assert_true(outcomes[2].end == PROCESS_TOO_MANY || outcomes[2].value == 1);
    assert_text(outcomes[3].result, "b");
}

/* A server that dies before it has begun a job: another one runs it. When that dies, too, the job
 * has ended. */
static void test_reuse_not_begun(void **state)
{
    (void)state;
    WorkerJob jobs[] = {job_of("answer('a')"), job_of("answer('b')"), job_of("answer('c')")};
    WorkerOutcome outcomes[3];
    PoolOptions options = reusing_options();
    int before = open_descriptors();
    setenv("POOL_TEST_IMPORTS",
           "forks, fork = [], os.fork\n"
           "def dying_fork():\n"
           "    forks.append(1)\n"
           "    return os._exit(0) if len(forks) == 2 else fork()\n"
           "os.fork = dying_fork",
           1);
    assert_int_equal(pool_run(&arena, &options, jobs, 3, outcomes), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(outcomes[i].end, PROCESS_EXITED);
        assert_int_equal(outcomes[i].value, 0);
        assert_text(outcomes[i].result, (const char *[]){"a", "b", "c"}[i]);
    }
    setenv("POOL_TEST_IMPORTS", "os.fork = lambda: os._exit(0)", 1);
    assert_int_equal(pool_run(&arena, &options, jobs, 3, outcomes), 0);
    unsetenv("POOL_TEST_IMPORTS");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(outcomes[i].end, PROCESS_KILLED);
        assert_int_equal(outcomes[i].result.length, 0);
    }
    assert_int_equal(open_descriptors(), before);
}

/* Where the imports fail, or npu is asked for, each job has a process of its own. */
static void test_reuse_impossible(void **state)
{
    (void)state;
    WorkerJob jobs[] = {job_of("answer('a')"), job_of("answer('b')"), job_of("answer('c')")};
    WorkerOutcome outcomes[3];
    PoolOptions options = reusing_options();
    jobs[2].mode = MODE_NPU;
    setenv("POOL_TEST_IMPORTS", "raise ImportError", 1);
    assert_int_equal(pool_run(&arena, &options, jobs, 3, outcomes), 0);
    unsetenv("POOL_TEST_IMPORTS");
    assert_text(outcomes[0].result, "a");
    assert_text(outcomes[1].result, "b");
    assert_text(outcomes[2].result, "c");
}

static void interrupt_reusing(const char *code)
{
    WorkerJob jobs[] = {job_of(code), job_of("answer('never')")};
    WorkerOutcome outcomes[2];
    PoolOptions options = reusing_options();
    pthread_t thread;
    int number = SIGINT;
    int64_t start = now_ms();
    sigset_t all;
    sigset_t old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    assert_int_equal(pthread_create(&thread, NULL, interrupt, &number), 0);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    assert_int_equal(pool_run(&arena, &options, jobs, 2, outcomes), SIGINT);
    assert_in_range(now_ms() - start, 700, 5000);
    pthread_join(thread, NULL);
    assert_int_equal(outcomes[0].end, PROCESS_CANCELLED);
    assert_int_equal(outcomes[1].end, PROCESS_CANCELLED);
}

/* While a job runs, and while the server imports. */
static void test_reuse_interrupted(void **state)
{
    (void)state;
    interrupt_reusing("time.sleep(60)");
    interrupt_reusing("signal.signal(15, signal.SIG_IGN)\ntime.sleep(60)");
    setenv("POOL_TEST_IMPORTS", "time.sleep(60)", 1);
    interrupt_reusing("pass");
    unsetenv("POOL_TEST_IMPORTS");
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reuse),
        TEST(test_reuse_daemon),
        TEST(test_reuse_late),
        TEST(test_reuse_server_lost),
        TEST(test_reuse_not_begun),
        TEST(test_reuse_impossible),
        TEST(test_reuse_interrupted),
    };
    return cmocka_run_group_tests_name("pool_reuse", tests, NULL, NULL);
}
