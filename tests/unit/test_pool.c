/* Units of harness/pool/pool.h: how jobs end, their limits and surroundings, several jobs at a
 * time. Jobs in one interpreter are in test_pool_reuse.c. */
#include "pool_fixture.h"

/* --- how a job ends */

static void test_result_and_log(void **state)
{
    (void)state;
    WorkerOutcome outcome = run_code("os.write(1, b'one\\n'); os.write(2, b'two\\n')\n"
                                     "os.write(1, b'three\\n'); answer('{\"a\": 1}')");
    assert_int_equal(outcome.end, PROCESS_EXITED);
    assert_int_equal(outcome.value, 0);
    assert_text(outcome.result, "{\"a\": 1}");
    assert_text(outcome.log, "one\ntwo\nthree\n");
    assert_int_equal(outcome.log_bytes, 14);
    assert_true(outcome.seconds > 0 && outcome.seconds < 20);
}

static void test_ends(void **state)
{
    (void)state;
    WorkerOutcome outcome = run_code("os._exit(3)");
    assert_int_equal(outcome.end, PROCESS_EXITED);
    assert_int_equal(outcome.value, 3);
    assert_int_equal(outcome.result.length, 0);
    outcome = run_code("os.write(1, b'before'); os.kill(os.getpid(), signal.SIGSEGV)");
    assert_int_equal(outcome.end, PROCESS_KILLED);
    assert_int_equal(outcome.value, SIGSEGV);
    assert_text(outcome.log, "before");
    outcome = run_code("answer('{\"half\": '); os.abort()");
    assert_int_equal(outcome.end, PROCESS_KILLED);
    assert_int_equal(outcome.value, SIGABRT);
    assert_text(outcome.result, "{\"half\": ");
}

static void test_not_started(void **state)
{
    (void)state;
    PoolOptions options = options_of();
    options.python = "/nonexistent/python3";
    WorkerOutcome outcome = run_with(&options, MODE_SIM, "pass");
    assert_int_equal(outcome.end, PROCESS_NOT_STARTED);
    assert_int_equal(outcome.value, ENOENT);
}

static void assert_late(Mode mode, const char *code, int64_t least, int64_t most)
{
    int64_t start = now_ms();
    assert_int_equal(run_short(mode, code).end, PROCESS_LATE);
    assert_in_range(now_ms() - start, least, most);
}

/* SIGTERM ends it; one that takes no notice is killed; a stopped one too. */
static void test_late(void **state)
{
    (void)state;
    for (int i = 0; i < MODE_COUNT; i++) {
        Mode mode = (Mode)i;
        assert_late(mode, "while True: pass", 400, 1800);
        assert_late(mode, "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass", 2400,
                    4500);
        assert_late(mode, "os.kill(os.getpid(), signal.SIGSTOP)", 400, 4500);
    }
}

static void test_late_says_last_words(void **state)
{
    (void)state;
    WorkerOutcome outcome = run_short(MODE_SIM, "def end(*a):\n"
                                                "    os.write(1, b'ending'); os._exit(0)\n"
                                                "signal.signal(signal.SIGTERM, end)\n"
                                                "time.sleep(60)\n");
    assert_int_equal(outcome.end, PROCESS_LATE);
    assert_text(outcome.log, "ending");
}

/* Nothing shows any more but that it lives. */
static void test_closed_pipes(void **state)
{
    (void)state;
    assert_late(MODE_SIM, "answer('{}')\nos.closerange(0, 99)\ntime.sleep(60)", 400, 1800);
}

/* --- what is left behind */

/* A grandchild that holds the pipes open ends with its job, with and without namespaces. */
static void test_daemon(void **state)
{
    (void)state;
    for (int i = 0; i < MODE_COUNT; i++) {
        PoolOptions options = options_of();
        int64_t start = now_ms();
        WorkerOutcome outcome = run_with(&options, (Mode)i, daemon_code);
        assert_int_equal(outcome.end, PROCESS_EXITED);
        assert_int_equal(outcome.value, 0);
        assert_text(outcome.result, "{}");
        assert_true(now_ms() - start < 1200);
        pause_ms(1500);
        assert_int_equal(access(mark, F_OK), -1);
    }
}

