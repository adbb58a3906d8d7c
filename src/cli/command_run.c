/* `run`: runs a Python program with the simulator in the place of pypto and torch_npu, or with the
 * installed ones on a device.
 *
 * Without a time limit the program takes this process's place, so its exit status, its standard
 * streams and signals are those of `python FILE`. With one it is a child in a process group of its
 * own. The simulator's Python side lies beside the binary (../share/pypto-lint/sim) and comes first
 * on the program's PYTHONPATH. */
#include "base/path.h"
#include "cli/launch_options.h"

#include "base/fence.h"
#include "base/folder_remove.h"
#include "harness/pool/python_home.h"
#include "harness/report/run_page.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_LATE = 124 /* as timeout(1) has it */, MOST_PROFILE = 512 * 1024 * 1024 };

typedef struct RunOptions {
    LaunchOptions launch;
    Str html;
} RunOptions;

static const Option rows[] = {
    LAUNCH_OPTIONS(RunOptions),
    FLAG_ROW(RunOptions, launch.stats, "--stats", "print figures at the end", "结束时打印统计数据"),
    TEXT_ROW(RunOptions, html, "--html", "FILE",
             "write a page with a timeline, memory, tiles and the cost of each line",
             "写出一个网页文件：时间线、内存、tile 以及各行的代价"),
};

const OptionTable run_options =
    OPTION_TABLE(rows, .most_words = UINT32_MAX, .program_follows = true);

/* Makes a folder for the simulator's figures, which --html shows. The simulator first writes them
 * to a second file there, which stays behind when a signal ends the program then. False after a
 * message. */
static bool make_data_folder(Arena *arena, Launch *launch)
{
    const char *folder = getenv("TMPDIR");
    bool usable = folder != NULL && path_is_absolute(str_from(folder));
    Str name = str_format(arena, "%s/pypto-lint-run-XXXXXX", usable ? folder : "/tmp");
    char *path = str_dup(arena, name);
    if (mkdtemp(path) == NULL) {
        print_error("%s: %s", path, strerror(errno));
        return false;
    }
    launch->page_data = str_format(arena, "%s/figures", path);
    return true;
}

/* Writes the page and removes the folder of the figures. False after a message. */
static bool write_page(Arena *arena, Str file, const Launch *launch, RunPage *page)
{
    Buf out = {.arena = arena};
    Str error = STR("");
    FileStatus read = file_read(arena, launch->page_data.at, MOST_PROFILE, &page->profile, &error);
    read = read == FILE_MISSING ? FILE_OK : read; /* the program ended before it could write them */
    folder_remove(str_dup(arena, path_folder(launch->page_data)));
    if (read != FILE_OK || !run_page_add(&out, page)) {
        print_error("--html: the simulator's figures cannot be read %.*s", STR_ARG(error));
        return false;
    }
    if (!fence_write(arena, STR(""), str_dup(arena, file), buf_str(&out), &error)) {
        print_error("%.*s: %.*s", STR_ARG(file), STR_ARG(error));
        return false;
    }
    return true;
}

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
    if (options.html.length > 0 && !simulated) {
        return print_error("--html is the simulator's, not for --mode npu");
    }
    if (options.html.length > 0 && !make_data_folder(arena, &launch)) {
        return EXIT_ERROR;
    }
    if (!launch_environment(arena, &launch)) {
        return print_error("environment: %s", strerror(errno));
    }
    char **list = launch_words(arena, python, script, &words);
    if (launch.timeout_ms == 0 && options.html.length == 0) {
        return print_error("%s: %s", python, strerror(launch_become(&launch, list)));
    }
    ProcessResult result = launch_wait(&launch, list, -1);
    if (result.end == PROCESS_LATE) {
        print_error("the program was ended after %.*s seconds (--timeout)",
                    STR_ARG(options.launch.timeout));
    }
    if (launch.page_data.length > 0) {
        RunPage page = {.program = program,
                        .status = result.end == PROCESS_EXITED ? result.value : -1,
                        .lang = default_lang()};
        if (!write_page(arena, options.html, &launch, &page) && result.end == PROCESS_EXITED &&
            result.value == 0) {
            return EXIT_ERROR;
        }
    }
    return launch_status(&result, python, EXIT_LATE);
}
