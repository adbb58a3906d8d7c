/* macOS; see platform.h. A compiler with Apple's headers has seen it; it has never been run. */
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mach-o/dyld.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void platform_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
}

long platform_own_program(char *room, size_t size)
{
    char named[PATH_MAX];
    char real[PATH_MAX];
    uint32_t length = sizeof named;
    if (_NSGetExecutablePath(named, &length) != 0 || realpath(named, real) == NULL ||
        strlen(real) >= size) {
        return -1;
    }
    strlcpy(room, real, size);
    return (long)strlen(real);
}

int platform_open_place(const char *path, bool folder)
{
    return open(path, O_EVTONLY | O_CLOEXEC | O_NONBLOCK | (folder ? O_DIRECTORY : 0));
}

int platform_reopen(int place)
{
    (void)place;
    errno = ENOENT;
    return -1;
}

int platform_pollable(int fd)
{
    return fd;
}

long platform_descriptor_path(int fd, char *room, size_t size)
{
    char path[PATH_MAX];
    if (fcntl(fd, F_GETPATH, path) != 0 || strlen(path) >= size) {
        return -1;
    }
    strlcpy(room, path, size);
    return (long)strlen(path);
}

bool platform_shows_system(int fd)
{
    (void)fd;
    return false;
}

const char *platform_error_text(int code, char *room, size_t size)
{
    return strerror_r(code, room, size) == 0 ? room : "unknown error"; /* it gives a number there */
}

bool platform_random(void *room, size_t size)
{
    arc4random_buf(room, size);
    return true;
}

bool platform_rename_new(const char *from, const char *to)
{
    return renamex_np(from, to, RENAME_EXCL) == 0;
}

unsigned platform_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

uintptr_t platform_stack_lowest(void)
{
    pthread_t self = pthread_self();
    return (uintptr_t)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self);
}

void *platform_huge_pages(size_t size, size_t huge)
{
    (void)size;
    (void)huge;
    return NULL;
}

void platform_end_with_parent(void)
{
}
