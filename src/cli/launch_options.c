/* Options of `run` and `test`; see launch_options.h. */
#include "cli/launch_options.h"

#include "base/file.h"
#include "cli/limit_options.h"
#include "harness/python_home.h"

#include <signal.h>
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
    trouble("--soc: no hardware named '%.*s'; there are:%.*s", STR_ARG(soc), (int)known.length,
            known.at);
    return false;
}

bool sanitize_option_check(Str words)
{
    for (size_t at = 0; at < words.length;) {
        size_t comma = str_find(words, STR(","), at);
        size_t end = comma == SIZE_MAX ? words.length : comma;
        Str word = str_trim(str_slice(words, at, end));
        if (!str_is(word, "races") && !str_is(word, "init") && !str_is(word, "bounds") &&
            !str_is(word, "all") && !str_is(word, "none")) {
            trouble(
                "--sanitize takes races, init and bounds with commas between them, all or none, "
                "not '%.*s'",
                STR_ARG(word));
            return false;
        }
        at = end + 1;
    }
    return true;
}

static bool check_mode(const LaunchOptions *options, Mode *mode)
{
    *mode = MODE_SIM;
    if (options->mode.length > 0) {
        mode_find(options->mode, mode); /* one of the words in its row */
    }
    size_t given = options->soc.length + options->profile.length + options->warn.length +
                   options->pypto.length + options->trace.length + options->sanitize.length;
    if (*mode == MODE_NPU && (given > 0 || options->stats)) {
        trouble(
            "--soc, --pypto, --profile, --warn, --sanitize, --trace and --stats are the simulator's, "
            "not for "
            "--mode npu");
        return false;
    }
    if (*mode == MODE_NPU && getenv("ASCEND_HOME_PATH") == NULL) {
        trouble("mode npu cannot run here: ASCEND_HOME_PATH is not set (source the toolkit's "
                "set_env.sh)");
        return false;
    }
    return true;
}

bool launch_options_read(Arena *arena, const LaunchOptions *options, Launch *launch,
                         const char **python)
{
    Str sim = python_home(arena, "sim");
    *launch = (Launch){.soc = options->soc,
                       .pypto = options->pypto,
                       .profile = options->profile,
                       .warn = options->warn,
                       .sanitize = options->sanitize,
                       .stats = options->stats};
    if (!check_mode(options, &launch->mode) || !soc_option_check(arena, sim, options->soc) ||
        !sanitize_option_check(options->sanitize) ||
        !read_time_limit("--timeout", options->timeout, &launch->timeout_ms) ||
        !read_size_limit("--mem-limit", options->memory, &launch->memory)) {
        return false;
    }
    launch->trace = options->trace; /* the program may change its working directory */
    if (options->trace.length > 0 && options->trace.at[0] != '/') {
        launch->trace = path_join(arena, working_directory(arena), options->trace);
    }
    if (launch->mode == MODE_SIM && !simulator_is_built(sim)) {
        trouble("the simulator is not in %.*s: it was built without Python's headers "
                "(python3-dev)",
                STR_ARG(sim));
        return false;
    }
    *python = python_interpreter(arena, options->python);
    if (*python == NULL) {
        trouble("no Python interpreter found (--python PATH, PYPTO_LINT_PYTHON)");
        return false;
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

/* We end as the program did, so that the process that waits for us sees the same. */
static int end_by(int number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    return 128 + number; /* one that does not end a process */
}

int launch_status(const LaunchResult *result, const char *program, int late)
{
    switch (result->end) {
    case LAUNCH_LATE:
        return late;
    case LAUNCH_NOT_STARTED:
        return trouble("%s: %s", program, strerror(result->value));
    case LAUNCH_KILLED:
    case LAUNCH_INTERRUPTED:
        return end_by(result->value);
    default:
        return result->value;
    }
}
