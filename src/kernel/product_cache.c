/* Cache of the names of installed packages; see product_names.h. A file of lines:
 *
 *   pypto-lint names 1
 *   FOLDER
 *   whole | partial
 *   FILES NAMES
 *   SECONDS NANOSECONDS SIZE PATH     (FILES of them)
 *   NAME                              (NAMES of them) */
#include "kernel/product_names.h"

#include "base/io_error.h"
#include "base/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CACHE_HEADER "pypto-lint names 1"
enum { CACHE_MAX_BYTES = 4 * 1024 * 1024 };

/* The cache file of a package, or an empty Str. `make`: with its folder. */
static Str cache_path(Arena *arena, Str folder, bool make)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    bool has_base = base != NULL && path_is_absolute(str_from(base));
    if (!has_base && (home == NULL || !path_is_absolute(str_from(home)))) {
        return STR("");
    }
    Str above = has_base ? str_format(arena, "%s", base) : str_format(arena, "%s/.cache", home);
    Str own = str_format(arena, "%.*s/pypto-lint", STR_ARG(above));
    if (make) {
        mkdir(above.at, 0700);
        mkdir(own.at, 0700);
    }
    uint64_t hash = 14695981039346656037U; /* FNV-1a */
    for (size_t i = 0; i < folder.length; i++) {
        hash = (hash ^ (unsigned char)folder.at[i]) * 1099511628211U;
    }
    return str_format(arena, "%.*s/names-%016" PRIx64, STR_ARG(own), hash);
}

/* The next line of `text` from `*at` on; false at the end. */
static bool next_line(Str text, size_t *at, Str *line)
{
    if (*at >= text.length) {
        return false;
    }
    size_t end = str_find(text, STR("\n"), *at);
    end = end == SIZE_MAX ? text.length : end;
    *line = str_slice(text, *at, end);
    *at = end + 1;
    return true;
}

/* Is the file of a line as it was? */
static bool is_unchanged(Arena *arena, Str line)
{
    char *text = str_dup(arena, line);
    int64_t seconds, nanoseconds, size;
    int path = 0;
    struct stat info;
    return sscanf(text, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %n", &seconds, &nanoseconds, &size,
                  &path) == 3 &&
           path > 0 && text[path] == '/' && file_stat(text + path, &info) &&
           info.st_mtim.tv_sec == seconds && info.st_mtim.tv_nsec == nanoseconds &&
           info.st_size == size;
}

bool product_cache_read(Arena *arena, Str folder, Strs *names, bool *partial)
{
    Str text, reason, line = {0};
    Str path = cache_path(arena, folder, false);
    size_t at = 0;
    unsigned files, count;
    if (path.length == 0 || file_read(arena, path.at, CACHE_MAX_BYTES, &text, &reason) != FILE_OK ||
        !next_line(text, &at, &line) || !str_is(line, CACHE_HEADER) ||
        !next_line(text, &at, &line) || !str_equal(line, folder) || !next_line(text, &at, &line)) {
        return false;
    }
    *partial = !str_is(line, "whole");
    if (!next_line(text, &at, &line) ||
        sscanf(str_dup(arena, line), "%u %u", &files, &count) != 2 || files > PRODUCT_MAX_FILES) {
        return false;
    }
    for (unsigned i = 0; i < files; i++) {
        if (!next_line(text, &at, &line) || !is_unchanged(arena, line)) {
            return false;
        }
    }
    Strs found = {0};
    while (next_line(text, &at, &line)) {
        VEC_PUSH(arena, &found, line);
    }
    if (found.count != count) { /* cut off */
        return false;
    }
    *names = found;
    strs_sort_unique(names);
    return true;
}

void product_cache_write(Arena *arena, Str folder, const Strs *names, const ReadFiles *files,
                         bool partial)
{
    Buf out = {.arena = arena};
    Str reason;
    buf_addf(&out, CACHE_HEADER "\n%.*s\n%s\n%u %u\n", STR_ARG(folder),
             partial ? "partial" : "whole", files->count, names->count);
    for (uint32_t i = 0; i < files->count; i++) {
        const ReadFile *file = &files->items[i];
        if (str_contains(file->path, STR("\n"))) {
            return;
        }
        buf_addf(&out, "%" PRId64 " %" PRId64 " %" PRId64 " %.*s\n", file->seconds,
                 file->nanoseconds, file->size, STR_ARG(file->path));
    }
    for (uint32_t i = 0; i < names->count; i++) {
        buf_addf(&out, "%.*s\n", STR_ARG(names->items[i]));
    }
    bool pending = io_error_is_pending();
    Str path = cache_path(arena, folder, true);
    if (path.length > 0 && !str_contains(folder, STR("\n")) && out.length < CACHE_MAX_BYTES) {
        file_write_atomic(arena, path.at, buf_str(&out), &reason);
    }
    if (!pending) {
        io_error_drop(); /* the next run reads the package again */
    }
}
