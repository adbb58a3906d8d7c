/* IgnoreLevel: finding and reading .gitignore files and a repository's info/exclude. */
#include "lint/ignore_level.h"

#include "base/path.h"
#include "lint/git_repository.h"

static void read_patterns(IgnoreReader *reader, IgnorePatterns *patterns, Str path)
{
    Str text;
    Str reason = STR("");
    FileStatus status = file_read(reader->arena, path.at, IGNORE_MAX_BYTES, &text, &reason);
    if (status == FILE_OK) {
        ignore_patterns_read(patterns, reader->arena, text);
    } else if (status == FILE_ERROR || status == FILE_TOO_LARGE) {
        notice_add(reader->notices, path, false, "ignore patterns not read: %.*s",
                   "未读取忽略规则：%.*s", STR_ARG(reason));
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
    GitRepository repository;
    if (git_repository_at(reader->arena, folder, &repository) == REPOSITORY_FOUND) {
        IgnoreLevel *bottom = new_level(reader, NULL, folder);
        read_patterns(reader, &bottom->patterns,
                      path_join(reader->arena, repository.common, STR("info/exclude")));
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
        GitRepository repository;
        in_repository = git_repository_at(reader->arena, folder, &repository) == REPOSITORY_FOUND;
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
