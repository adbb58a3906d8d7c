/* Options of `run` and `test`; see launch_options.h. */
#include "cli/launch_options.h"

#include "base/path.h"
#include "cli/limit_options.h"
#include "harness/python_home.h"
#include "lint/project_product.h"
#include "process/process.h"

#include <stdlib.h>

bool soc_option_check(Arena *arena, Str folder, Str soc)
{
    if (soc.length == 0) {
        return true;
    }
    Str file = str_format(arena, "%.*s/soc/%.*s.soc", STR_ARG(folder), STR_ARG(soc));
    if (str_find(soc, STR("/"), 0) == SIZE_MAX && file_is_regular(file.at)) {
        return true;
    }
    DirEntries entries = {0};
    Buf known = {.arena = arena};
    buf_add(&known, STR(""));
    directory_list(arena, str_format(arena, "%.*s/soc", STR_ARG(folder)).at, &entries);
    for (size_t i = 0; i < entries.count; i++) {
        Str name = entries.items[i].name;
        if (str_ends(name, STR(".soc"))) {
            buf_addf(&known, " %.*s", (int)(name.length - 4), name.at);
        }
    }
    print_error("--soc: no hardware named '%.*s'; there are:%.*s", STR_ARG(soc), (int)known.length,
                known.at);
    return false;
}

static bool check_mode(const LaunchOptions *options, Mode *mode)
{
    *mode = MODE_SIM;
    if (options->mode.length > 0) {
        mode_find(options->mode, mode); /* one of the words in its row */
    }
    size_t given = options->soc.length + options->profile.length + options->warn.length +
                   options->pypto.length + options->trace.length;
    if (*mode == MODE_NPU && (given > 0 || options->stats)) {
        print_error(
            "--soc, --pypto, --profile, --warn, --trace and --stats are the simulator's, not for "
            "--mode npu");
        return false;
    }
    if (*mode == MODE_NPU && getenv("ASCEND_HOME_PATH") == NULL) {
        print_error("mode npu cannot run here: ASCEND_HOME_PATH is not set (source the toolkit's "
                    "set_env.sh)");
        return false;
    }
    return true;
}

Product product_for(Arena *arena, Str folder, Str option, Str python)
{
    ProjectProduct found = project_product(arena, folder, option, python, LANG_EN);
    if (found.error.length > 0) {
        print_error("settings not used: %.*s", STR_ARG(found.error));
    }
    return found.product;
}

bool launch_options_read(Arena *arena, const LaunchOptions *options, Str program, Launch *launch,
                         const char **python)
{
    Str sim = python_home(arena, "sim");
    *launch = (Launch){.soc = options->soc,
                       .profile = options->profile,
                       .warn = options->warn,
                       .stats = options->stats};
    if (!check_mode(options, &launch->mode) || !soc_option_check(arena, sim, options->soc) ||
        !read_time_limit("--timeout", options->timeout, &launch->timeout_ms) ||
        !read_size_limit("--mem-limit", options->memory, &launch->memory)) {
        return false;
    }
    launch->trace = options->trace; /* the program may change its working directory */
    if (options->trace.length > 0 && options->trace.at[0] != '/') {
        launch->trace = path_join(arena, working_directory(arena), options->trace);
    }
    if (launch->mode == MODE_SIM && !simulator_is_built(sim)) {
        print_error("the simulator is not in %.*s: it was built without Python's headers "
                    "(python3-dev)",
                    STR_ARG(sim));
        return false;
    }
    *python = python_interpreter(arena, options->python);
    if (*python == NULL) {
        print_error("no Python interpreter found (--python PATH, PYPTO_LINT_PYTHON)");
        return false;
    }
    if (launch->mode == MODE_SIM) {
        Str folder = program.length > 0 ? path_parent(program) : STR(".");
        folder = (Str){str_dup(arena, folder), folder.length};
        launch->product = product_for(arena, folder, options->pypto, options->python);
    }
    return true;
}

char **launch_words(Arena *arena, const char *python, Str script, const Words *words)
{
    char **list = arena_alloc(arena, sizeof *list * (words->count + 3));
    list[0] = str_dup(arena, str_from(python));
    list[1] = str_dup(arena, script);
    for (uint32_t i = 0; i < words->count; i++) {
        list[2 + i] = words->items[i];
    }
    list[2 + words->count] = NULL;
    return list;
}

int launch_status(const ProcessResult *result, const char *program, int late)
{
    switch (result->end) {
    case PROCESS_LATE:
        return late;
    case PROCESS_NOT_STARTED:
        return print_error("%s: %s", program, strerror(result->value));
    case PROCESS_KILLED:
    case PROCESS_CANCELLED:
        return process_end_by(result->value);
    default:
        return result->value;
    }
}
