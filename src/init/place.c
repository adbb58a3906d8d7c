/* Folders, links and the program's own path; see place.h. */
#include "init/place.h"

#include "base/ascii.h"
#include "base/fence.h"
#include "base/io_error.h"
#include "base/path.h"
#include "base/program.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder that holds `path` (absolute), terminated. */
static Str parent_of(Arena *arena, Str path)
{
    Str parent = path_folder(path);
    return str_copy(arena, parent);
}

Str place_project(Arena *arena, Str cwd)
{
    Str top = repository_top(arena, cwd);
    return top.length > 0 ? top : cwd;
}

/* The absolute path in an environment variable, or empty. `name` may be NULL. */
static Str variable(const char *name)
{
    const char *value = name == NULL ? NULL : getenv(name);
    return value != NULL && path_is_absolute(str_from(value)) ? str_from(value) : STR("");
}

Str place_home(void)
{
    return variable("HOME");
}

Str place_user_file(Arena *arena, const Client *client)
{
    Str folder = variable(client->user_variable);
    if (folder.length == 0) {
        Str home = place_home();
        if (home.length == 0) {
            return STR("");
        }
        folder = client->user_folder[0] == '\0'
                     ? home
                     : path_join(arena, home, str_from(client->user_folder));
    }
    return path_join(arena, folder, str_from(client->user_path));
}

bool place_finds(Arena *arena, const Client *client, Str root, bool user, Str *sign)
{
    if (user) {
        Str file = client->user_path == NULL ? STR("") : place_user_file(arena, client);
        *sign = file.length == 0 ? file : parent_of(arena, file);
        if (client->format == SETTINGS_OWN_FILE && sign->length > 0) {
            *sign = parent_of(arena, *sign); /* the folder of the plugins need not be there */
        }
        return sign->length > 0 && file_exists(sign->at);
    }
    for (int i = 0; i < MAX_SIGNS && client->signs[i] != NULL; i++) {
        *sign = str_from(client->signs[i]);
        if (file_exists(path_join(arena, root, *sign).at)) {
            return true;
        }
    }
    return false;
}

PlaceKind place_kind(Arena *arena, Str path, Str root)
{
    struct stat info = {0};
    Str there = path;
    while (there.length > 1 && lstat(there.at, &info) != 0) {
        there = parent_of(arena, there);
    }
    Str real = path_real(arena, there);
    if (real.length == 0) {
        return PLACE_DANGLING;
    }
    if (root.length > 0) {
        Str home = path_real(arena, root), inside;
        if (!str_equal(real, home) && !path_below(home, real, &inside)) {
            return PLACE_OUTSIDE;
        }
    }
    return there.length == path.length && S_ISLNK(info.st_mode) ? PLACE_LINK : PLACE_PLAIN;
}

/* --- the program */

static const char *program_on_path(Arena *arena)
{
    return program_find(arena, STR("pypto-lint"));
}

bool place_program_on_path(Arena *arena)
{
    return program_on_path(arena) != NULL;
}

/* As one word for a shell: in single quotes unless every character is harmless. */
static Str quoted(Arena *arena, Str word)
{
    bool harmless = true;
    for (size_t i = 0; i < word.length; i++) {
        char c = word.at[i];
        harmless = harmless &&
                   ((unsigned char)c >= 0x80 || is_word_char(c) || strchr("/.-+,@", c) != NULL);
    }
    if (harmless) {
        return word;
    }
    Buf out = {.arena = arena};
    buf_add_char(&out, '\'');
    for (size_t i = 0; i < word.length; i++) {
        buf_add(&out, word.at[i] == '\'' ? STR("'\\''") : str_slice(word, i, i + 1));
    }
    buf_add_char(&out, '\'');
    return buf_str(&out);
}

bool place_has_launcher(void)
{
    const char *launcher = getenv("PYPTO_LINT_LAUNCHER"); /* packaging/npm/launcher.js */
    return launcher != NULL && *launcher != '\0';
}

Str place_program(Arena *arena, bool user)
{
    Str own = user || place_has_launcher() ? program_own(arena) : STR("");
    if (own.length == 0) {
        return STR("pypto-lint");
    }
    const char *found = program_on_path(arena);
    if (found != NULL && str_equal(path_real(arena, str_from(found)), own)) {
        return STR("pypto-lint");
    }
    return quoted(arena, own);
}

/* --- changes */

static bool fail(Arena *arena, Str *error)
{
    *error = system_reason(arena, errno);
    return false;
}

bool place_make_folders(Arena *arena, Str path, Str *error)
{
    for (size_t i = 1; i < path.length; i++) {
        if (path.at[i] != '/') {
            continue;
        }
        const char *folder = str_dup(arena, str_slice(path, 0, i));
        if (mkdir(folder, 0777) == 0) {
            continue;
        }
        int code = errno;
        if (!file_is_directory(folder)) {
            errno = code == EEXIST ? ENOTDIR : code;
            return fail(arena, error);
        }
    }
    return true;
}

bool place_delete(Arena *arena, Str path, Str root, Str *error)
{
    if (unlink(path.at) != 0) {
        return fail(arena, error);
    }
    Str folder = parent_of(arena, path);
    Str inside;
    bool below = root.length > 0 && path_below(root, path, &inside);
    size_t stop = below ? root.length : parent_of(arena, folder).length;
    /* rmdir refuses a folder that holds anything. */
    while (folder.length > stop && rmdir(folder.at) == 0) {
        folder = parent_of(arena, folder);
    }
    return true;
}
