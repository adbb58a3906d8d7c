/* pypto-lint: the program. Finds the command and runs it. */
#include "base/file.h"
#include "base/lapse.h"
#include "cli/cli.h"
#include "document/json.h"
#include "lint/suggest.h"
#include "report/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Messages quote what they are about: names, settings, arguments. It is escaped here, once for all
 * of them. Line ends are kept where the text has lines of its own. */
static void add_escaped(Buf *out, Str text, bool lines)
{
    for (size_t start = 0; start <= text.length;) {
        size_t end = lines ? str_find(text, STR("\n"), start) : SIZE_MAX;
        end = end == SIZE_MAX ? text.length : end;
        terminal_add(out, str_slice(text, start, end));
        if (end < text.length) {
            buf_add_char(out, '\n');
        }
        start = end + 1;
    }
}

typedef struct Message {
    Buf out;
    Str text;
    bool lines;
} Message;

static void compose(void *argument)
{
    Message *message = argument;
    buf_add(&message->out, message->lines ? STR("") : STR("pypto-lint: "));
    add_escaped(&message->out, message->text, message->lines);
    buf_add(&message->out, message->lines ? STR("") : STR("\n"));
}

/* Takes memory of its own: these are the messages for when there is none left, too. */
static void print_text(Str text, bool lines)
{
    Arena arena;
    arena_init(&arena, 0);
    Message message = {.out = {.arena = &arena}, .text = text, .lines = lines};
    if (arena_try(&arena, compose, &message)) {
        fwrite(message.out.at, 1, message.out.length, stderr);
    } else {
        fputs("pypto-lint: out of memory\n", stderr);
    }
    arena_free(&arena);
}

__attribute__((format(printf, 1, 0))) static void print_message(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0) {
        fputs("pypto-lint: out of memory\n", stderr);
        return;
    }
    print_text(str_from(text), false);
    free(text);
}

int trouble(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(format, args);
    va_end(args);
    return EXIT_TROUBLE;
}

void print_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(format, args);
    va_end(args);
}

void print_error_lines(Str text)
{
    if (text.length > 0) {
        print_text(text, true);
    }
}

bool print_all(Str text)
{
    size_t done = 0;
    while (done < text.length) {
        ssize_t wrote = write(STDOUT_FILENO, text.at + done, text.length - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            /* `pypto-lint … | head` is no trouble of ours, but the status must not say "clean". */
            if (errno != EPIPE) {
                trouble("standard output: %s", strerror(errno));
            }
            return false;
        }
        done += (size_t)wrote;
    }
    return true;
}

Lang default_lang(void)
{
    static const char *const variables[] = {"PYPTO_LINT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && *value != '\0') {
            return strncmp(value, "zh", 2) == 0 ? LANG_ZH : LANG_EN;
        }
    }
    return LANG_EN;
}

void print_errors(const RunResult *result)
{
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        if (notice->is_error) {
            trouble("%.*s%s%.*s", STR_ARG(notice->file), notice->file.length > 0 ? ": " : "",
                    STR_ARG(notice->message));
        }
    }
}

Str working_directory(Arena *arena)
{
    char *cwd = getcwd(NULL, 0);
    if (cwd == NULL) {
        lapse_note(NULL, errno);
    }
    Str result = cwd == NULL ? STR(".") : str_format(arena, "%s", cwd);
    free(cwd);
    return result;
}

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