/* 512 processes, half of them in sessions of their own; none lives to make the mark. More it must
 * not be, for the machine's sake, should they get away. */
static void test_fork_bomb(void **state)
{
    (void)state;
    for (int i = 0; i < MODE_COUNT; i++) {
        int64_t start = now_ms();
        PoolOptions options = options_of();
        options.processes = 100;
        WorkerOutcome outcome = run_with(&options, (Mode)i,
                                         "for i in range(9):\n"
                                         "    if os.fork() == 0 and i % 2: os.setsid()\n"
                                         "time.sleep(3)\n"
                                         "open(os.environ['POOL_TEST_MARK'], 'w')\n");
        /* Who may not start so many processes at all gets an exception before. */
        assert_true(outcome.end == PROCESS_TOO_MANY || outcome.value == 1);
        assert_true(now_ms() - start < 2500);
        pause_ms(3000);
        assert_int_equal(access(mark, F_OK), -1);
    }
}

/* 150 processes from 0.4 s on, when the job runs; to be ended by their group. */
static pid_t start_others(void)
{
    pid_t others = fork();
    if (others == 0) {
        setpgid(0, 0);
        pause_ms(400);
        for (int i = 0; i < 150 && fork() != 0; i++) {
        }
        pause_ms(20000);
        _exit(0);
    }
    return others;
}

/* Processes of others do not stop the program again and again: each close look stops it once. */
static void test_others_grow(void **state)
{
    (void)state;
    for (int i = 0; i < MODE_COUNT; i++) {
        PoolOptions options = options_of();
        options.processes = 100;
        pid_t others = start_others();
        WorkerOutcome outcome =
            run_with(&options, (Mode)i,
                     "stops = []\n"
                     "signal.signal(signal.SIGCONT, lambda *_: stops.append(1))\n"
                     "while time.process_time() < 1: pass\n"
                     "answer('often' if len(stops) > 20 else 'seldom')");
        kill(-others, SIGKILL);
        assert_int_equal(waitpid(others, NULL, 0), others);
        assert_int_equal(outcome.end, PROCESS_EXITED);
        assert_text(outcome.result, "seldom");
    }
}

/* A job that kills its guard: its own children are ended all the same. */
static void test_killed_guard(void **state)
{
    (void)state;
    PoolOptions options = options_of();
    WorkerOutcome outcome = run_with(&options, MODE_NPU,
                                     "if os.fork() == 0:\n"
                                     "    os.setsid(); time.sleep(1)\n"
                                     "    open(os.environ['POOL_TEST_MARK'], 'w'); time.sleep(60)\n"
                                     "os.kill(os.getppid(), 9); time.sleep(60)\n");
    assert_int_equal(outcome.end, PROCESS_KILLED);
    assert_int_equal(outcome.value, SIGKILL);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    pause_ms(1500);
    assert_int_equal(access(mark, F_OK), -1);
}

