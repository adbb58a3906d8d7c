/* Replacing a file on Windows; see file_replace.h. */
#include "base/file_replace.h"

#include "base/io_error.h"
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

bool file_write_fd(int fd, Str content)
{
    size_t done = 0;
    while (done < content.length) {
        ssize_t wrote = write(fd, content.at + done, content.length - done);
        if (wrote <= 0) {
            return false;
        }
        done += (size_t)wrote;
    }
    return true;
}

bool file_replace(Arena *arena, const char *path, bool real, const struct stat *old, Str content,
                  Str *error)
{
    uint64_t number;
    (void)real; /* links are made by administrators only */
    errno = EACCES;
    bool good =
        (old == NULL || (old->st_mode & 0222) != 0) && platform_random(&number, sizeof number);
    const char *temporary = str_format(arena, "%s.%016" PRIx64, path, number).at;
    int fd = good ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    good = fd >= 0 && file_write_fd(fd, content) && fsync(fd) == 0;
    int code = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    if (good && rename(temporary, path) != 0) {
        good = false;
        code = errno;
    }
    if (!good) {
        if (fd >= 0) {
            unlink(temporary);
        }
        *error = system_reason(arena, code);
    }
    return good;
}
