/* JobProcess by fork; see job_process.h. */
#include "server/job_process.h"

#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SIGPIPE is ignored anyway */
#endif

/* Runs in the new process, which must not share input and output with the client. */
_Noreturn static void begin(int channel, pid_t server, const ClientFacts *facts,
                            const Documents *documents)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    signal(SIGTERM, SIG_DFL);
    platform_end_with_parent();
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
        getppid() != server) {
        _exit(2);
    }
    job_loop(channel, channel, facts, documents);
}

static bool open_channel(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        return false;
    }
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

bool job_process_start(JobProcess *process, const ClientFacts *facts, const Documents *documents)
{
    int ends[2];
    if (!open_channel(ends)) {
        return false;
    }
    pid_t server = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        begin(ends[1], server, facts, documents);
    }
    close(ends[1]);
    if (pid < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        close(ends[0]);
        return false;
    }
    *process = (JobProcess){pid, ends[0], ends[0]};
    return true;
}

uint64_t job_process_knows(const Documents *documents)
{
    return documents->changes;
}

ssize_t job_process_read(JobProcess *process, void *to, size_t size)
{
    return recv(process->in, to, size, MSG_DONTWAIT);
}

ssize_t job_process_write(JobProcess *process, const void *from, size_t size)
{
    return send(process->out, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool job_process_has_ended(JobProcess *process)
{
    char byte;
    ssize_t got = recv(process->in, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

static const char *ending(int status)
{
    if (WIFSIGNALED(status)) {
        return strsignal(WTERMSIG(status));
    }
    return WEXITSTATUS(status) == JOB_NO_MEMORY ? "it ran out of memory" : "it ended by itself";
}

void job_process_end(JobProcess *process, const char **how)
{
    int status = 0;
    if (process->pid > 0) {
        close(process->in);
        kill(process->pid, SIGKILL);
        while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) {
        }
        process->pid = 0;
    }
    if (how != NULL) {
        *how = ending(status);
    }
}

bool job_process_is_asked(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return false;
}

int job_process_main(void)
{
    return 2;
}
