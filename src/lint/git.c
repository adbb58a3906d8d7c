/* Git: see git.h.
 *
 * Git runs in a process group of its own, so that what it starts (a clean filter, say) ends with it
 * when the time is over. Its settings may name programs; those that a comparison would start are
 * switched off by the caller's arguments and below. */
#include "lint/git.h"

#include "base/program.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
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

typedef enum GitEnd { GIT_ENDED, GIT_TIMED_OUT, GIT_TOO_MUCH, GIT_NO_MEMORY } GitEnd;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- arguments and environment */

static char **make_argv(Arena *arena, const char *folder, const char *const *arguments)
{
    static const char *const always[] = {"git", "--no-pager", "-c", "core.fsmonitor=false", NULL};
    Words words = {0};
    for (const char *const *word = always; *word != NULL; word++) {
        VEC_PUSH(arena, &words, str_dup(arena, str_from(*word)));
    }
    /* A hook of git's is told the place of the repository; another folder would contradict that. */
    if (getenv("GIT_DIR") == NULL) {
        VEC_PUSH(arena, &words, str_dup(arena, STR("-C")));
        VEC_PUSH(arena, &words, str_dup(arena, str_from(folder)));
    }
    for (const char *const *word = arguments; *word != NULL; word++) {
        VEC_PUSH(arena, &words, str_dup(arena, str_from(*word)));
    }
    VEC_PUSH(arena, &words, NULL);
    return words.items;
}

/* The program's own environment, but complaints in English, no questions, nothing fetched, no
 * refreshed index left behind, no foreign diff program. */
static char **make_envp(Arena *arena)
{
    static const char *const set[] = {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
                                      "GIT_NO_LAZY_FETCH=1", NULL};
    static const char *const dropped[] = {"LC_ALL=",
                                          "GIT_TERMINAL_PROMPT=",
                                          "GIT_OPTIONAL_LOCKS=",
                                          "GIT_NO_LAZY_FETCH=",
                                          "GIT_EXTERNAL_DIFF=",
                                          "GIT_TRACE",
                                          NULL};
    Words words = {0};
    for (char **entry = environ; *entry != NULL; entry++) {
        bool keep = true;
        for (const char *const *name = dropped; *name != NULL; name++) {
            keep = keep && !str_starts(str_from(*entry), str_from(*name));
        }
        if (keep) {
            VEC_PUSH(arena, &words, *entry);
        }
    }
    for (const char *const *entry = set; *entry != NULL; entry++) {
        VEC_PUSH(arena, &words, str_dup(arena, str_from(*entry)));
    }
    VEC_PUSH(arena, &words, NULL);
    return words.items;
}

/* --- the process */

/* Starts it with the write ends of the pipes; 0 or an error number. */
static int start(pid_t *pid, char **argv, char **envp, int out, int err)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* ignored by us; git shall end when nobody reads */
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    error = posix_spawn(pid, argv[0], &actions, &attributes, argv, envp);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Takes what there is; false at the end of the pipe. */
static bool take(int fd, Collected *collected, bool complaint, GitEnd *end)
{
    char buffer[CHUNK];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0) {
        return got < 0 && errno == EINTR;
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
            *end = capacity > GIT_MAX_OUTPUT ? GIT_TOO_MUCH : GIT_NO_MEMORY;
            return true;
        }
        collected->text = larger;
        collected->capacity = capacity;
    }
    memcpy(collected->text + collected->length, buffer, size);
    collected->length += size;
    return true;
}

static GitEnd collect(Collected *collected, int out, int err, int64_t deadline)
{
    struct pollfd fds[] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
    GitEnd end = GIT_ENDED;
    while (end == GIT_ENDED && (fds[0].fd >= 0 || fds[1].fd >= 0)) {
        int64_t left = deadline - now_ms();
        if (left <= 0) {
            return GIT_TIMED_OUT;
        }
        if (poll(fds, 2, (int)left) < 0 && errno != EINTR) {
            return GIT_TIMED_OUT;
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

/* Waits for the process; kills it and its children once the time is over. Its wait status. */
static int finish(pid_t pid, GitEnd *end, int64_t deadline)
{
    int status = 0;
    for (;;) {
        pid_t done = waitpid(pid, &status, *end == GIT_ENDED ? WNOHANG : 0);
        if (done == pid || (done < 0 && errno != EINTR)) {
            return done == pid ? status : -1;
        }
        if (*end == GIT_ENDED && now_ms() >= deadline) {
            *end = GIT_TIMED_OUT;
        }
        if (*end == GIT_ENDED) {
            nanosleep(&(struct timespec){0, 500000}, NULL);
        } else {
            kill(-pid, SIGKILL);
        }
    }
}

/* --- what it came to */

static Str first_line(Str text)
{
    text = str_trim(text);
    size_t end = str_find(text, STR("\n"), 0);
    Str line = str_trim(str_slice(text, 0, end));
    return str_starts(line, STR("fatal: ")) ? str_slice(line, 7, line.length) : line;
}

static Str describe(Arena *arena, const Collected *collected, GitEnd end, int status, Lang lang)
{
    if (end == GIT_TIMED_OUT) {
        Text text = {"git took longer than %d s", "git 超过 %d 秒未结束"};
        return str_format(arena, text_in(lang, text), GIT_SECONDS);
    }
    if (end != GIT_ENDED) {
        Text text = {"git prints too much", "git 的输出过多"};
        return str_from(text_in(lang, text));
    }
    Str line = first_line((Str){collected->complaint, collected->complaint_length});
    if (line.length == 0) {
        return str_format(arena, "git: %d", status);
    }
    return str_format(arena, "git: %.*s", STR_ARG(line));
}

static bool run(Collected *collected, char **argv, char **envp, GitEnd *end, int *status,
                int *error)
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
    pid_t pid = 0;
    int64_t deadline = now_ms() + GIT_SECONDS * 1000;
    *error = start(&pid, argv, envp, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    if (*error == 0) {
        *end = collect(collected, out[0], err[0], deadline);
        if (*end != GIT_ENDED) {
            kill(-pid, SIGKILL);
        }
        *status = finish(pid, end, deadline);
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
    Str text = {str_dup(arena, (Str){collected->text, collected->length}), collected->length};
    arena->guard = outer;
    free(collected->text);
    return text;
}

bool git_run(Arena *arena, const char *folder, const char *const *arguments, Lang lang, Str *out,
             Str *error)
{
    char **argv = make_argv(arena, folder, arguments);
    const char *program = program_find(arena, STR("git"));
    argv[0] = str_dup(arena, program == NULL ? STR("/no-git-in-PATH") : str_from(program));
    char **envp = make_envp(arena);
    Collected *collected = ARENA_NEW(arena, Collected);
    GitEnd end = GIT_ENDED;
    int status = 0;
    int code = 0;
    if (!run(collected, argv, envp, &end, &status, &code)) {
        Text text = {"cannot start git: %s", "无法启动 git：%s"};
        *error = str_format(arena, text_in(lang, text), strerror(code));
        return false;
    }
    *out = keep(arena, collected);
    if (end == GIT_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    *error = describe(arena, collected, end, status, lang);
    return false;
}
