/* Programs that are started: their status, their output, and their end when the time is over. */
#include "base/clock.h"
#include "process/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static pid_t start(const char *script, int out)
{
    char shell[] = "sh";
    char flag[] = "-c";
    char text[200];
    strncpy(text, script, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    char *const arguments[] = {shell, flag, text, NULL};
    const Process process = {"/bin/sh", arguments, environ, out, -1, 0};
    int error = -1;
    pid_t id = process_start(&process, &error);
    assert_int_equal(error, 0);
    assert_true(id > 0);
    return id;
}

static void test_status(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        int status;
    } cases[] = {{"exit 0", 0}, {"exit 7", 7}, {"kill -9 $$", 128}, {"read x", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = -1;
        assert_int_equal(process_wait(start(cases[i].script, -1), clock_ms() + 20000, &status),
                         PROCESS_EXITED);
        assert_int_equal(status, cases[i].status);
    }
}

static void test_output(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t id = start("echo out; echo err >&2", ends[1]);
    close(ends[1]);
    char text[20] = "";
    assert_int_equal(read(ends[0], text, sizeof text), 4);
    assert_string_equal(text, "out\n");
    assert_int_equal(read(ends[0], text, sizeof text), 0);
    close(ends[0]);
    int status;
    assert_int_equal(process_wait(id, clock_ms() + 20000, &status), PROCESS_EXITED);
}

/* The child of the child holds the pipe; its end shows that it is gone. */
static void expect_all_ended(const char *script, int64_t grace)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t id = start(script, ends[1]);
    close(ends[1]);
    char byte;
    assert_int_equal(read(ends[0], &byte, 1), 1); /* it is up */
    int status;
    assert_int_equal(process_wait(id, clock_ms() + 20, &status), PROCESS_LATE);
    int64_t before = clock_ms();
    process_end(id, grace);
    assert_true(clock_ms() - before < 15000);
    assert_int_equal(kill(id, 0), -1);
    assert_int_equal(errno, ESRCH);
    while (read(ends[0], &byte, 1) > 0) {
    }
    close(ends[0]);
}

static void test_end(void **state)
{
    (void)state;
    expect_all_ended("echo; sleep 60 & sleep 60", 0);
    expect_all_ended("echo; sleep 60 & sleep 60", 5000);
    expect_all_ended("trap '' TERM; echo; while :; do sleep 60; done", 100);
}

/* Not our child: no reason to wait for the end of the time. */
static void test_lost(void **state)
{
    (void)state;
    int status = -1;
    int64_t before = clock_ms();
    assert_int_equal(process_wait(getpid(), before + 20000, &status), PROCESS_LOST);
    assert_true(clock_ms() - before < 10000);
    assert_int_equal(status, -1);
}

static void test_absent_program(void **state)
{
    (void)state;
    char name[] = "none";
    char *const arguments[] = {name, NULL};
    const Process process = {"/nowhere/none", arguments, environ, -1, -1, 0};
    int error = 0;
    assert_int_equal(process_start(&process, &error), -1);
    assert_int_equal(error, ENOENT);
}

/* --- captured output */

static Capture streams[2];

/* Runs the script with both streams captured, for at most so long. */
static ProcessEnd capture(const char *script, int milliseconds)
{
    int ends[2];
    assert_true(capture_open(&streams[0], &ends[0]));
    assert_true(capture_open(&streams[1], &ends[1]));
    pid_t id = start(script, ends[0]);
    pid_t other = start("printf 0123456789", ends[1]);
    process_close(&ends[0]);
    process_close(&ends[1]);
    ProcessEnd end = capture_all(streams, 2, clock_ms() + milliseconds);
    process_end(id, 0);
    process_end(other, 0);
    process_close(&streams[0].fd);
    process_close(&streams[1].fd);
    return end;
}

static void assert_text(const Capture *stream, Arena *arena, const char *expected)
{
    Str text = capture_text(stream, arena);
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.length > 0 ? text.at : "", expected, text.length);
}

static void test_captures(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    capture_init_whole(&streams[0], &arena, 100);
    capture_init(&streams[1], &arena, 4, 0);
    assert_int_equal(capture("printf abc; printf def", 20000), PROCESS_EXITED);
    assert_text(&streams[0], &arena, "abcdef");
    assert_text(&streams[1], &arena, "0123"); /* the first bytes */
    capture_init(&streams[0], &arena, 0, 4);
    capture_init(&streams[1], &arena, 3, 2);
    assert_int_equal(capture("printf abc; printf def", 20000), PROCESS_EXITED);
    assert_text(&streams[0], &arena, "cdef"); /* the last ones */
    assert_text(&streams[1], &arena, "012\n[… 5 bytes removed …]\n89");
    assert_int_equal(streams[1].cut.bytes, 10);
    capture_init_whole(&streams[1], &arena, 9);
    assert_int_equal(capture("exec sleep 20", 20000), PROCESS_TOO_MUCH);
    assert_text(&streams[1], &arena, "");
    capture_init_whole(&streams[1], &arena, 10);
    assert_int_equal(capture("exec sleep 20", 50), PROCESS_LATE);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status),   cmocka_unit_test(test_output),
        cmocka_unit_test(test_captures), cmocka_unit_test(test_end),
        cmocka_unit_test(test_lost),     cmocka_unit_test(test_absent_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
