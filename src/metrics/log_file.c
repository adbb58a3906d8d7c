/* Metrics file; see log_file.h. */
#include "metrics/log_file.h"

#include "metrics/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Processes write one after the other: the length of a file shows before the bytes of a write do,
 * so that one in progress would look like a line that was cut off. Who cannot have the lock in time
 * (a file system without locks, somebody who keeps it) writes all the same. */
static void wait_for_turn(int fd)
{
    enum { TRIES = 250 };
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; i++) {
        nanosleep(&pause, NULL);
    }
}

/* A line that was cut off (a full disk) must not swallow the next one. */
static bool ends_in_the_middle(int fd)
{
    struct stat info;
    char last = '\n';
    return fstat(fd, &info) == 0 && info.st_size > 0 &&
           pread(fd, &last, 1, info.st_size - 1) == 1 && last != '\n';
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
    wait_for_turn(fd);
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
    /* A limit on the size of files makes the write fail like any other error; it must not kill
     * us. */
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    *reason = append(fd, lines);
    signal(SIGXFSZ, before);
    close(fd);
    return *reason == NULL;
}
