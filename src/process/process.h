/* Process: a program that is started, waited for within a time, and ended with all it started. */
#ifndef PYPTO_LINT_PROCESS_PROCESS_H
#define PYPTO_LINT_PROCESS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How a process, or what a guard ran, has ended. */
typedef enum ProcessEnd {
    PROCESS_EXITED,      /* by itself; with a value: the exit status */
    PROCESS_KILLED,      /* by a signal, the value */
    PROCESS_LATE,        /* its time is over */
    PROCESS_TOO_MANY,    /* it had more processes than allowed */
    PROCESS_NOT_STARTED, /* the value is the errno */
    PROCESS_CANCELLED,   /* it was asked to end; the value may be the signal */
    PROCESS_NOT_FOUND,   /* there is no such program */
    PROCESS_TOO_MUCH,    /* it prints too much */
    PROCESS_UNREADABLE,  /* its output cannot be read, or not be kept */
    PROCESS_LOST,        /* the system does not let us wait for it; errno says why */
} ProcessEnd;

typedef struct ProcessResult {
    ProcessEnd end;
    int value;
} ProcessResult;

typedef struct Process {
    const char *program; /* its path */
    char *const *arguments, *const *environment;
    int out, err; /* descriptors it writes to; -1 = nowhere */
    int in;       /* descriptor it reads from; 0 = nothing to read */
} Process;

/* Starts it in a session of its own: it has no terminal to ask on, and one group to
 * end. Its id, or -1 with the reason in `*error`, an error number. */
pid_t process_start(const Process *process, int *error);

/* Waits until it has ended or clock_ms() shows `end`: PROCESS_EXITED with `*status`, which is 128
 * when a signal ended it; PROCESS_LATE, and it still runs; or PROCESS_LOST. */
ProcessEnd process_wait(pid_t id, int64_t end, int *status);

/* A pipe whose reading end does not block; false with errno. Closes an end, once. */
bool process_pipe(int *reader, int *writer);
void process_close(int *end);

/* Ends this process by the signal, so that the one that waits for it sees the same. Returns 128 and
 * the number for a signal that does not end a process. */
int process_end_by(int number);

/* Ends it and what it started: asks it to, and kills it after so many milliseconds. */
void process_end(pid_t id, int64_t grace_ms);

#endif
