/* Finds libraries as the loader does; see library_walk.h. */
#include "environment/library_walk.h"

#include "base/path.h"

#include <elf.h>
#include <unistd.h>

static const char *const system_folders[] = {"/lib/x86_64-linux-gnu",
                                             "/usr/lib/x86_64-linux-gnu",
                                             "/lib/aarch64-linux-gnu",
                                             "/usr/lib/aarch64-linux-gnu",
                                             "/lib64",
                                             "/usr/lib64",
                                             "/lib",
                                             "/usr/lib"};

static void add_folders(Arena *arena, Str text, Strs *folders)
{
    for (size_t at = 0; at <= text.length && text.length > 0;) {
        size_t end = str_find(text, STR(":"), at);
        end = end == SIZE_MAX ? text.length : end;
        Str folder = str_slice(text, at, end);
        if (str_starts(folder,
                       STR("/"))) { /* empty and relative ones depend on the working directory */
            VEC_PUSH(arena, folders, folder);
        }
        at = end + 1;
    }
}

/* --- the cache of ldconfig */

static uint32_t number_at(Str text, size_t at)
{
    uint32_t number = 0;
    memcpy(&number, text.at + at, sizeof number);
    return number;
}

static Str cache_text(Str cache, uint32_t offset)
{
    Str rest = str_slice(cache, offset, cache.length);
    const char *end = rest.length == 0 ? NULL : memchr(rest.at, '\0', rest.length);
    return end == NULL ? STR("") : (Str){rest.at, (size_t)(end - rest.at)};
}

/* The format of glibc since 2.2: a header, entries, strings. The first entry of a name counts. */
static void read_cache(LibraryWalk *walk)
{
    enum {
        MOST_CACHE = 16 * 1024 * 1024,
        COUNT_AT = 20,
        HEAD = 48,
        ENTRY = 24,
        KEY_AT = 4,
        VALUE_AT = 8
    };
    Str text;
    if (!rooted_read(walk->root, walk->arena, STR("/etc/ld.so.cache"), MOST_CACHE, &text)) {
        return;
    }
    size_t start = str_find(text, STR("glibc-ld.so.cache1.1"), 0);
    Str cache = start == SIZE_MAX ? STR("") : str_slice(text, start, text.length);
    uint32_t count = cache.length < HEAD ? 0 : number_at(cache, COUNT_AT);
    for (uint32_t i = 0; i < count && HEAD + (size_t)(i + 1) * ENTRY <= cache.length; i++) {
        size_t at = HEAD + (size_t)i * ENTRY;
        Str name = cache_text(cache, number_at(cache, at + KEY_AT));
        Str path = cache_text(cache, number_at(cache, at + VALUE_AT));
        if (name.length > 0 && map_find(&walk->cache, name) == MAP_NONE) {
            map_add(&walk->cache, walk->arena, name);
            VEC_PUSH(walk->arena, &walk->cached, path);
        }
    }
}

void library_walk_begin(LibraryWalk *walk, const Rooted *root, Arena *arena, Str variable,
                        const Strs *hints)
{
    *walk = (LibraryWalk){.root = root, .arena = arena, .hints = *hints};
    add_folders(arena, variable, &walk->variable);
    read_cache(walk);
}

/* --- one library */

