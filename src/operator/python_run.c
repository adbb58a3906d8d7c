/* PythonRun: finds the interpreter and runs it under a guard (process/capture.h); see
 * python_run.h. */
#include "operator/python_run.h"

#include "base/clock.h"
#include "base/path.h"
#include "base/program.h"
#include "process/capture.h"

#include <errno.h>
#include <stdlib.h>

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
};

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

/* python3 in the folder of this program: that of the virtual or conda environment that it was
 * installed into, whose packages the user means. NULL when there is none. */
static const char *python_beside(Arena *arena)
{
    Str own = program_own(arena);
    const char *path = path_join(arena, path_parent(own), STR("python3")).at;
    return own.length > 0 && program_exists(path) ? path : NULL;
}

const char *python_interpreter(Arena *arena, Str named)
{
    Str wanted = asked_for(named);
    if (wanted.length == 0) {
        const char *beside = python_beside(arena);
        return beside != NULL                       ? beside
               : program_exists("/usr/bin/python3") ? "/usr/bin/python3"
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

/* --- running */

static ProcessResult wait_for_end(ProcessCapture *capture)
{
    struct pollfd polled[CAPTURE_POLLED];
    for (bool lives = capture->guard > 0; lives && capture->guard > 0;) {
        process_capture_poll(capture, polled);
        int64_t left = capture->last - clock_ms();
        if (poll(polled, CAPTURE_POLLED, left < 0 ? 0 : (int)left) > 0) {
            lives = process_capture_read(capture, polled);
        }
        process_capture_check_time(capture, clock_ms());
    }
    return process_capture_end(capture);
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
    ProcessCapture *capture = ARENA_NEW(arena, ProcessCapture);
    for (int i = 0; i < CAPTURE_STREAMS; i++) {
        capture_init(&capture->streams[i], arena, 0, job->output);
    }
    char **arguments = make_arguments(arena, path, job->arguments);
    char **environment = make_environment(arena);
    int ends[CAPTURE_STREAMS];
    if (!process_capture_open(capture, ends)) {
        result.value = errno;
        return result;
    }
    GuardLaunch launch = {.path = path,
                          .arguments = arguments,
                          .environment = environment,
                          .descriptors = {-1, ends[0], ends[1]},
                          .descriptor_count = 3,
                          .namespaces = GUARD_OWN,
                          .milliseconds = job->milliseconds,
                          .cpu_seconds = job->milliseconds / 1000 + 2,
                          .memory = job->memory,
                          .file_size = job->file_size,
                          .processes = job->processes};
    process_capture_start(capture, &launch);
    process_close(&ends[0]);
    process_close(&ends[1]);
    ProcessResult outcome = wait_for_end(capture);
    /* Cancelled: the linter is being ended, and nobody will read the result. */
    result.end = outcome.end == PROCESS_CANCELLED ? PROCESS_LATE : outcome.end;
    result.value = outcome.value;
    result.out = capture_text(&capture->streams[0], arena);
    result.err = capture_text(&capture->streams[1], arena);
    return result;
}
