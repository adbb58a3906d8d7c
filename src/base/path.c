/* Paths: see path.h. */
#include "base/path.h"

#include "base/io_error.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* Length of the drive that a path begins with, on Windows: "C:". */
static size_t drive_length(Str path)
{
#ifdef _WIN32
    bool letter = path.length > 1 && ((path.at[0] | 0x20) >= 'a' && (path.at[0] | 0x20) <= 'z');
    return letter && path.at[1] == ':' && (path.length == 2 || path.at[2] == '/') ? 2 : 0;
#else
    (void)path;
    return 0;
#endif
}

bool path_is_absolute(Str path)
{
    return (path.length > 0 && path.at[0] == '/') || drive_length(path) > 0;
}

Str path_from_client(Arena *arena, Str path)
{
#ifdef _WIN32
    char *own = str_dup(arena, path);
    for (size_t i = 0; i < path.length; i++) {
        own[i] = own[i] == '\\' ? '/' : own[i];
    }
    bool letter =
        path.length > 1 && own[0] == '/' && ((own[1] | 0x20) >= 'a' && (own[1] | 0x20) <= 'z');
    if (letter && (path.length == 2 || own[2] == '/')) {
        own[0] = own[1];
        own[1] = ':';
    }
    return (Str){own, path.length};
#else
    (void)arena;
    return path;
#endif
}

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
    if (!path_is_absolute(path)) {
        if (getcwd(here, sizeof here) == NULL) {
            io_error_note(NULL, errno);
            return STR("");
        }
        Str cwd = str_from(here);
        buf_add(&buf, str_is(cwd, "/") ? STR("") : cwd);
    }
    size_t at = drive_length(path);
    buf_add(&buf, str_slice(path, 0, at));
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
    if (!path_is_absolute(path)) {
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
