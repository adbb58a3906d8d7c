/* Replacing a file as a whole; see file_replace.h. */
#include "base/file_replace.h"

#include "base/io_error.h"
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

bool file_write_fd(int fd, Str content)
{
    size_t done = 0;
    while (done < content.length) {
        ssize_t wrote = write(fd, content.at + done, content.length - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            return false;
        }
        done += (size_t)wrote;
    }
    return true;
}

/* A new file in the open folder; its name replaces the X at the end of `name`. With the mode that
 * the umask leaves, which mkstemp does not give. */
static int open_temporary(int folder, char *name, mode_t mode)
{
    char *tail = name + strlen(name) - PLATFORM_SUFFIX;
    for (int attempt = 0; attempt < 100; attempt++) {
        if (!platform_random_suffix(tail)) {
            return -1;
        }
        int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/* Owner and mode of the file that is replaced. Only root may keep a foreign owner; for others the
 * new file is theirs, as with every editor, and then the bits that lend the owner's rights go. Mode
 * last: writing and chown clear those bits, too. */
static bool take_over(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & 07777;
    if (fchown(fd, old->st_uid, old->st_gid) != 0) {
        if (errno != EPERM) {
            return false;
        }
        mode &= 0777;
    }
    return fchmod(fd, mode) == 0;
}

/* Opens the folder of `path`; `*name` is the last part of the path. With `real` the path had no
 * links: if the folder that was opened is another one than its name says, somebody has put a link
 * there since, and this fails. The folder need not be readable. */
static int open_folder(Arena *arena, const char *path, bool real, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash == NULL ? path : slash + 1;
    Str folder = slash == NULL   ? STR(".")
                 : slash == path ? STR("/")
                                 : (Str){path, (size_t)(slash - path)};
    int fd = platform_open_place(str_dup(arena, folder), true);
    char there[PATH_MAX];
    long length = fd < 0 || !real ? -1 : platform_descriptor_path(fd, there, sizeof there);
    if (length >= 0 && !str_equal((Str){there, (size_t)length}, folder)) {
        close(fd);
        errno = ELOOP;
        return -1;
    }
    return fd;
}

bool file_replace(Arena *arena, const char *path, bool real, const struct stat *old, Str content,
                  Str *error)
{
    const char *name;
    char *temporary = str_dup(arena, str_format(arena, "%s.XXXXXX", path));
    char *slash = strrchr(temporary, '/');
    temporary = slash == NULL ? temporary : slash + 1;
    int folder = open_folder(arena, path, real, &name);
    if (folder < 0) {
        *error = system_reason(arena, errno);
        return false;
    }
    /* A file that may not be written is not replaced either, though its folder would allow it. */
    int fd = old != NULL && faccessat(folder, name, W_OK, 0) != 0
                 ? -1
                 : open_temporary(folder, temporary, old == NULL ? 0666 : 0600);
    bool good = fd >= 0 && file_write_fd(fd, content) && (old == NULL || take_over(fd, old)) &&
                fsync(fd) == 0;
    int code = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    if (good && renameat(folder, temporary, folder, name) != 0) {
        good = false;
        code = errno;
    }
    if (!good) {
        if (fd >= 0) {
            unlinkat(folder, temporary, 0);
        }
    }
    close(folder);
    if (!good) {
        *error = system_reason(arena, code);
    }
    return good;
}
