/* A library to preload: makes the Nth call of a kind fail, the libraries' own calls included.
 *
 * FAIL_KIND  memory, open, read, write or process
 * FAIL_AT    the first call to fail, from 1; 0 = none, they are only counted
 * FAIL_LAST  the last call to fail; absent = FAIL_AT
 * FAIL_WITH  eintr: transfers are interrupted; short: they carry one byte; absent: calls fail as on
 *            a system that has run out of memory, descriptors, space …
 * FAIL_COUNT a file of eight bytes, which counts the calls
 *
 * Only the program called pypto-lint is troubled, not those that it starts. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum Kind { KIND_NONE, KIND_MEMORY, KIND_OPEN, KIND_READ, KIND_WRITE, KIND_PROCESS };
enum Manner { FAILS, IS_INTERRUPTED, IS_SHORT };

static enum Kind kind;
static enum Manner manner;
static uint64_t first, last;
static _Atomic uint64_t *count;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static enum Kind kind_named(const char *name)
{
    static const char *const names[] = {
        [KIND_NONE] = "",     [KIND_MEMORY] = "memory", [KIND_OPEN] = "open",
        [KIND_READ] = "read", [KIND_WRITE] = "write",   [KIND_PROCESS] = "process",
    };
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (enum Kind)i;
        }
    }
    return KIND_NONE;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAIL_COUNT");
    const char *with = getenv("FAIL_WITH");
    if (path == NULL || strcmp(program_invocation_short_name, "pypto-lint") != 0) {
        return;
    }
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *shared = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || shared == MAP_FAILED) {
        abort(); /* a test that injects nothing must not pass */
    }
    close(fd);
    count = shared;
    first = number_of("FAIL_AT", 0);
    last = number_of("FAIL_LAST", first);
    manner = with == NULL ? FAILS : strcmp(with, "eintr") == 0 ? IS_INTERRUPTED : IS_SHORT;
    enum Kind wanted = kind_named(getenv("FAIL_KIND"));
    unsetenv("LD_PRELOAD");
    unsetenv("FAIL_COUNT");
    kind = wanted;
}

/* Is it this call's turn? */
static bool is_hit(enum Kind of)
{
    if (of != kind || count == NULL) {
        return false;
    }
    uint64_t number = atomic_fetch_add(count, 1) + 1;
    return number >= first && number <= last && first > 0;
}

/* Sets errno; true when the call fails. Only transfers are interrupted or short. */
static bool fails(enum Kind of, int code)
{
    if (manner != FAILS || !is_hit(of)) {
        return false;
    }
    errno = code;
    return true;
}

/* For read and write: true when the call fails; `*size` is what it may transfer. */
static bool transfer_fails(enum Kind of, int code, size_t *size)
{
    if (!is_hit(of)) {
        return false;
    }
    if (manner == IS_SHORT) {
        *size = *size > 0 ? 1 : 0;
        return false;
    }
    errno = manner == IS_INTERRUPTED ? EINTR : code;
    return true;
}

/* The function of this name that would be called without us. */
static void next(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    memcpy(function, &found, sizeof found);
}

/* Defines NAME, which fails with CODE and RESULT when its turn has come. */
#define FAILING(KIND, CODE, RESULT, TYPE, NAME, PARAMETERS, ARGUMENTS)                             \
    TYPE NAME PARAMETERS                                                                           \
    {                                                                                              \
        static TYPE(*real) PARAMETERS;                                                             \
        if (real == NULL) {                                                                        \
            next(#NAME, &real);                                                                    \
        }                                                                                          \
        if (fails(KIND, CODE)) {                                                                   \
            return RESULT;                                                                         \
        }                                                                                          \
        return real ARGUMENTS;                                                                     \
    }

/* --- memory */

void *malloc(size_t size)
{
    return fails(KIND_MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails(KIND_MEMORY, ENOMEM) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    return fails(KIND_MEMORY, ENOMEM) ? NULL : __libc_realloc(old, size);
}

/* --- opening, listing, looking */

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    if (real == NULL) {
        next("open", &real);
    }
    va_list args;
    va_start(args, flags);
    unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, unsigned) : 0;
    va_end(args);
    return fails(KIND_OPEN, EMFILE) ? -1 : real(path, flags, mode);
}