/* The pool leaves alone the children that this process had before. */
static void test_other_children(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    assert_int_equal(run_code("answer('a')").end, PROCESS_EXITED);
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

/* --- limits */

static void test_memory(void **state)
{
    (void)state;
    WorkerOutcome outcome = run_code("x = bytearray(100 << 30)");
    assert_int_equal(outcome.end, PROCESS_EXITED);
    assert_int_equal(outcome.value, 1);
    assert_true(str_ends(outcome.log, STR("MemoryError\n")));
}

static void test_flood(void **state)
{
    (void)state;
    WorkerOutcome outcome = run_code("os.write(1, b'first line\\n')\n"
                                     "for i in range(3000): os.write(1 + i % 2, b'x' * 65536)\n"
                                     "os.write(2, b'\\nlast line\\n')\n");
    assert_int_equal(outcome.end, PROCESS_EXITED);
    assert_int_equal(outcome.log_bytes, 11 + 3000L * 65536 + 11);
    assert_true(outcome.log.length < WORKER_LOG_LIMIT + 64);
    assert_true(str_starts(outcome.log, STR("first line\nxxx")));
    assert_true(str_ends(outcome.log, STR("xxx\nlast line\n")));
    assert_true(str_contains(outcome.log, STR("\n[… 196542486 bytes removed …]\n")));
    outcome = run_short(MODE_SIM, "while True: os.write(1, b'x' * 65536)");
    assert_int_equal(outcome.end, PROCESS_LATE);
}

static void test_large_result(void **state)
{
    (void)state;
    WorkerOutcome outcome = run_code("for i in range(8): answer(b'x' * (1 << 20))");
    assert_int_equal(outcome.result.length, WORKER_RESULT_LIMIT);
    assert_false(outcome.result_too_large);
    outcome = run_code("for i in range(9): answer(b'x' * (1 << 20))");
    assert_int_equal(outcome.end, PROCESS_EXITED);
    assert_int_equal(outcome.result.length, 0);
    assert_true(outcome.result_too_large);
}

/* --- what it sees */

static void test_surroundings(void **state)
{
    (void)state;
    int fd = dup(2); /* on purpose without O_CLOEXEC */
    WorkerOutcome outcome =
        run_code("def there(fd):\n"
                 "    try: return bool(os.fstat(fd))\n"
                 "    except OSError: return False\n"
                 "answer(repr([fd for fd in range(512) if there(fd)]))\n"
                 "answer(repr((sys.stdin.read(), os.getpid() == os.getpgid(0) == os.getsid(0))))");
    close(fd);
    assert_text(outcome.result, "[0, 1, 2, 3, 4]('', True)");
}

static void test_environment(void **state)
{
    (void)state;
    PoolOptions options = options_of();
    options.soc = STR("A3");
    options.npu_devices = 2;
    setenv("PYTHONPATH", "/some/where", 1);
    setenv("TILE_FWK_DEVICE_ID", "4", 1);
    setenv("PTOSIM_RUN_MODE", "other", 1);
    const char *code = "e = os.environ.get\n"
                       "path = [p.split('/')[-1] for p in e('PYTHONPATH').split(':')]\n"
                       "answer(repr((path, e('PTOSIM_RUN_MODE'), e('TILE_FWK_DEVICE_ID'),\n"
                       "             e('PTOSIM_SOC'), e('PTOSIM_PROFILE'),\n"
                       "             e('PYTHONDONTWRITEBYTECODE'), e('PYPTO_LINT_REDACT'),\n"
                       "             e('TORCH_DEVICE_BACKEND_AUTOLOAD'))))";
    WorkerOutcome sim = run_with(&options, MODE_SIM, code);
    WorkerOutcome npu = run_with(&options, MODE_NPU, code);
    unsetenv("PYTHONPATH");
    unsetenv("TILE_FWK_DEVICE_ID");
    unsetenv("PTOSIM_RUN_MODE");
    assert_text(sim.result, "(['sim', 'harness', 'where'], 'SIM', '4', 'A3', None, '1', '1', '0')");
    assert_text(npu.result, "(['harness', 'where'], 'NPU', '4', 'A3', None, '1', '1', None)");
}

/* --- several jobs */

typedef struct Seen {
    size_t starts, ends, last_done;
} Seen;

static void see(void *context, size_t done, size_t count, const WorkerJob *latest)
{
    Seen *seen = context;
    assert_int_equal(count, 12);
    assert_non_null(latest);
    seen->starts += done == seen->last_done;
    seen->ends += done == seen->last_done + 1;
    seen->last_done = done;
}

static void test_many_jobs(void **state)
{
    (void)state;
    enum { COUNT = 12 };
    WorkerJob jobs[COUNT];
    WorkerOutcome outcomes[COUNT];
    for (int i = 0; i < COUNT; i++) {
        jobs[i] = job_of(str_format(&arena, "answer('%d'); os._exit(%d)", i, i).at);
    }
    int before = open_descriptors();
    Seen seen = {0};
    PoolOptions options = options_of();
    options.jobs = 5;
    options.progress = see;
    options.context = &seen;
    assert_int_equal(pool_run(&arena, &options, jobs, COUNT, outcomes), 0);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(outcomes[i].end, PROCESS_EXITED);
        assert_int_equal(outcomes[i].value, i);
        assert_text(outcomes[i].result, str_format(&arena, "%d", i).at);
    }
    assert_int_equal(seen.starts, COUNT);
    assert_int_equal(seen.ends, COUNT);
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no zombie */
    assert_int_equal(errno, ECHILD);
}

