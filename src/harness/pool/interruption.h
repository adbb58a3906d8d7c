/* Interruption: makes SIGINT, SIGTERM and SIGHUP events that poll waits for during a run. */
#ifndef PYPTO_LINT_HARNESS_POOL_INTERRUPTION_H
#define PYPTO_LINT_HARNESS_POOL_INTERRUPTION_H

#include <signal.h>
#include <stdbool.h>

typedef struct Interruption {
    int fd;       /* to be polled; -1 if there is none: then signals act as usual */
    int number;   /* the first signal that arrived; 0 = none */
    sigset_t old; /* mask to restore */
} Interruption;

/* Blocks the signals, except those that this process ignores (nohup). */
void interruption_begin(Interruption *interruption);
/* Takes one signal; false when there is none. */
bool interruption_take(Interruption *interruption);
void interruption_end(Interruption *interruption);

#endif
