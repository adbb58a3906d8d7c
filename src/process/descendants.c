/* Descendants; see descendants.h. /proc is read by system calls of our own: opendir allocates. */
#include "process/descendants.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

/* More are not looked at in one round: whoever counts has stopped before, whoever kills comes
 * again. */
enum { MOST_FOUND = 8192, PAUSE_NS = 2000000 };

static struct {
    pid_t pids[MOST_FOUND];
    uint32_t count;
} found;

struct linux_dirent64 { /* of getdents64(2), which no header declares */
    uint64_t d_ino;
    int64_t d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[];
};

uint64_t machine_threads(void)
{
    struct sysinfo info;
    return sysinfo(&info) == 0 ? info.procs : 0;
}

static void find(pid_t pid)
{
    if (pid > 1 && found.count < MOST_FOUND) {
        found.pids[found.count++] = pid;
    }
}

/* Adds a number to "/proc/PID/task/TID/children" without printf, which may allocate. */
static char *add_number(char *at, pid_t number)
{
    char digits[16];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

static char *add_text(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length + 1);
    return at + length;
}

/* Finds the children that the file lists: numbers, each followed by a blank. */
static bool find_listed(const char *path)
{
    char text[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    pid_t pid = 0;
    ssize_t length;
    while ((length = read(fd, text, sizeof text)) > 0) {
        for (ssize_t i = 0; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                pid = pid * 10 + (text[i] - '0');
            } else {
                find(pid);
                pid = 0;
            }
        }
    }
    close(fd);
    return length == 0;
}

/* Finds the children of all threads of a process; it may have ended meanwhile. */
static void find_children(pid_t pid)
{
    char path[64];
    char *end = add_text(add_number(add_text(path, "/proc/"), pid), "/task");
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    _Alignas(struct linux_dirent64) char entries[4096];
    long length;
    while ((length = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
        for (long at = 0; at < length;) {
            const struct linux_dirent64 *entry = (const void *)(entries + at);
            if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && strlen(entry->d_name) < 16) {
                add_text(add_text(add_text(end, "/"), entry->d_name), "/children");
                find_listed(path);
            }
            at += entry->d_reclen;
        }
    }
    close(fd);
}

/* Finds descendants, parents first, and stops looking once there are more than `most`. False when
 * the system does not list them. */
static bool find_all(uint32_t most, bool stop)
{
    found.count = 0;
    if (!find_listed("/proc/thread-self/children")) {
        return false;
    }
    for (uint32_t i = 0; i < found.count && found.count <= most; i++) {
        if (stop) {
            kill(found.pids[i], SIGSTOP);
        }
        find_children(found.pids[i]);
    }
    return true;
}

bool descendants_count(uint32_t most, bool stop, uint32_t *count)
{
    bool known = find_all(most, stop);
    *count = found.count;
    return known;
}

/* Those that are not our children are waited for by others, and their numbers could be given anew;
 * but not within the moment since they were read: numbers go round. */
static void signal_found(int number)
{
    for (uint32_t i = 0; i < found.count; i++) {
        kill(found.pids[i], number);
    }
}

void descendants_signal(int number)
{
    find_all(MOST_FOUND, false);
    signal_found(number);
}

void descendants_kill(int milliseconds)
{
    int64_t end = clock_ms() + milliseconds;
    while (clock_ms() < end) {
        find_all(MOST_FOUND, true);
        signal_found(SIGKILL);
        pid_t gone;
        do {
            gone = waitpid(-1, NULL, WNOHANG);
        } while (gone > 0);
        if (gone < 0 && errno == ECHILD) {
            return;
        }
        nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
    }
}
