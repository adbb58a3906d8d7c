/* What the tests of harness/pool/pool.h share: a Python program in the place of the worker runs the
 * text that it is given as its job, so expected values are what that text does by construction. */
#ifndef PYPTO_LINT_TESTS_POOL_FIXTURE_H
#define PYPTO_LINT_TESTS_POOL_FIXTURE_H

#include "harness/pool/pool.h"

#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static Arena arena;
static char mark[64]; /* a file that outlived processes would make */

/* The job is Python text; `answer` writes the result. */
static const char *const runner[] = {
    "-c",
    "import os, sys, signal, time\n"
    "def answer(text): os.write(3, text if isinstance(text, bytes) else text.encode())\n"
    "exec(os.read(4, 1 << 20).decode())\n",
    NULL};

static inline int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    snprintf(mark, sizeof mark, "/tmp/pypto-lint-pool-%d", (int)getpid());
    unlink(mark);
    setenv("POOL_TEST_MARK", mark, 1);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    unlink(mark);
    arena_free(&arena);
    return 0;
}

static inline PoolOptions options_of(void)
{
    return (PoolOptions){.python = "/usr/bin/python3",
                         .jobs = 2,
                         .timeout_ms = 20000,
                         .memory = (uint64_t)2 << 30,
                         .soc = STR(""),
                         .profile = STR(""),
                         .command = runner};
}

static inline WorkerJob job_of(const char *code)
{
    return (WorkerJob){.json = str_from(code), .mode = MODE_SIM, .label = STR("job")};
}

static inline WorkerOutcome run_with(const PoolOptions *options, Mode mode, const char *code)
{
    WorkerJob job = job_of(code);
    WorkerOutcome outcome;
    job.mode = mode;
    assert_int_equal(pool_run(&arena, options, &job, 1, &outcome), 0);
    return outcome;
}

static inline WorkerOutcome run_code(const char *code)
{
    PoolOptions options = options_of();
    return run_with(&options, MODE_SIM, code);
}

static inline WorkerOutcome run_short(Mode mode, const char *code)
{
    PoolOptions options = options_of();
    options.timeout_ms = 400;
    return run_with(&options, mode, code);
}

static inline void assert_text(Str actual, const char *expected)
{
    assert_string_equal(str_dup(&arena, actual), expected);
}

static inline int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Leaves a grandchild behind that holds the pipes open and makes the mark after 1.2 s. */
static const char *const daemon_code = "answer('{}')\n"
                                       "if os.fork() == 0:\n"
                                       "    os.setsid()\n"
                                       "    if os.fork() == 0:\n"
                                       "        time.sleep(1.2)\n"
                                       "        open(os.environ['POOL_TEST_MARK'], 'w')\n"
                                       "        time.sleep(60)\n"
                                       "    os._exit(0)\n"
                                       "os.wait()\n";

/* A thread: sends the signal `number` to this process after 0.7 s. */
static inline void *interrupt(void *number)
{
    pause_ms(700);
    kill(getpid(), *(int *)number);
    return NULL;
}

/* A test with a fixture of its own. */
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
