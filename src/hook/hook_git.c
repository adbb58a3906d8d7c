/* Hook git; see hook_git.h. git is started with a list of arguments, never through a shell. */
#include "hook/hook_git.h"

#include "base/program.h"
#include "hook/hook_clock.h"
#include "lint/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE_MS = 500, LONGEST_PAUSE_MS = 20, MOST_ARGUMENTS = 40 };

typedef struct Git {
    Arena *arena;
    Str dir;
    char **environment;
    int64_t end; /* of the time, on the hook's clock */
} Git;

/* --- environment */

/* Variables of git's that say who commits and which settings hold; all others (GIT_DIR,
 * GIT_INDEX_FILE …) would point it to another repository. */
static bool is_kept(const char *variable)
{
    static const char *const kept[] = {"GIT_AUTHOR_",          "GIT_COMMITTER_",
                                       "GIT_CONFIG_GLOBAL=",   "GIT_CONFIG_SYSTEM=",
                                       "GIT_CONFIG_NOSYSTEM=", "GIT_EXEC_PATH="};
    if (strncmp(variable, "GIT_", 4) != 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (strncmp(variable, kept[i], strlen(kept[i])) == 0) {
            return true;
        }
    }
    return false;
}

static char **make_environment(Arena *arena)
{
    static char no_prompt[] = "GIT_TERMINAL_PROMPT=0", editor[] = "GIT_EDITOR=true";
    size_t count = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **list = ARENA_ARRAY(arena, char *, count + 3);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_kept(environ[i])) {
            list[used++] = environ[i];
        }
    }
    list[used++] = no_prompt;
    list[used++] = editor;
    return list;
}

/* --- the process */

static void pause_ms(long milliseconds)
{
    struct timespec time = {0, milliseconds * 1000000};
    nanosleep(&time, NULL);
}

/* Waits until the process ends or the clock shows `end`; its status, or -1. */
static int wait_until(pid_t process, int64_t end)
{
    long pause = 1;
    for (;;) {
        int status;
        pid_t done = waitpid(process, &status, WNOHANG);
        if (done == process) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
        }
        if ((done < 0 && errno != EINTR) || hook_clock_ms() >= end) {
            return -1;
        }
        pause_ms(pause);
        pause = pause * 2 > LONGEST_PAUSE_MS ? LONGEST_PAUSE_MS : pause * 2;
    }
}

/* Asked to end, git takes its lock files away; killed, it cannot. */
static void end_process(pid_t process)
{
    kill(-process, SIGTERM);
    if (wait_until(process, hook_clock_ms() + GRACE_MS) < 0) {
        kill(-process, SIGKILL);
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
        }
    }
}

/* A session of its own: no terminal to ask on, and one group to end. */
static bool start(const Git *git, char **arguments, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    const char *program = program_find(git->arena, STR("git"));
    if (program == NULL) {
        return false;
    }
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return false;
    }
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return false;
    }
    const short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    bool good =
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawnattr_setsigmask(&attributes, &none) == 0 &&
        posix_spawnattr_setsigdefault(&attributes, &defaults) == 0 &&
        posix_spawnattr_setflags(&attributes, flags) == 0 &&
        posix_spawn(process, program, &actions, &attributes, arguments, git->environment) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return good;
}

/* Runs `git` with what must always hold and these arguments (NULL behind the last). */
static bool run(const Git *git, const char *const *words)
{
    const char *const always[] = {"git", "--literal-pathspecs",      "-C", git->dir.at,
                                  "-c",  "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false",
                                  "-c",  "core.fsmonitor=false",     "-c", "gc.auto=0",
                                  "-c",  "maintenance.auto=false"};
    char *arguments[MOST_ARGUMENTS];
    size_t count = 0;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        arguments[count++] = str_dup(git->arena, str_from(always[i]));
    }
    for (; *words != NULL && count + 1 < MOST_ARGUMENTS; words++) {
        arguments[count++] = str_dup(git->arena, str_from(*words));
    }
    arguments[count] = NULL;
    pid_t process;
    if (hook_clock_ms() >= git->end || !start(git, arguments, &process)) {
        return false;
    }
    int status = wait_until(process, git->end);
    if (status < 0) {
        end_process(process);
    }
    return status == 0;
}

/* --- repositories */

/* Is there a `.git`, of whatever kind, in the folder or above? Asking git would not do: it answers
 * "no" as well when it does not trust the repository that is there. */
static bool is_in_repository(Arena *arena, Str folder)
{
    for (;; folder = path_folder(folder)) {
        struct stat info;
        if (lstat(path_join(arena, folder, STR(".git")).at, &info) == 0) {
            return true;
        }
        if (folder.length <= 1) {
            return false;
        }
    }
}

static Str workspace_of(Arena *arena, Str dir)
{
    for (Str folder = dir; folder.length > 1; folder = path_folder(folder)) {
        if (str_is(path_name(folder), "custom")) {
            return (Str){str_dup(arena, folder), folder.length};
        }
    }
    return dir;
}

static bool make_repository(const Git *git)
{
    Git at_top = *git;
    at_top.dir = workspace_of(git->arena, git->dir);
    const char *const init[] = {"init", "--quiet", NULL};
    const char *const add[] = {"add", "--all", NULL};
    const char *const commit[] = {
        "commit", "--quiet", "--no-verify", "--message", "init: operator workspace", NULL};
    return run(&at_top, init) && run(&at_top, add) && run(&at_top, commit);
}

void hook_git_backup(Arena *arena, Str dir, Str file, Str message)
{
    Git git = {arena, (Str){str_dup(arena, dir), dir.length}, make_environment(arena),
               hook_clock_ms() + GIT_LIMIT_MS};
    if (!file_is_regular(path_join(arena, dir, file).at)) {
        return; /* about to be made: there is nothing to keep */
    }
    if (!is_in_repository(arena, dir)) {
        make_repository(&git);
    }
    const char *path = str_dup(arena, file);
    /* A new file must be known to git before it can be committed alone. */
    const char *const add[] = {"add", "--intent-to-add", "--", path, NULL};
    const char *const commit[] = {"commit", "--quiet",   "--no-verify",
                                  "--only", "--message", str_dup(arena, message),
                                  "--",     path,        NULL};
    if (run(&git, add)) {
        run(&git, commit);
    }
}
