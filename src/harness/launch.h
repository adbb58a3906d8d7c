/* Launch: a Python program of the user's with the simulator or the real packages, as `run` and
 * `test` start it: with this process's standard streams and terminal. (Workers are the pool's,
 * pool.h.) */
#ifndef PYPTO_LINT_HARNESS_LAUNCH_H
#define PYPTO_LINT_HARNESS_LAUNCH_H

#include "harness/mode.h"

typedef struct Launch {
    Mode mode;
    Str soc, profile; /* of the simulator, or empty */
    Str pypto;        /* the simulated version, "9.1" or "9.2", or empty */
    Str warn;         /* checks that only warn, with commas, or empty */
    Str sanitize;     /* what the sanitizer looks for, with commas, or empty */
    Str trace;        /* absolute path of a file for the trace, or empty */
    bool stats;
    uint32_t timeout_ms; /* wall time; 0 = no limit */
    uint64_t memory;     /* address space of each process; 0 = no limit */
} Launch;

typedef enum LaunchEnd {
    LAUNCH_EXITED,      /* `value` is the exit status */
    LAUNCH_KILLED,      /* `value` is the signal that ended it */
    LAUNCH_LATE,        /* its time was over */
    LAUNCH_INTERRUPTED, /* `value` is the signal that this process got and passed on */
    LAUNCH_NOT_STARTED, /* `value` is the errno */
} LaunchEnd;

typedef struct LaunchResult {
    LaunchEnd end;
    int value;
} LaunchResult;

enum { LAUNCH_GRACE_MS = 2000 /* between asking a program to end and killing it */ };

/* Sets this process's environment variables for programs that it becomes or starts; mode sim hides
 * the device's packages, mode npu the simulator's. False with errno. */
bool launch_environment(Arena *arena, const Launch *launch);

/* Becomes the program `words` (words[0] is its path): no core files, and within `memory`. Returns
 * only when that fails, the errno. */
int launch_become(const Launch *launch, char *const *words);

/* Starts the program in a process group of its own, which has the terminal while it runs, and
 * waits. When its time is over it is asked to end, then killed; whatever it started is gone
 * afterwards. The descriptor `keep` stays open in the program (-1 = none). This process must have
 * no other children and no other threads. */
LaunchResult launch_wait(const Launch *launch, char *const *words, int keep);

#endif
