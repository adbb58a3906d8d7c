/* PythonRun: finds the interpreter, starts it under a guard (base/guard.h), collects its output;
 * see python_run.h. */
#include "operator/python_run.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/program.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { READ_BYTES = 16384 };

/* What Python needs to find itself, its packages and their libraries. Nothing that holds
 * secrets. */
static const char *const inherited[] = {"PATH",
                                        "HOME",
                                        "LANG",
                                        "LC_ALL",
                                        "LC_CTYPE",
                                        "TMPDIR",
                                        "LD_LIBRARY_PATH",
                                        "PYTHONPATH",
                                        "PYTHONHOME",
                                        "VIRTUAL_ENV",
                                        "CONDA_PREFIX",
                                        "PYENV_ROOT",
                                        "PYENV_VERSION",
                                        "ASCEND_HOME_PATH",
                                        "ASCEND_TOOLKIT_HOME",
                                        "ASCEND_OPP_PATH",
                                        "ASCEND_AICPU_PATH",
                                        "TORCH_DEVICE_BACKEND_AUTOLOAD"};

/* One thread is enough for an import, and thread pools take address space. */
static const char *const added[] = {"PYTHONDONTWRITEBYTECODE=1",
                                    "PYTHONIOENCODING=utf-8:backslashreplace", "OMP_NUM_THREADS=1",
                                    "OPENBLAS_NUM_THREADS=1"};

enum {
    INHERITED = sizeof inherited / sizeof *inherited,
    ADDED = sizeof added / sizeof *added,
    PIPE_OUT = 0,
    PIPE_ERR,
    PIPE_STATUS,
    PIPES,
};

/* The last bytes of a stream. */
typedef struct Tail {
    char *at; /* room for twice `limit` */
    size_t length, limit;
} Tail;

typedef struct Session {
    int ends[PIPES][2]; /* read, write; -1 = closed */
    Tail tails[2];
    GuardStatus status;
} Session;

/* --- the interpreter */

/* --python or the variable; empty without. */
static Str asked_for(Str named)
{
    const char *variable = getenv("PYPTO_LINT_PYTHON");
    return named.length > 0 || variable == NULL ? named : str_from(variable);
}

Str python_wanted(Arena *arena, Str named)
{
    Str wanted = asked_for(named);
    return wanted.length == 0 ? STR("python3") : str_format(arena, "%.*s", STR_ARG(wanted));
}

const char *python_interpreter(Arena *arena, Str named)
{
    Str wanted = asked_for(named);
    if (wanted.length == 0) {
        return program_exists("/usr/bin/python3") ? "/usr/bin/python3"
                                                  : program_find(arena, STR("python3"));
    }
    if (!str_contains(wanted, STR("/"))) {
        return program_find(arena, wanted);
    }
    return str_dup(arena, wanted); /* whoever starts it says why it does not start */
}

static char **make_environment(Arena *arena)
{
    char **list = ARENA_ARRAY(arena, char *, INHERITED + ADDED + 1);
    size_t count = 0;
    for (size_t i = 0; i < INHERITED; i++) {
        const char *value = getenv(inherited[i]);
        if (value != NULL) {
            list[count++] = str_dup(arena, str_format(arena, "%s=%s", inherited[i], value));
        }
    }
    for (size_t i = 0; i < ADDED; i++) {
        list[count++] = str_dup(arena, str_from(added[i]));
    }
    return list;
}

static char **make_arguments(Arena *arena, const char *path, const char *const *arguments)
{
    size_t count = 0;
    while (arguments[count] != NULL) {
        count++;
    }
    char **list = ARENA_ARRAY(arena, char *, count + 2);
    list[0] = str_dup(arena, str_from(path));
    for (size_t i = 0; i < count; i++) {
        list[i + 1] = str_dup(arena, str_from(arguments[i]));
    }
    return list;
}

/* --- pipes */

static void close_ends(Session *session, int which)
{
    for (int i = 0; i < PIPES; i++) {
        process_close(&session->ends[i][which]);
    }
}

/* Those of the two streams; the guard makes the third. */
static bool open_pipes(Session *session)
{
    memset(session->ends, -1, sizeof session->ends);
    for (int i = 0; i < PIPE_STATUS; i++) {
        if (!process_pipe(&session->ends[i][0], &session->ends[i][1])) {
            int error = errno;
            close_ends(session, 0);
            close_ends(session, 1);
            errno = error;
            return false;
        }
    }
    return true;
}

static void tail_add(Tail *tail, const char *bytes, size_t count)
{
    if (count > tail->limit) {
        bytes += count - tail->limit;
        count = tail->limit;
    }
    if (tail->length + count > 2 * tail->limit) {
        size_t kept = tail->limit;
        memmove(tail->at, tail->at + tail->length - kept, kept);
        tail->length = kept;
    }
    if (count > 0) {
        memcpy(tail->at + tail->length, bytes, count);
        tail->length += count;
    }
}

