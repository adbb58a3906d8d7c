/* pypto-lint: the program, from the first argument to the command. */
#include "base/file.h"
#include "base/io_error.h"
#include "cli/cli.h"
#include "cli/version_page.h"
#include "lint/suggest.h"
#include "platform/platform.h"
#include "server/job_process.h"

static int run_command(const Command *command, CommandRun *run, Arena *arena, int argc, char **argv)
{
    int status = run(command, arena, argc, argv);
    if (status != EXIT_HELP) {
        return status;
    }
    Buf out = {.arena = arena};
    command_usage_add(&out, command, default_lang());
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}

/* A first word that names nothing in the working directory may be a misspelt command. */
static void suggest_command(const char *word)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
    }
    Str text = str_from(word);
    bool plain = text.length > 0 && word[0] != '-' && str_find(text, STR("/"), 0) == SIZE_MAX;
    const char *near = plain && !file_exists(word) ? suggest(text, names, COMMAND_COUNT) : NULL;
    if (near != NULL) {
        print_note("'%s' is taken for a path; did you mean the command '%s'?", word, near);
    }
}

/* After an option, the name of a command is taken for a path. A word that may be the value of the
 * option before it is left alone. */
static void suggest_order(int argc, char **argv)
{
    for (int i = 2; i < argc && argv[0][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
        bool is_command = argv[i - 1][0] != '-' && command_find(str_from(argv[i])) != NULL;
        if (is_command && !file_exists(argv[i])) {
            print_note("'%s' is taken for a path; a command comes before its options", argv[i]);
            return;
        }
    }
}

/* `--version`, and with --verbose after it the page about this build and its surroundings. */
static int print_version(Arena *arena, int argc, char **argv)
{
    bool verbose = argc > 1 && (strcmp(argv[1], "--verbose") == 0 || strcmp(argv[1], "-v") == 0);
    if (argc > (verbose ? 2 : 1)) {
        return print_error("%s takes only --verbose, not '%s'", argv[0], argv[verbose ? 2 : 1]);
    }
    Str text = STR("pypto-lint " PYPTO_LINT_VERSION "\n");
    text = verbose ? version_page(arena, default_lang()) : text;
    return print_all(text) ? EXIT_CLEAN : EXIT_ERROR;
}

/* Runs what the arguments (without the program's name) ask for; the exit status. */
static int dispatch(Arena *arena, int argc, char **argv)
{
    Str word = argc > 0 ? str_from(argv[0]) : STR("");
    if (job_process_is_asked(argc, argv)) {
        return job_process_main();
    }
    const Command *command = command_find(word);
    if (command != NULL) {
        return run_command(command, command->run, arena, argc - 1, argv + 1);
    }
    bool help = str_is(word, "--help") || str_is(word, "-h");
    bool version = str_is(word, "--version") || str_is(word, "-V");
    if (is_old_hook(argc, argv)) {
        return command_old_hook(arena, argc, argv);
    }
    if (is_upstream(argc, argv)) {
        return command_upstream(arena, argc, argv);
    }
    if (help && argc > 1) {
        return print_error("%s takes no other argument, such as '%s'", argv[0], argv[1]);
    }
    if (help) {
        return command_find(STR("help"))->run(command_find(STR("help")), arena, 0, argv);
    }
    if (version) {
        return print_version(arena, argc, argv);
    }
    if (argc > 0) {
        suggest_command(argv[0]);
        suggest_order(argc, argv);
    }
    return run_command(command_find(STR("check")), check_without_command, arena, argc, argv);
}

int main(int argc, char **argv)
{
    Arena arena;
    jmp_buf env;
    platform_begin(&argc, &argv);
    arena_init(&arena, 0);
    if (!OOM_GUARD(&arena, env)) {
        return print_error("out of memory");
    }
    json_memory_begin();
    int status = dispatch(&arena, argc - 1, argv + 1);
    Str path;
    Str reason;
    if (io_error_take(&arena, &path, &reason)) {
        status =
            print_error("%.*s%s%.*s", STR_ARG(path), path.length > 0 ? ": " : "", STR_ARG(reason));
    }
    arena_free(&arena);
    return status;
}
