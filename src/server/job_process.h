/* JobProcess: the process of a worker (job_worker.h) and the channel to it. A forked process starts
 * with all that the server knows; on Windows this program is started again and gets everything in
 * packets. */
#ifndef PYPTO_LINT_SERVER_JOB_PROCESS_H
#define PYPTO_LINT_SERVER_JOB_PROCESS_H

#include "server/job.h"

#include <sys/types.h>

typedef struct JobProcess {
    pid_t pid; /* 0: none */
    int in;    /* its answers; non-blocking */
    int out;   /* its jobs; may be the same as `in` */
} JobProcess;

/* Starts a process. False, with errno, when the system refuses. */
bool job_process_start(JobProcess *process, const ClientFacts *facts, const Documents *documents);
/* The last change (Documents.changes) that a process knows when it has just started. */
uint64_t job_process_knows(const Documents *documents);

/* Like read() and write(), but return -1 with EAGAIN instead of blocking. On Windows a write may
 * block.
 * */
ssize_t job_process_read(JobProcess *process, void *to, size_t size);
ssize_t job_process_write(JobProcess *process, const void *from, size_t size);
/* Has an idle process ended by itself? */
bool job_process_has_ended(JobProcess *process);

/* Kills the process, if there is one. If `how` is not NULL, `*how` says in English how the process
 * ended. */
void job_process_end(JobProcess *process, const char **how);

/* On systems without fork, this word alone on the command line makes this program a worker process;
 * elsewhere job_process_is_asked is always false. job_process_main returns the exit status. */
#define JOB_PROCESS_WORD "server-job-process"
bool job_process_is_asked(int argc, char **argv);
int job_process_main(void);

#endif
