/* Which folder is an operator directory. A state file decides; without one, the usual file names
 * do: two of them anywhere, the first one below a folder `custom`, where operators are made. */
#include "lint/operator_folder.h"

#include "base/path.h"
#include "base/search.h"
#include "operator/state.h"

/* The seven usual names; the first three carry the operator's name between `before` and
 * `after`. */
enum { NAMED_FILES = 3, USUAL_FILES = 7 };
static const struct {
    const char *before, *after;
} usual[USUAL_FILES] = {
    {"", IMPL_END},          {"", GOLDEN_END},    {TEST_START, ".py"}, {"SPEC.md", NULL},
    {"API_REPORT.md", NULL}, {"DESIGN.md", NULL}, {"README.md", NULL},
};

/* The folder a question is about: its entries, or its path when they have not been read. */
typedef struct Folder {
    Arena *arena;
    const DirEntries *entries;
    Str path;
} Folder;

const DirEntry *entries_find(const DirEntries *entries, Str name)
{
    uint32_t low;
    LOWER_BOUND(low, entries->count, str_compare(entries->items[low].name, name) < 0);
    return low < entries->count && str_compare(entries->items[low].name, name) == 0
               ? &entries->items[low]
               : NULL;
}

static bool has(const Folder *folder, Str name)
{
    if (folder->entries != NULL) {
        return entries_find(folder->entries, name) != NULL;
    }
    struct stat info;
    Str path = path_join(folder->arena, folder->path, name);
    return file_stat(path.at, &info);
}

/* At least two of the seven names; when `strict`, one of them with the operator's name. */
static bool looks_like(const Folder *folder, Str op, bool strict)
{
    if (op.length == 0) {
        return false;
    }
    int matches = 0;
    int with_name = 0;
    for (int i = 0; i < USUAL_FILES; i++) {
        Str name = usual[i].after == NULL ? str_from(usual[i].before)
                                          : str_format(folder->arena, "%s%.*s%s", usual[i].before,
                                                       STR_ARG(op), usual[i].after);
        if (has(folder, name)) {
            matches++;
            with_name += i < NAMED_FILES ? 1 : 0;
        }
    }
    return matches >= 2 && (!strict || with_name > 0);
}

/* Is one of the folders above this one called `custom`? */
static bool is_below_custom(Str path)
{
    for (Str folder = path_folder(path); folder.length > 1; folder = path_folder(folder)) {
        if (str_is(path_name(folder), "custom")) {
            return true;
        }
    }
    return false;
}

/* The first file of a new operator: custom/OP holds one that carries the name OP, or the first
 * module of it. */
static bool is_begun(const Folder *folder)
{
    Str op = path_name(folder->path);
    if (!is_below_custom(folder->path)) {
        return false;
    }
    for (int i = 0; i < NAMED_FILES; i++) {
        if (has(folder, str_format(folder->arena, "%s%.*s%s", usual[i].before, STR_ARG(op),
                                   usual[i].after))) {
            return true;
        }
    }
    Folder on_disk = {.arena = folder->arena, .path = folder->path};
    Str module = artifact_module(folder->arena, KIND_IMPL, op, STR("1"));
    bool has_modules = folder->entries == NULL || has(folder, STR("modules"));
    return has_modules && has(&on_disk, module);
}

static bool is_operator(const Folder *folder)
{
    return has(folder, STR(STATE_PATH)) || looks_like(folder, path_name(folder->path), true) ||
           is_begun(folder);
}

bool entries_are_operator(Arena *arena, const DirEntries *entries, Str path)
{
    return is_operator(&(Folder){.arena = arena, .entries = entries, .path = path});
}

bool is_operator_folder(Arena *arena, Str path)
{
    return is_operator(&(Folder){.arena = arena, .path = path});
}

bool operator_of_folder(Arena *arena, Str folder, Str *dir)
{
    enum { FOLDERS_TRIED = 8 };
    for (int i = 0; i < FOLDERS_TRIED; i++) {
        if (is_operator_folder(arena, folder)) {
            *dir = folder;
            return true;
        }
        if (folder.length <= 1) {
            break;
        }
        folder = path_folder(folder);
    }
    return false;
}

/* The operator that a file's own name speaks of: "softmax_impl.py" gives "softmax". */
static Str name_from_file(Str file)
{
    /* The test first: test_a_impl.py is the test of a_impl. An empty name does not count. */
    static const int order[NAMED_FILES] = {2, 0, 1};
    for (int i = 0; i < NAMED_FILES; i++) {
        int row = order[i];
        Str before = str_from(usual[row].before);
        Str after = str_from(usual[row].after);
        if (file.length > before.length + after.length && str_starts(file, before) &&
            str_ends(file, after)) {
            return str_slice(file, before.length, file.length - after.length);
        }
    }
    return STR("");
}

bool operator_of_file(Arena *arena, Str path, Str *dir, Str *name)
{
    Folder folder = {.arena = arena, .path = path_folder(path)};
    *dir = folder.path;
    *name = path_name(folder.path);
    if (has(&folder, STR(STATE_PATH))) {
        return true;
    }
    if (str_is(*name, "modules")) {
        Folder parent = {.arena = arena, .path = path_folder(folder.path)};
        Str parent_name = path_name(parent.path);
        if (has(&parent, STR(STATE_PATH)) || looks_like(&parent, parent_name, false) ||
            is_begun(&parent)) {
            *dir = parent.path;
            *name = parent_name;
            return true;
        }
    }
    *name = name_from_file(path_name(path));
    /* The file itself may be the first one, and need not be there yet. */
    bool first = str_equal(*name, path_name(folder.path)) && is_below_custom(folder.path);
    return first || looks_like(&folder, *name, false);
}
