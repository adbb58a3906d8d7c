/* Files over plain system calls; see file.h. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static Str reason(Arena *arena, int code)
{
    char text[128] = "";
    const char *message = strerror_r(code, text, sizeof text);
    return (Str){str_dup(arena, str_from(message)), strlen(message)};
}

static FileStatus fail(Arena *arena, Str *error, int code)
{
    if (error != NULL) {
        *error = reason(arena, code);
    }
    return code == ENOENT || code == ENOTDIR ? FILE_MISSING : FILE_ERROR;
}

/* Reads until the end of the file; `expected` sizes the first buffer. */
static FileStatus read_all(Arena *arena, int fd, size_t expected, size_t limit, Str *text,
                           Str *error)
{
    size_t capacity = expected + 1;
    char *buffer = arena_alloc(arena, capacity + 1);
    size_t length = 0;
    for (;;) {
        if (length == capacity) {
            size_t wanted = capacity * 2 + 4096;
            buffer = arena_grow(arena, buffer, length, wanted + 1);
            capacity = wanted;
        }
        ssize_t got = read(fd, buffer + length, capacity - length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail(arena, error, errno);
        }
        if (got == 0) {
            break;
        }
        length += (size_t)got;
        if (length > limit) {
            if (error != NULL) {
                *error = STR("file too large");
            }
            return FILE_TOO_LARGE;
        }
    }
    buffer[length] = '\0';
    *text = (Str){buffer, length};
    return FILE_OK;
}

FileStatus file_read_fd(Arena *arena, int fd, size_t limit, Str *text, Str *error)
{
    return read_all(arena, fd, 16384, limit, text, error);
}

FileStatus file_read(Arena *arena, const char *path, size_t limit, Str *text, Str *error)
{
    *text = STR("");
    /* O_NONBLOCK: opening a pipe without a writer must not hang. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return fail(arena, error, errno);
    }
    struct stat info;
    FileStatus status = FILE_OK;
    if (fstat(fd, &info) != 0) {
        status = fail(arena, error, errno);
    } else if (!S_ISREG(info.st_mode)) {
        status = FILE_NOT_REGULAR;
        if (error != NULL) {
            *error = STR("not a regular file");
        }
    } else if ((uintmax_t)info.st_size > limit) {
        status = FILE_TOO_LARGE;
        if (error != NULL) {
            *error = STR("file too large");
        }
    } else {
        status = read_all(arena, fd, (size_t)info.st_size, limit, text, error);
    }
    close(fd);
    return status;
}

bool file_is_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool file_is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return str_compare(((const DirEntry *)a)->name, ((const DirEntry *)b)->name);
}

static DirEntry read_entry(Arena *arena, DIR *folder, const struct dirent *found)
{
    DirEntry entry = {.name = str_from(found->d_name)};
    entry.name.at = str_dup(arena, entry.name);
    unsigned char type = found->d_type;
    struct stat info;
    if (type == DT_UNKNOWN &&
        fstatat(dirfd(folder), found->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        type = S_ISLNK(info.st_mode)   ? DT_LNK
               : S_ISDIR(info.st_mode) ? DT_DIR
               : S_ISREG(info.st_mode) ? DT_REG
                                       : DT_UNKNOWN;
    }
    entry.is_directory = type == DT_DIR;
    entry.is_regular = type == DT_REG;
    entry.is_symlink = type == DT_LNK;
    return entry;
}

bool directory_list(Arena *arena, const char *path, DirEntries *entries)
{
    *entries = (DirEntries){0};
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return false;
    }
    const struct dirent *found;
    while ((found = readdir(folder)) != NULL) {
        if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0) {
            continue;
        }
        DirEntry entry = read_entry(arena, folder, found);
        VEC_PUSH(arena, entries, entry);
    }
    closedir(folder);
    if (entries->count > 1) {
        qsort(entries->items, entries->count, sizeof *entries->items, by_name);
    }
    return true;
}

static bool write_all(int fd, Str content)
{
    size_t done = 0;
    while (done < content.length) {
        ssize_t wrote = write(fd, content.at + done, content.length - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            return false;
        }
        done += (size_t)wrote;
    }
    return true;
}

/* A device or a pipe is written to; it must not be replaced. */
static bool write_through(Arena *arena, const char *path, Str content, Str *error)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    bool good = fd >= 0 && write_all(fd, content);
    int code = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    if (!good) {
        *error = reason(arena, code);
    }
    return good;
}

static bool replace_file(Arena *arena, const char *path, Str content, Str *error)
{
    char *name = str_dup(arena, str_format(arena, "%s.XXXXXX", path));
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0) {
        *error = reason(arena, errno);
        return false;
    }
    /* mkstemp makes private files; a report should be as readable as any new file. */
    mode_t mask = umask(0);
    umask(mask);
    bool good = write_all(fd, content) && fchmod(fd, 0666 & ~mask) == 0 && fsync(fd) == 0;
    int code = errno;
    if (close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    if (good && rename(name, path) != 0) {
        good = false;
        code = errno;
    }
    if (!good) {
        unlink(name);
        *error = reason(arena, code);
    }
    return good;
}

bool file_write_atomic(Arena *arena, const char *path, Str content, Str *error)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return write_through(arena, path, content, error);
    }
    char *target = realpath(path, NULL); /* a link stays a link */
    bool good = replace_file(arena, target == NULL ? path : target, content, error);
    free(target);
    return good;
}

Str path_join(Arena *arena, Str a, Str b)
{
    if (a.length == 0 || str_is(a, ".")) {
        return (Str){str_dup(arena, b), b.length};
    }
    const char *slash = a.at[a.length - 1] == '/' ? "" : "/";
    return str_format(arena, "%.*s%s%.*s", STR_ARG(a), slash, STR_ARG(b));
}
