/* JobProcess: the process of a worker (job_worker.h), and the way to it. Where a process can be
 * forked it knows what the server knows; on Windows this program is started once more, and packets
 * bring it everything. */
#ifndef PYPTO_LINT_SERVER_JOB_PROCESS_H
#define PYPTO_LINT_SERVER_JOB_PROCESS_H

#include "server/job.h"

#include <sys/types.h>

typedef struct JobProcess {
    pid_t pid; /* 0: there is none */
    int in;    /* its answers; does not block */
    int out;   /* its jobs; may be the same as `in` */
} JobProcess;

/* False with errno when the system refuses. */
bool job_process_start(JobProcess *process, const ClientFacts *facts, const Documents *documents);
/* The last change of the documents that a process knows of when it has been started. */
uint64_t job_process_knows(const Documents *documents);

/* As read() and write(), without waiting: -1 with EAGAIN when nothing can be read or written now.
 * */
ssize_t job_process_read(JobProcess *process, void *to, size_t size);
ssize_t job_process_write(JobProcess *process, const void *from, size_t size);
/* Has one without work ended by itself? */
bool job_process_has_ended(JobProcess *process);

/* Ends it, whatever it does, if there is one. `*how` (if not NULL) says in English how it had
 * ended. */
void job_process_end(JobProcess *process, const char **how);

/* The word, alone on the command line, by which this program becomes such a process where it
 * cannot be forked; elsewhere no word. The function returns the exit status. */
#define JOB_PROCESS_WORD "server-job-process"
bool job_process_is_asked(int argc, char **argv);
int job_process_main(void);

#endif
