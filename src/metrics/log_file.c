/* Metrics file; see log_file.h. */
#include "metrics/log_file.h"

#include "metrics/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Another process may be in the middle of its write, whose length shows before its bytes do. */
enum { LOOKS = 3 };
static const struct timespec BETWEEN_LOOKS = {.tv_nsec = 300000};

/* A line that was cut off (a full disk) must not swallow the next one. */
static bool ends_in_the_middle(int fd)
{
    for (int look = 0; look < LOOKS; look++) {
        struct stat info;
        char last = '\n';
        if (fstat(fd, &info) != 0 || info.st_size == 0 ||
            pread(fd, &last, 1, info.st_size - 1) != 1 || last == '\n') {
            return false;
        }
        nanosleep(&BETWEEN_LOOKS, NULL);
    }
    return true;
}

/* Not ours to follow: in a folder that others write to, a link would choose the file. */
static int open_log(const char *path)
{
    int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;
    return open(path, flags, 0666);
}

static const char *append(int fd, Str lines)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(info.st_mode)) {
        return "not a regular file";
    }
    if (info.st_size + (int64_t)lines.length > METRICS_MAX_FILE) {
        return "the log is full (64 MiB); move it away";
    }
    if (ends_in_the_middle(fd) && write(fd, "\n", 1) != 1) {
        return strerror(errno);
    }
    ssize_t wrote = write(fd, lines.at, lines.length);
    if (wrote < 0) {
        return strerror(errno);
    }
    return (size_t)wrote == lines.length ? NULL : "not written in full";
}

bool log_file_append(const char *path, Str lines, const char **reason)
{
    int fd = open_log(path);
    if (fd < 0) {
        *reason = errno == ELOOP ? "a symlink" : strerror(errno);
        return false;
    }
    /* A limit on the size of files is a failed write like any other, no death. */
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    *reason = append(fd, lines);
    signal(SIGXFSZ, before);
    close(fd);
    return *reason == NULL;
}
