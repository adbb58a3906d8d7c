/* The summary of a job on GitHub; see job_summary.h. */
#include "cli/job_summary.h"

#include "base/path.h"
#include "cli/message.h"
#include "report/github_summary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Steps before this one run with the same rights and could have put a link there: a regular file
 * is appended to, nothing else. */
static int open_summary(const char *path)
{
    struct stat info;
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 1)) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

void job_summary_write(Arena *arena, const RunResult *result, const ReportOptions *options)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (path == NULL || !path_is_absolute(str_from(path))) {
        return;
    }
    Buf out = {.arena = arena};
    github_summary_add(&out, result, options);
    int fd = open_summary(path);
    bool good = fd >= 0;
    for (size_t done = 0; good && done < out.length;) {
        ssize_t wrote = write(fd, out.at + done, out.length - done);
        good = wrote > 0 || (wrote < 0 && errno == EINTR);
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    if (!good) {
        print_note("GITHUB_STEP_SUMMARY: %s", strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
}
