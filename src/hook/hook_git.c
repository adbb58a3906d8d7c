/* Hook git; see hook_git.h. git is started with a list of arguments, never through a shell. */
#include "hook/hook_git.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/program.h"
#include "lint/paths.h"

#include <sys/stat.h>
#include <unistd.h>

/* Asked to end, git takes its lock files away; killed, it cannot. */
enum { GRACE_MS = 500, MOST_ARGUMENTS = 40 };

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
    const char *program = program_find(git->arena, STR("git"));
    if (program == NULL || clock_ms() >= git->end) {
        return false;
    }
    const Process command = {program, arguments, git->environment, -1, -1};
    int error;
    int status = -1;
    pid_t process = process_start(&command, &error);
    if (process < 0) {
        return false;
    }
    if (process_wait(process, git->end, &status) != PROCESS_ENDED) {
        process_end(process, GRACE_MS);
        return false;
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
        if (file_lstat(path_join(arena, folder, STR(".git")).at, &info)) {
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
               clock_ms() + GIT_LIMIT_MS};
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
