/* Fence: see fence.h. */
#include "base/fence.h"

#include "base/io_error.h"
#include "base/path.h"
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* --- the border */

Str repository_top(Arena *arena, Str folder)
{
    for (Str at = folder; at.length > 0; at = path_folder(at)) {
        Str git = path_join(arena, at, STR(".git"));
        if (file_is_regular(git.at) || file_exists(path_join(arena, git, STR("HEAD")).at)) {
            return str_copy(arena, at);
        }
    }
    return STR("");
}

Str fence_of(Arena *arena, Str folder)
{
    struct stat info;
    const char *path = folder.length == 0 ? "." : str_dup(arena, folder);
    if (file_lstat(path, &info) && S_ISLNK(info.st_mode)) {
        Str top = repository_top(arena, path_real(arena, path_parent(folder)));
        if (top.length > 0) {
            return top;
        }
    }
    Str real = path_real(arena, str_from(path));
    Str top = real.length == 0 ? real : repository_top(arena, real);
    return top.length > 0 ? top : real;
}

/* --- where a file is */

/* Is `path` below `folder`, both absolute and real? Nothing is below an empty folder. */
static bool is_below(Str folder, Str path)
{
    Str inside;
    return folder.length > 0 && path_below(folder, path, &inside);
}

/* Files in these show the system, other processes and their environment. */
static bool is_system_place(int fd, Str fence, Str path)
{
    return platform_shows_system(fd) || is_below(STR("/proc"), path) ||
           is_below(STR("/sys"), path) ||
           (is_below(STR("/dev"), path) && !is_below(STR("/dev"), fence));
}

static bool is_allowed(int fd, Str fence, Str path)
{
    if (is_system_place(fd, fence, path) || !is_below(fence, path)) {
        return false;
    }
    /* A repository's own folder may hold its keys. */
    Str inner = str_slice(path, fence.length, path.length);
    return !str_contains(inner, STR("/.git/"));
}

/* The real path of what is open. Where the system does not say, that of the name, if it is still
 * the same file. */
static bool real_path(int fd, const char *path, char real[PATH_MAX])
{
    if (platform_descriptor_path(fd, real, PATH_MAX) > 0) {
        return path_is_absolute(str_from(real));
    }
    struct stat opened;
    struct stat named;
    return realpath(path, real) != NULL && fstat(fd, &opened) == 0 && lstat(real, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* --- reading */

static FileStatus refused(Str *error, FileStatus status, Str why)
{
    if (error != NULL) {
        *error = why;
    }
    return status;
}

/* Opens the file of `place` for reading. */
static int reopen(int place, const char *path)
{
    int fd = platform_reopen(place);
    if (fd >= 0 || errno != ENOENT) {
        return fd;
    }
    struct stat meant;
    struct stat opened;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && (fstat(place, &meant) != 0 || fstat(fd, &opened) != 0 ||
                    meant.st_dev != opened.st_dev || meant.st_ino != opened.st_ino)) {
        close(fd);
        errno = ELOOP;
        return -1;
    }
    return fd;
}

/* What `place` is, before it is opened: FILE_OK when it may be read. */
static FileStatus judge(int place, Str fence, const char *path, struct stat *info, Str *error)
{
    char real[PATH_MAX];
    if (fstat(place, info) != 0) {
        io_error_note(path, errno);
        return refused(error, FILE_ERROR, STR("it cannot be examined"));
    }
    if (!real_path(place, path, real)) {
        io_error_note(path, errno);
        return refused(error, FILE_ERROR, STR("its real path cannot be determined"));
    }
    if (!is_allowed(place, fence, str_from(real))) {
        return refused(error, FILE_ERROR,
                       STR("a link that leads out of the project, so it is not followed"));
    }
    return S_ISREG(info->st_mode) ? FILE_OK
                                  : refused(error, FILE_NOT_REGULAR, STR("not a regular file"));
}

FileStatus fence_read(Arena *arena, Str fence, const char *path, size_t limit, Str *text,
                      Str *error)
{
    *text = STR("");
    struct stat info;
    FileStatus covered;
    if (file_take_overlay(arena, path, limit, text, error, &covered)) {
        return covered; /* an editor's text, not a file of the project */
    }
    int place = platform_open_place(path, false);
    if (place < 0) {
        return file_read_opened(arena, path, -1, limit, text, error);
    }
    FileStatus status = judge(place, fence, path, &info, error);
    int fd = status == FILE_OK ? reopen(place, path) : -1;
    int code = errno;
    close(place);
    errno = code;
    return status == FILE_OK ? file_read_opened(arena, path, fd, limit, text, error) : status;
}

bool fence_is_crossed(Str fence, const char *path)
{
    struct stat info;
    int place = platform_open_place(path, false);
    if (place < 0) {
        io_error_note(path, errno);
        return false;
    }
    bool crossed = judge(place, fence, path, &info, NULL) == FILE_ERROR;
    close(place);
    return crossed;
}

/* --- writing */

bool fence_write(Arena *arena, Str fence, const char *path, Str content, Str *error)
{
    Str folder = path_parent(str_from(path));
    Str real = path_real(arena, str_from(path));
    if (real.length == 0) {
        Str place = path_real(arena, folder);
        real = path_join(arena, place, path_basename(str_from(path)));
    }
    if (fence.length == 0) {
        fence = fence_of(arena, folder);
    }
    if (io_error_is_pending()) {
        *error = STR("where it leads cannot be determined");
        return false;
    }
    if (!is_below(STR("/dev"), str_from(path)) && !is_below(fence, real)) {
        *error = STR("a link that leads out of the project, so nothing is written through it");
        return false;
    }
    return file_write_atomic(arena, path, content, error);
}
