/* Starts a program again and again and prints how long that took: from posix_spawn to its end,
 * standard input from a file, output to /dev/null. Used by hook_bench.py, as a small program in C
 * adds least to what it measures.
 *
 *     spawn_times COUNT INPUT PROGRAM [ARGUMENT…]
 *
 * One line of microseconds a run: elapsed, and the processor time of the program. Any exit status
 * but 0 ends it with 1. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double time_us(const struct timeval *time)
{
    return (double)time->tv_sec * 1e6 + (double)time->tv_usec;
}

static int run_once(char **command, const posix_spawn_file_actions_t *files)
{
    pid_t child;
    int status;
    struct rusage usage;
    double start = now_us();
    if (posix_spawn(&child, command[0], files, NULL, command, environ) != 0 ||
        wait4(child, &status, 0, &usage) != child) {
        perror(command[0]);
        return 1;
    }
    double elapsed = now_us() - start;
    printf("%.0f %.0f\n", elapsed, time_us(&usage.ru_utime) + time_us(&usage.ru_stime));
    return status != 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: spawn_times COUNT INPUT PROGRAM [ARGUMENT...]\n", stderr);
        return 2;
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, argv[2], O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    int failed = 0;
    for (long left = strtol(argv[1], NULL, 10); left > 0 && !failed; left--) {
        failed = run_once(argv + 3, &files);
    }
    posix_spawn_file_actions_destroy(&files);
    return failed;
}
