/* Hook counter; see hook_counter.h. One file for each owner (an edited file, a session), named by a
 * hash: its first line is the owner, each further line a count and what is counted. Who makes a new
 * file deletes those that are too old to count. */
#include "hook/hook_counter.h"

#include "base/fence.h"
#include "base/file.h"
#include "base/path.h"
#include "operator/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 256 * 1024, MOST_COUNT = 1000000 };

#define PREFIX "blocks-"

typedef struct Slot {
    const char *path; /* NULL: nothing can be kept */
    Str folder;
    Str owner;
    Str old; /* lines of the last time, or empty */
} Slot;

/* --- where */

static Str cache_folder(Arena *arena)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    if (cache != NULL && path_is_absolute(str_from(cache))) {
        return path_join(arena, path_absolute(arena, str_from(cache)), STR("pypto-lint"));
    }
    const char *home = getenv("HOME");
    if (home == NULL || !path_is_absolute(str_from(home))) {
        return STR("");
    }
    return path_join(arena, path_absolute(arena, str_from(home)), STR(".cache/pypto-lint"));
}

static uint64_t hash(Str text)
{
    uint64_t value = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < text.length; i++) {
        value = (value ^ (unsigned char)text.at[i]) * 0x100000001b3u;
    }
    return value;
}

static bool is_young(const char *path)
{
    struct stat info;
    time_t now = time(NULL);
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           info.st_mtime > now - (time_t)COUNTER_HOURS * 3600 && info.st_mtime <= now + 60;
}

static Slot slot_open(Arena *arena, Str dir, Str owner)
{
    Slot slot = {.folder = cache_folder(arena), .owner = owner, .old = STR("")};
    Str inside;
    Str top = repository_top(arena, dir);
    if (slot.folder.length == 0 || path_below(top.length > 0 ? top : dir, slot.folder, &inside)) {
        return slot;
    }
    Str name = str_format(arena, PREFIX "%016llx", (unsigned long long)hash(owner));
    slot.path = path_join(arena, slot.folder, name).at;
    Str text;
    if (is_young(slot.path) && file_read(arena, slot.path, MOST_BYTES, &text, NULL) == FILE_OK) {
        size_t end = str_find(text, STR("\n"), 0);
        if (end != SIZE_MAX && str_equal(str_slice(text, 0, end), owner)) {
            slot.old = str_slice(text, end + 1, text.length);
        }
    }
    return slot;
}

/* --- what */

/* The count that the line for `what` had the last time; 0 without one. */
static unsigned old_count(const Slot *slot, Str what)
{
    Str line;
    for (size_t at = 0; text_next_line(slot->old, &at, &line);) {
        size_t blank = str_find(line, STR(" "), 0);
        if (blank != SIZE_MAX && str_equal(str_slice(line, blank + 1, line.length), what)) {
            unsigned long count = strtoul(line.at, NULL, 10);
            return count > MOST_COUNT ? MOST_COUNT : (unsigned)count;
        }
    }
    return 0;
}

static bool make_folders(Arena *arena, Str folder)
{
    mkdir(str_dup(arena, path_folder(folder)), 0700);
    return mkdir(str_dup(arena, folder), 0700) == 0 || errno == EEXIST;
}

static void delete_old(Arena *arena, Str folder)
{
    DirEntries entries;
    directory_list(arena, folder.at, &entries);
    for (uint32_t i = 0; i < entries.count; i++) {
        const DirEntry *entry = &entries.items[i];
        const char *path = path_join(arena, folder, entry->name).at;
        if (entry->is_regular && str_starts(entry->name, STR(PREFIX)) && !is_young(path)) {
            unlink(path);
        }
    }
}

/* Replaces the file. It is not flushed to disk: losing it costs nothing, waiting for it would. */
static void slot_write(const Slot *slot, Arena *arena, Str lines)
{
    if (slot->path == NULL || !make_folders(arena, slot->folder)) {
        return;
    }
    if (access(slot->path, F_OK) != 0) {
        delete_old(arena, slot->folder);
    }
    char *name = str_dup(arena, str_format(arena, "%s.XXXXXX", slot->path));
    Str text = str_format(arena, "%.*s\n%.*s", STR_ARG(slot->owner), STR_ARG(lines));
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    bool good = write(fd, text.at, text.length) == (ssize_t)text.length;
    good = close(fd) == 0 && good;
    if (!good || rename(name, slot->path) != 0) {
        unlink(name);
    }
}

static void slot_forget(const Slot *slot)
{
    if (slot->path != NULL) {
        unlink(slot->path);
    }
}

/* An owner must fit in one line. */
static Str one_line(Arena *arena, Str text)
{
    char *copy = str_dup(arena, text);
    for (size_t i = 0; i < text.length; i++) {
        copy[i] = copy[i] == '\n' || copy[i] == '\0' ? '?' : copy[i];
    }
    return (Str){copy, text.length};
}

/* --- blocks of an edited file */

/* "OL04 31 a_impl.py" as "OL04 a_impl.py:31"; line 0 is the whole file. */
static Str place_text(Arena *arena, Str place)
{
    size_t first = str_find(place, STR(" "), 0);
    size_t second = first == SIZE_MAX ? SIZE_MAX : str_find(place, STR(" "), first + 1);
    if (second == SIZE_MAX) {
        return place;
    }
    Str line = str_slice(place, first + 1, second);
    bool whole = str_is(line, "0");
    Buf out = {.arena = arena};
    buf_add(&out, str_slice(place, 0, first + 1));
    buf_add(&out, str_slice(place, second + 1, place.length));
    if (!whole) {
        buf_add_char(&out, ':');
        buf_add(&out, line);
    }
    return buf_str(&out);
}

Strs hook_counter_update(Arena *arena, Str dir, Str path, Str places)
{
    Strs stuck = {0};
    Strs counted = {0};
    Slot slot = slot_open(arena, dir, one_line(arena, path));
    if (places.length == 0) {
        slot_forget(&slot);
        return stuck;
    }
    Buf lines = {.arena = arena};
    Str place;
    for (size_t at = 0;
         counted.count < COUNTER_MAX_PLACES && text_next_line(places, &at, &place);) {
        if (strs_have(&counted, place)) {
            continue;
        }
        VEC_PUSH(arena, &counted, place);
        unsigned count = old_count(&slot, place) + 1;
        buf_addf(&lines, "%u %.*s\n", count, STR_ARG(place));
        if (count >= COUNTER_STUCK) {
            Str text = place_text(arena, place);
            VEC_PUSH(arena, &stuck, text);
        }
    }
    slot_write(&slot, arena, buf_str(&lines));
    return stuck;
}

/* --- sessions that want to stop */

unsigned hook_counter_stop(Arena *arena, Str dir, Str session, bool reset)
{
    Str owner = str_format(arena, "stop %.*s %.*s", STR_ARG(session), STR_ARG(dir));
    Slot slot = slot_open(arena, dir, one_line(arena, owner));
    if (slot.path == NULL || reset) {
        slot_forget(&slot);
        return 0;
    }
    unsigned count = old_count(&slot, STR("told")) + 1;
    slot_write(&slot, arena, str_format(arena, "%u told\n", count));
    return count;
}
