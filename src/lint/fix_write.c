/* Rewriting a file in place, with nothing in between ever visible. */
#include "lint/fix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, Str content)
{
    size_t done = 0;
    while (done < content.length) {
        ssize_t wrote = write(fd, content.at + done, content.length - done);
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        done += wrote < 0 ? 0 : (size_t)wrote;
    }
    return true;
}

/* Content, owner and mode of the new file. Only root may keep a foreign owner; for others the new
 * file is theirs, as with every editor. Mode last: writing and chown clear its special bits. */
static bool fill(int fd, Str content, const struct stat *old)
{
    if (!write_all(fd, content)) {
        return false;
    }
    if (fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM) {
        return false;
    }
    return fchmod(fd, old->st_mode & 07777) == 0 && fsync(fd) == 0;
}

static Str reason(Arena *arena, int code)
{
    char text[128] = "";
    return str_format(arena, "%s", strerror_r(code, text, sizeof text));
}

bool file_rewrite(Arena *arena, const char *path, Str content, Str *error)
{
    struct stat old;
    char *name = str_dup(arena, str_format(arena, "%s.XXXXXX", path));
    /* A file that may not be written is not replaced either, though its folder would allow it. */
    if (stat(path, &old) != 0 || access(path, W_OK) != 0) {
        *error = reason(arena, errno);
        return false;
    }
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0) {
        *error = reason(arena, errno);
        return false;
    }
    bool good = fill(fd, content, &old);
    int code = errno;
    if (close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    if (good && rename(name, path) != 0) {
        good = false;
        code = errno;
    }
    if (!good) {
        unlink(name);
        *error = reason(arena, code);
    }
    return good;
}
