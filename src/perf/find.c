/* Searches a folder for traces, breadth first and within limits; see find.h. */
#include "perf/find.h"

#include "base/file.h"

typedef struct Folder {
    Str path;
    int depth;
} Folder;

typedef struct Search {
    PerfFiles *files;
    Arena *arena;
    VEC(Folder) folders;
    uint32_t seen;
    int rank; /* of the best trace so far */
    struct timespec time;
} Search;

/* 2 = merged swim lanes, 1 = another trace, 0 = not a trace. */
static int rank_of(Str name)
{
    if (str_is(name, "merged_swimlane.json")) {
        return 2;
    }
    bool is_trace = str_contains(name, STR("swimlane")) || str_contains(name, STR("trace"));
    return str_ends(name, STR(".json")) && is_trace ? 1 : 0;
}

/* Other profiler outputs. They are listed so that nobody believes they were read. */
static bool is_other(Str name)
{
    bool is_log = str_ends(name, STR(".log")) || str_ends(name, STR(".txt")) ||
                  str_ends(name, STR(".csv")) || str_ends(name, STR(".json"));
    return is_log && (str_contains(name, STR("bubble")) || str_contains(name, STR("pmu")) ||
                      str_contains(name, STR("prof")) || str_contains(name, STR("swim")));
}

static bool is_newer(const struct stat *info, const struct timespec *than)
{
    return info->st_mtim.tv_sec != than->tv_sec ? info->st_mtim.tv_sec > than->tv_sec
                                                : info->st_mtim.tv_nsec > than->tv_nsec;
}

static void take_file(Search *search, Str path, Str name)
{
    int rank = rank_of(name);
    struct stat info;
    if (rank > 0 && file_lstat(path.at, &info)) {
        bool better =
            rank > search->rank || (rank == search->rank && is_newer(&info, &search->time));
        Str rest = better ? search->files->trace : path;
        if (better) {
            search->files->trace = path;
            search->rank = rank;
            search->time = info.st_mtim;
        }
        if (rest.length > 0) {
            VEC_PUSH(search->arena, &search->files->others, rest);
        }
    } else if (is_other(name)) {
        VEC_PUSH(search->arena, &search->files->others, path);
    }
}

static void look_into(Search *search, Folder folder)
{
    DirEntries entries = {.items = NULL};
    if (!directory_list(search->arena, folder.path.at, &entries)) {
        return;
    }
    for (uint32_t i = 0; i < entries.count; i++) {
        const DirEntry *entry = &entries.items[i];
        if (search->seen++ >= PERF_MOST_ENTRIES) {
            search->files->is_cut = true;
            return;
        }
        Str path = path_join(search->arena, folder.path, entry->name);
        if (entry->is_regular) {
            take_file(search, path, entry->name);
        } else if (entry->is_directory && folder.depth < PERF_FOLDER_DEPTH) {
            Folder below = {path, folder.depth + 1};
            VEC_PUSH(search->arena, &search->folders, below);
        }
    }
}

void perf_find(PerfFiles *files, Arena *arena, Str folder)
{
    Search search = {.files = files, .arena = arena};
    Folder first = {folder, 0};
    *files = (PerfFiles){.is_cut = false};
    VEC_PUSH(arena, &search.folders, first);
    for (uint32_t i = 0; i < search.folders.count && !files->is_cut; i++) {
        look_into(&search, search.folders.items[i]);
    }
    strs_sort_unique(&files->others);
}
