/* Changes: see changes.h.
 *
 * One `git diff --raw -p -U0 -z` gives the names (NUL-terminated, as they are) and, for --new-only,
 * after an empty name, the hunks. A comparison with the working tree does not know files that git
 * does not track yet: `git ls-files` adds them. */
#include "lint/changes.h"

#include "base/ascii.h"
#include "base/io_error.h"
#include "base/path.h"
#include "base/search.h"
#include "lint/git.h"

#include <errno.h>
#include <stdlib.h>

bool changes_wanted(const Request *request)
{
    return request->what.staged || request->what.changed_since.length > 0;
}

/* --- searching */

/* Index of the first file whose path is not less than `path`. */
static uint32_t lower_bound(const Changes *changes, Str path)
{
    uint32_t low;
    LOWER_BOUND(low, changes->files.count, str_compare(changes->files.items[low].path, path) < 0);
    return low;
}

static ChangedFile *find(const Changes *changes, Str path)
{
    uint32_t at = lower_bound(changes, path);
    bool found = at < changes->files.count && str_equal(changes->files.items[at].path, path);
    return found ? &changes->files.items[at] : NULL;
}

/* Is `path` below the folder (its slash included)? <0 and >0: it sorts before or after all that
 * is. */
static int compare_below(Str path, Str folder)
{
    Str head = str_slice(path, 0, folder.length);
    int order = str_compare(head, folder);
    if (order == 0 && path.length > folder.length) {
        order = (unsigned char)path.at[folder.length] - '/';
    } else if (order == 0) {
        order = -1;
    }
    return order;
}

bool changes_touch(const Changes *changes, Str real, bool is_folder)
{
    if (!is_folder || str_is(real, "/")) {
        return is_folder ? changes->files.count > 0 : find(changes, real) != NULL;
    }
    uint32_t low;
    LOWER_BOUND(low, changes->files.count, compare_below(changes->files.items[low].path, real) < 0);
    return low < changes->files.count && compare_below(changes->files.items[low].path, real) == 0;
}

bool changes_keep(const Changes *changes, Str real, const Finding *finding)
{
    if (finding->region.line == 0 || finding->rule == &rule_ol00) {
        return true;
    }
    const ChangedFile *file = find(changes, real);
    if (file == NULL || file->all) {
        return file != NULL;
    }
    const Region *region = &finding->region;
    uint32_t last = region->end_line < region->line ? region->line : region->end_line;
    if (last > region->line && region->end_column <= 1) {
        last--;
    }
    uint32_t low;
    LOWER_BOUND(low, file->lines.count, file->lines.items[low].last < region->line);
    return low < file->lines.count && file->lines.items[low].first <= last;
}

/* --- reading what git prints */

static void add_file(Changes *changes, Arena *arena, Str name, bool all)
{
    ChangedFile file = {.path = path_join(arena, changes->top, name), .all = all};
    VEC_PUSH(arena, &changes->files, file);
}

static Str next_name(Str text, size_t *at)
{
    size_t end = str_find(text, STR("\0"), *at);
    end = end == SIZE_MAX ? text.length : end;
    Str name = str_slice(text, *at, end);
    *at = end + 1;
    return name;
}

/* Names of `--raw -z`; returns where the hunks begin. */
static size_t read_raw(Changes *changes, Arena *arena, Str text)
{
    size_t at = 0;
    while (at < text.length && text.at[at] == ':') {
        Str record = next_name(text, &at);
        bool added = record.length > 0 && record.at[record.length - 1] == 'A';
        add_file(changes, arena, next_name(text, &at), added);
    }
    return at;
}

static int octal(Str text, size_t at)
{
    int value = 0;
    for (size_t i = at; i < at + 3; i++) {
        if (i >= text.length || text.at[i] < '0' || text.at[i] > '7') {
            return -1;
        }
        value = value * 8 + (text.at[i] - '0');
    }
    return value;
}

