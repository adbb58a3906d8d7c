/* Files over plain system calls; see file.h. */
#include "base/file.h"

#include "base/file_replace.h"
#include "base/io_error.h"
#include "base/overlay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static FileStatus fail(Arena *arena, const char *path, Str *error, int code)
{
    io_error_note(path, code);
    if (error != NULL) {
        *error = system_reason(arena, code);
    }
    return code == ENOENT || code == ENOTDIR ? FILE_MISSING : FILE_ERROR;
}

static FileStatus refuse(Str *error, FileStatus status, Str why)
{
    if (error != NULL) {
        *error = why;
    }
    return status;
}

/* Reads until the end of the file; `expected` sizes the first buffer. */
static FileStatus read_all(Arena *arena, const char *path, int fd, size_t expected, size_t limit,
                           Str *text, Str *error)
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
            return fail(arena, path, error, errno);
        }
        if (got == 0) {
            break;
        }
        length += (size_t)got;
        if (length > limit) {
            return refuse(error, FILE_TOO_LARGE, STR("file too large"));
        }
    }
    buffer[length] = '\0';
    *text = (Str){buffer, length};
    return FILE_OK;
}

FileStatus file_read_fd(Arena *arena, int fd, size_t limit, Str *text, Str *error)
{
    return read_all(arena, NULL, fd, 16384, limit, text, error);
}

typedef struct Reading {
    Arena *arena;
    const char *path;
    int fd;
    size_t limit;
    Str *text, *error;
    FileStatus status;
} Reading;

static void read_opened(void *argument)
{
    Reading *reading = argument;
    struct stat info;
    if (fstat(reading->fd, &info) != 0) {
        reading->status = fail(reading->arena, reading->path, reading->error, errno);
    } else if (!S_ISREG(info.st_mode)) {
        reading->status = refuse(reading->error, FILE_NOT_REGULAR, STR("not a regular file"));
    } else if ((uintmax_t)info.st_size > reading->limit) {
        reading->status = refuse(reading->error, FILE_TOO_LARGE, STR("file too large"));
    } else {
        reading->status = read_all(reading->arena, reading->path, reading->fd, (size_t)info.st_size,
                                   reading->limit, reading->text, reading->error);
    }
}

FileStatus file_read_opened(Arena *arena, const char *path, int fd, size_t limit, Str *text,
                            Str *error)
{
    *text = STR("");
    if (fd < 0) {
        return fail(arena, path, error, errno);
    }
    Reading reading = {arena, path, fd, limit, text, error, FILE_ERROR};
    bool good = arena_try(arena, read_opened, &reading);
    close(fd);
    if (!good) {
        arena_fail(arena);
    }
    return reading.status;
}

bool file_take_overlay(Arena *arena, const char *path, size_t limit, Str *text, Str *error,
                       FileStatus *status)
{
    Str cover;
    if (overlay_count == 0 || !overlay_find(path, &cover)) {
        return false;
    }
    bool fits = cover.length <= limit;
    *status = fits ? FILE_OK : refuse(error, FILE_TOO_LARGE, STR("file too large"));
    *text = fits ? str_copy(arena, cover) : STR("");
    return true;
}

