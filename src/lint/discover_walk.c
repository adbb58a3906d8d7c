/* Walk: depth first over a stack of folders, symlinks last.
 *
 * Real folders come before symlinks, so that what can be reached both ways is reported under its
 * real path. Skipped: hidden folders, what git ignores, installed packages. */
#include "lint/discover_walk.h"

#include "base/fence.h"
#include "base/path.h"
#include "lint/dirset.h"
#include "lint/ignore_level.h"
#include "lint/kernel_probe.h"
#include "lint/operator_folder.h"

typedef struct Frame {
    Str path, real;
    const IgnoreLevel *above; /* that apply in the folder above */
    bool linked;              /* reached through a symlink */
    const Config *config;     /* that counts in the folder above; NULL: none */
    bool plain;               /* there is no operator directory in it */
} Frame;
typedef VEC(Frame) Frames;

typedef struct Walk {
    Arena *arena;
    Discovered *found;
    DiscoverOptions options;
    Notices *notices;
    IgnoreReader ignore;
    DirSet seen;
    Str root; /* real */
    Str fence;
    Frames folders, links;
} Walk;

void discover_notice(Notices *notices, bool is_error, Str path, Text what, Str reason)
{
    const char *text = text_in(notices->lang, what);
    notice_add(notices, path, is_error, "%s%s%.*s", "%s%s%.*s", text, reason.length > 0 ? ": " : "",
               STR_ARG(reason));
}

static void notice(Walk *walk, Str path, const char *en, const char *zh)
{
    discover_notice(walk->notices, false, path, (Text){en, zh}, STR(""));
}

/* Folders that contain other people's code or none at all; `exclude` takes the place of the
 * list. */
static bool is_skipped_name(const Config *config, Str name)
{
    if (config != NULL && config->has_exclude) {
        return str_is(name, ".git");
    }
    static const char *const names[] = {"node_modules", "site-packages", "__pypackages__",
                                        "__pycache__"};
    return STR_IS_ANY(name, names) || str_starts(name, STR("."));
}

/* Python files beyond this are not even searched for a kernel. */
enum { PROBE_MAX_BYTES = 64 * 1024 * 1024 };

/* A file over the size limit is worth a notice only if it might be one. */
static bool may_hold_kernel(Walk *walk, Str path)
{
    FileStatus status;
    size_t length;
    bool may = kernel_probe(walk->arena, walk->fence, path.at, PROBE_MAX_BYTES, &status, &length);
    bool large = status == FILE_TOO_LARGE || (may && length > walk->options.max_file);
    if (large) {
        notice(walk, path, "file not read: too large", "未读取文件：文件过大");
    } else if (status == FILE_ERROR) {
        notice(walk, path, "file not read", "未读取文件");
    }
    return may && !large;
}

static void add_file(Walk *walk, Str path, Str real, bool linked)
{
    if (may_hold_kernel(walk, path)) {
        DiscoveredItem item = {
            .kind = DISCOVERED_FILE, .path = path, .real = real, .linked = linked};
        VEC_PUSH(walk->arena, walk->found, item);
    }
}

static void visit_entry(Walk *walk, const Frame *frame, const IgnoreLevel *level,
                        const DirEntry *entry)
{
    bool python = str_ends(entry->name, STR(".py"));
    bool wanted = entry->is_directory ? !is_skipped_name(frame->config, entry->name)
                                      : (entry->is_symlink || (entry->is_regular && python));
    if (!wanted) {
        return;
    }
    Str real = path_join(walk->arena, frame->real, entry->name);
    if (!walk->options.with_ignored && ignore_level_ignores(level, real, entry->is_directory)) {
        return;
    }
    if (frame->config != NULL && config_excludes(frame->config, real, entry->is_directory)) {
        return;
    }
    Frame inner = *frame;
    inner.path = path_join(walk->arena, frame->path, entry->name);
    inner.real = real;
    inner.above = level;
    if (entry->is_directory) {
        VEC_PUSH(walk->arena, &walk->folders, inner);
    } else if (entry->is_symlink) {
        VEC_PUSH(walk->arena, &walk->links, inner);
    } else {
        add_file(walk, inner.path, inner.real, inner.linked);
    }
}

