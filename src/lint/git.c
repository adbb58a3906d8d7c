/* Git: see git.h. It runs in a process group of its own, so that whatever it starts ends with it
 * when the time is over. */
#include "lint/git.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/io_error.h"
#include "base/program.h"
#include "base/vec.h"
#include "process/capture.h"
#include "process/process.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef VEC(char *) Words;

enum { MAX_COMPLAINT = 4096 };

/* --- arguments and environment */

/* Settings of every call. The settings are those of programs that git would start by itself; a
 * repository cannot set them, as its settings are not read, but the user's may. */
static const char *const always[] = {
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "core.logAllRefUpdates=false",
    "-c",
    "core.quotePath=true",
    "-c",
    "commit.gpgSign=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "protocol.allow=never",
};

static void add_word(Arena *arena, Words *words, Str word)
{
    VEC_PUSH(arena, words, str_dup(arena, word));
}

static char **make_argv(Arena *arena, const GitCall *call)
{
    Words words = {0};
    add_word(arena, &words, STR("git"));
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        add_word(arena, &words, str_from(always[i]));
    }
    const GitRepository *repository = call->repository;
    add_word(arena, &words, STR("-C"));
    add_word(arena, &words, repository == NULL ? STR("/") : repository->top);
    if (repository != NULL) {
        add_word(arena, &words, str_format(arena, "--git-dir=%s", repository->own));
        add_word(arena, &words, str_format(arena, "--work-tree=%.*s", STR_ARG(repository->top)));
    }
    for (const char *const *word = call->arguments; *word != NULL; word++) {
        add_word(arena, &words, str_from(*word));
    }
    VEC_PUSH(arena, &words, NULL);
    return words.items;
}

/* Of git's own variables those stay that say who commits and where the user's settings and git's
 * programs are; all others would point it to another repository, or name a program. */
static bool is_kept(const char *variable, bool as_user)
{
    static const char *const users[] = {"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CONFIG_GLOBAL=",
                                        "GIT_CONFIG_SYSTEM=", "GIT_CONFIG_NOSYSTEM="};
    static const char *const dropped[] = {
        "LC_ALL=", "SSH_ASKPASS=", "PAGER=", "EDITOR=", "VISUAL="};
    static const char *const places[] = {"HOME=", "XDG_CONFIG_HOME="};
    Str name = str_from(variable);
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
        if (str_starts(name, str_from(dropped[i]))) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (str_starts(name, str_from(places[i]))) {
            return as_user;
        }
    }
    if (!str_starts(name, STR("GIT_")) || str_starts(name, STR("GIT_EXEC_PATH="))) {
        return true;
    }
    for (size_t i = 0; as_user && i < sizeof users / sizeof *users; i++) {
        if (str_starts(name, str_from(users[i]))) {
            return true;
        }
    }
    return false;
}

static void add_committer(Arena *arena, Words *words, Str committer)
{
    size_t line = str_find(committer, STR("\n"), 0);
    Str name = str_slice(committer, 0, line);
    Str address = line == SIZE_MAX ? STR("") : str_slice(committer, line + 1, committer.length);
    static const char *const who[] = {"AUTHOR", "COMMITTER"};
    for (size_t i = 0; i < sizeof who / sizeof *who; i++) {
        const char *variable = str_format(arena, "GIT_%s_NAME", who[i]).at;
        if (name.length > 0 && getenv(variable) == NULL) {
            add_word(arena, words, str_format(arena, "%s=%.*s", variable, STR_ARG(name)));
        }
        variable = str_format(arena, "GIT_%s_EMAIL", who[i]).at;
        if (address.length > 0 && getenv(variable) == NULL) {
            add_word(arena, words, str_format(arena, "%s=%.*s", variable, STR_ARG(address)));
        }
    }
}

/* The program's own environment without what is_kept refuses; complaints in English, no questions,
 * nothing fetched, no refreshed index written, and the repository's objects. */
static char **make_envp(Arena *arena, const GitCall *call)
{
    static const char *const set[] = {"LC_ALL=C",
                                      "GIT_TERMINAL_PROMPT=0",
                                      "GIT_EDITOR=true",
                                      "GIT_OPTIONAL_LOCKS=0",
                                      "GIT_NO_LAZY_FETCH=1",
                                      "GIT_ATTR_NOSYSTEM=1"};
    static const char *const nobody[] = {"HOME=/dev/null", "XDG_CONFIG_HOME=/dev/null",
                                         "GIT_CONFIG_GLOBAL=/dev/null",
                                         "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CONFIG_NOSYSTEM=1"};
    Words words = {0};
    for (char **entry = environ; *entry != NULL; entry++) {
        if (is_kept(*entry, call->as_user)) {
            VEC_PUSH(arena, &words, *entry);
        }
    }
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        add_word(arena, &words, str_from(set[i]));
    }
    for (size_t i = 0; !call->as_user && i < sizeof nobody / sizeof *nobody; i++) {
        add_word(arena, &words, str_from(nobody[i]));
    }
    const GitRepository *repository = call->repository;
    if (repository != NULL) {
        Str index = call->index.length > 0
                        ? call->index
                        : path_join(arena, str_from(repository->own), STR("index"));
        add_word(arena, &words, str_format(arena, "GIT_INDEX_FILE=%.*s", STR_ARG(index)));
        add_word(
            arena, &words,
            str_format(arena, "GIT_OBJECT_DIRECTORY=%.*s/objects", STR_ARG(repository->common)));
    }
    if (call->committer.length > 0) {
        add_committer(arena, &words, call->committer);
    }
    VEC_PUSH(arena, &words, NULL);
    return words.items;
}

