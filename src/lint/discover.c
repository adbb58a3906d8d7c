/* Discovery: what each named path stands for, and putting the answers together. */
#include "lint/discover.h"

#include "base/fence.h"
#include "base/io_error.h"
#include "base/path.h"
#include "lint/discover_walk.h"
#include "lint/operator_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct Discovery {
    Arena *arena;
    DiscoverOptions options;
    Notices *notices;
    Discovered raw; /* one place may be in it several times */
    bool good;
} Discovery;

static void note(Discovery *discovery, bool is_error, Str path, const char *en, const char *zh,
                 Str reason)
{
    discover_notice(discovery->notices, is_error, path, (Text){en, zh}, reason);
    discovery->good = discovery->good && !is_error;
}

/* The folder above, as a path that works from here: "a/b" -> "a", "a" -> ".", "." and ".." ->
 * "..". */
static Str shown_folder(Arena *arena, Str path)
{
    Str name = path_name(path);
    if (name.length == 0 || str_is(name, ".") || str_is(name, "..")) {
        return path_join(arena, path, STR(".."));
    }
    Str folder = path_folder(path);
    return folder.length == 0 ? STR(".") : str_copy(arena, folder);
}

bool discover_is_plain(Arena *arena, DiscoverOptions options, const Config *config, Str folder)
{
    Profile profile = options.profile;
    if (profile == PROFILE_UNSET && config != NULL) {
        profile = config->profile;
    }
    if (profile != PROFILE_UNSET || options.plan == NULL) {
        return profile == PROFILE_KERNEL;
    }
    Str top = repository_top(arena, folder);
    return top.length > 0 &&
           file_is_regular(path_join(arena, top, STR("python/pypto/__init__.py")).at);
}

static const Config *settings_of(const Discovery *discovery, Str folder)
{
    Plan *plan = discovery->options.plan;
    return plan == NULL ? NULL : &plan_settings(plan, folder, discovery->notices->lang)->config;
}

static bool is_plain(const Discovery *discovery, Str folder)
{
    return discover_is_plain(discovery->arena, discovery->options, settings_of(discovery, folder),
                             folder);
}

/* --- named files */

static void add_operator_file(Discovery *discovery, Str path, Str real, Str dir, Str name)
{
    Str relative;
    if (!path_below(dir, real, &relative)) {
        return;
    }
    Str shown = shown_folder(discovery->arena, path);
    for (size_t i = 0; i < relative.length; i++) {
        if (relative.at[i] == '/') {
            shown = shown_folder(discovery->arena, shown);
        }
    }
    DiscoveredItem item = {.kind = DISCOVERED_OPERATOR, .path = shown, .name = name};
    item.real = str_copy(discovery->arena, dir);
    item.whole = discovery->options.whole;
    VEC_PUSH(discovery->arena, &item.files, relative);
    VEC_PUSH(discovery->arena, &discovery->raw, item);
}

static bool is_python_name(Str name)
{
    return str_ends(name, STR(".py")) || str_ends(name, STR(".pyi")) ||
           str_find(name, STR("."), 1) == SIZE_MAX;
}

/* A document that says nothing about its operator by its own name: by the folder it is in, or the
 * one above (eval/module_interfaces.yaml). */
static bool operator_of_document(Arena *arena, Str real, Str *dir, Str *name)
{
    Str folder = path_folder(real);
    for (int i = 0; i < 2 && folder.length > 1; i++, folder = path_folder(folder)) {
        if (is_operator_folder(arena, folder)) {
            *dir = folder;
            *name = path_name(folder);
            return true;
        }
    }
    return false;
}

/* Files that somebody else names, a list of changed ones, are left out like those that are found:
 * they themselves, or a folder above. */
static bool is_excluded(const Discovery *discovery, Str folder, Str real)
{
    const Config *config = settings_of(discovery, folder);
    for (Str at = real; config != NULL && at.length > 1; at = path_folder(at)) {
        if (config_excludes(config, at, at.length < real.length)) {
            return true;
        }
    }
    return false;
}

static void add_named_file(Discovery *discovery, Str path)
{
    Arena *arena = discovery->arena;
    Str folder = path_real(arena, shown_folder(arena, path));
    Str real = path_join(arena, folder, path_name(path));
    Str dir;
    Str name;
    bool python = is_python_name(path_name(path));
    bool plain = is_plain(discovery, folder);
    if (discovery->options.whole && is_excluded(discovery, folder, real)) {
        return;
    }
    if (!plain && (operator_of_file(arena, real, &dir, &name) ||
        (!python && operator_of_document(arena, real, &dir, &name)))) {
        add_operator_file(discovery, path, real, dir, name);
    } else if (python) {
        DiscoveredItem item = {
            .kind = DISCOVERED_FILE, .path = path, .real = path_real(arena, path)};
        item.named = !discovery->options.whole;
        VEC_PUSH(arena, &discovery->raw, item);
    } else if (!discovery->options.whole) {
        note(discovery, false, path, "not checked: not a Python file and in no operator directory",
             "未检查：不是 Python 文件，也不在算子目录中", STR(""));
    }
}

