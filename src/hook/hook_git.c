/* Hook git; see hook_git.h. The commit is put together from its parts, so that git has no occasion
 * to convert a text or to start a hook: the content as an object, an index of our own with the last
 * commit's files and this one, the tree, the commit, the branch. */
#include "hook/hook_git.h"

#include "base/clock.h"
#include "base/path.h"
#include "lint/git.h"

#include <fcntl.h>
#include <unistd.h>

/* Asked to end, git takes its lock files away; killed, it cannot. */
enum { GRACE_MS = 500, CONFIG_MAX_VALUE = 1000 };

#define BACKUP_REF "refs/pypto-lint/backup"

typedef struct Backup {
    Arena *arena;
    GitRepository repository;
    Str dir;  /* the operator's, real, absolute */
    Str path; /* the file's, real, absolute */
    Str message;
    Str committer;
    int64_t end; /* of the time, on the hook's clock */
    int fd;      /* the file */
    bool executable;
} Backup;

static bool call_git(const Backup *backup, GitCall call, Str *out)
{
    Str error = STR("");
    *out = STR("");
    call.end = backup->end;
    call.grace_ms = GRACE_MS;
    call.lang = LANG_EN;
    bool good = clock_ms() < backup->end && git_run(backup->arena, &call, out, &error);
    *out = str_trim(*out);
    return good;
}

/* Runs git in the repository with an index (empty: our own), without a committer. */
static bool ask(const Backup *backup, Str index, const char *const *words, Str *out)
{
    GitCall call = {.repository = &backup->repository, .arguments = words, .index = index};
    return call_git(backup, call, out);
}

/* --- who commits */

/* A value of the repository's own settings, read as a file: what it includes is not followed. */
static Str own_setting(const Backup *backup, const char *key)
{
    const char *file = path_join(backup->arena, backup->repository.common, STR("config")).at;
    const char *words[] = {"config", "--file", file, "--no-includes", "--get", key, NULL};
    GitCall call = {.arguments = words};
    Str value;
    bool good = call_git(backup, call, &value);
    bool odd = value.length > CONFIG_MAX_VALUE || str_contains(value, STR("\n"));
    return good && !odd ? value : STR("");
}

/* The committer that the repository names: name, LF, address; empty when it names neither. */
static Str find_committer(const Backup *backup)
{
    Str name = own_setting(backup, "user.name");
    Str address = own_setting(backup, "user.email");
    if (name.length == 0 && address.length == 0) {
        return STR("");
    }
    return str_format(backup->arena, "%.*s\n%.*s", STR_ARG(name), STR_ARG(address));
}

/* --- the commit */

static bool write_tree(const Backup *backup, Str index, Str *tree)
{
    const char *words[] = {"write-tree", NULL};
    return ask(backup, index, words, tree);
}

/* Commits `tree` after `parent` (empty: as the first one) and moves `ref` to that; false when git
 * fails. */
static bool commit_tree(const Backup *backup, Str tree, Str parent, Str message, const char *ref)
{
    Arena *arena = backup->arena;
    const char *id = str_dup(arena, tree);
    const char *text = str_dup(arena, message);
    const char *before = str_dup(arena, parent);
    const char *next[] = {"commit-tree", "--no-gpg-sign", "-m", text, "-p", before, id, NULL};
    const char *first[] = {"commit-tree", "--no-gpg-sign", "-m", text, id, NULL};
    GitCall call = {.repository = &backup->repository,
                    .arguments = parent.length > 0 ? next : first,
                    .as_user = true,
                    .committer = backup->committer};
    Str commit;
    if (!call_git(backup, call, &commit)) {
        return false;
    }
    const char *id_after = str_dup(arena, commit);
    bool moves = strcmp(ref, "HEAD") == 0; /* from where it was, else nothing */
    const char *words[] = {"update-ref", ref, id_after, moves ? before : NULL, NULL};
    Str out;
    return ask(backup, STR(""), words, &out);
}

/* Our HEAD is a copy: a branch is moved through it, but a HEAD that is on no branch (in a rebase,
 * say) stays where it is, and the commit gets its own ref. */
static bool is_on_branch(const Backup *backup)
{
    const char *words[] = {"symbolic-ref", "--quiet", "HEAD", NULL};
    Str name;
    return ask(backup, STR(""), words, &name) && str_starts(name, STR("refs/heads/"));
}

static bool last_commit(const Backup *backup, Str *commit, Str *tree)
{
    const char *which[] = {"rev-parse", "--verify", "--quiet", "HEAD^{commit}", NULL};
    const char *what[] = {"rev-parse", "--verify", "--quiet", "HEAD^{tree}", NULL};
    return ask(backup, STR(""), which, commit) && ask(backup, STR(""), what, tree);
}