static bool read_object(const LibraryWalk *walk, Str path, ElfNeeds *needs)
{
    int fd = rooted_fd(walk->root, walk->arena, path, 0);
    bool good = fd >= 0 && elf_needs_read(walk->arena, fd, needs);
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

typedef struct Wanted {
    Str name, by;
    uint16_t machine;
    bool other_machine; /* a library of this name was skipped */
} Wanted;

/* Sets `*found` if the path is a library for the right processor; the loader skips those for
 * another one. */
static bool take_path(const LibraryWalk *walk, Wanted *wanted, Str path, Str *found)
{
    ElfNeeds needs;
    if (!rooted_is_file(walk->root, walk->arena, path) || !read_object(walk, path, &needs)) {
        return false;
    }
    if (needs.machine != wanted->machine) {
        wanted->other_machine = true;
        return false;
    }
    *found = path;
    return true;
}

static bool take_folders(const LibraryWalk *walk, Wanted *wanted, const Strs *folders, Str *found)
{
    for (uint32_t i = 0; i < folders->count; i++) {
        Str path = path_join(walk->arena, folders->items[i], wanted->name);
        if (take_path(walk, wanted, path, found)) {
            return true;
        }
    }
    return false;
}

/* The folders of DT_RPATH or DT_RUNPATH, with $ORIGIN replaced. */
static Strs own_folders(const LibraryWalk *walk, Str text, Str object)
{
    static const char *const names[] = {"$ORIGIN", "${ORIGIN}"};
    Buf out = {.arena = walk->arena};
    Strs folders = {0};
    buf_add(&out, STR(""));
    for (size_t at = 0; at < text.length;) {
        Str rest = str_slice(text, at, text.length), word = str_slice(text, at, at + 1);
        for (size_t i = 0; i < 2; i++) {
            word = str_starts(rest, str_from(names[i])) ? str_from(names[i]) : word;
        }
        buf_add(&out, word.length > 1 ? path_folder(object) : word);
        at += word.length;
    }
    add_folders(walk->arena, buf_str(&out), &folders);
    return folders;
}

static bool find(const LibraryWalk *walk, const ElfNeeds *needs, Wanted *wanted, Str *found)
{
    if (str_contains(wanted->name, STR("/"))) {
        return take_path(walk, wanted, wanted->name, found);
    }
    Strs rpath = own_folders(walk, needs->runpath.length > 0 ? STR("") : needs->rpath, wanted->by);
    Strs runpath = own_folders(walk, needs->runpath, wanted->by);
    uint32_t cached = map_find(&walk->cache, wanted->name);
    Strs system = {0};
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
        VEC_PUSH(walk->arena, &system, str_from(system_folders[i]));
    }
    return take_folders(walk, wanted, &rpath, found) ||
           take_folders(walk, wanted, &walk->variable, found) ||
           take_folders(walk, wanted, &runpath, found) ||
           (cached != MAP_NONE && take_path(walk, wanted, walk->cached.items[cached], found)) ||
           take_folders(walk, wanted, &system, found);
}

static void note_missing(LibraryWalk *walk, Wanted *wanted)
{
    Str found = STR("");
    MissingLibrary missing = {.name = wanted->name, .needed_by = wanted->by};
    missing.other_machine = wanted->other_machine;
    missing.elsewhere =
        take_folders(walk, wanted, &walk->hints, &found) ? path_folder(found) : found;
    VEC_PUSH(walk->arena, &walk->missing, missing);
}

static void look_at(LibraryWalk *walk, Str path, const ElfNeeds *needs)
{
    for (uint32_t i = 0; i < needs->needed.count; i++) {
        Wanted wanted = {needs->needed.items[i], path, needs->machine, false};
        Str found;
        if (map_find(&walk->loaded, wanted.name) != MAP_NONE) {
            continue;
        }
        map_add(&walk->loaded, walk->arena, wanted.name);
        if (find(walk, needs, &wanted, &found)) {
            VEC_PUSH(walk->arena, &walk->queue, found);
        } else {
            note_missing(walk, &wanted);
        }
    }
}

static bool is_missing(const LibraryWalk *walk, Str name)
{
    for (uint32_t i = 0; i < walk->missing.count; i++) {
        if (str_equal(walk->missing.items[i].name, name)) {
            return true;
        }
    }
    return false;
}

bool library_walk_from(LibraryWalk *walk, Str path)
{
    ElfNeeds needs;
    uint32_t next = walk->queue.count;
    if (!read_object(walk, path, &needs)) {
        return false;
    }
    Str own = needs.soname.length > 0 ? needs.soname : path_name(path);
    if (map_find(&walk->loaded, own) == MAP_NONE) {
        map_add(&walk->loaded, walk->arena, own);
    } else if (!is_missing(walk, own)) {
        return true; /* an earlier object has loaded it */
    }
    VEC_PUSH(walk->arena, &walk->queue, path);
    for (; next < walk->queue.count; next++) {
        if (walk->queue.count > LIBRARY_WALK_MOST) {
            walk->cut = true;
            break;
        }
        if (read_object(walk, walk->queue.items[next], &needs)) {
            look_at(walk, walk->queue.items[next], &needs);
        }
    }
    return true;
}
