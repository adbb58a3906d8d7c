/* `verify-job`: one job of a run elsewhere, for the tasks of a cluster (docs/internals/harness.md,
 * "Clusters"). The request comes from standard input, the outcome goes to standard output. */
#include "cli/cli.h"
#include "cli/launch_options.h"
#include "harness/pool/job_line.h"
#include "harness/pool/python_home.h"
#include "process/process.h"

#include <errno.h>
#include <signal.h> /* SIGTERM */
#include <sys/prctl.h>
#include <unistd.h>

enum { REQUEST_LIMIT = 64 * 1024 * 1024, READ_BYTES = 64 * 1024 };

static bool read_request(Arena *arena, Str *text)
{
    Buf input = {.arena = arena};
    char *bytes = arena_alloc(arena, READ_BYTES);
    buf_add(&input, STR(""));
    while (input.length <= REQUEST_LIMIT) {
        ssize_t count = read(STDIN_FILENO, bytes, READ_BYTES);
        if (count == 0) {
            *text = buf_str(&input);
            return true;
        }
        if (count < 0 && errno != EINTR) {
            return print_error("standard input: %s", strerror(errno)) == 0;
        }
        buf_add(&input, (Str){bytes, count > 0 ? (size_t)count : 0});
    }
    return print_error("standard input: more than a job") == 0;
}

const OptionTable verify_job_options = {.most_words = 0};

int command_verify_job(const Command *self, Arena *arena, int argc, char **argv)
{
    Words words;
    int status = command_read(self, arena, NULL, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    /* A machine's process that is killed takes its job along. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    Str text = STR("");
    JobRequest request;
    Str error;
    if (!read_request(arena, &text)) {
        return EXIT_ERROR;
    }
    if (!job_request_read(arena, text, &request, &error)) {
        return print_error("standard input: %.*s", STR_ARG(error));
    }
    if (request.options.python == NULL) {
        request.options.python = python_interpreter(arena, STR(""));
    }
    if (request.options.python == NULL) {
        return print_error("no Python interpreter found (PYPTO_LINT_PYTHON)");
    }
    WorkerOutcome outcome;
    int number = pool_run(arena, &request.options, &request.job, 1, &outcome);
    if (number != 0) {
        return process_end_by(number);
    }
    return print_all(job_outcome_write(arena, &outcome)) ? EXIT_CLEAN : EXIT_ERROR;
}
