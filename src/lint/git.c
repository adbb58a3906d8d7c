/* Git: see git.h. It runs in a process group of its own, so that whatever it starts ends with it
 * when the time is over. */
#include "lint/git.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/io_error.h"
#include "base/process.h"
#include "base/program.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

typedef VEC(char *) Words;

enum { CHUNK = 65536, MAX_COMPLAINT = 4096 };

/* What the two pipes brought. Not in the arena: its failures would jump over the clean-up. */
typedef struct Collected {
    char *text;
    size_t length, capacity;
    char complaint[MAX_COMPLAINT];
    size_t complaint_length;
} Collected;

/* --- arguments and environment */

/* What holds for every call. The settings are those of programs that git would start by itself; a
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
 * nothing fetched, no refreshed index left behind, and the repository's objects. */
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

/* --- the process */

/* Takes what there is; false at the end of the pipe. */
static bool take(int fd, Collected *collected, bool complaint, ProcessEnd *end)
{
    char buffer[CHUNK];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno != EINTR) {
        *end = PROCESS_UNREADABLE;
    }
    if (got <= 0) {
        return got < 0;
    }
    size_t size = (size_t)got;
    if (complaint) {
        size_t room = sizeof collected->complaint - collected->complaint_length;
        size = size < room ? size : room;
        memcpy(collected->complaint + collected->complaint_length, buffer, size);
        collected->complaint_length += size;
        return true;
    }
    if (collected->length + size > collected->capacity) {
        size_t capacity = collected->capacity * 2 + size;
        char *larger = capacity > GIT_MAX_OUTPUT ? NULL : realloc(collected->text, capacity);
        if (larger == NULL) {
            *end = capacity > GIT_MAX_OUTPUT ? PROCESS_TOO_MUCH : PROCESS_UNREADABLE;
            return true;
        }
        collected->text = larger;
        collected->capacity = capacity;
    }
    memcpy(collected->text + collected->length, buffer, size);
    collected->length += size;
    return true;
}

static ProcessEnd collect(Collected *collected, int out, int err, int64_t deadline)
{
    struct pollfd fds[] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
    ProcessEnd end = PROCESS_EXITED;
    while (end == PROCESS_EXITED && (fds[0].fd >= 0 || fds[1].fd >= 0)) {
        int64_t left = deadline - clock_ms();
        if (left <= 0) {
            return PROCESS_LATE;
        }
        if (poll(fds, 2, (int)left) < 0 && errno != EINTR) {
            return PROCESS_UNREADABLE;
        }
        for (int i = 0; i < 2; i++) {
            if (fds[i].revents != 0 && !take(fds[i].fd, collected, i == 1, &end)) {
                fds[i].fd = -1;
            }
            fds[i].revents = 0;
        }
    }
    return end;
}

/* --- what it came to */

static Str first_line(Str text)
{
    text = str_trim(text);
    size_t end = str_find(text, STR("\n"), 0);
    Str line = str_trim(str_slice(text, 0, end));
    return str_starts(line, STR("fatal: ")) ? str_slice(line, 7, line.length) : line;
}

static Str describe(Arena *arena, const Collected *collected, ProcessEnd end, int status, Lang lang)
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
        Text text = {"how git ended cannot be found out", "无法得知 git 的结束状态"};
        return str_from(text_in(lang, text));
    }
    if (end == PROCESS_TOO_MUCH) {
        Text text = {"git prints too much", "git 的输出过多"};
        return str_from(text_in(lang, text));
    }
    Str line = first_line((Str){collected->complaint, collected->complaint_length});
    if (line.length == 0) {
        return str_format(arena, "git: %d", status);
    }
    return str_format(arena, "git: %.*s", STR_ARG(line));
}

/* A call that is ready: nothing below uses the arena. */
typedef struct Started {
    Process git;
    int64_t deadline, grace_ms;
} Started;

static bool run(Collected *collected, Started *started, ProcessEnd *end, int *status, int *error)
{
    int out[2];
    int err[2];
    if (pipe2(out, O_CLOEXEC) != 0) {
        *error = errno;
        return false;
    }
    if (pipe2(err, O_CLOEXEC) != 0) {
        *error = errno;
        close(out[0]);
        close(out[1]);
        return false;
    }
    int64_t deadline = started->deadline;
    started->git.out = out[1];
    started->git.err = err[1];
    pid_t pid = process_start(&started->git, error);
    close(out[1]);
    close(err[1]);
    if (*error == 0) {
        *end = collect(collected, out[0], err[0], deadline);
        if (*end == PROCESS_EXITED) {
            *end = process_wait(pid, deadline, status);
        }
        if (*end != PROCESS_EXITED) {
            process_end(pid, started->grace_ms);
        }
    }
    close(out[0]);
    close(err[0]);
    return *error == 0;
}

/* Copies the output into the arena; the collected text is given back whatever happens. */
static Str keep(Arena *arena, Collected *collected)
{
    jmp_buf *outer = arena->guard;
    jmp_buf here;
    if (!OOM_GUARD(arena, here)) {
        arena->guard = outer;
        free(collected->text);
        arena_fail(arena);
    }
    Str text = str_copy(arena, (Str){collected->text, collected->length});
    arena->guard = outer;
    free(collected->text);
    return text;
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
    Collected *collected = ARENA_NEW(arena, Collected);
    ProcessEnd end = PROCESS_EXITED;
    int status = 0;
    int code = 0;
    *out = STR("");
    if (!run(collected, &started, &end, &status, &code)) {
        Text text = {"cannot start git: %.*s", "无法启动 git：%.*s"};
        *error = str_format(arena, text_in(call->lang, text), STR_ARG(system_reason(arena, code)));
        return false;
    }
    *out = keep(arena, collected);
    if (end == PROCESS_EXITED && status == 0) {
        return true;
    }
    *error = describe(arena, collected, end, status, call->lang);
    return false;
}
