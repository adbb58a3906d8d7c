/* Guard: the guard process and the supervisor; see guard.h. In them nothing allocates: after a fork
 * in a program with threads only async-signal-safe functions may be called. */
#include "process/guard.h"

#include "base/clock.h"
#include "process/descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_FREE_FD = 16,
    TICK_MS = 20,    /* between two looks at the number of processes */
    CALM_MS = 500,   /* after a close look that found nothing wrong */
    SWEEP_MS = 5000, /* for ending processes that are left behind */
    MAX_SIGNAL = 64,
};

typedef struct Guard {
    const GuardLaunch *launch;
    pid_t parent;
    bool first_process; /* of a namespace: ours is the supervisor */
    int status;         /* write end of the status pipe */
    char user_map[64];  /* lines for /proc/self/uid_map and gid_map */
    char group_map[64];
} Guard;

static void report_end(const Guard *guard, ProcessEnd end, int value)
{
    ProcessResult report = {.end = end, .value = value};
    while (write(guard->status, &report, sizeof report) < 0 && errno == EINTR) {
    }
}

static _Noreturn void fail(const Guard *guard, int error)
{
    report_end(guard, PROCESS_NOT_STARTED, error);
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

/* The program's descriptors, then the status pipe; all others closed. */
static bool arrange_descriptors(Guard *guard)
{
    const GuardLaunch *launch = guard->launch;
    int fds[GUARD_DESCRIPTORS + 1];
    int count = launch->descriptor_count;
    for (int i = 0; i <= count; i++) {
        int from = i < count ? launch->descriptors[i] : guard->status;
        from = from >= 0 ? from : open("/dev/null", (i == 0 ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
        fds[i] = from < 0 ? -1 : fcntl(from, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
        if (fds[i] < 0) {
            return false;
        }
    }
    for (int i = 0; i <= count; i++) {
        if (dup2(fds[i], i) < 0) {
            return false;
        }
    }
    close_from(count + 1);
    guard->status = count;
    return fcntl(count, F_SETFD, FD_CLOEXEC) == 0;
}

/* Once the program runs its descriptors are its own: their ends show when it has closed them. */
static void close_program_descriptors(const Guard *guard)
{
    for (int i = 0; i < guard->launch->descriptor_count; i++) {
        close(i);
    }
}

/* --- the program */

void guard_limit(int resource, uint64_t value)
{
    struct rlimit old;
    struct rlimit wanted = {value, value};
    if (getrlimit((__rlimit_resource_t)resource, &old) == 0 && old.rlim_max < wanted.rlim_max) {
        wanted.rlim_cur = wanted.rlim_max = old.rlim_max;
    }
    setrlimit((__rlimit_resource_t)resource, &wanted);
}

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t written = write(fd, text, strlen(text));
        (void)written;
        close(fd);
    }
}

static _Noreturn void become_program(const Guard *guard)
{
    const GuardLaunch *launch = guard->launch;
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* again: its own files in /proc are to be its own */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    /* When memory runs out the kernel shall take the program, not the one who reports on it. */
    write_file("/proc/self/oom_score_adj", "1000");
    guard_limit(RLIMIT_CORE, 0);
    /* Counts all processes of the user, also those of other programs. */
    guard_limit(RLIMIT_NPROC, machine_threads() + launch->processes);
    if (launch->file_size > 0) {
        guard_limit(RLIMIT_FSIZE, launch->file_size);
    }
    if (launch->cpu_seconds > 0) {
        guard_limit(RLIMIT_CPU, launch->cpu_seconds);
    }
    if (launch->memory > 0) {
        guard_limit(RLIMIT_AS, launch->memory);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(launch->path, launch->arguments, launch->environment);
    fail(guard, errno);
}

/* --- the supervisor */

/* Waits for an event for at most `ms`; true with the program's wait status once it has ended. */
static bool wait_program(pid_t program, int ms, bool *asked, int *status)
{
    sigset_t events;
    sigemptyset(&events);
    sigaddset(&events, SIGCHLD);
    sigaddset(&events, SIGTERM);
    struct timespec time = {ms / 1000, (ms % 1000) * 1000000L};
    *asked = sigtimedwait(&events, NULL, &time) == SIGTERM;
    bool ended = false;
    for (;;) {
        int one;
        pid_t pid = waitpid(-1, &one, WNOHANG);
        if (pid <= 0) {
            return ended;
        }
        if (pid == program) {
            *status = one;
            ended = true;
        }
    }
}

/* All that the program started; in a namespace by one call, which none of them escapes. */
static void signal_all(const Guard *guard, pid_t program, int number)
{
    if (guard->first_process) {
        kill(-1, number);
        return;
    }
    kill(-program, number);
    descendants_signal(number);
}

/* When to look closer at the number of processes. */
typedef struct Watch {
    uint64_t before;  /* threads of the machine when the program was started */
    uint64_t allowed; /* threads of the machine that the last look made sure of */
    int64_t next;     /* clock_ms; before it only a number beyond `allowed` is looked into */
} Watch;

/* The machine's number is cheap but counts others too, so it only says when to look closer. Then
 * everything is stopped: thousands of processes would not leave the time to count them. When it was
 * others who grew, the next look waits, or the program would be stopped most of the time. */
static bool too_many(const Guard *guard, pid_t program, Watch *watch)
{
    uint32_t most = guard->launch->processes;
    uint64_t now = machine_threads();
    if (now <= watch->before + most || (now <= watch->allowed && clock_ms() < watch->next)) {
        return false;
    }
    kill(guard->first_process ? -1 : -program, SIGSTOP);
    uint32_t count = 0;
    bool known = descendants_count(most, !guard->first_process, &count);
    if (known && count <= most) {
        signal_all(guard, program, SIGCONT);
        watch->allowed = now + (most - count);
        watch->next = clock_ms() + CALM_MS;
        return false;
    }
    return true;
}

static ProcessResult watch(const Guard *guard, pid_t program, uint64_t before)
{
    Watch number = {.before = before};
    const GuardLaunch *launch = guard->launch;
    ProcessResult report = {.end = PROCESS_EXITED};
    int64_t end =
        launch->milliseconds == 0 ? INT64_MAX : clock_ms() + (int64_t)launch->milliseconds;
    bool ending = false;
    for (;;) {
        int64_t left = end - clock_ms();
        bool asked = false;
        int status = 0;
        if (left > 0 &&
            wait_program(program, left < TICK_MS ? (int)left : TICK_MS, &asked, &status)) {
            if (!ending) {
                bool exited = WIFEXITED(status);
                report.end = exited ? PROCESS_EXITED : PROCESS_KILLED;
                report.value = exited ? WEXITSTATUS(status) : WTERMSIG(status);
            }
            return report;
        }
        if (ending && (left <= 0 || asked)) { /* asked twice: at once */
            return report;
        }
        if (!ending && too_many(guard, program, &number)) {
            report.end = PROCESS_TOO_MANY;
            return report;
        }
        if (!ending && (left <= 0 || asked)) {
            report.end = asked ? PROCESS_CANCELLED : PROCESS_LATE;
            ending = true;
            if (launch->grace_ms == 0) {
                return report;
            }
            end = clock_ms() + launch->grace_ms;
            kill(-program, SIGTERM);
            kill(-program, SIGCONT);
        }
    }
}

/* Where it is allowed to: among thousands of processes the one that ends them needs its turn. */
static void hurry(void)
{
    if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &(struct sched_param){1}) != 0) {
        setpriority(PRIO_PROCESS, 0, -20);
    }
}

static _Noreturn void supervise(const Guard *guard)
{
    uint64_t before = machine_threads();
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* the program shall not trace who watches it */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t program = fork();
    if (program < 0) {
        fail(guard, errno);
    }
    if (program == 0) {
        become_program(guard);
    }
    /* Only ends are signalled: a close look, which stops the program, must not cause the next. */
    struct sigaction only_ends = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP};
    sigaction(SIGCHLD, &only_ends, NULL);
    hurry();
    close_program_descriptors(guard);
    ProcessResult report = watch(guard, program, before);
    report_end(guard, report.end, report.value);
    if (!guard->first_process) {
        /* The group at once: none of it can fork meanwhile. Its number is taken while it has
         * members. */
        kill(-program, SIGKILL);
        descendants_kill(SWEEP_MS);
    }
    _exit(0);
}

