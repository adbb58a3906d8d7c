/* Converts between `file:` URIs and paths; see uri.h. */
#include "server/uri.h"

#include "base/ascii.h"
#include "base/path.h"

#include <strings.h>

static bool is_plain(char c)
{
    return is_word_char(c) || c == '-' || c == '.' || c == '~' || c == '/';
}

Str uri_of_path(Arena *arena, Str path)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR("file://"));
    if (path_is_absolute(path) && path.at[0] != '/') {
        buf_add_char(&out, '/'); /* before a drive */
    }
    for (size_t i = 0; i < path.length; i++) {
        if (is_plain(path.at[i])) {
            buf_add_char(&out, path.at[i]);
        } else {
            buf_addf(&out, "%%%02X", (unsigned char)path.at[i]);
        }
    }
    return buf_str(&out);
}

/* Resolves percent escapes; empty if one is malformed or NUL. */
static Str unescape(Arena *arena, Str text)
{
    Buf out = {.arena = arena};
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] != '%') {
            buf_add_char(&out, text.at[i]);
            continue;
        }
        bool whole = i + 2 < text.length;
        int high = whole ? hex_digit(text.at[i + 1]) : -1;
        int low = whole ? hex_digit(text.at[i + 2]) : -1;
        if (high < 0 || low < 0 || (high == 0 && low == 0)) {
            return STR("");
        }
        buf_add_char(&out, (char)(high * 16 + low));
        i += 2;
    }
    return buf_str(&out);
}

Str uri_path(Arena *arena, Str uri)
{
    static const char scheme[] = "file://";
    size_t length = sizeof scheme - 1;
    if (uri.length <= length || strncasecmp(uri.at, scheme, length) != 0 ||
        memchr(uri.at, '\0', uri.length) != NULL) {
        return STR("");
    }
    Str rest = str_slice(uri, length, uri.length);
    if (str_starts(rest, STR("localhost/"))) {
        rest = str_slice(rest, strlen("localhost"), rest.length);
    }
    size_t end = str_find(rest, STR("?"), 0);
    size_t hash = str_find(rest, STR("#"), 0);
    rest = str_slice(rest, 0, end < hash ? end : hash);
    Str path = rest.length == 0 || rest.at[0] != '/' ? STR("") : unescape(arena, rest);
    Str after = str_slice(path, 1, path.length);
    if (path.length > 1 && path.at[1] != '/' && path_is_absolute(after)) {
        path = after; /* a drive */
    }
    if (path.length < 2) {
        return path;
    }
    path = path_absolute(arena, path);
    Str folder = path_real(arena, path_folder(path));
    return folder.length > 0 ? path_join(arena, folder, path_name(path)) : path;
}
