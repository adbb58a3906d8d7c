/* Interruption: SIGINT, SIGTERM and SIGHUP as something that poll waits for, while a run lasts. */
#ifndef PYPTO_LINT_HARNESS_INTERRUPTION_H
#define PYPTO_LINT_HARNESS_INTERRUPTION_H

#include <signal.h>
#include <stdbool.h>

typedef struct Interruption {
    int fd;       /* to be polled; -1 when there is none: then the signals act as always */
    int number;   /* the first signal that came; 0 = none */
    sigset_t old; /* mask to go back to */
} Interruption;

/* The signals are held back from here on, except what this process was told to ignore (nohup). */
void interruption_begin(Interruption *interruption);
/* Takes one signal in; false when there is none. */
bool interruption_take(Interruption *interruption);
void interruption_end(Interruption *interruption);

#endif
