/* Reads logs from files, folders and streams; see log_read.h. */
#include "diagnose/log_read.h"

#include "base/file.h"
#include "base/io_error.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { CHUNK = 256 * 1024, PROBE = 4096 };

bool log_read_fd(LogScan *scan, LogRead *logs, int fd, Str name, Str *error)
{
    ssize_t count = 0;
    if (logs->chunk == NULL) {
        logs->chunk = arena_alloc(scan->arena, CHUNK);
    }
    log_scan_file(scan, name);
    while (scan->bytes < LOG_MOST_BYTES) {
        do {
            count = read(fd, logs->chunk, CHUNK);
        } while (count < 0 && errno == EINTR);
        if (count <= 0) {
            break;
        }
        log_scan_add(scan, logs->chunk, (size_t)count);
    }
    int reason = errno;
    log_scan_file_end(scan);
    logs->cut = logs->cut || scan->bytes >= LOG_MOST_BYTES;
    if (count < 0) {
        *error = system_reason(scan->arena, reason);
    }
    return count >= 0;
}

/* Does the file begin like a binary one? UTF-16 text is recognised by many zeros, all in odd or all
 * in even places. */
static bool looks_binary(int fd)
{
    unsigned char bytes[PROBE];
    ssize_t count = pread(fd, bytes, sizeof bytes, 0);
    size_t zeros = 0, odd = 0;
    if (count >= 4 && memcmp(bytes, "\177ELF", 4) == 0) {
        return true;
    }
    for (ssize_t i = 0; i < count; i++) {
        zeros += bytes[i] == 0;
        odd += bytes[i] == 0 && i % 2 == 1;
    }
    bool utf16 = odd == zeros || odd == 0;
    return zeros > 0 && !(utf16 && zeros * 3 >= (size_t)count);
}

/* Sources mention errors without being logs, and a folder of logs may contain some. */
static bool is_source(Str name)
{
    static const char *const endings[] = {".py", ".md",  ".rst",   ".c",    ".cc",  ".cpp",
                                          ".h",  ".hpp", ".ipynb", ".yaml", ".yml", ".toml"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (str_ends(name, str_from(endings[i]))) {
            return true;
        }
    }
    return false;
}

static void skip(LogScan *scan, LogRead *logs, Str path, Str reason)
{
    enum { MOST_SKIPPED = 100 };
    if (logs->skipped.count < MOST_SKIPPED) {
        Str line = str_format(scan->arena, "%.*s: %.*s", STR_ARG(path), STR_ARG(reason));
        VEC_PUSH(scan->arena, &logs->skipped, line);
    }
}

/* Notes a log that exists and should have been read. */
static void fail(LogScan *scan, LogRead *logs, Str path, Str reason)
{
    skip(scan, logs, path, reason);
    if (logs->failed.length == 0) {
        logs->failed = str_format(scan->arena, "%.*s: %.*s", STR_ARG(path), STR_ARG(reason));
    }
}

/* `named`: by the user, in which case a link or a binary file counts as a log as well. */
static bool read_file(LogScan *scan, LogRead *logs, Str path, bool named, Str *error)
{
    struct stat info;
    int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (named ? 0 : O_NOFOLLOW);
    int fd = open(path.at, flags);
    if (fd < 0 || fstat(fd, &info) != 0) {
        *error = system_reason(scan->arena, errno);
        if (fd >= 0) {
            close(fd);
        }
        return false;
    }
    bool good = false;
    if (!S_ISREG(info.st_mode)) {
        *error = STR("not a regular file; a stream can be read from standard input");
    } else if (!named && looks_binary(fd)) {
        *error = STR(""); /* binary, not text */
    } else {
        good = log_read_fd(scan, logs, fd, path, error);
    }
    close(fd);
    return good;
}

typedef struct Folder {
    Str path;
    uint32_t depth;
} Folder;
typedef VEC(Folder) Folders;

static void read_entries(LogScan *scan, LogRead *logs, Folders *folders, Folder folder)
{
    DirEntries entries = {0};
    if (!directory_list(scan->arena, folder.path.at, &entries)) {
        fail(scan, logs, folder.path, system_reason(scan->arena, errno));
        return;
    }
    for (uint32_t i = 0; i < entries.count; i++) {
        const DirEntry *entry = &entries.items[i];
        Str path = path_join(scan->arena, folder.path, entry->name), error = STR("");
        if (scan->files >= LOG_MOST_FILES || folders->count >= LOG_MOST_FILES) {
            logs->cut = true;
            return;
        }
        if (entry->is_directory && folder.depth < LOG_MOST_DEPTH) {
            Folder below = {path, folder.depth + 1};
            VEC_PUSH(scan->arena, folders, below);
        } else if (entry->is_directory) {
            logs->cut = true;
        } else if (!entry->is_regular) {
            skip(scan, logs, path,
                 entry->is_symlink ? STR("a link, not followed") : STR("not a regular file"));
        } else if (is_source(entry->name)) {
            skip(scan, logs, path, STR("a source, not a log"));
        } else if (!read_file(scan, logs, path, false, &error)) {
            if (error.length == 0) {
                skip(scan, logs, path, STR("not a text"));
            } else {
                fail(scan, logs, path, error);
            }
        }
    }
}

bool log_read_path(LogScan *scan, LogRead *logs, Str path, Str *error)
{
    Str named = str_copy(scan->arena, path);
    if (!file_is_directory(named.at)) {
        return read_file(scan, logs, named, true, error);
    }
    Folders folders = {0};
    Folder top = {named, 0};
    VEC_PUSH(scan->arena, &folders, top);
    for (uint32_t i = 0; i < folders.count; i++) {
        read_entries(scan, logs, &folders, folders.items[i]);
    }
    if (scan->files == 0) {
        *error = STR("no log in this folder");
    }
    return scan->files > 0;
}
