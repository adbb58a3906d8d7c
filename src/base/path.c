/* Paths: see path.h. */
#include "base/path.h"

#include "base/io_error.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static Str without_slashes(Str path)
{
    while (path.length > 0 && path.at[path.length - 1] == '/') {
        path.length--;
    }
    return path;
}

Str path_without_slash(Str path)
{
    Str rest = without_slashes(path);
    return rest.length == 0 && path.length > 0 ? str_slice(path, 0, 1) : rest;
}

Str path_basename(Str path)
{
    size_t start = path.length;
    while (start > 0 && path.at[start - 1] != '/') {
        start--;
    }
    return str_slice(path, start, path.length);
}

Str path_name(Str path)
{
    return path_basename(without_slashes(path));
}

Str path_parent(Str path)
{
    path.length -= path_basename(path).length;
    return path.length == 0 ? STR(".") : path_without_slash(path);
}

Str path_folder(Str path)
{
    Str rest = without_slashes(path);
    rest.length -= path_name(rest).length;
    Str folder = without_slashes(rest);
    return folder.length == 0 && rest.length > 0 ? STR("/") : folder;
}

Str path_absolute(Arena *arena, Str path)
{
    char here[PATH_MAX];
    Buf buf = {.arena = arena};
    if (path.length == 0 || path.at[0] != '/') {
        if (getcwd(here, sizeof here) == NULL) {
            io_error_note(NULL, errno);
            return STR("");
        }
        Str cwd = str_from(here);
        buf_add(&buf, str_is(cwd, "/") ? STR("") : cwd);
    }
    size_t at = 0;
    while (at < path.length) {
        size_t end = str_find(path, STR("/"), at);
        end = end == SIZE_MAX ? path.length : end;
        Str part = str_slice(path, at, end);
        if (part.length > 0 && !str_is(part, ".")) {
            buf_add(&buf, STR("/"));
            buf_add(&buf, part);
        }
        at = end + 1;
    }
    if (buf.length == 0) {
        buf_add(&buf, STR("/"));
    }
    return buf_str(&buf);
}

Str path_resolved(Arena *arena, Str path)
{
    Str real = path_real(arena, path);
    return real.length > 0 ? real : path_absolute(arena, path);
}

bool path_below(Str folder, Str path, Str *relative)
{
    size_t skip = folder.length;
    if (!str_starts(path, folder)) {
        return false;
    }
    if (!str_is(folder, "/")) {
        if (path.length <= skip || path.at[skip] != '/') {
            return false;
        }
        skip++;
    }
    *relative = str_slice(path, skip, path.length);
    return relative->length > 0;
}

Str path_from_here(Arena *arena, Str path)
{
    if (!str_starts(path, STR("/"))) {
        return path;
    }
    Str here = path_absolute(arena, STR("."));
    Str whole = path_absolute(arena, path);
    Str relative;
    if (str_equal(here, whole)) {
        return STR(".");
    }
    return path_below(here, whole, &relative) ? relative : path;
}
