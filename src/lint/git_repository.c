/* GitRepository: see git_repository.h. */
#include "lint/git_repository.h"

#include "base/ascii.h"
#include "base/file.h"
#include "base/folder_remove.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { POINTER_MAX_BYTES = 8192, CONFIG_MAX_BYTES = 1024 * 1024 };

/* --- finding */

/* The path in a file that names another folder, seen from `folder`; empty when there is none. */
static Str read_pointer(Arena *arena, Str folder, const char *file, const char *prefix)
{
    Str text;
    Str head = str_from(prefix);
    Str path = path_join(arena, folder, str_from(file));
    if (file_read(arena, path.at, POINTER_MAX_BYTES, &text, NULL) != FILE_OK ||
        !str_starts(text, head)) {
        return STR("");
    }
    Str target = str_trim(str_slice(text, head.length, text.length));
    bool absolute = path_is_absolute(target);
    return target.length == 0
               ? target
               : path_real(arena, path_join(arena, absolute ? STR("") : folder, target));
}

static bool is_repository(Arena *arena, Str dir)
{
    return dir.length > 0 && file_is_directory(dir.at) &&
           file_exists(path_join(arena, dir, STR("HEAD")).at);
}

RepositoryFound git_repository_at(Arena *arena, Str folder, GitRepository *repository)
{
    *repository = (GitRepository){0};
    Str git = path_join(arena, folder, STR(".git"));
    struct stat info;
    if (!file_lstat(git.at, &info)) {
        return REPOSITORY_NONE;
    }
    bool is_file = file_is_regular(git.at);
    Str dir = is_file ? read_pointer(arena, folder, ".git", "gitdir:") : path_real(arena, git);
    if (!is_repository(arena, dir)) {
        return is_file ? REPOSITORY_BROKEN : REPOSITORY_ODD;
    }
    Str common = read_pointer(arena, dir, "commondir", "");
    repository->top = str_copy(arena, folder);
    repository->dir = dir;
    repository->common = common.length > 0 ? common : dir;
    return REPOSITORY_FOUND;
}

RepositoryFound git_repository_find(Arena *arena, Str folder, GitRepository *repository)
{
    RepositoryFound otherwise = REPOSITORY_NONE;
    for (Str at = folder; at.length > 0; at = path_folder(at)) {
        RepositoryFound found = git_repository_at(arena, at, repository);
        if (found == REPOSITORY_FOUND || found == REPOSITORY_BROKEN) {
            return found;
        }
        otherwise = found == REPOSITORY_ODD ? found : otherwise; /* git, too, looks further */
    }
    return otherwise;
}

Str git_repository_index(Arena *arena, const GitRepository *repository)
{
    const char *given = getenv("GIT_INDEX_FILE");
    if (given != NULL && given[0] != '\0') {
        Str path = path_absolute(arena, str_from(given));
        Str below;
        Str folder = path_real(arena, path_folder(path));
        if (str_equal(folder, repository->dir) || path_below(repository->dir, folder, &below)) {
            return path_join(arena, folder, path_name(path));
        }
    }
    return path_join(arena, repository->dir, STR("index"));
}

/* --- our directory */

static bool write_file(Arena *arena, Str folder, const char *name, Str text)
{
    Str path = path_join(arena, folder, str_from(name));
    int fd = open(path.at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool good = fd >= 0;
    for (size_t done = 0; good && done < text.length;) {
        ssize_t wrote = write(fd, text.at + done, text.length - done);
        good = wrote > 0 || (wrote < 0 && errno == EINTR);
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    if (fd >= 0) {
        good = close(fd) == 0 && good;
    }
    return good;
}

/* A link of that name to the same name in `source`, if there is one. */
static bool link_to(Arena *arena, Str own, Str source, const char *name)
{
    Str target = path_join(arena, source, str_from(name));
    return !file_exists(target.at) ||
           symlink(target.at, path_join(arena, own, str_from(name)).at) == 0;
}

/* A value of the settings that says how the objects are named. It is looked for and not read as
 * settings are: a wrong guess makes git complain, no more. */
static bool uses_sha256(Arena *arena, const GitRepository *repository)
{
    Str text;
    Str path = path_join(arena, repository->common, STR("config"));
    if (file_read(arena, path.at, CONFIG_MAX_BYTES, &text, NULL) != FILE_OK) {
        return false;
    }
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR("\n"), at);
        Str line = str_trim(str_slice(text, at, end));
        at = end == SIZE_MAX ? text.length : end + 1;
        static const char key[] = "objectformat";
        size_t i = 0;
        while (i < sizeof key - 1 && i < line.length && (line.at[i] | 0x20) == key[i]) {
            i++;
        }
        if (i == sizeof key - 1 && str_contains(line, STR("sha256"))) {
            return true;
        }
    }
    return false;
}