/* A folder may have settings of its own, which then count in it. */
static void take_settings(Walk *walk, Frame *frame, const DirEntries *entries)
{
    Plan *plan = walk->options.plan;
    if (plan != NULL && (entries_find(entries, STR(CONFIG_FILE_NAME)) != NULL ||
                         entries_find(entries, STR(CONFIG_PROJECT_FILE)) != NULL)) {
        frame->config = &plan_settings(plan, frame->real, walk->notices->lang)->config;
        frame->plain = discover_is_plain(walk->arena, walk->options, frame->config, frame->real);
    }
}

static void visit_folder(Walk *walk, Frame *frame)
{
    bool missing;
    DirEntries entries;
    if (!dirset_add(&walk->seen, frame->real.at, &missing) && !missing) {
        return;
    }
    if (missing || !directory_list(walk->arena, frame->real.at, &entries)) {
        notice(walk, frame->path, "folder not read", "未读取文件夹");
        return;
    }
    Str name = path_name(frame->real);
    take_settings(walk, frame, &entries);
    if (!frame->plain && entries_are_operator(walk->arena, &entries, frame->real)) {
        DiscoveredItem item = {.kind = DISCOVERED_OPERATOR,
                               .path = frame->path,
                               .real = frame->real,
                               .name = name,
                               .whole = true,
                               .linked = frame->linked};
        VEC_PUSH(walk->arena, walk->found, item);
        return;
    }
    if (entries_find(&entries, STR("pyvenv.cfg")) != NULL && !str_equal(frame->real, walk->root)) {
        return; /* a virtual environment */
    }
    const IgnoreLevel *level = ignore_level_enter(&walk->ignore, frame->above, frame->real);
    for (uint32_t i = entries.count; i > 0; i--) {
        visit_entry(walk, frame, level, &entries.items[i - 1]);
    }
}

/* Is the place inside an operator directory of the tree? That directory answers for it. */
static bool is_inside_operator(Walk *walk, Str real)
{
    Str relative;
    for (Str folder = path_folder(real);; folder = path_folder(folder)) {
        bool below = path_below(walk->root, folder, &relative);
        if (!below && !str_equal(folder, walk->root)) {
            return false;
        }
        if (is_operator_folder(walk->arena, folder)) {
            return true;
        }
    }
}

static void visit_link(Walk *walk, const Frame *link)
{
    Str relative;
    Str target = path_real(walk->arena, link->real);
    if (target.length == 0 || !path_below(walk->root, target, &relative) ||
        (!link->plain && is_inside_operator(walk, target))) {
        return;
    }
    if (file_is_directory(target.at)) {
        Frame frame = *link;
        frame.real = target;
        frame.above = ignore_level_above(&walk->ignore, target);
        frame.linked = true;
        VEC_PUSH(walk->arena, &walk->folders, frame);
    } else if (file_is_regular(target.at) && str_ends(link->path, STR(".py"))) {
        add_file(walk, link->path, target, true);
    }
}

void discover_walk(Discovered *found, Arena *arena, Str path, Str real, DiscoverOptions options,
                   Notices *notices)
{
    Walk walk = {.arena = arena,
                 .found = found,
                 .options = options,
                 .notices = notices,
                 .root = real,
                 .fence = fence_of(arena, real),
                 .ignore = {arena, notices},
                 .seen = {.arena = arena}};
    const Config *config =
        options.plan == NULL ? NULL : &plan_settings(options.plan, real, notices->lang)->config;
    Frame first = {path,  real,   ignore_level_above(&walk.ignore, real),
                   false, config, discover_is_plain(arena, options, config, real)};
    VEC_PUSH(arena, &walk.folders, first);
    uint32_t links_done = 0;
    while (walk.folders.count > 0 || links_done < walk.links.count) {
        if (walk.folders.count > 0) {
            Frame frame = walk.folders.items[--walk.folders.count];
            visit_folder(&walk, &frame);
        } else {
            Frame link = walk.links.items[links_done++];
            visit_link(&walk, &link);
        }
    }
}
