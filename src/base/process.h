/* Process: a program that is started, waited for within a time, and ended with all it started. */
#ifndef PYPTO_LINT_BASE_PROCESS_H
#define PYPTO_LINT_BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Process {
    const char *program; /* its path */
    char *const *arguments, *const *environment;
    int out, err; /* descriptors it writes to; -1 = nowhere */
    int in;       /* descriptor it reads from; 0 = nothing to read */
} Process;

/* Starts it in a session of its own: it has no terminal to ask on, and one group to
 * end. Its id, or -1 with the reason in `*error`, an error number. */
pid_t process_start(const Process *process, int *error);

typedef enum ProcessEnd {
    PROCESS_ENDED, /* with the exit status, 128 when a signal ended it */
    PROCESS_LATE,  /* it still runs */
    PROCESS_LOST,  /* the system does not let us wait for it; errno tells why */
} ProcessEnd;

/* Waits until it has ended or clock_ms() shows `end`. `*status` is set for PROCESS_ENDED only. */
ProcessEnd process_wait(pid_t id, int64_t end, int *status);

/* Ends it and what it started: asks it to, and kills it after so many milliseconds. */
void process_end(pid_t id, int64_t grace_ms);

#endif
