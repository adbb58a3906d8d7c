/* Platform: the few things that each system does in its own way. Each has its source: linux.c,
 * macos.c and windows/.
 *
 * Everything else in this program uses POSIX.1-2008; windows/posix.h provides the part of it that
 * the linter, its hooks and its server use. Commands that run kernels (run, test, verify, bisect)
 * need Linux and are not built elsewhere. Nothing here prints; functions that fail set errno,
 * unless they say otherwise. */
#ifndef PYPTO_LINT_PLATFORM_PLATFORM_H
#define PYPTO_LINT_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does the system have what running kernels needs: process namespaces, resource limits and
 * /proc? */
#ifdef __linux__
#define PLATFORM_RUNS_KERNELS 1
#else
#define PLATFORM_RUNS_KERNELS 0
#endif

/* A path that starts this program again even if its file has been replaced or deleted; empty where
 * there is none. */
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

/* To be called first. Afterwards failed writes are errors, not signals, and children can be waited
 * for. On Windows, arguments and environment become UTF-8, standard streams binary, and backslashes
 * in `*argv` slashes.
 * */
void platform_begin(int *argc, char ***argv);

/* Writes the absolute path of this program to `room`, NUL-terminated. Returns its length, or -1. */
long platform_own_program(char *room, size_t size);

/* Opens a file or folder only to inspect it: it cannot be read, and opening has no effect on a
 * device. -1 on failure. */
int platform_open_place(const char *path, bool folder);
/* Opens for reading, without blocking, the file of such a descriptor. -1 on failure, with ENOENT
 * where the system cannot do that. */
int platform_reopen(int place);
/* A descriptor that brings what `fd` brings and that poll() can ask: `fd` itself where the system
 * can say whether something has come, else the end of a pipe that a thread fills. -1 on failure. */
int platform_pollable(int fd);
/* Writes the real path of an open file to `room`, NUL-terminated. Returns its length, or -1 where
 * the system does not know. */
long platform_descriptor_path(int fd, char *room, size_t size);
/* Is the file in a file system that represents the system, such as /proc or /sys? */
bool platform_shows_system(int fd);

/* What the system calls an error, terminated: in `room`, or a text that lives as long as the
 * program. */
const char *platform_error_text(int code, char *room, size_t size);

/* Fills `room` with unpredictable random bytes. */
bool platform_random(void *room, size_t size);

/* Writes the random letters and digits that names of temporary files end with. False when there are
 * no random bytes. */
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

/* Renames a file or folder unless something already has the new name. False on failure. */
bool platform_rename_new(const char *from, const char *to);

/* The number of processors that this process may use; at least 1. */
unsigned platform_processors(void);

/* The lowest address of this thread's stack; 0 when it is not known. */
uintptr_t platform_stack_lowest(void);

/* Reserves `size` bytes of memory at a multiple of `huge`, in huge pages if possible; never freed.
 * NULL when the system cannot. */
void *platform_huge_pages(size_t size, size_t huge);

/* Makes this process end with its parent, where the system supports that. */
void platform_end_with_parent(void);

#endif
