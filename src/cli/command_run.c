/* `run`: runs a Python program with the simulator in the place of pypto and torch_npu.
 *
 * The program takes this process's place, so its exit status, its standard streams and signals are
 * those of `python FILE`. The simulator's Python side lies beside the binary
 * (../share/pypto-lint/sim) and comes first on the program's PYTHONPATH. */
#include "cli/cli.h"

#include "base/file.h"
#include "harness/python_home.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct RunOptions {
    Str soc, profile, trace, python;
    bool stats, help;
} RunOptions;

static const struct RunOption {
    const char *name;
    size_t offset; /* of the text in RunOptions */
} run_options[] = {
    {"--soc", offsetof(RunOptions, soc)},
    {"--profile", offsetof(RunOptions, profile)},
    {"--trace", offsetof(RunOptions, trace)},
    {"--python", offsetof(RunOptions, python)},
};

/* Reads the option at argv[*index], if it is one of those with a value. */
static bool read_valued(RunOptions *options, int argc, char **argv, int *index, bool *found)
{
    Str argument = str_from(argv[*index]);
    size_t equals = str_find(argument, STR("="), 0);
    Str name = equals == SIZE_MAX ? argument : str_slice(argument, 0, equals);
    *found = false;
    for (size_t i = 0; i < sizeof run_options / sizeof *run_options; i++) {
        if (!str_is(name, run_options[i].name)) {
            continue;
        }
        *found = true;
        Str value = STR("");
        if (equals != SIZE_MAX) {
            value = str_slice(argument, equals + 1, argument.length);
        } else if (*index + 1 < argc) {
            value = str_from(argv[++*index]);
        }
        if (value.length == 0) {
            trouble("%s needs a value", run_options[i].name);
            return false;
        }
        *(Str *)(void *)((char *)options + run_options[i].offset) = value;
    }
    return true;
}

/* Our options end where the program begins; `*first` is its place in argv. */
static bool read_run_options(RunOptions *options, int argc, char **argv, int *first)
{
    int i = 0;
    for (; i < argc && argv[i][0] == '-'; i++) {
        Str argument = str_from(argv[i]);
        bool found = false;
        if (str_is(argument, "-m")) {
            break;
        }
        if (str_is(argument, "--")) {
            i++;
            break;
        }
        if (str_is(argument, "--stats")) {
            options->stats = true;
        } else if (str_is(argument, "--help") || str_is(argument, "-h")) {
            options->help = true;
        } else if (!read_valued(options, argc, argv, &i, &found)) {
            return false;
        } else if (!found) {
            trouble("unknown option '%s' (see pypto-lint help run)", argv[i]);
            return false;
        }
    }
    *first = i;
    return true;
}

static bool check_run_options(const RunOptions *options, int argc, char **argv, int first)
{
    if (options->profile.length > 0 && !str_is(options->profile, "device") &&
        !str_is(options->profile, "strict")) {
        trouble("--profile takes device or strict, not '%.*s'", STR_ARG(options->profile));
        return false;
    }
    bool module = first < argc && str_is(str_from(argv[first]), "-m");
    if (first + (module ? 1 : 0) >= argc) {
        trouble("run needs a file or -m MODULE (see pypto-lint help run)");
        return false;
    }
    return true;
}

static bool set_variable(const char *name, Str value, Arena *arena)
{
    return value.length == 0 || setenv(name, str_dup(arena, value), 1) == 0;
}

/* What the simulator and the program's torch read. */
static bool set_environment(Arena *arena, const RunOptions *options, Str folder)
{
    Str path = python_path_with(arena, folder);
    Str trace = options->trace; /* the program may change its working directory */
    if (trace.length > 0 && trace.at[0] != '/') {
        trace = path_join(arena, working_directory(arena), trace);
    }
    return set_variable("PYTHONPATH", path, arena) &&
           set_variable("TORCH_DEVICE_BACKEND_AUTOLOAD", STR("0"), arena) &&
           set_variable("PTOSIM_RUN_MODE", STR("SIM"), arena) &&
           set_variable("PTOSIM_SOC", options->soc, arena) &&
           set_variable("PTOSIM_PROFILE", options->profile, arena) &&
           set_variable("PTOSIM_TRACE", trace, arena) &&
           set_variable("PTOSIM_STATS", options->stats ? STR("1") : STR(""), arena);
}

static bool check_soc(Arena *arena, Str folder, Str soc)
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

int command_run(Arena *arena, int argc, char **argv)
{
    RunOptions options = {0};
    int first = 0;
    if (!read_run_options(&options, argc, argv, &first)) {
        return EXIT_TROUBLE;
    }
    if (options.help) {
        char *words[] = {(char[]){"run"}, NULL};
        return command_help(arena, 1, words);
    }
    Str folder = python_home(arena, "sim");
    if (!check_run_options(&options, argc, argv, first) || !check_soc(arena, folder, options.soc)) {
        return EXIT_TROUBLE;
    }
    Str script = str_format(arena, "%.*s/ptosim_run.py", STR_ARG(folder));
    if (!simulator_is_built(folder)) {
        return trouble("the simulator is not in %.*s: it was built without Python's headers "
                       "(python3-dev)",
                       STR_ARG(folder));
    }
    const char *python = python_interpreter(arena, options.python);
    if (python == NULL) {
        return trouble("no Python interpreter found (--python PATH, PYPTO_LINT_PYTHON)");
    }
    if (!set_environment(arena, &options, folder)) {
        return trouble("environment: %s", strerror(errno));
    }
    char **words = arena_alloc(arena, sizeof *words * (size_t)(argc - first + 3));
    words[0] = str_dup(arena, str_from(python));
    words[1] = str_dup(arena, script);
    for (int i = first; i < argc; i++) {
        words[2 + i - first] = argv[i];
    }
    words[2 + argc - first] = NULL;
    signal(SIGPIPE, SIG_DFL); /* as Python expects to find it */
    execv(python, words);
    return trouble("%s: %s", python, strerror(errno));
}
