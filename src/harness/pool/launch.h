/* Launch: runs a Python program of the user with the simulator or the real packages, for `run` and
 * `test`: with this process's standard streams and terminal. (Workers: pool.h.) */
#ifndef PYPTO_LINT_HARNESS_POOL_LAUNCH_H
#define PYPTO_LINT_HARNESS_POOL_LAUNCH_H

#include "harness/plan/mode.h"
#include "kernel/product.h"
#include "process/process.h"

typedef struct Launch {
    Mode mode;
    Str soc, profile; /* of the simulator, or empty */
    Product product;  /* the simulated version */
    Str warn;         /* checks that only warn, with commas, or empty */
    Str sanitize;     /* what the sanitizer looks for, with commas, or empty */
    Str trace;        /* absolute path of a file for the trace, or empty */
    Str page_data;    /* the same for the data of a page, or empty */
    Str precision; /* "all": errors against double, as text; absolute path: and as JSON; or empty */
    bool stats;
    uint32_t timeout_ms; /* wall time; 0 = no limit */
    uint64_t memory;     /* address space of each process; 0 = no limit */
} Launch;

enum { LAUNCH_GRACE_MS = 2000 /* between asking a program to end and killing it */ };

/* Passes the simulated version, when somebody says which, and the reason to programs that this
 * process starts or is replaced by. False with errno. */
bool launch_product(Arena *arena, const Product *product);

/* Sets environment variables of this process for programs that it starts or is replaced by. Mode
 * sim hides the device's packages, mode npu the simulator's. False with errno. */
bool launch_environment(Arena *arena, const Launch *launch);

/* Replaces this process by the program `words` (words[0] is its path), without core files and
 * within `memory`. Returns only when that fails, with the errno. */
int launch_become(const Launch *launch, char *const *words);

/* Starts the program in a process group of its own, which has the terminal while it runs, and
 * waits. When its time is over it is asked to end, then killed: PROCESS_LATE. PROCESS_CANCELLED,
 * with the signal, when a signal that this process got and passed on ended it. Whatever the program
 * started is gone afterwards. The descriptor `keep` stays open in the program (-1 = none). This
 * process must have no other children and no other threads. */
ProcessResult launch_wait(const Launch *launch, char *const *words, int keep);

#endif
