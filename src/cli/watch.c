/* Watching files with inotify; see watch.h. */
#include "cli/watch.h"

#include "base/clock.h"
#include "base/path.h"
#include "cli/message.h"
#include "cli/surroundings.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_FOLDERS = 8192,
    QUIET_MS = 50, /* editors write a file in several steps */
    EVENT_BYTES = 64 * 1024,
};

#define WATCHED                                                                                    \
    (IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR |           \
     IN_DONT_FOLLOW | IN_EXCL_UNLINK)

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

typedef struct Watch {
    int fd;
    uint32_t folders;
    bool all; /* that could be watched are */
} Watch;

/* --- folders */

static bool is_skipped(Str name)
{
    static const char *const names[] = {"node_modules", "site-packages", "__pycache__"};
    return STR_IS_ANY(name, names) || str_starts(name, STR("."));
}

/* Watches a folder and those below it. Links are not followed: their targets may be anywhere. */
static void add_folders(Watch *watch, Arena *arena, Str top)
{
    Strs waiting = {0};
    VEC_PUSH(arena, &waiting, top);
    while (waiting.count > 0) {
        Str folder = waiting.items[--waiting.count];
        DirEntries entries;
        if (watch->folders == MOST_FOLDERS ||
            (inotify_add_watch(watch->fd, folder.at, WATCHED) < 0 && errno == ENOSPC)) {
            watch->all = false;
            return;
        }
        watch->folders++;
        if (!directory_list(arena, folder.at, &entries)) {
            continue;
        }
        for (uint32_t i = 0; i < entries.count; i++) {
            if (entries.items[i].is_directory && !is_skipped(entries.items[i].name)) {
                Str inner = path_join(arena, folder, entries.items[i].name);
                VEC_PUSH(arena, &waiting, inner);
            }
        }
    }
}

/* Watching a folder twice changes nothing, so all are added before each round. */
static void add_all(Watch *watch, Strs paths)
{
    Arena arena;
    arena_init(&arena, 0);
    watch->folders = 0;
    watch->all = true;
    for (uint32_t i = 0; i < paths.count; i++) {
        Str path = str_copy(&arena, path_without_slash(paths.items[i]));
        bool folder = file_is_directory(path.at);
        add_folders(watch, &arena, folder ? path : str_copy(&arena, path_parent(path)));
    }
    arena_free(&arena);
}

/* --- events */

static bool is_of_interest(const struct inotify_event *event)
{
    static const char *const endings[] = {".py", ".md", ".yaml", ".yml", ".json", ".toml"};
    Str name = event->len > 0 ? str_from(event->name) : STR("");
    if ((event->mask & (IN_ISDIR | IN_Q_OVERFLOW)) != 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (str_ends(name, str_from(endings[i])) && (event->mask & IN_CREATE) == 0) {
            return true;
        }
    }
    return false;
}

/* Reads what is there; was something of interest among it? */
static bool take_events(int fd)
{
    static _Alignas(struct inotify_event) char bytes[EVENT_BYTES];
    bool found = false;
    ssize_t count;
    while ((count = read(fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t at = 0; at < count;) {
            const struct inotify_event *event = (const struct inotify_event *)(bytes + at);
            found = found || is_of_interest(event);
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
    return found;
}

/* Waits for a change and until it is quiet again. False when it is time to end. */
static bool wait_for_change(const Watch *watch)
{
    struct pollfd both[] = {{.fd = watch->fd, .events = POLLIN}, {.fd = STDOUT_FILENO}};
    bool changed = false;
    while (!interrupted) {
        int count = poll(both, 2, changed ? QUIET_MS : -1);
        if (count == 0) {
            return true;
        }
        if ((count < 0 && errno != EINTR) || (count > 0 && both[1].revents != 0)) {
            return false; /* nobody reads the output any more */
        }
        changed = (count > 0 && take_events(watch->fd)) || changed;
    }
    return false;
}

/* --- */

static int run_once(WatchedWork *work, void *argument)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        return print_error("cannot start a process: %s", strerror(errno));
    }
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        int status = work(argument);
        fflush(NULL);
        _exit(status);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_ERROR;
}

int watch_run(Arena *arena, Strs paths, WatchedWork *work, void *argument)
{
    Watch watch = {.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
    bool zh = default_lang() == LANG_ZH;
    int status = EXIT_CLEAN;
    Str here = STR(".");
    if (watch.fd < 0) {
        return print_error("--watch: %s", strerror(errno));
    }
    if (paths.count == 0) {
        VEC_PUSH(arena, &paths, here);
    }
    sigaction(SIGINT, &(struct sigaction){.sa_handler = note_interrupt}, NULL);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = note_interrupt}, NULL);
    do {
        add_all(&watch, paths);
        if (isatty(STDOUT_FILENO)) {
            print_all(STR("\033[H\033[2J"));
        }
        status = run_once(work, argument);
        if (!interrupted) {
            print_note(zh ? "正在监视 %u 个目录%s；按 Ctrl-C 结束"
                          : "watching %u folder(s)%s; Ctrl-C ends",
                       watch.folders,
                       watch.all ? ""
                       : zh      ? "（不是全部）"
                                 : ", not all of them");
        }
    } while (wait_for_change(&watch));
    close(watch.fd);
    return status;
}