/* HEAD as it is: a ref's name or an id. It is copied, so that git cannot be led elsewhere later. */
static bool copy_head(Arena *arena, const GitRepository *repository, Str own)
{
    Str text;
    Str path = path_join(arena, repository->dir, STR("HEAD"));
    if (file_read(arena, path.at, POINTER_MAX_BYTES, &text, NULL) != FILE_OK) {
        errno = EINVAL;
        return false;
    }
    return write_file(arena, own, "HEAD", text);
}

/* Parts of an index that is kept in several files. */
static bool link_shared_indexes(Arena *arena, const GitRepository *repository, Str own)
{
    DirEntries entries;
    bool good = directory_list(arena, repository->dir.at, &entries);
    for (uint32_t i = 0; good && i < entries.count; i++) {
        if (str_starts(entries.items[i].name, STR("sharedindex."))) {
            good = link_to(arena, own, repository->dir, entries.items[i].name.at);
        }
    }
    return good;
}

static bool fill(Arena *arena, const GitRepository *repository)
{
    Str own = str_from(repository->own);
    bool sha256 = uses_sha256(arena, repository);
    Str config = sha256 ? STR("[core]\n\trepositoryformatversion = 1\n\tbare = false\n"
                              "[extensions]\n\tobjectformat = sha256\n")
                        : STR("[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
    bool good = write_file(arena, own, "config", config) && copy_head(arena, repository, own);
    static const char *const shared[] = {"refs", "packed-refs", "shallow"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        good = good && link_to(arena, own, repository->common, shared[i]);
    }
    static const char *const heads[] = {"ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        good = good && link_to(arena, own, repository->dir, heads[i]);
    }
    Str info = path_join(arena, own, STR("info"));
    Str patterns = path_join(arena, repository->common, STR("info"));
    return good && mkdir(info.at, 0700) == 0 && link_to(arena, info, patterns, "exclude") &&
           link_shared_indexes(arena, repository, own);
}

typedef struct Opening {
    Arena *arena;
    const GitRepository *repository;
    bool good;
} Opening;

static void open_own(void *argument)
{
    Opening *opening = argument;
    opening->good = fill(opening->arena, opening->repository);
}

bool git_repository_open(Arena *arena, GitRepository *repository)
{
    const char *folder = getenv("TMPDIR");
    folder = folder == NULL || !path_is_absolute(str_from(folder)) ? "/tmp" : folder;
    int length =
        snprintf(repository->own, sizeof repository->own, "%s/pypto-lint-git-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof repository->own) {
        repository->own[0] = '\0';
        errno = ENAMETOOLONG;
        return false;
    }
    if (mkdtemp(repository->own) == NULL) {
        repository->own[0] = '\0';
        return false;
    }
    Opening opening = {arena, repository, false};
    bool complete = arena_try(arena, open_own, &opening);
    if (!complete || !opening.good) {
        int code = errno;
        git_repository_close(repository);
        errno = code;
    }
    if (!complete) {
        arena_fail(arena);
    }
    return opening.good;
}

/* By name, which takes neither memory nor a descriptor. True when nothing else was there. */
static bool remove_known(const char *own)
{
    static const char *const files[] = {"HEAD",       "config",     "info/exclude", "index",
                                        "index.lock", "refs",       "packed-refs",  "shallow",
                                        "ORIG_HEAD",  "FETCH_HEAD", "MERGE_HEAD"};
    char path[GIT_OWN_PATH + 16];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", own, files[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/info", own);
    rmdir(path);
    return rmdir(own) == 0;
}

void git_repository_close(GitRepository *repository)
{
    if (repository->own[0] == '\0') {
        return;
    }
    if (remove_known(repository->own)) {
        repository->own[0] = '\0';
        return;
    }
    folder_remove(repository->own);
    repository->own[0] = '\0';
}
