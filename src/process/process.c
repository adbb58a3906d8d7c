/* Processes; see process.h. */
#include "process/process.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_PAUSE_US = 500, LONGEST_PAUSE_US = 20000 };

static int direct(posix_spawn_file_actions_t *actions, int fd, int to)
{
    return fd < 0 ? posix_spawn_file_actions_addopen(actions, to, "/dev/null", O_WRONLY, 0)
                  : posix_spawn_file_actions_adddup2(actions, fd, to);
}

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* ignored by us; it shall end when nobody reads */
    const short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    int error = posix_spawnattr_setsigmask(attributes, &none);
    error = error != 0 ? error : posix_spawnattr_setsigdefault(attributes, &defaults);
    return error != 0 ? error : posix_spawnattr_setflags(attributes, flags);
}

pid_t process_start(const Process *process, int *error)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t id = -1;
    *error = posix_spawn_file_actions_init(&actions);
    if (*error != 0) {
        return -1;
    }
    *error = posix_spawnattr_init(&attributes);
    if (*error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -1;
    }
    int code =
        process->in > 0
            ? posix_spawn_file_actions_adddup2(&actions, process->in, STDIN_FILENO)
            : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    code = code != 0 ? code : direct(&actions, process->out, STDOUT_FILENO);
    code = code != 0 ? code : direct(&actions, process->err, STDERR_FILENO);
    code = code != 0 ? code : set_attributes(&attributes);
    code = code != 0 ? code
                     : posix_spawn(&id, process->program, &actions, &attributes, process->arguments,
                                   process->environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    *error = code;
    return code == 0 ? id : -1;
}

ProcessEnd process_wait(pid_t id, int64_t end, int *status)
{
    for (long pause = FIRST_PAUSE_US;; pause = pause * 2) {
        int ended;
        pid_t done = waitpid(id, &ended, WNOHANG);
        if (done == id) {
            *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128;
            return PROCESS_EXITED;
        }
        if (done < 0 && errno != EINTR) {
            return PROCESS_LOST;
        }
        if (clock_ms() >= end) {
            return PROCESS_LATE;
        }
        pause = pause > LONGEST_PAUSE_US ? LONGEST_PAUSE_US : pause;
        nanosleep(&(struct timespec){0, pause * 1000}, NULL);
    }
}

bool process_pipe(int *reader, int *writer)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    *reader = ends[0];
    *writer = ends[1];
    return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

void process_close(int *end)
{
    if (*end >= 0) {
        close(*end);
        *end = -1;
    }
}

void process_end(pid_t id, int64_t grace_ms)
{
    int status;
    if (grace_ms > 0) {
        kill(-id, SIGTERM);
        if (process_wait(id, clock_ms() + grace_ms, &status) == PROCESS_EXITED) {
            return;
        }
    }
    kill(-id, SIGKILL);
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
}

int process_end_by(int number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    return 128 + number;
}
