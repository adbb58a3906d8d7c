/* Source watch; see source_watch.h. */
#include "harness/plan/source_watch.h"

#include "base/file.h"

enum { MOST_WATCHED = 4096 };

static void watch(SourceWatch *files, Arena *arena, Str path)
{
    if (files->count >= MOST_WATCHED) {
        return;
    }
    WatchedFile file = {.path = (Str){str_dup(arena, path), path.length}};
    file.exists = file_stat(file.path.at, &file.info);
    VEC_PUSH(arena, files, file);
}

/* Extensions are found before sources. */
static bool is_importable(Str name)
{
    return str_ends(name, STR(".py")) || str_ends(name, STR(".so"));
}

static void watch_folder(SourceWatch *files, Arena *arena, Str folder)
{
    DirEntries entries = {0};
    if (!directory_list(arena, str_dup(arena, folder), &entries)) {
        return;
    }
    for (uint32_t i = 0; i < entries.count; i++) {
        Str path = path_join(arena, folder, entries.items[i].name);
        if (is_importable(entries.items[i].name)) {
            watch(files, arena, path);
        } else if (file_is_directory(path.at)) {
            Str package = path_join(arena, path, STR("__init__.py"));
            if (file_exists(package.at)) {
                watch(files, arena, package);
            }
        }
    }
}

SourceWatch source_watch(Arena *arena, Str op_dir, const Strs *named)
{
    SourceWatch files = {0};
    for (uint32_t i = 0; i < named->count; i++) {
        watch(&files, arena, named->items[i]);
    }
    watch_folder(&files, arena, op_dir);
    watch_folder(&files, arena, path_join(arena, op_dir, STR("modules")));
    watch_folder(&files, arena, path_join(arena, op_dir, STR("eval")));
    return files;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same(const WatchedFile *a, const WatchedFile *b)
{
    if (!a->exists || !b->exists) {
        return a->exists == b->exists;
    }
    return a->info.st_dev == b->info.st_dev && a->info.st_ino == b->info.st_ino &&
           a->info.st_size == b->info.st_size && same_time(a->info.st_mtim, b->info.st_mtim) &&
           same_time(a->info.st_ctim, b->info.st_ctim);
}

static bool has(const SourceWatch *files, Str path)
{
    for (uint32_t i = 0; i < files->count; i++) {
        if (str_equal(files->items[i].path, path)) {
            return true;
        }
    }
    return false;
}

Str source_watch_changed(const SourceWatch *before, const SourceWatch *now)
{
    for (uint32_t i = 0; i < before->count && i < now->count; i++) {
        const WatchedFile *old = &before->items[i], *found = &now->items[i];
        if (!str_equal(old->path, found->path)) {
            return has(now, old->path) ? found->path : old->path;
        }
        if (!is_same(old, found)) {
            return found->path;
        }
    }
    uint32_t common = before->count < now->count ? before->count : now->count;
    return common < before->count ? before->items[common].path
           : common < now->count  ? now->items[common].path
                                  : STR("");
}
