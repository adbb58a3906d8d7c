/* Overlay; see overlay.h. */
#include "base/overlay.h"

#include "base/path.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Cover {
    char *path;
    size_t length;
    char *text; /* terminated */
    size_t size;
} Cover;

unsigned overlay_count;
static unsigned capacity;
static Cover *covers;

static Cover *find(Str path)
{
    for (unsigned i = 0; i < overlay_count; i++) {
        if (covers[i].length == path.length && memcmp(covers[i].path, path.at, path.length) == 0) {
            return &covers[i];
        }
    }
    return NULL;
}

static bool captures;

void overlay_capture_writes(void)
{
    captures = true;
}

bool overlay_captures(void)
{
    return captures;
}

static char *copy(Str text)
{
    char *made = malloc(text.length + 1);
    if (made != NULL) {
        memcpy(made, text.at == NULL ? "" : text.at, text.length);
        made[text.length] = '\0';
    }
    return made;
}

void overlay_drop(Str path)
{
    Cover *cover = find(path);
    if (cover != NULL) {
        free(cover->path);
        free(cover->text);
        *cover = covers[--overlay_count];
    }
}

bool overlay_put(Str path, Str text)
{
    overlay_drop(path);
    if (overlay_count == capacity) {
        unsigned wanted = capacity == 0 ? 16 : capacity * 2;
        Cover *grown = realloc(covers, wanted * sizeof *covers);
        if (grown == NULL) {
            return false;
        }
        covers = grown;
        capacity = wanted;
    }
    Cover made = {copy(path), path.length, copy(text), text.length};
    if (made.path == NULL || made.text == NULL) {
        free(made.path);
        free(made.text);
        return false;
    }
    covers[overlay_count++] = made;
    return true;
}

/* `path` as an absolute one, in `room` unless it is one already; empty when that does not fit. */
static Str absolute(const char *path, char room[PATH_MAX])
{
    Str given = str_from(path);
    if (path_is_absolute(given)) {
        return given;
    }
    if (getcwd(room, PATH_MAX) == NULL) {
        return STR("");
    }
    size_t length = strlen(room);
    bool here = str_is(given, ".") || given.length == 0;
    size_t slash = length > 1 && !here;
    if (here) {
        return (Str){room, length};
    }
    if (length + slash + given.length >= PATH_MAX) {
        return STR("");
    }
    memcpy(room + length, "/", slash);
    memcpy(room + length + slash, path, given.length);
    return (Str){room, length + slash + given.length};
}

bool overlay_find(const char *path, Str *text)
{
    char room[PATH_MAX];
    const Cover *cover = overlay_count == 0 ? NULL : find(absolute(path, room));
    if (cover == NULL) {
        return false;
    }
    *text = (Str){cover->text, cover->size};
    return true;
}

bool overlay_in_folder(const char *folder, unsigned *nth, Str *name)
{
    char room[PATH_MAX];
    Str place = absolute(folder, room);
    while (place.length > 0 && place.at[place.length - 1] == '/') {
        place.length--;
    }
    while (*nth < overlay_count) {
        const Cover *cover = &covers[(*nth)++];
        Str path = {cover->path, cover->length};
        if (path.length > place.length + 1 && str_starts(path, place) &&
            path.at[place.length] == '/' &&
            str_find(path, STR("/"), place.length + 1) == SIZE_MAX) {
            *name = str_slice(path, place.length + 1, path.length);
            return true;
        }
    }
    return false;
}
