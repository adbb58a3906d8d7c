/* Launch; see launch.h. */
#include "harness/pool/launch.h"

#include "base/clock.h"
#include "harness/pool/python_home.h"
#include "process/descendants.h"
#include "process/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SWEEP_MS = 1000 /* for ending the processes left behind */ };

/* ---- environment ---- */

static bool set_variable(Arena *arena, const char *name, Str value)
{
    return value.length == 0 ? unsetenv(name) == 0 : setenv(name, str_dup(arena, value), 1) == 0;
}

static bool set_given(Arena *arena, const char *name, Str value)
{
    return value.length == 0 || set_variable(arena, name, value);
}

bool launch_product(Arena *arena, const Product *product)
{
    bool is_said = product->source != PRODUCT_ASSUMED;
    Str name = str_from(product_version_names[product->version]);
    return (product->source == PRODUCT_VARIABLE || !is_said ||
            set_variable(arena, "PTOSIM_PYPTO", name)) &&
           set_variable(arena, "PTOSIM_PYPTO_WHY", product_text(arena, product, false)) &&
           set_given(arena, "PTOSIM_NEW_IR", product->old_front_end ? STR("0") : STR(""));
}

static bool set_simulator(Arena *arena, const Launch *launch, Str sim, Str harness)
{
    Str both = str_format(arena, "%.*s:%.*s", STR_ARG(sim), STR_ARG(harness));
    return set_variable(arena, "PYTHONPATH", python_path_with(arena, both)) &&
           set_variable(arena, "TORCH_DEVICE_BACKEND_AUTOLOAD", STR("0")) &&
           set_variable(arena, "PTOSIM_RUN_MODE", STR("SIM")) &&
           /* Programs that find no device named do nothing, or say that there is none. */
           (getenv("TILE_FWK_DEVICE_ID") != NULL ||
            set_variable(arena, "TILE_FWK_DEVICE_ID", STR("0"))) &&
           set_given(arena, "PTOSIM_SOC", launch->soc) && launch_product(arena, &launch->product) &&
           set_given(arena, "PTOSIM_PROFILE", launch->profile) &&
           set_given(arena, "PTOSIM_WARN", launch->warn) &&
           set_given(arena, "PTOSIM_SANITIZE", launch->sanitize) &&
           set_given(arena, "PTOSIM_TRACE", launch->trace) &&
           set_given(arena, "PTOSIM_PAGE_DATA", launch->page_data) &&
           set_given(arena, "PTOSIM_PRECISION", launch->precision) &&
           set_given(arena, "PTOSIM_STATS", launch->stats ? STR("1") : STR(""));
}

bool launch_environment(Arena *arena, const Launch *launch)
{
    Str sim = python_home(arena, "sim");
    Str harness = python_home(arena, "harness");
    if (!set_variable(arena, "PYPTO_LINT_SIM_HOME", sim)) {
        return false;
    }
    if (launch->mode == MODE_SIM) {
        return set_simulator(arena, launch, sim, harness);
    }
    return set_variable(arena, "PYTHONPATH", python_path_with(arena, harness)) &&
           set_variable(arena, "PTOSIM_RUN_MODE", STR(""));
}

/* ---- limits ---- */

int launch_become(const Launch *launch, char *const *words)
{
    guard_limit(RLIMIT_CORE, 0);
    if (launch->memory > 0) {
        guard_limit(RLIMIT_AS, launch->memory);
    }
    signal(SIGPIPE, SIG_DFL); /* as Python expects to find it */
    execv(words[0], words);
    return errno;
}

/* ---- waiting ---- */

typedef struct Wait {
    pid_t program;
    int64_t end;      /* of the time, clock_ms; 0 = none */
    bool is_late;     /* its time is over */
    bool is_asked;    /* to end, by us */
    bool is_killed;   /* by us */
    int interruption; /* signal that we got and passed on; 0 = none */
    int terminal;     /* descriptor of our terminal; -1 = none */
    int status;       /* of the program, once it has ended */
} Wait;

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

