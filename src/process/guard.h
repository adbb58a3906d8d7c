/* Guard: runs a foreign program in a process of its own, with limits, and leaves nothing behind.
 *
 *   we ── guard ── supervisor ── the program ── whatever it starts
 *
 * A fence against accidents (an endless loop, a runaway allocation, children left behind), not
 * against malice: what runs has the rights of the user. Where the kernel allows process namespaces
 * the supervisor is the first process of one: when it ends, the kernel ends all others. Elsewhere
 * the guard itself supervises, and adopts and kills what is left.
 *
 * The program has a session and a group of its own, no core files, no descriptors but those given,
 * and default signal handling. It ends when its time is over, when it has too many processes, when
 * the guard is asked to (SIGTERM), and when whoever started the guard has ended. Guard and
 * supervisor are not dumpable: the program cannot trace them, unless it has CAP_SYS_PTRACE. */
#ifndef PYPTO_LINT_PROCESS_GUARD_H
#define PYPTO_LINT_PROCESS_GUARD_H

#include "process/process.h"

#include <stddef.h>

enum {
    GUARD_DESCRIPTORS = 6, /* at most for the program */
    GUARD_SLACK_MS = 8000, /* a guard that is late by so much is to be killed */
};

/* A ProcessResult that comes once through the status pipe, which ends when everything is gone. */
typedef struct GuardStatus {
    ProcessResult report;
    size_t length; /* sizeof report when it is complete */
} GuardStatus;
void guard_status_add(GuardStatus *status, const char *bytes, size_t count);

typedef enum GuardNamespaces {
    GUARD_SHARED, /* none: device drivers look at process numbers */
    GUARD_OWN,    /* processes and network, where the kernel allows it */
} GuardNamespaces;

typedef struct GuardLaunch {
    const char *path; /* of the program */
    char *const *arguments, *const *environment;
    int descriptors[GUARD_DESCRIPTORS]; /* the program's 0, 1, …; -1 = /dev/null */
    int descriptor_count;
    GuardNamespaces namespaces;
    uint64_t milliseconds; /* wall time; 0 = no limit */
    unsigned grace_ms;     /* between SIGTERM and SIGKILL; 0 = no SIGTERM */
    uint64_t cpu_seconds;  /* of each process; 0 = no limit */
    uint64_t memory;       /* bytes of address space of each process; 0 = no limit */
    uint64_t file_size;    /* bytes of a written file; 0 = no limit */
    uint32_t processes;    /* that it may start, at a time */
} GuardLaunch;

/* Starts it: the id of the guard, also of its process group, and in `*status` the end of a pipe to
 * read a ProcessResult from, which does not block. -1 with errno. The caller keeps its descriptors.
 * Thread-safe; the thread must live as long as the guard. */
pid_t guard_start(const GuardLaunch *launch, int *status);

/* Limits a resource (RLIMIT_…) of this process and of those that it starts, or keeps the lower hard
 * limit that is there already. */
void guard_limit(int resource, uint64_t value);

/* Kills the guard's group while its number is still taken, and waits for the guard. To be called
 * once, when the status pipe has ended or no longer matters. */
void guard_bury(pid_t guard);

#endif
