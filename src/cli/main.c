/* pypto-lint: the program. Finds the command and runs it. */
#include "base/file.h"
#include "base/json_read.h"
#include "base/lapse.h"
#include "cli/cli.h"
#include "lint/suggest.h"

#include <signal.h>

static int too_many(char **argv)
{
    return trouble("%s stands alone, without '%s'", argv[0], argv[1]);
}

static int run_check_command(Arena *arena, int argc, char **argv)
{
    return command_check(arena, argc, argv, false);
}

static const struct Command {
    const char *name;
    int (*run)(Arena *arena, int argc, char **argv);
} commands[] = {
    {"check", run_check_command},
    {"rules", command_rules},
    {"explain", command_explain},
    {"doctor", command_doctor},
    {"stats", command_stats},
    {"hook", command_hook},
    {"init", command_init},
    {"run", command_run},
    {"test", command_test},
    {"verify", command_verify},
    {"verify-job", command_verify_job},
    {"tolerance", command_tolerance},
    {"compose", command_compose},
    {"interfaces", command_interfaces},
    {"scaffold", command_scaffold},
    {"help", command_help},
};

/* A first word that names nothing in the working directory may be a misspelt command. */
static void suggest_command(const char *word)
{
    enum { COUNT = sizeof commands / sizeof *commands };
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        names[i] = commands[i].name;
    }
    Str text = str_from(word);
    bool plain = text.length > 0 && word[0] != '-' && str_find(text, STR("/"), 0) == SIZE_MAX;
    const char *near = plain && !file_exists(word) ? suggest(text, names, COUNT) : NULL;
    if (near != NULL) {
        print_note("'%s' is taken for a path; did you mean the command '%s'?", word, near);
    }
}

/* Behind an option a command is no command any more. A word that may be the value of the option
 * before it is left alone. */
static void suggest_order(int argc, char **argv)
{
    for (int i = 2; i < argc && argv[0][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            if (argv[i - 1][0] != '-' && strcmp(argv[i], commands[k].name) == 0 &&
                !file_exists(argv[i])) {
                print_note("'%s' is taken for a path; a command comes before its options", argv[i]);
                return;
            }
        }
    }
}

static int run(Arena *arena, int argc, char **argv)
{
    if (argc == 0) {
        return command_check(arena, argc, argv, true);
    }
    Str command = str_from(argv[0]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (str_is(command, commands[i].name)) {
            return commands[i].run(arena, argc - 1, argv + 1);
        }
    }
    if (str_is(command, "--help") || str_is(command, "-h")) {
        return argc > 1 ? too_many(argv) : command_help(arena, 0, argv);
    }
    if (argc > 1 && (str_is(command, "--version") || str_is(command, "-V"))) {
        return too_many(argv);
    }
    if (str_is(command, "--version") || str_is(command, "-V")) {
        return print_all(STR("pypto-lint " PYPTO_LINT_VERSION "\n")) ? EXIT_CLEAN : EXIT_TROUBLE;
    }
    if (is_old_hook(argc, argv)) {
        return command_old_hook(arena, argc, argv);
    }
    if (is_upstream(argc, argv)) {
        return command_upstream(arena, argc, argv);
    }
    suggest_command(argv[0]);
    suggest_order(argc, argv);
    return command_check(arena, argc, argv, true);
}

int main(int argc, char **argv)
{
    Arena arena;
    jmp_buf env;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* ignored, as it may be inherited, it would hide how children end */
    arena_init(&arena, 0);
    if (!OOM_GUARD(&arena, env)) {
        return trouble("out of memory");
    }
    json_memory_begin();
    int status = run(&arena, argc - 1, argv + 1);
    Str path;
    Str reason;
    if (lapse_take(&arena, &path, &reason)) {
        status = trouble("%.*s%s%.*s", STR_ARG(path), path.length > 0 ? ": " : "", STR_ARG(reason));
    }
    arena_free(&arena);
    return status;
}
