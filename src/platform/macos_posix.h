/* What macOS calls by other names than POSIX.1-2008 and the C library of GNU; included before every
 * source there. */
#ifndef PYPTO_LINT_PLATFORM_MACOS_POSIX_H
#define PYPTO_LINT_PLATFORM_MACOS_POSIX_H

#include <crt_externs.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

/* A library has no `environ` there. */
#define environ (*_NSGetEnviron())

#define st_atim st_atimespec
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec

/* Not in one step as on Linux: what another thread starts in between inherits the ends. */
static inline int macos_pipe2(int ends[2], int flags)
{
    if (pipe(ends) != 0) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        if (((flags & O_CLOEXEC) != 0 && fcntl(ends[i], F_SETFD, FD_CLOEXEC) != 0) ||
            ((flags & O_NONBLOCK) != 0 && fcntl(ends[i], F_SETFL, O_NONBLOCK) != 0)) {
            close(ends[0]);
            close(ends[1]);
            return -1;
        }
    }
    return 0;
}
#define pipe2 macos_pipe2

/* NULL: only what runs kernels, on Linux, names signals. */
#define sigabbrev_np(number) ((void)(number), (const char *)NULL)

#endif
