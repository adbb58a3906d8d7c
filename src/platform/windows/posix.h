/* The part of POSIX.1-2008 that the linter, its hooks and its server use, for Windows; included
 * before every source there. Paths are UTF-8 with slashes, `C:/…`; `/c/…`, as Git's shell writes
 * it, works as well. Descriptors are those of the C library. What Windows lacks (owners, permission
 * bits, process groups) is accepted without effect; where that would be wrong, the function fails
 * with ENOSYS. */
#ifndef PYPTO_LINT_PLATFORM_WINDOWS_POSIX_H
#define PYPTO_LINT_PLATFORM_WINDOWS_POSIX_H

/* Names of the C library that are not in POSIX and that this program uses itself. */
#define tell windows_tell

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#undef tell

/* Jumps without unwinding: C has nothing to unwind. */
#undef setjmp
#define setjmp(place) _setjmp((place), NULL)

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#undef PATH_MAX
#define PATH_MAX 4096

/* --- files */

#define O_CLOEXEC   0x10000000
#define O_NONBLOCK  0
#define O_NOCTTY    0
#define O_NOFOLLOW  0x20000000
#define O_DIRECTORY 0x40000000

/* Unlike the C library's, with a file number, and with sizes and times of 64 bits. */
struct posix_stat {
    uint64_t st_dev, st_ino;
    unsigned st_mode;
    unsigned st_nlink, st_uid, st_gid;
    int64_t st_size;
    struct timespec st_atim, st_mtim, st_ctim;
};
#undef st_mtime
#define st_mtime st_mtim.tv_sec
#undef stat
#undef fstat
#define stat  posix_stat
#define fstat posix_fstat
#define lstat posix_lstat
int posix_stat(const char *path, struct posix_stat *info);
int posix_lstat(const char *path, struct posix_stat *info);
int posix_fstat(int fd, struct posix_stat *info);

#undef S_IFLNK
#define S_IFLNK 0xA000
#undef S_ISLNK
#define S_ISLNK(mode) (((mode)&0xF000) == S_IFLNK)

int posix_open(const char *path, int flags, ...);
ssize_t posix_read(int fd, void *to, size_t size);
ssize_t posix_write(int fd, const void *from, size_t size);
ssize_t posix_pread(int fd, void *to, size_t size, int64_t at);
int posix_access(const char *path, int mode);
int posix_unlink(const char *path);
int posix_rmdir(const char *path);
int posix_mkdir(const char *path, unsigned mode);
int posix_rename(const char *from, const char *to);
int posix_symlink(const char *target, const char *path);
int posix_chmod(const char *path, unsigned mode);
char *posix_getcwd(char *room, size_t size);
char *posix_realpath(const char *path, char *room);
char *posix_mkdtemp(char *path);
int posix_mkostemp(char *path, int flags);
int posix_fsync(int fd);
int posix_isatty(int fd);
#define open     posix_open
#define read     posix_read
#define write    posix_write
#define pread    posix_pread
#define access   posix_access
#define unlink   posix_unlink
#define rmdir    posix_rmdir
#define mkdir    posix_mkdir
#define rename   posix_rename
#define symlink  posix_symlink
#define chmod    posix_chmod
#define getcwd   posix_getcwd
#define realpath posix_realpath
#define mkdtemp  posix_mkdtemp
#define mkostemp posix_mkostemp
#define fsync    posix_fsync
#define isatty   posix_isatty

/* F_GETFD says whether a descriptor is open. F_SETFL with O_NONBLOCK has no effect; poll() says
 * what can be read. */
#define F_GETFD    1
#define F_SETFD    2
#define F_GETFL    3
#define F_SETFL    4
#define FD_CLOEXEC 1
int posix_fcntl(int fd, int what, ...);
#define fcntl posix_fcntl

#define LOCK_EX 2
#define LOCK_NB 4
int posix_flock(int fd, int how);
#define flock posix_flock

/* --- the environment, in UTF-8. HOME, TMPDIR and XDG_CACHE_HOME are set from their Windows
 * counterparts. */

#undef environ
#define environ posix_environ
extern char **posix_environ;
char *posix_getenv(const char *name);
#define getenv posix_getenv

/* --- text and time */

void *posix_memmem(const void *in, size_t size, const void *part, size_t length);
void *posix_memrchr(const void *in, int byte, size_t size);
char *posix_strndup(const char *text, size_t most);
#define memmem  posix_memmem
#define memrchr posix_memrchr
#define strndup posix_strndup
#undef gmtime_r
#define gmtime_r(time, to) (gmtime_s((to), (time)) == 0 ? (to) : NULL)

/* --- processes: process/process.h starts them */

#ifndef ESTALE
#define ESTALE 116
#endif
#define SIGBUS  7
#define SIGKILL 9
#define SIGPIPE 13
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGSYS  31
/* NULL: Windows names no signals. */
#define sigabbrev_np(number) ((void)(number), (const char *)NULL)
int posix_kill(pid_t pid, int number);
#define kill posix_kill
/* Like signal(); numbers that Windows does not have are ignored. */
void (*posix_signal(int number, void (*handler)(int)))(int);
#define signal             posix_signal
#define pipe2(ends, flags) _pipe((ends), 65536, _O_BINARY | _O_NOINHERIT)

#define umask(mask) ((void)(mask), (mode_t)0)

#endif
