/* PythonChild: the guard process and the Python process; see python_child.h.
 *
 *   linter ── guard ── supervisor ── Python ── whatever it starts
 *
 * With a process namespace the supervisor is its first process: when it ends, the kernel ends all
 * others. Without one the guard itself supervises, and adopts and kills what is left behind. */
#include "operator/python_child.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_FD = 3, FIRST_FREE_FD = 10, TICK_MS = 20, SWEEP_MS = 1000, MAX_SIGNAL = 64 };

static void tell(PythonEnd end, int value)
{
    PythonReport report = {.end = end, .value = value};
    while (write(STATUS_FD, &report, sizeof report) < 0 && errno == EINTR) {
    }
}

static _Noreturn void fail(int error)
{
    tell(PYTHON_NOT_STARTED, error);
    _exit(127);
}

/* --- descriptors */

static void close_from(int first)
{
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) {
        return;
    }
    struct rlimit limit;
    int end = 65536;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536) {
        end = (int)limit.rlim_cur;
    }
    for (int fd = first; fd < end; fd++) {
        close(fd);
    }
}

/* 0: nothing, 1 and 2: the pipes, 3: the status pipe; all others closed. */
static bool arrange_descriptors(const PythonLaunch *launch)
{
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int fds[] = {in, launch->out, launch->err, launch->status};
    for (int i = 0; i < 4; i++) {
        fds[i] = fds[i] < 0 ? -1 : fcntl(fds[i], F_DUPFD_CLOEXEC, FIRST_FREE_FD);
        if (fds[i] < 0) {
            return false;
        }
    }
    for (int i = 0; i < 4; i++) {
        if (dup2(fds[i], i) < 0) {
            return false;
        }
    }
    close_from(STATUS_FD + 1);
    return fcntl(STATUS_FD, F_SETFD, FD_CLOEXEC) == 0;
}

/* --- Python */

static void limit(int resource, uint64_t value)
{
    struct rlimit old;
    struct rlimit wanted = {value, value};
    if (getrlimit((__rlimit_resource_t)resource, &old) == 0 && old.rlim_max < wanted.rlim_max) {
        wanted.rlim_cur = wanted.rlim_max = old.rlim_max;
    }
    setrlimit((__rlimit_resource_t)resource, &wanted);
}

static uint64_t processes_now(void)
{
    struct sysinfo info;
    return sysinfo(&info) == 0 ? info.procs : 0;
}

static _Noreturn void become_python(const PythonLaunch *launch)
{
    const PythonJob *job = launch->job;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, job->file_size);
    limit(RLIMIT_CPU, job->milliseconds / 1000 + 2);
    /* The limit counts all processes of the user, also those of other programs. */
    limit(RLIMIT_NPROC, processes_now() + job->processes);
    limit(RLIMIT_AS, job->memory);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(launch->path, launch->argv, launch->envp);
    fail(errno);
}

/* --- the supervisor */

/* Waits for any child for at most `ms`; returns true with Python's wait status once it has
 * ended. */
static bool wait_python(pid_t python, int ms, int *status)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    struct timespec time = {ms / 1000, (ms % 1000) * 1000000L};
    sigtimedwait(&child, NULL, &time);
    bool ended = false;
    for (;;) {
        int one;
        pid_t pid = waitpid(-1, &one, WNOHANG);
        if (pid <= 0) {
            return ended;
        }
        if (pid == python) {
            *status = one;
            ended = true;
        }
    }
}

/* Kills the adopted children until there are none. Their numbers cannot be reused meanwhile: they
 * are waited for here only. */
static void sweep(void)
{
    int64_t end = clock_ms() + SWEEP_MS;
    while (clock_ms() < end) {
        char text[4096];
        int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
        ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text);
        close(fd);
        pid_t pid = 0;
        for (ssize_t i = 0; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                pid = pid * 10 + (text[i] - '0');
            } else {
                /* Only a number that ends within the buffer is whole. */
                if (pid > 1) {
                    kill(pid, SIGKILL);
                }
                pid = 0;
            }
        }
        pid_t gone;
        do {
            gone = waitpid(-1, NULL, WNOHANG);
        } while (gone > 0);
        if (gone < 0) {
            return;
        }
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
}

static _Noreturn void supervise(const PythonLaunch *launch, bool first_process)
{
    const PythonJob *job = launch->job;
    int64_t deadline = clock_ms() + job->milliseconds;
    uint64_t most = processes_now() + job->processes;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t python = fork();
    if (python < 0) {
        fail(errno);
    }
    if (python == 0) {
        become_python(launch);
    }
    PythonReport report = {.end = PYTHON_TIMED_OUT};
    int status = 0;
    int64_t left;
    while ((left = deadline - clock_ms()) > 0) {
        if (wait_python(python, left < TICK_MS ? (int)left : TICK_MS, &status)) {
            bool exited = WIFEXITED(status);
            report.end = exited ? PYTHON_EXITED : PYTHON_KILLED;
            report.value = exited ? WEXITSTATUS(status) : WTERMSIG(status);
            break;
        }
        if (processes_now() > most) {
            report.end = PYTHON_TOO_MANY;
            break;
        }
    }
    tell(report.end, report.value);
    if (!first_process) {
        sweep();
    }
    _exit(0);
}

/* --- the guard */

static void write_map(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        /* Without a map Python runs as "nobody", but with the rights of the user. */
        ssize_t written = write(fd, text, strlen(text));
        (void)written;
        close(fd);
    }
}

/* New process and network namespaces; false when the kernel does not allow them. */
static bool isolate(const PythonLaunch *launch)
{
    if (unshare(CLONE_NEWPID | CLONE_NEWNET) == 0) {
        return true;
    }
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET) != 0) {
        return false;
    }
    write_map("/proc/self/setgroups", "deny");
    write_map("/proc/self/uid_map", launch->user_map);
    write_map("/proc/self/gid_map", launch->group_map);
    return true;
}

static void reset_signals(void)
{
    for (int i = 1; i <= MAX_SIGNAL; i++) {
        signal(i, SIG_DFL); /* refused for some */
    }
}

_Noreturn void python_guard(const PythonLaunch *launch)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launch->parent) {
        _exit(127);
    }
    reset_signals();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!arrange_descriptors(launch)) {
        _exit(127);
    }
    if (!isolate(launch)) {
        supervise(launch, false);
    }
    pid_t first = fork();
    if (first < 0) {
        fail(errno);
    }
    if (first == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        supervise(launch, true);
    }
    while (waitpid(first, NULL, 0) < 0 && errno == EINTR) {
    }
    _exit(0);
}
