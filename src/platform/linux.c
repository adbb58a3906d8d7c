/* What platform.h declares, for Linux. */
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <unistd.h>

void platform_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* an inherited "ignore" would hide how children end */
}

static long read_link(const char *link, char *room, size_t size)
{
    ssize_t length = readlink(link, room, size - 1);
    room[length < 0 ? 0 : length] = '\0';
    return (long)length;
}

long platform_own_program(char *room, size_t size)
{
    return read_link("/proc/self/exe", room, size);
}

int platform_open_place(const char *path, bool folder)
{
    return open(path, O_PATH | O_CLOEXEC | (folder ? O_DIRECTORY : 0));
}

int platform_reopen(int place)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", place);
    return open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int platform_pollable(int fd)
{
    return fd;
}

long platform_descriptor_path(int fd, char *room, size_t size)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return read_link(link, room, size);
}

bool platform_shows_system(int fd)
{
    struct statfs place;
    return fstatfs(fd, &place) == 0 &&
           (place.f_type == PROC_SUPER_MAGIC || place.f_type == SYSFS_MAGIC);
}

const char *platform_error_text(int code, char *room, size_t size)
{
    return strerror_r(code, room, size);
}

bool platform_random(void *room, size_t size)
{
    return getrandom(room, size, 0) == (ssize_t)size;
}

bool platform_rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return true;
    }
    /* Not every file system supports this; then check first and rename. */
    return (errno == EINVAL || errno == ENOSYS) &&
           faccessat(AT_FDCWD, to, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && rename(from, to) == 0;
}

unsigned platform_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return (unsigned)CPU_COUNT(&set);
    }
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

uintptr_t platform_stack_lowest(void)
{
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return 0;
    }
    void *start = NULL;
    size_t size = 0;
    bool known = pthread_attr_getstack(&attributes, &start, &size) == 0;
    pthread_attr_destroy(&attributes);
    return known ? (uintptr_t)start : 0;
}

/* This only takes address space: a huge page is allocated when the first byte is written to it. */
void *platform_huge_pages(size_t size, size_t huge)
{
    char *start =
        mmap(NULL, size + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) {
        return NULL;
    }
    size_t beyond = (uintptr_t)start % huge;
    start = beyond == 0 ? start : start + (huge - beyond);
    /* Only a hint: the memory works without huge pages as well. */
    madvise(start, size, MADV_HUGEPAGE);
    return start;
}

void platform_end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}