FileStatus file_read(Arena *arena, const char *path, size_t limit, Str *text, Str *error)
{
    FileStatus covered;
    if (file_take_overlay(arena, path, limit, text, error, &covered)) {
        return covered;
    }
    /* O_NONBLOCK: opening a pipe without a writer must not hang. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return file_read_opened(arena, path, fd, limit, text, error);
}

/* What an overlay looks like to those who ask the system: a regular file. */
static bool stat_overlay(const char *path, struct stat *info)
{
    Str cover;
    if (overlay_count == 0 || !overlay_find(path, &cover)) {
        return false;
    }
    *info = (struct stat){.st_mode = S_IFREG | 0600, .st_size = (off_t)cover.length, .st_nlink = 1};
    return true;
}

bool file_stat(const char *path, struct stat *info)
{
    if (stat_overlay(path, info)) {
        return true;
    }
    bool good = stat(path, info) == 0;
    if (!good) {
        io_error_note(path, errno);
    }
    return good;
}

bool file_lstat(const char *path, struct stat *info)
{
    if (stat_overlay(path, info)) {
        return true;
    }
    bool good = lstat(path, info) == 0;
    if (!good) {
        io_error_note(path, errno);
    }
    return good;
}

bool file_exists(const char *path)
{
    struct stat info;
    return file_lstat(path, &info);
}

bool file_is_regular(const char *path)
{
    struct stat info;
    return file_stat(path, &info) && S_ISREG(info.st_mode);
}

bool file_is_directory(const char *path)
{
    struct stat info;
    return file_stat(path, &info) && S_ISDIR(info.st_mode);
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

typedef struct Listing {
    Arena *arena;
    DIR *folder;
    DirEntries *entries;
    int code; /* why it ended before the end; 0 = it did not */
} Listing;

static void list_opened(void *argument)
{
    Listing *listing = argument;
    const struct dirent *found;
    while ((errno = 0, found = readdir(listing->folder)) != NULL) {
        if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0) {
            continue;
        }
        DirEntry entry = read_entry(listing->arena, listing->folder, found);
        VEC_PUSH(listing->arena, listing->entries, entry);
    }
    listing->code = errno;
}

/* Adds the texts that stand for files of this folder and are not on disk. */
static void list_overlays(Arena *arena, const char *path, DirEntries *entries)
{
    Str name;
    uint32_t on_disk = entries->count;
    for (unsigned nth = 0; overlay_count > 0 && overlay_in_folder(path, &nth, &name);) {
        uint32_t at = 0;
        while (at < on_disk && !str_equal(entries->items[at].name, name)) {
            at++;
        }
        if (at == on_disk) {
            DirEntry entry = {.name = str_copy(arena, name), .is_regular = true};
            VEC_PUSH(arena, entries, entry);
        }
    }
}

bool directory_list(Arena *arena, const char *path, DirEntries *entries)
{
    *entries = (DirEntries){0};
    DIR *folder = opendir(path);
    if (folder == NULL) {
        io_error_note(path, errno);
        return false;
    }
    Listing listing = {arena, folder, entries, 0};
    bool good = arena_try(arena, list_opened, &listing);
    closedir(folder);
    if (!good) {
        arena_fail(arena);
    }
    list_overlays(arena, path, entries);
    if (entries->count > 1) {
        qsort(entries->items, entries->count, sizeof *entries->items, by_name);
    }
    io_error_note(path, listing.code);
    return listing.code == 0;
}

/* --- writing */

/* A device or a pipe is written to; it must not be replaced. */
static bool write_through(Arena *arena, const char *path, Str content, Str *error)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    bool good = fd >= 0 && file_write_fd(fd, content);
    int code = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    if (!good) {
        *error = system_reason(arena, code);
    }
    return good;
}

bool file_write_atomic(Arena *arena, const char *path, Str content, Str *error)
{
    if (overlay_captures()) {
        *error = system_reason(arena, ENOMEM);
        return overlay_put(path_real(arena, str_from(path)), content);
    }
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode)) {
        return write_through(arena, path, content, error);
    }
    Str target = path_real(arena, str_from(path)); /* a link stays a link */
    bool real = target.length > 0;
    return file_replace(arena, real ? target.at : path, real, exists ? &info : NULL, content,
                        error);
}

Str path_real(Arena *arena, Str path)
{
    char resolved[PATH_MAX];
    const char *given = str_dup(arena, path);
    if (realpath(given, resolved) == NULL) {
        io_error_note(given, errno);
        return STR("");
    }
    Str text = str_from(resolved);
    return str_copy(arena, text);
}

Str path_join(Arena *arena, Str a, Str b)
{
    if (a.length == 0 || str_is(a, ".")) {
        return str_copy(arena, b);
    }
    Buf path = {.arena = arena};
    buf_add(&path, a);
    if (a.at[a.length - 1] != '/') {
        buf_add(&path, STR("/"));
    }
    buf_add(&path, b);
    return buf_str(&path);
}