static Str tail_text(const Tail *tail)
{
    size_t kept = tail->length < tail->limit ? tail->length : tail->limit;
    return (Str){tail->at + tail->length - kept, kept};
}

/* One read from a pipe; false when there is nothing to read now. Closes it at its end. */
static bool read_pipe(Session *session, int which)
{
    char bytes[READ_BYTES];
    int *fd = &session->ends[which][0];
    ssize_t count = read(*fd, bytes, sizeof bytes);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    if (count <= 0) {
        process_close(fd);
        return false;
    }
    if (which != PIPE_STATUS) {
        tail_add(&session->tails[which], bytes, (size_t)count);
        return true;
    }
    guard_status_add(&session->status, bytes, (size_t)count);
    return true;
}

/* Reads until the guard is gone; ends it when it does not end by itself. */
static void collect(Session *session, pid_t guard, unsigned milliseconds)
{
    int64_t deadline = clock_ms() + milliseconds + GUARD_SLACK_MS;
    bool killed = false;
    while (session->ends[PIPE_STATUS][0] >= 0) {
        int64_t left = deadline - clock_ms();
        if (left <= 0 && killed) {
            break;
        }
        if (left <= 0) {
            kill(-guard, SIGKILL);
            killed = true;
            deadline = clock_ms() + GUARD_SLACK_MS;
            continue;
        }
        struct pollfd polled[PIPES];
        for (int i = 0; i < PIPES; i++) {
            polled[i] = (struct pollfd){.fd = session->ends[i][0], .events = POLLIN};
        }
        if (poll(polled, PIPES, (int)left) <= 0) {
            continue;
        }
        for (int i = 0; i < PIPES; i++) {
            if (polled[i].revents != 0) {
                read_pipe(session, i);
            }
        }
    }
    /* What is left in the pipes; bounded, should somebody still be writing. */
    for (int i = 0; i < PIPE_STATUS; i++) {
        for (int rounds = 0; rounds < 64 && session->ends[i][0] >= 0; rounds++) {
            if (!read_pipe(session, i)) {
                break;
            }
        }
    }
}

/* --- running */

/* The caller's part of the life of a guard; sets `end` and `value` of the result. */
static void run_guarded(Session *session, const GuardLaunch *launch, PythonResult *result)
{
    int status = -1;
    pid_t guard = guard_start(launch, &status);
    result->value = guard < 0 ? errno : 0;
    close_ends(session, 1);
    if (guard > 0) {
        session->ends[PIPE_STATUS][0] = status;
        collect(session, guard, (unsigned)launch->milliseconds);
        guard_bury(guard);
    }
    close_ends(session, 0);
    if (session->status.length == sizeof(GuardReport)) {
        /* Cancelled: the linter ends, and nobody will read it. */
        bool cancelled = session->status.report.end == PROCESS_CANCELLED;
        result->end = cancelled ? PROCESS_LATE : session->status.report.end;
        result->value = session->status.report.value;
    }
}

PythonResult python_run(Arena *arena, const PythonJob *job)
{
    PythonResult result = {.end = PROCESS_NOT_FOUND, .out = STR(""), .err = STR("")};
    const char *path = python_interpreter(arena, job->named);
    result.interpreter = python_wanted(arena, job->named);
    if (path == NULL || !program_exists(path)) {
        return result;
    }
    result.interpreter = str_from(path);
    result.end = PROCESS_NOT_STARTED;
    /* Everything that may fail for lack of memory comes before anything that must be undone. */
    Session *session = ARENA_NEW(arena, Session);
    for (int i = 0; i < 2; i++) {
        session->tails[i] = (Tail){arena_alloc(arena, 2 * job->output + 1), 0, job->output};
    }
    char **arguments = make_arguments(arena, path, job->arguments);
    char **environment = make_environment(arena);
    if (!open_pipes(session)) {
        result.value = errno;
        return result;
    }
    GuardLaunch launch = {
        .path = path,
        .arguments = arguments,
        .environment = environment,
        .descriptors = {-1, session->ends[PIPE_OUT][1], session->ends[PIPE_ERR][1]},
        .descriptor_count = 3,
        .namespaces = GUARD_OWN,
        .milliseconds = job->milliseconds,
        .cpu_seconds = job->milliseconds / 1000 + 2,
        .memory = job->memory,
        .file_size = job->file_size,
        .processes = job->processes};
    run_guarded(session, &launch, &result);
    result.out = tail_text(&session->tails[PIPE_OUT]);
    result.err = tail_text(&session->tails[PIPE_ERR]);
    return result;
}
