/* Signals that end a run; see interruption.h. */
#include "harness/pool/interruption.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

void interruption_begin(Interruption *interruption)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&set, numbers[i]);
        }
    }
    interruption->number = 0;
    sigprocmask(SIG_BLOCK, &set, &interruption->old);
    interruption->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (interruption->fd < 0) {
        sigprocmask(SIG_SETMASK, &interruption->old, NULL);
    }
}

bool interruption_take(Interruption *interruption)
{
    struct signalfd_siginfo info;
    if (read(interruption->fd, &info, sizeof info) != (ssize_t)sizeof info) {
        return false;
    }
    if (interruption->number == 0) {
        interruption->number = (int)info.ssi_signo;
    }
    return true;
}

void interruption_end(Interruption *interruption)
{
    if (interruption->fd >= 0) {
        close(interruption->fd);
        interruption->fd = -1;
    }
    sigprocmask(SIG_SETMASK, &interruption->old, NULL);
}
