/* Hook failsafe; see hook_failsafe.h. The handlers call nothing but write and _exit. */
#include "hook/hook_failsafe.h"

#include <signal.h>
#include <unistd.h>

/* Sanitizers report crashes themselves. */
#if defined(__SANITIZE_ADDRESS__)
#define UNDER_SANITIZER true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_SANITIZER true
#endif
#endif
#ifndef UNDER_SANITIZER
#define UNDER_SANITIZER false
#endif

static HookAnswer answer_crashed, answer_late;

/* A crash may be an overflow of the stack: the handler needs one of its own. */
enum { HANDLER_STACK = 64 * 1024 };
static char handler_stack[HANDLER_STACK];

static void write_text(int fd, Str text)
{
    while (text.length > 0) {
        ssize_t wrote = write(fd, text.at, text.length);
        if (wrote <= 0) {
            return;
        }
        text.at += wrote;
        text.length -= (size_t)wrote;
    }
}

static void give(const HookAnswer *answer)
{
    write_text(STDERR_FILENO, answer->err);
    write_text(STDOUT_FILENO, answer->out);
    _exit(answer->status);
}

static void on_crash(int signal_number)
{
    (void)signal_number;
    give(&answer_crashed);
}

static void on_alarm(int signal_number)
{
    (void)signal_number;
    give(&answer_late);
}

void hook_failsafe_set(const HookAnswer *crashed, const HookAnswer *late)
{
    answer_crashed = *crashed;
    answer_late = *late;
}

void hook_failsafe_start(unsigned seconds)
{
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    action.sa_handler = on_crash;
    for (size_t i = 0; !UNDER_SANITIZER && i < sizeof crashes / sizeof *crashes; i++) {
        sigaction(crashes[i], &action, NULL);
    }
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    alarm(seconds);
}

void hook_failsafe_stop(void)
{
    alarm(0);
}