/* The file's place, as `update-index --cacheinfo` takes it. */
static const char *cache_line(const Backup *backup, Str blob)
{
    Str file = STR("");
    path_below(backup->repository.top, backup->path, &file);
    return str_format(backup->arena, "%s,%.*s,%.*s", backup->executable ? "100755" : "100644",
                      STR_ARG(blob), STR_ARG(file))
        .at;
}

static void commit_file(const Backup *backup)
{
    const char *keep[] = {"hash-object", "-w", "--no-filters", "--stdin", NULL};
    GitCall call = {.repository = &backup->repository, .arguments = keep, .in = backup->fd};
    Str blob, out, tree;
    Str parent = STR(""), before = STR("");
    if (!call_git(backup, call, &blob)) {
        return;
    }
    if (last_commit(backup, &parent, &before)) {
        const char *read[] = {"read-tree", str_dup(backup->arena, parent), NULL};
        if (!ask(backup, STR(""), read, &out)) {
            return;
        }
    } else {
        parent = STR("");
    }
    const char *add[] = {"update-index", "--add", "--cacheinfo", cache_line(backup, blob), NULL};
    if (!ask(backup, STR(""), add, &out) || !write_tree(backup, STR(""), &tree) ||
        str_equal(tree, before)) {
        return;
    }
    bool on_branch = is_on_branch(backup);
    if (on_branch) {
        /* The user's index knows the file as it is now, or it would show the way back as staged. */
        Str index = path_join(backup->arena, backup->repository.dir, STR("index"));
        ask(backup, index, add, &out);
    }
    commit_tree(backup, tree, parent, backup->message, on_branch ? "HEAD" : BACKUP_REF);
}

/* --- repositories */

static Str workspace_of(Arena *arena, Str dir)
{
    for (Str folder = dir; folder.length > 1; folder = path_folder(folder)) {
        if (str_is(path_name(folder), "custom")) {
            return str_copy(arena, folder);
        }
    }
    return dir;
}

static void commit_workspace(const Backup *backup)
{
    Str index = path_join(backup->arena, backup->repository.dir, STR("index"));
    const char *add[] = {"add", "--all", "--", ".", NULL};
    Str out, tree;
    if (ask(backup, index, add, &out) && write_tree(backup, index, &tree)) {
        commit_tree(backup, tree, STR(""), STR("init: operator workspace"), "HEAD");
    }
}

typedef struct Step {
    const Backup *backup;
    void (*take)(const Backup *backup);
} Step;

static void take_step(void *argument)
{
    const Step *step = argument;
    step->take(step->backup);
}

static void in_repository(Backup *backup, void (*take)(const Backup *backup))
{
    Arena *arena = backup->arena;
    backup->committer = find_committer(backup);
    if (!git_repository_open(arena, &backup->repository)) {
        return;
    }
    Step step = {backup, take};
    bool complete = arena_try(arena, take_step, &step);
    git_repository_close(&backup->repository);
    if (!complete) {
        arena_fail(arena);
    }
}

/* Finds the repository that the file is in, or makes one and commits what is there. False when git
 * fails or the repository cannot be used. */
static bool have_repository(Backup *backup)
{
    Arena *arena = backup->arena;
    Str folder = path_folder(backup->path);
    folder = str_copy(arena, folder);
    RepositoryFound found = git_repository_find(arena, folder, &backup->repository);
    if (found != REPOSITORY_NONE) {
        return found == REPOSITORY_FOUND;
    }
    Str workspace = workspace_of(arena, backup->dir);
    const char *init[] = {"init", "--quiet", "--", str_dup(arena, workspace), NULL};
    GitCall call = {.arguments = init, .as_user = true};
    Str out;
    if (!call_git(backup, call, &out) ||
        git_repository_find(arena, workspace, &backup->repository) != REPOSITORY_FOUND) {
        return false;
    }
    in_repository(backup, commit_workspace);
    return true;
}

static void keep_file(void *argument)
{
    Backup *backup = argument;
    Str below;
    if (have_repository(backup) && path_below(backup->repository.top, backup->path, &below)) {
        in_repository(backup, commit_file);
    }
}

void hook_git_backup(Arena *arena, Str dir, Str path, Str message)
{
    Backup backup = {.arena = arena,
                     .dir = path_real(arena, dir),
                     .path = path_real(arena, path),
                     .message = message,
                     .end = clock_ms() + GIT_LIMIT_MS};
    struct stat info;
    if (backup.dir.length == 0 || backup.path.length == 0) {
        return; /* about to be made: there is nothing to keep */
    }
    backup.fd = open(backup.path.at, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (backup.fd < 0) {
        return;
    }
    bool complete = true;
    if (fstat(backup.fd, &info) == 0 && S_ISREG(info.st_mode)) {
        backup.executable = (info.st_mode & S_IXUSR) != 0;
        complete = arena_try(arena, keep_file, &backup);
    }
    close(backup.fd);
    if (!complete) {
        arena_fail(arena);
    }
}
