/* IgnoreLevel: finding and reading .gitignore files and a repository's info/exclude. */
#include "lint/ignore_level.h"

#include "base/path.h"

/* The repository's own folder when `folder` is the top of a work tree, else empty. A worktree and a
 * submodule have a file `.git` that names it; info/exclude is then in the common folder. */
static Str git_folder(Arena *arena, Str folder)
{
    enum { LINK_MAX_BYTES = 8192 };
    Str git = path_join(arena, folder, STR(".git"));
    if (file_is_directory(git.at)) {
        return file_exists(path_join(arena, git, STR("HEAD")).at) ? git : STR("");
    }
    Str text;
    if (file_read(arena, git.at, LINK_MAX_BYTES, &text, NULL) != FILE_OK ||
        !str_starts(text, STR("gitdir:"))) {
        return STR("");
    }
    Str target = str_trim(str_slice(text, sizeof "gitdir:" - 1, text.length));
    bool absolute = target.length > 0 && target.at[0] == '/';
    git = path_join(arena, absolute ? STR("") : folder, target);
    Str common = path_join(arena, git, STR("commondir"));
    if (file_read(arena, common.at, LINK_MAX_BYTES, &text, NULL) == FILE_OK) {
        target = str_trim(text);
        absolute = target.length > 0 && target.at[0] == '/';
        git = path_join(arena, absolute ? STR("") : git, target);
    }
    return git;
}

static void read_patterns(IgnoreReader *reader, IgnorePatterns *patterns, Str path)
{
    Str text;
    Str reason = STR("");
    FileStatus status = file_read(reader->arena, path.at, IGNORE_MAX_BYTES, &text, &reason);
    if (status == FILE_OK) {
        ignore_patterns_read(patterns, reader->arena, text);
    } else if (status == FILE_ERROR || status == FILE_TOO_LARGE) {
        const char *format =
            text_in(reader->lang, (Text){"ignore patterns not read: %.*s", "未读取忽略规则：%.*s"});
        Notice notice = {.file = path,
                         .message = str_format(reader->arena, format, STR_ARG(reason))};
        VEC_PUSH(reader->arena, reader->notices, notice);
    }
}

static IgnoreLevel *new_level(IgnoreReader *reader, const IgnoreLevel *above, Str folder)
{
    IgnoreLevel *level = ARENA_NEW(reader->arena, IgnoreLevel);
    level->above = above;
    level->folder = folder;
    return level;
}

const IgnoreLevel *ignore_level_enter(IgnoreReader *reader, const IgnoreLevel *above, Str folder)
{
    Str git = git_folder(reader->arena, folder);
    if (git.length > 0) {
        IgnoreLevel *bottom = new_level(reader, NULL, folder);
        read_patterns(reader, &bottom->patterns,
                      path_join(reader->arena, git, STR("info/exclude")));
        above = bottom;
    }
    Str path = path_join(reader->arena, folder, STR(".gitignore"));
    struct stat info;
    /* git does not follow a symlink here either. */
    if (above == NULL || !file_lstat(path.at, &info) || !S_ISREG(info.st_mode)) {
        return above;
    }
    IgnoreLevel *level = new_level(reader, above, folder);
    read_patterns(reader, &level->patterns, path);
    return level;
}

const IgnoreLevel *ignore_level_above(IgnoreReader *reader, Str folder)
{
    VEC(Str) folders = {0};
    bool in_repository = false;
    while (folder.length > 1 && !in_repository) {
        folder = path_folder(folder);
        VEC_PUSH(reader->arena, &folders, folder);
        in_repository = git_folder(reader->arena, folder).length > 0;
    }
    const IgnoreLevel *level = NULL;
    for (uint32_t i = in_repository ? folders.count : 0; i > 0; i--) {
        level = ignore_level_enter(reader, level, folders.items[i - 1]);
    }
    return level;
}

bool ignore_level_ignores(const IgnoreLevel *level, Str path, bool is_directory)
{
    for (; level != NULL; level = level->above) {
        Str relative;
        if (!path_below(level->folder, path, &relative)) {
            continue;
        }
        IgnoreVerdict verdict = ignore_patterns_decide(&level->patterns, relative, is_directory);
        if (verdict != IGNORE_UNDECIDED) {
            return verdict == IGNORE_IGNORED;
        }
    }
    return false;
}
