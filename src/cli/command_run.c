/* `run`: runs a Python program with the simulator in the place of pypto and torch_npu, or with the
 * installed ones on a device.
 *
 * Without a time limit the program takes this process's place, so its exit status, its standard
 * streams and signals are those of `python FILE`. With one it is a child in a process group of its
 * own. The simulator's Python side lies beside the binary (../share/pypto-lint/sim) and comes first
 * on the program's PYTHONPATH. */
#include "cli/launch_options.h"

#include "harness/python_home.h"

#include <errno.h>

enum { EXIT_LATE = 124 /* as timeout(1) has it */ };

typedef struct RunOptions {
    LaunchOptions launch;
} RunOptions;

static const Option rows[] = {
    LAUNCH_OPTIONS(RunOptions),
    FLAG_ROW(RunOptions, launch.stats, "--stats", "print figures at the end", "结束时打印统计数据"),
};

const OptionTable run_options =
    OPTION_TABLE(rows, .most_words = UINT32_MAX, .program_follows = true);

int command_run(const Command *self, Arena *arena, int argc, char **argv)
{
    RunOptions options = {0};
    Words words;
    Launch launch;
    const char *python = NULL;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    bool module = words.count > 0 && str_is(str_from(words.items[0]), "-m");
    if (words.count < (module ? 2U : 1U)) {
        return print_error("run needs a file or -m MODULE (see pypto-lint help run)");
    }
    Str program = module ? STR("") : str_from(words.items[0]);
    if (!launch_options_read(arena, &options.launch, program, &launch, &python)) {
        return EXIT_ERROR;
    }
    bool simulated = launch.mode == MODE_SIM;
    Str script = path_join(arena, python_home(arena, simulated ? "sim" : "harness"),
                           simulated ? STR("ptosim_run.py") : STR("pypto_lint_run.py"));
    if (!launch_environment(arena, &launch)) {
        return print_error("environment: %s", strerror(errno));
    }
    char **list = launch_words(arena, python, script, &words);
    if (launch.timeout_ms == 0) {
        return print_error("%s: %s", python, strerror(launch_become(&launch, list)));
    }
    ProcessResult result = launch_wait(&launch, list, -1);
    if (result.end == PROCESS_LATE) {
        print_error("the program was ended after %.*s seconds (--timeout)",
                    STR_ARG(options.launch.timeout));
    }
    return launch_status(&result, python, EXIT_LATE);
}