/* --- named folders */

/* The `modules` folder of an operator: the operator, limited to the Python files in it. */
static bool add_modules(Discovery *discovery, Str path, Str real)
{
    Arena *arena = discovery->arena;
    Str dir;
    Str name;
    DirEntries entries;
    if (!str_is(path_name(real), "modules") ||
        !operator_of_file(arena, path_join(arena, real, STR("_")), &dir, &name) ||
        !directory_list(arena, real.at, &entries)) {
        return false;
    }
    for (uint32_t i = 0; i < entries.count; i++) {
        Str file = entries.items[i].name;
        if (str_ends(file, STR(".py")) && !entries.items[i].is_directory) {
            add_operator_file(discovery, path_join(arena, path, file), path_join(arena, real, file),
                              dir, name);
        }
    }
    return true;
}

static void add_named_folder(Discovery *discovery, Str path)
{
    Str real = path_real(discovery->arena, path);
    if (real.length == 0) {
        note(discovery, true, path, "cannot read", "无法读取",
             system_reason(discovery->arena, errno));
    } else if (is_plain(discovery, real) || is_operator_folder(discovery->arena, real) ||
               !add_modules(discovery, path, real)) {
        discover_walk(&discovery->raw, discovery->arena, path, real, discovery->options,
                      discovery->notices);
    }
}

static void add_named(Discovery *discovery, Str given)
{
    Str path = str_copy(discovery->arena, path_without_slash(given));
    struct stat info;
    /* The given text, so that "file.py/" is the error that it is everywhere else. */
    if (!file_stat(str_dup(discovery->arena, given), &info)) {
        note(discovery, true, given, "cannot read", "无法读取",
             system_reason(discovery->arena, errno));
    } else if (S_ISDIR(info.st_mode)) {
        add_named_folder(discovery, path);
    } else if (S_ISREG(info.st_mode)) {
        add_named_file(discovery, path);
    } else {
        note(discovery, true, given, "neither a file nor a folder", "既不是文件也不是文件夹",
             STR(""));
    }
}

/* --- together */

static int by_place(const void *a, const void *b)
{
    const DiscoveredItem *left = a;
    const DiscoveredItem *right = b;
    int order = (int)left->kind - (int)right->kind;
    order = order != 0 ? order : str_compare(left->real, right->real);
    order = order != 0 ? order : (int)right->whole - (int)left->whole;
    order = order != 0 ? order : str_compare(left->name, right->name);
    order = order != 0 ? order : (int)left->linked - (int)right->linked;
    return order != 0 ? order : str_compare(left->path, right->path);
}

/* Sorted by by_place, `next` follows `item`: is it the same request? The files of two operators may
 * share a folder; a whole folder is one operator. */
static bool is_same(const DiscoveredItem *item, const DiscoveredItem *next)
{
    return item->kind == next->kind && str_equal(item->real, next->real) &&
           (item->whole || str_equal(item->name, next->name));
}

static int by_path(const void *a, const void *b)
{
    const DiscoveredItem *left = a;
    const DiscoveredItem *right = b;
    int order = str_compare(left->path, right->path);
    return order != 0 ? order : by_place(a, b);
}

/* Takes what `other` asks for into `item`. */
static void merge(Arena *arena, DiscoveredItem *item, const DiscoveredItem *other)
{
    item->named = item->named || other->named;
    for (uint32_t i = 0; i < other->files.count; i++) {
        VEC_PUSH(arena, &item->files, other->files.items[i]);
    }
}

bool discover(Discovered *found, Arena *arena, Strs paths, DiscoverOptions options,
              Notices *notices)
{
    Discovery discovery = {.arena = arena, .options = options, .notices = notices, .good = true};
    *found = (Discovered){0};
    for (uint32_t i = 0; i < paths.count; i++) {
        add_named(&discovery, paths.items[i]);
    }
    if (paths.count == 0) {
        add_named(&discovery, STR("."));
    }
    Discovered *raw = &discovery.raw;
    if (raw->count > 1) {
        qsort(raw->items, raw->count, sizeof *raw->items, by_place);
    }
    for (uint32_t i = 0; i < raw->count; i++) {
        const DiscoveredItem *item = &raw->items[i];
        DiscoveredItem *last = found->count == 0 ? NULL : &found->items[found->count - 1];
        if (last != NULL && is_same(last, item)) {
            merge(arena, last, item);
        } else {
            VEC_PUSH(arena, found, *item);
        }
    }
    for (uint32_t i = 0; i < found->count; i++) {
        Strs *files = &found->items[i].files;
        files->count = found->items[i].whole ? 0 : files->count;
        strs_sort_unique(files);
    }
    if (found->count > 1) {
        qsort(found->items, found->count, sizeof *found->items, by_path);
    }
    return discovery.good;
}