/* A name as git writes it in a patch: as it is, or quoted as in C. */
static Str unquote(Arena *arena, Str text)
{
    if (text.length == 0 || text.at[0] != '"') {
        /* A tab marks the end of a name with blanks. */
        return text.length > 0 && text.at[text.length - 1] == '\t'
                   ? str_slice(text, 0, text.length - 1)
                   : text;
    }
    static const char letters[] = "abtnvfr\"\\";
    static const char meant[] = "\a\b\t\n\v\f\r\"\\";
    Buf name = {.arena = arena};
    buf_add(&name, STR(""));
    for (size_t i = 1; i < text.length && text.at[i] != '"'; i++) {
        if (text.at[i] != '\\' || i + 1 >= text.length) {
            buf_add_char(&name, text.at[i]);
            continue;
        }
        i++;
        const char *letter = memchr(letters, text.at[i], sizeof letters - 1);
        int code = octal(text, i);
        if (code >= 0) {
            buf_add_char(&name, (char)(unsigned char)code);
            i += 2;
        } else if (letter != NULL) {
            buf_add_char(&name, meant[letter - letters]);
        }
    }
    return buf_str(&name);
}

/* "3" or "3,2" at `*at`; the count is 1 when it is not there. */
static void read_range(Str line, size_t *at, uint32_t *start, uint32_t *count)
{
    uint64_t numbers[] = {0, 1};
    for (int i = 0; i < 2; i++) {
        if (i == 1 && (*at >= line.length || line.at[*at] != ',')) {
            break;
        }
        *at += i == 1;
        numbers[i] = 0;
        while (*at < line.length && is_digit(line.at[*at]) && numbers[i] < UINT32_MAX / 2) {
            numbers[i] = numbers[i] * 10 + (unsigned)(line.at[(*at)++] - '0');
        }
    }
    *start = (uint32_t)(numbers[0] < UINT32_MAX / 2 ? numbers[0] : UINT32_MAX / 2);
    *count = (uint32_t)(numbers[1] < UINT32_MAX / 2 ? numbers[1] : UINT32_MAX / 2);
}

/* "@@ -a,b +c,d @@": remembers the new lines; returns how many lines of text follow. Where lines
 * were only deleted, the lines before and after the gap count. */
static uint64_t read_hunk(Arena *arena, ChangedFile *file, Str line)
{
    uint32_t old_start;
    uint32_t old_count;
    uint32_t start;
    uint32_t count;
    size_t at = 4;
    read_range(line, &at, &old_start, &old_count);
    at += 2;
    read_range(line, &at, &start, &count);
    if (file != NULL) {
        LineRange range = {start, count > 0 ? start + count - 1 : start + 1};
        VEC_PUSH(arena, &file->lines, range);
    }
    return (uint64_t)old_count + count;
}

static void read_hunks(Changes *changes, Arena *arena, Str text, size_t at)
{
    ChangedFile *file = NULL;
    uint64_t skip = 0;
    while (at < text.length) {
        size_t end = str_find(text, STR("\n"), at);
        end = end == SIZE_MAX ? text.length : end;
        Str line = str_slice(text, at, end);
        at = end + 1;
        if (str_starts(line, STR("\\"))) {
            continue; /* no line end at the end of the file */
        }
        if (skip > 0) {
            skip--;
        } else if (str_starts(line, STR("+++ "))) {
            Str name = unquote(arena, str_slice(line, 4, line.length));
            bool real = str_starts(name, STR("b/"));
            Str path = path_join(arena, changes->top, str_slice(name, real ? 2 : 0, name.length));
            file = real ? find(changes, path) : NULL;
        } else if (str_starts(line, STR("@@ -"))) {
            skip = read_hunk(arena, file, line);
        } else if (str_starts(line, STR("diff "))) {
            file = NULL;
        }
    }
}

static int by_path(const void *a, const void *b)
{
    return str_compare(((const ChangedFile *)a)->path, ((const ChangedFile *)b)->path);
}

static void sort_files(Changes *changes)
{
    if (changes->files.count < 2) {
        return;
    }
    ChangedFile *files = changes->files.items;
    qsort(files, changes->files.count, sizeof *files, by_path);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < changes->files.count; i++) {
        if (str_equal(files[i].path, files[kept - 1].path)) {
            files[kept - 1].all = files[kept - 1].all || files[i].all;
        } else {
            files[kept++] = files[i];
        }
    }
    changes->files.count = kept;
}

void changes_parse(Changes *changes, Arena *arena, Str diff, Str untracked)
{
    size_t hunks = read_raw(changes, arena, diff);
    for (size_t at = 0; at < untracked.length;) {
        add_file(changes, arena, next_name(untracked, &at), true);
    }
    sort_files(changes);
    read_hunks(changes, arena, diff, hunks);
}

/* --- asking git */

static bool is_object_id(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (hex_digit(text.at[i]) < 0 || text.at[i] != lower_case(text.at[i])) {
            return false;
        }
    }
    return text.length == 40 || text.length == 64;
}