/* The terminal, if this process is in its foreground; else -1. */
static int own_terminal(void)
{
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (fd >= 0 && tcgetpgrp(fd) != getpgrp()) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Gives the terminal to a group, without being stopped if we are in the background. */
static void give_terminal(int terminal, pid_t group)
{
    if (terminal >= 0) {
        void (*old)(int) = signal(SIGTTOU, SIG_IGN);
        tcsetpgrp(terminal, group);
        signal(SIGTTOU, old);
    }
}

static _Noreturn void begin(const Launch *launch, char *const *words, int terminal, int keep,
                            pid_t parent, int failure)
{
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(127); /* our parent ended before the line above */
    }
    setpgid(0, 0);
    give_terminal(terminal, getpid());
    if (keep >= 0) {
        fcntl(keep, F_SETFD, 0);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int error = launch_become(launch, words);
    while (write(failure, &error, sizeof error) < 0 && errno == EINTR) {
    }
    _exit(127);
}

/* Asks the group to end, unless it has been sent SIGTERM already: Python drops its handlers before
 * it ends, so a second one could kill it. time_is_over kills the group if it does not end. */
static void ask_to_end(Wait *wait)
{
    wait->is_asked = true;
    if (wait->interruption != SIGTERM) {
        kill(-wait->program, SIGTERM);
    }
    kill(-wait->program, SIGCONT); /* a stopped process could not end */
    wait->end = clock_ms() + LAUNCH_GRACE_MS;
}

static void time_is_over(Wait *wait)
{
    if (wait->is_asked) {
        wait->is_killed = true;
        kill(-wait->program, SIGKILL);
        descendants_kill(SWEEP_MS);
        wait->end = 0;
        return;
    }
    wait->is_late = true;
    ask_to_end(wait);
}

/* The whole group was stopped (Ctrl-Z): stops this process as well, until it is continued. */
static void stop_with_it(const Wait *wait)
{
    give_terminal(wait->terminal, getpgrp());
    kill(getpid(), SIGSTOP);
    give_terminal(wait->terminal, wait->program);
    kill(-wait->program, SIGCONT);
}

/* True when the program has ended. Also reaps its orphaned descendants, which are our children. */
static bool look(Wait *wait)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
        if (pid != wait->program) {
            continue;
        }
        if (!WIFSTOPPED(status)) {
            wait->status = status;
            return true;
        }
        stop_with_it(wait);
    }
    return pid < 0 && errno == ECHILD;
}

/* Passes a signal on. A program may handle those of the keyboard (Ctrl-C, Ctrl-\) as it likes;
 * after any other it has a limited time to end. */
static void pass_on(Wait *wait, int number)
{
    bool is_first = wait->interruption == 0;
    wait->interruption = number;
    kill(-wait->program, number);
    if (number != SIGINT && number != SIGQUIT && is_first) {
        ask_to_end(wait);
    }
}

static void wait_for_end(Wait *wait, const sigset_t *signals)
{
    while (!look(wait)) {
        int64_t left = wait->end == 0 ? 60000 : wait->end - clock_ms();
        struct timespec pause = {left / 1000, (left % 1000) * 1000000};
        int number = left <= 0 ? -1 : sigtimedwait(signals, NULL, &pause);
        if (number < 0 && wait->end != 0 && clock_ms() >= wait->end) {
            time_is_over(wait);
        } else if (number > 0 && number != SIGCHLD) {
            pass_on(wait, number);
        }
    }
}

static ProcessResult result_of(const Wait *wait)
{
    if (wait->is_late) {
        return (ProcessResult){PROCESS_LATE, 0};
    }
    if (wait->interruption != 0 && (wait->is_killed || WIFSIGNALED(wait->status))) {
        return (ProcessResult){PROCESS_CANCELLED, wait->interruption};
    }
    return WIFSIGNALED(wait->status) ? (ProcessResult){PROCESS_KILLED, WTERMSIG(wait->status)}
                                     : (ProcessResult){PROCESS_EXITED, WEXITSTATUS(wait->status)};
}

static ProcessResult watch(const Launch *launch, pid_t program, int terminal, int failure,
                           const sigset_t *signals)
{
    Wait wait = {.program = program, .terminal = terminal};
    int error = 0;
    setpgid(program, program); /* the program does the same: one of us is first */
    wait.end = launch->timeout_ms == 0 ? 0 : clock_ms() + launch->timeout_ms;
    wait_for_end(&wait, signals);
    descendants_kill(SWEEP_MS); /* not the group, whose number may be in use again */
    give_terminal(terminal, getpgrp());
    bool failed = read(failure, &error, sizeof error) == (ssize_t)sizeof error;
    return failed ? (ProcessResult){PROCESS_NOT_STARTED, error} : result_of(&wait);
}

ProcessResult launch_wait(const Launch *launch, char *const *words, int keep)
{
    int failure[2]; /* the child reports here why it could not start the program */
    sigset_t signals;
    sigset_t before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (int i = 0; i < PASSED_ON; i++) {
        sigaddset(&signals, passed_on[i]);
    }
    if (pipe2(failure, O_CLOEXEC | O_NONBLOCK) != 0) {
        return (ProcessResult){PROCESS_NOT_STARTED, errno};
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphaned descendants become our children */
    sigprocmask(SIG_BLOCK, &signals, &before);
    int terminal = own_terminal();
    pid_t self = getpid();
    pid_t program = fork();
    if (program == 0) {
        begin(launch, words, terminal, keep, self, failure[1]);
    }
    ProcessResult result = {PROCESS_NOT_STARTED, errno};
    if (program > 0) {
        result = watch(launch, program, terminal, failure[0], &signals);
    }
    close(failure[0]);
    close(failure[1]);
    if (terminal >= 0) {
        close(terminal);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return result;
}