/* Four npu jobs of 0.3 s on one device take four times as long, sim jobs run beside them. */
static void test_devices(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    WorkerJob jobs[COUNT];
    WorkerOutcome outcomes[COUNT];
    for (int i = 0; i < COUNT; i++) {
        jobs[i] = job_of("answer(repr(time.time())); time.sleep(0.3)\n"
                         "answer(' ' + repr(time.time()))");
        jobs[i].mode = i % 2 == 0 ? MODE_NPU : MODE_SIM;
    }
    PoolOptions options = options_of();
    options.jobs = COUNT;
    assert_int_equal(pool_run(&arena, &options, jobs, COUNT, outcomes), 0);
    double last = 0;
    for (int i = 0; i < COUNT; i += 2) {
        char *rest;
        double start = strtod(str_dup(&arena, outcomes[i].result), &rest);
        assert_true(start >= last);
        last = strtod(rest, NULL);
        assert_true(last >= start + 0.3);
    }
}

/* A signal ends what runs, in bounded time; what has ended stays. */
static void test_interrupted(void **state)
{
    (void)state;
    int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        WorkerJob jobs[] = {job_of("answer('done')"), job_of("time.sleep(60)"),
                            job_of("signal.signal(15, signal.SIG_IGN)\ntime.sleep(60)"),
                            job_of("answer('never')")};
        WorkerOutcome outcomes[4];
        jobs[2].mode = MODE_NPU;
        PoolOptions options = options_of();
        /* The thread must not take the signal in the test's place: it waits in the mask. */
        pthread_t thread;
        int64_t start = now_ms();
        sigset_t all;
        sigset_t old;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &old);
        assert_int_equal(pthread_create(&thread, NULL, interrupt, &numbers[i]), 0);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        assert_int_equal(pool_run(&arena, &options, jobs, 4, outcomes), numbers[i]);
        assert_in_range(now_ms() - start, 700, 5000);
        pthread_join(thread, NULL);
        assert_int_equal(outcomes[0].end, PROCESS_EXITED);
        for (int k = 1; k < 4; k++) {
            assert_int_equal(outcomes[k].end, PROCESS_CANCELLED);
            assert_int_equal(outcomes[k].result.length, 0);
        }
    }
}

/* When the program itself is killed its workers end, daemons included. */
static void test_orphaned(void **state)
{
    (void)state;
    for (int i = 0; i < MODE_COUNT; i++) {
        pid_t child = fork();
        if (child == 0) {
            PoolOptions options = options_of();
            run_with(&options, (Mode)i, str_format(&arena, "%s\ntime.sleep(60)", daemon_code).at);
            _exit(0);
        }
        pause_ms(800);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        pause_ms(1500);
        assert_int_equal(access(mark, F_OK), -1);
    }
}

static void try_without_memory(void *data)
{
    (void)data;
    PoolOptions options = options_of();
    WorkerJob job = job_of("for i in range(8): answer(b'x' * (1 << 20))");
    WorkerOutcome outcome;
    pool_run(&arena, &options, &job, 1, &outcome);
}

/* Memory that runs out while workers run leaves neither processes nor descriptors. */
static void test_out_of_memory(void **state)
{
    (void)state;
    int before = open_descriptors();
    arena_free(&arena);
    arena_init(&arena, 1 << 20);
    assert_false(arena_try(&arena, try_without_memory, NULL));
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_result_and_log),
        TEST(test_ends),
        TEST(test_not_started),
        TEST(test_late),
        TEST(test_late_says_last_words),
        TEST(test_closed_pipes),
        TEST(test_daemon),
        TEST(test_fork_bomb),
        TEST(test_others_grow),
        TEST(test_killed_guard),
        TEST(test_other_children),
        TEST(test_memory),
        TEST(test_flood),
        TEST(test_large_result),
        TEST(test_surroundings),
        TEST(test_environment),
        TEST(test_many_jobs),
        TEST(test_devices),
        TEST(test_interrupted),
        TEST(test_orphaned),
        TEST(test_out_of_memory),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