/* --- the guard */

/* New process and network namespaces; false when the kernel does not allow them. */
static bool isolate(const Guard *guard)
{
    if (unshare(CLONE_NEWPID | CLONE_NEWNET) == 0) {
        return true;
    }
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET) != 0) {
        return false;
    }
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* or the maps could not be written */
    /* Without a map the program runs as "nobody", but with the rights of the user. */
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/uid_map", guard->user_map);
    write_file("/proc/self/gid_map", guard->group_map);
    return true;
}

static void reset_signals(void)
{
    for (int i = 1; i <= MAX_SIGNAL; i++) {
        signal(i, SIG_DFL); /* refused for some */
    }
}

/* Ends with the first process of the namespace, and passes on that it is asked to end. */
static _Noreturn void wait_first(pid_t first)
{
    sigset_t events;
    sigemptyset(&events);
    sigaddset(&events, SIGCHLD);
    sigaddset(&events, SIGTERM);
    for (;;) {
        int event = sigwaitinfo(&events, NULL);
        if (event == SIGTERM) {
            kill(first, SIGTERM);
        } else if (waitpid(first, NULL, WNOHANG) != 0) {
            _exit(0);
        }
    }
}

/* The life of the guard, with all signals blocked. */
static _Noreturn void guard_run(Guard *guard)
{
    setpgid(0, 0);
    /* SIGTERM, as it has to end others first. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != guard->parent) {
        _exit(127);
    }
    reset_signals();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!arrange_descriptors(guard)) {
        _exit(127);
    }
    if (guard->launch->namespaces == GUARD_SHARED || !isolate(guard)) {
        supervise(guard);
    }
    pid_t first = fork();
    if (first < 0) {
        fail(guard, errno);
    }
    if (first == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        guard->first_process = true;
        supervise(guard);
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    close_program_descriptors(guard);
    wait_first(first);
}

/* --- the side of the caller */

static pid_t fork_guard(Guard *guard)
{
    sigset_t all;
    sigset_t old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t id = fork();
    if (id == 0) {
        guard_run(guard);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (id > 0) {
        setpgid(id, id); /* both sides do it: whoever comes first */
    }
    errno = error;
    return id;
}

pid_t guard_start(const GuardLaunch *launch, int *status)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return -1;
    }
    Guard guard = {.launch = launch, .parent = getpid(), .status = ends[1]};
    snprintf(guard.user_map, sizeof guard.user_map, "%u %u 1\n", geteuid(), geteuid());
    snprintf(guard.group_map, sizeof guard.group_map, "%u %u 1\n", getegid(), getegid());
    pid_t id = fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0 ? -1 : fork_guard(&guard);
    int error = errno;
    close(ends[1]);
    if (id < 0) {
        close(ends[0]);
        errno = error;
        return -1;
    }
    *status = ends[0];
    return id;
}

void guard_status_add(GuardStatus *status, const char *bytes, size_t count)
{
    size_t room = sizeof status->report - status->length;
    size_t taken = count < room ? count : room;
    memcpy((char *)&status->report + status->length, bytes, taken);
    status->length += taken;
}

void guard_bury(pid_t guard)
{
    kill(-guard, SIGKILL);
    while (waitpid(guard, NULL, 0) < 0 && errno == EINTR) {
    }
}