/* --- errors */

static Str first_line(Str text)
{
    text = str_trim(text);
    size_t end = str_find(text, STR("\n"), 0);
    Str line = str_trim(str_slice(text, 0, end));
    return str_starts(line, STR("fatal: ")) ? str_slice(line, 7, line.length) : line;
}

static Str describe(Arena *arena, Str complaint, ProcessEnd end, int status, Lang lang)
{
    if (end == PROCESS_LATE) {
        Text text = {"git took longer than %d s", "git 超过 %d 秒未结束"};
        return str_format(arena, text_in(lang, text), GIT_SECONDS);
    }
    if (end == PROCESS_UNREADABLE) {
        Text text = {"the output of git cannot be read", "无法读取 git 的输出"};
        return str_from(text_in(lang, text));
    }
    if (end == PROCESS_LOST) {
        Text text = {"how git ended cannot be determined", "无法得知 git 的结束状态"};
        return str_from(text_in(lang, text));
    }
    if (end == PROCESS_TOO_MUCH) {
        Text text = {"git printed too much", "git 的输出过多"};
        return str_from(text_in(lang, text));
    }
    Str line = first_line(complaint);
    if (line.length == 0) {
        return str_format(arena, "git: %d", status);
    }
    return str_format(arena, "git: %.*s", STR_ARG(line));
}

/* --- the process */

typedef struct Started {
    Process git;
    Capture streams[2];
    int64_t deadline, grace_ms;
    ProcessEnd end;
    int status;
} Started;

static void collect(void *argument)
{
    Started *started = argument;
    started->end = capture_all(started->streams, 2, started->deadline);
}

/* False with errno when git cannot be started. */
static bool run(Arena *arena, Started *started)
{
    Process *git = &started->git;
    int error = 0;
    bool complete = true;
    git->out = git->err = -1;
    bool opened = capture_open(&started->streams[0], &git->out) &&
                  capture_open(&started->streams[1], &git->err);
    error = opened ? 0 : errno;
    pid_t pid = opened ? process_start(git, &error) : -1;
    process_close(&git->out);
    process_close(&git->err);
    if (pid > 0) {
        complete = arena_try(arena, collect, started);
        if (complete && started->end == PROCESS_EXITED) {
            started->end = process_wait(pid, started->deadline, &started->status);
        }
        if (!complete || started->end != PROCESS_EXITED) {
            process_end(pid, started->grace_ms);
        }
    }
    process_close(&started->streams[0].fd);
    process_close(&started->streams[1].fd);
    if (!complete) {
        arena_fail(arena);
    }
    errno = error;
    return error == 0;
}

bool git_run(Arena *arena, const GitCall *call, Str *out, Str *error)
{
    char **argv = make_argv(arena, call);
    const char *program = program_find(arena, STR("git"));
    argv[0] = str_dup(arena, program == NULL ? STR("/no-git-in-PATH") : str_from(program));
    Started started = {
        .git = {.program = argv[0],
                .arguments = argv,
                .environment = make_envp(arena, call),
                .in = call->in},
        .deadline = call->end > 0 ? call->end : clock_ms() + GIT_SECONDS * 1000,
        .grace_ms = call->grace_ms,
    };
    capture_init_whole(&started.streams[0], arena, GIT_MAX_OUTPUT);
    capture_init(&started.streams[1], arena, MAX_COMPLAINT, 0);
    *out = STR("");
    if (!run(arena, &started)) {
        Text text = {"cannot start git: %.*s", "无法启动 git：%.*s"};
        *error = str_format(arena, text_in(call->lang, text), STR_ARG(system_reason(arena, errno)));
        return false;
    }
    *out = capture_text(&started.streams[0], arena);
    if (started.end == PROCESS_EXITED && started.status == 0) {
        return true;
    }
    Str complaint = capture_text(&started.streams[1], arena);
    *error = describe(arena, complaint, started.end, started.status, call->lang);
    return false;
}
