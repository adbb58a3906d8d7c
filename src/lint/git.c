/* Git: see git.h.
 *
 * Git runs in a process group of its own, so that what it starts (a clean filter, say) ends with it
 * when the time is over. Its settings may name programs; those that a comparison would start are
 * switched off by the caller's arguments and below. */
#include "lint/git.h"

#include "base/clock.h"
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

typedef enum GitEnd {
    GIT_ENDED,
    GIT_TIMED_OUT,
    GIT_TOO_MUCH,
    GIT_BROKEN, /* its output could not be read, or not be kept */
    GIT_LOST,   /* how it ended cannot be found out */
} GitEnd;

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

/* Takes what there is; false at the end of the pipe. */
static bool take(int fd, Collected *collected, bool complaint, GitEnd *end)
{
    char buffer[CHUNK];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno != EINTR) {
        *end = GIT_BROKEN;
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
            *end = capacity > GIT_MAX_OUTPUT ? GIT_TOO_MUCH : GIT_BROKEN;
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
        int64_t left = deadline - clock_ms();
        if (left <= 0) {
            return GIT_TIMED_OUT;
        }
        if (poll(fds, 2, (int)left) < 0 && errno != EINTR) {
            return GIT_BROKEN;
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

static Str describe(Arena *arena, const Collected *collected, GitEnd end, int status, Lang lang)
{
    if (end == GIT_TIMED_OUT) {
        Text text = {"git took longer than %d s", "git 超过 %d 秒未结束"};
        return str_format(arena, text_in(lang, text), GIT_SECONDS);
    }
    if (end == GIT_BROKEN) {
        Text text = {"the output of git cannot be read", "无法读取 git 的输出"};
        return str_from(text_in(lang, text));
    }
    if (end == GIT_LOST) {
        Text text = {"how git ended cannot be found out", "无法得知 git 的结束状态"};
        return str_from(text_in(lang, text));
    }
    if (end == GIT_TOO_MUCH) {
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
    int64_t deadline = clock_ms() + GIT_SECONDS * 1000;
    const Process git = {argv[0], argv, envp, out[1], err[1]};
    pid_t pid = process_start(&git, error);
    close(out[1]);
    close(err[1]);
    if (*error == 0) {
        *end = collect(collected, out[0], err[0], deadline);
        if (*end == GIT_ENDED) {
            static const GitEnd ends[] = {
                [PROCESS_ENDED] = GIT_ENDED,
                [PROCESS_LATE] = GIT_TIMED_OUT,
                [PROCESS_LOST] = GIT_LOST,
            };
            *end = ends[process_wait(pid, deadline, status)];
        }
        if (*end != GIT_ENDED) {
            process_end(pid, 0);
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
    if (end == GIT_ENDED && status == 0) {
        return true;
    }
    *error = describe(arena, collected, end, status, lang);
    return false;
}