FAILING(KIND_OPEN, EMFILE, NULL, DIR *, opendir, (const char *path), (path))
FAILING(KIND_OPEN, EMFILE, NULL, FILE *, fdopen, (int fd, const char *mode), (fd, mode))
FAILING(KIND_OPEN, EMFILE, -1, int, dup, (int fd), (fd))
FAILING(KIND_OPEN, EMFILE, -1, int, pipe2, (int ends[2], int flags), (ends, flags))
FAILING(KIND_OPEN, EMFILE, -1, int, mkostemp, (char *name, int flags), (name, flags))
FAILING(KIND_OPEN, EIO, -1, int, stat, (const char *path, struct stat *info), (path, info))
FAILING(KIND_OPEN, EIO, -1, int, lstat, (const char *path, struct stat *info), (path, info))
FAILING(KIND_OPEN, EIO, -1, int, fstat, (int fd, struct stat *info), (fd, info))
FAILING(KIND_OPEN, EIO, -1, int, access, (const char *path, int mode), (path, mode))
FAILING(KIND_OPEN, EIO, NULL, char *, realpath, (const char *path, char *to), (path, to))
FAILING(KIND_OPEN, EIO, NULL, char *, getcwd, (char *to, size_t size), (to, size))

/* --- reading */

FAILING(KIND_READ, EIO, NULL, struct dirent *, readdir, (DIR * folder), (folder))
FAILING(KIND_READ, ENOSYS, -1, ssize_t, getrandom, (void *to, size_t size, unsigned flags),
        (to, size, flags))

ssize_t read(int fd, void *to, size_t size)
{
    static ssize_t (*real)(int, void *, size_t);
    if (real == NULL) {
        next("read", &real);
    }
    return transfer_fails(KIND_READ, EIO, &size) ? -1 : real(fd, to, size);
}

/* --- writing */

ssize_t write(int fd, const void *from, size_t size)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (real == NULL) {
        next("write", &real);
    }
    return transfer_fails(KIND_WRITE, ENOSPC, &size) ? -1 : real(fd, from, size);
}

FAILING(KIND_WRITE, EIO, -1, int, fsync, (int fd), (fd))
FAILING(KIND_WRITE, EIO, -1, int, fchmod, (int fd, mode_t mode), (fd, mode))
FAILING(KIND_WRITE, EIO, -1, int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group))
FAILING(KIND_WRITE, EIO, -1, int, rename, (const char *from, const char *to), (from, to))
FAILING(KIND_WRITE, EIO, -1, int, mkdir, (const char *path, mode_t mode), (path, mode))

int close(int fd)
{
    static int (*real)(int);
    if (real == NULL) {
        next("close", &real);
    }
    int status = real(fd); /* the descriptor is gone even so */
    return fails(KIND_WRITE, EIO) ? -1 : status;
}

/* --- processes and threads */

FAILING(KIND_PROCESS, EAGAIN, -1, pid_t, fork, (void), ())
FAILING(KIND_PROCESS, EAGAIN, errno, int, posix_spawn,
        (pid_t *restrict process, const char *restrict path,
         const posix_spawn_file_actions_t *restrict actions,
         const posix_spawnattr_t *restrict attributes, char *const *restrict arguments,
         char *const *restrict environment),
        (process, path, actions, attributes, arguments, environment))
FAILING(KIND_PROCESS, EAGAIN, errno, int, pthread_create,
        (pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
         void *(*run)(void *), void *restrict argument),
        (thread, attributes, run, argument))
