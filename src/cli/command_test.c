/* `test`: runs the test_* functions of a Python file as `run` runs a program, without pytest.
 *
 * share/pypto-lint/harness/pypto_lint_test.py does it and reports its exit status through a pipe,
 * so that a test which ends the whole program with status 0 does not pass for a success. */
#include "cli/launch_options.h"

#include "harness/pool/python_home.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct TestOptions {
    LaunchOptions launch;
    Str pattern;
    bool allow_empty;
} TestOptions;

static const Option rows[] = {
    TEXT_ROW(TestOptions, pattern, "-k", "PATTERN",
             "only tests with this in their name; * and ? match",
             "只运行名称匹配的测试；可用 * 和 ?"),
    FLAG_ROW(TestOptions, allow_empty, "--allow-empty",
             "tests may compare nothing and launch nothing", "允许测试不做比较、不启动 kernel"),
    LAUNCH_OPTIONS(TestOptions),
};

const OptionTable test_options = OPTION_TABLE(rows, .most_words = UINT32_MAX);

/* MODE PATTERN FILE NAME… */
static Words script_words(Arena *arena, const TestOptions *options, Mode mode, const Words *given)
{
    Words words = {0};
    VEC_PUSH(arena, &words, str_dup(arena, str_from(mode_name(mode))));
    VEC_PUSH(arena, &words, str_dup(arena, options->pattern));
    for (uint32_t i = 0; i < given->count; i++) {
        VEC_PUSH(arena, &words, given->items[i]);
    }
    return words;
}

/* The status that the script reported, '0' … '2'; 0 when it did not get that far. */
static char reported_status(int pipe_end)
{
    char reported = 0;
    return read(pipe_end, &reported, 1) == 1 && reported >= '0' && reported <= '2' ? reported
                                                                                   : (char)0;
}

static int status_of(const ProcessResult *result, char reported, const TestOptions *options,
                     const char *python)
{
    switch (result->end) {
    case PROCESS_LATE:
        print_error("the tests were ended after %.*s seconds (--timeout)",
                    STR_ARG(options->launch.timeout));
        return EXIT_FINDINGS;
    case PROCESS_KILLED:
        if (result->value == SIGINT) {
            return launch_status(result, python, EXIT_FINDINGS); /* Ctrl-C */
        }
        print_error("the tests were ended by signal %d (%s)", result->value,
                    strsignal(result->value));
        return EXIT_FINDINGS;
    case PROCESS_EXITED:
        if (reported != 0) {
            return reported - '0';
        }
        if (result->value != EXIT_ERROR) {
            print_error("a test ended the program with status %d before all had run",
                        result->value);
            return EXIT_FINDINGS;
        }
        return EXIT_ERROR;
    default:
        return launch_status(result, python, EXIT_FINDINGS);
    }
}

static int run_tests(Arena *arena, const TestOptions *options, const Launch *launch,
                     const char *python, const Words *words)
{
    int ends[2];
    Str script = path_join(arena, python_home(arena, "harness"), STR("pypto_lint_test.py"));
    Words all = script_words(arena, options, launch->mode, words);
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0 || !launch_environment(arena, launch) ||
        (options->allow_empty ? setenv("PYPTO_LINT_TEST_EMPTY", "1", 1)
                              : unsetenv("PYPTO_LINT_TEST_EMPTY")) != 0 ||
        setenv("PYPTO_LINT_TEST_STATUS", str_format(arena, "%d", ends[1]).at, 1) != 0) {
        return print_error("environment: %s", strerror(errno));
    }
    ProcessResult result = launch_wait(launch, launch_words(arena, python, script, &all), ends[1]);
    return status_of(&result, reported_status(ends[0]), options, python);
}

int command_test(const Command *self, Arena *arena, int argc, char **argv)
{
    TestOptions options = {0};
    Words words;
    Launch launch;
    const char *python = NULL;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0) {
        return print_error("test needs a file (see pypto-lint help test)");
    }
    if (!launch_options_read(arena, &options.launch, str_from(words.items[0]), &launch, &python)) {
        return EXIT_ERROR;
    }
    return run_tests(arena, &options, &launch, python, &words);
}
