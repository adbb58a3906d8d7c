/* Platform: the few things that each system does in its own way. One source a system: linux.c,
 * macos.c, and windows/.
 *
 * Everything else in this program asks POSIX.1-2008; windows/posix.h gives Windows that part of it
 * that the linter, its hooks and its server use. What runs kernels (run, test, verify, bisect)
 * needs Linux and is not built elsewhere. Nothing here allocates or prints; functions that fail
 * set errno, unless they say otherwise. */
#ifndef PYPTO_LINT_PLATFORM_PLATFORM_H
#define PYPTO_LINT_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Can it run what needs process namespaces, resource limits and /proc? */
#ifdef __linux__
#define PLATFORM_RUNS_KERNELS 1
#else
#define PLATFORM_RUNS_KERNELS 0
#endif

/* What starts this program once more though its file has been replaced or deleted; empty where
 * there is no such name. */
#ifdef __linux__
#define PLATFORM_SELF "/proc/self/exe"
#else
#define PLATFORM_SELF ""
#endif

/* Separates the folders of PATH. */
#ifdef _WIN32
#define PLATFORM_PATH_SEPARATOR ";"
#else
#define PLATFORM_PATH_SEPARATOR ":"
#endif

/* To be called first: failed writes are errors and no signals, ends of children can be waited for;
 * arguments, environment and standard streams are UTF-8 and bytes. Paths in `*argv` have slashes.
 * */
void platform_begin(int *argc, char ***argv);

/* The absolute path of this program, terminated, in `room`; its length, or -1. */
long platform_own_program(char *room, size_t size);

/* Opens a file or folder only to look at it: nothing of it can be read, no device notices. -1 on
 * failure. */
int platform_open_place(const char *path, bool folder);
/* Opens for reading, without blocking, what such a descriptor stands for. -1, with ENOENT where
 * the system has no way to do so. */
int platform_reopen(int place);
/* A descriptor that brings what `fd` brings and that poll() can ask: `fd` itself where the system
 * can say whether something has come, else the end of a pipe that a thread fills. -1 on failure. */
int platform_pollable(int fd);
/* Real path of what is open, terminated; its length, or -1 where the system does not say. */
long platform_descriptor_path(int fd, char *room, size_t size);
/* Is it in a file system that shows the kernel and its processes, such as /proc? */
bool platform_shows_system(int fd);

/* What the system calls an error, terminated: in `room`, or a text that lives as long as the
 * program. */
const char *platform_error_text(int code, char *room, size_t size);

/* Fills it with random bytes that nobody can guess. */
bool platform_random(void *room, size_t size);

/* Random letters and digits, as names of temporary files end with. False when there are no random
 * bytes. */
enum { PLATFORM_SUFFIX = 6 };
static inline bool platform_random_suffix(char at[PLATFORM_SUFFIX])
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    unsigned char bytes[PLATFORM_SUFFIX];
    if (!platform_random(bytes, sizeof bytes)) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        at[i] = digits[bytes[i] % (sizeof digits - 1)];
    }
    return true;
}

/* Gives a new folder its name unless something has that name. */
bool platform_rename_new(const char *from, const char *to);

/* How many processors this process may use; at least 1. */
unsigned platform_processors(void);

/* The lowest address of this thread's stack; 0 when it is not known. */
uintptr_t platform_stack_lowest(void);

/* Address space of `size` bytes that begins at a multiple of `huge`, in huge pages if there are
 * any. NULL without. */
void *platform_huge_pages(size_t size, size_t huge);

/* This process is to end when its parent does, where the system has a way to say so. */
void platform_end_with_parent(void);

#endif