/* What one reading needs. */
typedef struct Reading {
    Changes *changes;
    Arena *arena;
    const Request *request;
    GitRepository repository;
    Str index;
    Str *error;
    bool good;
} Reading;

static bool ask(const Reading *reading, const char *const *arguments, Str *out, Str *error)
{
    const GitCall call = {.repository = &reading->repository,
                          .arguments = arguments,
                          .index = reading->index,
                          .lang = reading->request->who.lang};
    return git_run(reading->arena, &call, out, error);
}

/* For --changed-since, the id of the commit. */
static bool find_commit(const Reading *reading, Str *commit)
{
    if (reading->request->what.staged) {
        return true;
    }
    Arena *arena = reading->arena;
    Str rev = reading->request->what.changed_since;
    Str peeled = str_format(arena, "%.*s^{commit}", STR_ARG(rev));
    const char *which[] = {"rev-parse", "--verify", "--quiet", "--end-of-options", peeled.at, NULL};
    Str out;
    Str reason = STR("");
    bool found = ask(reading, which, &out, &reason);
    *commit = str_trim(out);
    if (!found || !is_object_id(*commit)) {
        Text text = {"--changed-since: git knows no revision '%.*s'",
                     "--changed-since：git 中没有版本 '%.*s'"};
        *reading->error =
            str_format(arena, text_in(reading->request->who.lang, text), STR_ARG(rev));
        return false;
    }
    return true;
}

static bool ask_untracked(const Reading *reading, Str *names)
{
    const char *untracked[] = {"ls-files", "--others",    "--exclude-standard",
                               "-z",       "--full-name", NULL};
    return ask(reading, untracked, names, reading->error);
}

static bool ask_changes(Reading *reading)
{
    const Request *request = reading->request;
    Arena *arena = reading->arena;
    Str commit = STR("");
    Str out;
    if (!find_commit(reading, &commit)) {
        return false;
    }
    const char *base = request->what.staged ? "--cached" : str_dup(arena, commit);
    const char *patch = request->what.new_only ? "--patch" : "--raw";
    const char *diff[] = {"diff",
                          "--no-ext-diff",
                          "--no-textconv",
                          "--no-color",
                          "--no-renames",
                          "--no-relative",
                          "--ignore-submodules",
                          "--text",
                          "--src-prefix=a/",
                          "--dst-prefix=b/",
                          "--raw",
                          patch,
                          "-U0",
                          "--inter-hunk-context=0",
                          "-z",
                          base,
                          "--",
                          NULL};
    if (!request->what.new_only) {
        diff[12] = "--abbrev"; /* -U0 would ask for the patch */
    }
    if (!ask(reading, diff, &out, reading->error)) {
        return false;
    }
    Str untracked = STR("");
    if (!request->what.staged && !ask_untracked(reading, &untracked)) {
        return false;
    }
    changes_parse(reading->changes, arena, out, untracked);
    return true;
}

static void read_opened(void *argument)
{
    Reading *reading = argument;
    reading->good = ask_changes(reading);
}

static bool find_repository(Reading *reading, const char *folder)
{
    Arena *arena = reading->arena;
    Lang lang = reading->request->who.lang;
    GitRepository *repository = &reading->repository;
    if (git_repository_find(arena, path_real(arena, str_from(folder)), repository) !=
        REPOSITORY_FOUND) {
        Text text = {"not a git repository: neither '%s' nor any folder above has a valid .git",
                     "不是 git 仓库：'%s' 及其上级目录都没有有效的 .git"};
        *reading->error = str_format(arena, text_in(lang, text), folder);
        return false;
    }
    reading->index = git_repository_index(arena, repository);
    if (!git_repository_open(arena, repository)) {
        Text text = {"cannot make a temporary folder for git: %.*s",
                     "无法为 git 创建临时目录：%.*s"};
        Str reason = system_reason(arena, errno);
        *reading->error = str_format(arena, text_in(lang, text), STR_ARG(reason));
        return false;
    }
    return true;
}

bool changes_read(Changes *changes, Arena *arena, const Request *request, const char *folder,
                  Str *error)
{
    *changes = (Changes){0};
    Reading reading = {.changes = changes, .arena = arena, .request = request, .error = error};
    if (!find_repository(&reading, folder)) {
        return false;
    }
    changes->top = reading.repository.top;
    bool complete = arena_try(arena, read_opened, &reading);
    git_repository_close(&reading.repository);
    if (!complete) {
        arena_fail(arena);
    }
    return reading.good;
}
