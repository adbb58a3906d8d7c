/* Writing a new operator directory, whole or not at all; see starter.h. */
#include "cli/starter.h"

#include "base/fence.h"
#include "base/file.h"
#include "base/path.h"
#include "harness/scaffold/scaffold.h"
#include "operator/operator.h"
#include "platform/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What was made so far, to be removed when the program ends before the folder has its name. That
 * takes neither memory nor descriptors, as a lack of these may be why it ends. */
enum { MOST_MADE = 96, MOST_PATH = 1024 };
static struct {
    char paths[MOST_MADE][MOST_PATH]; /* folders before what is in them */
    uint32_t count;
} made_so_far;

static void remove_made(void)
{
    for (uint32_t i = made_so_far.count; i > 0; i--) {
        const char *path = made_so_far.paths[i - 1];
        if (unlink(path) != 0) {
            rmdir(path);
        }
    }
    made_so_far.count = 0;
}

static bool is_noted(Str path)
{
    for (uint32_t i = 0; i < made_so_far.count; i++) {
        if (str_is(path, made_so_far.paths[i])) {
            return true;
        }
    }
    return false;
}

/* To be called before the path is made. False with a message. */
static bool note_made(Str path)
{
    if (is_noted(path)) {
        return true;
    }
    if (path.length >= MOST_PATH || made_so_far.count == MOST_MADE) {
        print_error("%.*s: the path is too long", STR_ARG(path));
        return false;
    }
    char *to = made_so_far.paths[made_so_far.count++];
    memcpy(to, path.at, path.length);
    to[path.length] = '\0';
    return true;
}

static bool write_one(Arena *arena, Str dir, const StarterFile *file)
{
    Str path = str_from(str_dup(arena, path_join(arena, dir, file->path)));
    Str folder = str_from(str_dup(arena, path_parent(path))), error = STR("");
    bool is_new = !file_is_directory(folder.at);
    if (is_new && !note_made(folder)) {
        return false;
    }
    if (is_new && mkdir(folder.at, 0777) != 0) {
        print_error("%.*s: %s", STR_ARG(file->path), strerror(errno));
        return false;
    }
    if (!note_made(path)) {
        return false;
    }
    if (!fence_write(arena, STR(""), path.at, file->text, &error)) {
        print_error("%.*s: %.*s", STR_ARG(file->path), STR_ARG(error));
        return false;
    }
    return true;
}

typedef bool ScaffoldMaker(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error);

/* What `scaffold` makes of the files so far: inputs and suite, tests of the phases, the test. They
 * are added to the files of the starter. */
static bool scaffold_one(Starter *starter, Str dir, ScaffoldMaker *make, uint32_t module)
{
    ScaffoldRequest request = {.op_dir = dir, .op_name = starter->op, .module = module};
    Scaffold scaffold = {0};
    ScaffoldWritten done;
    Str error = STR("");
    bool good = make(starter->arena, &request, &scaffold, &error);
    for (uint32_t i = 0; good && i < scaffold.files.count; i++) {
        if (!note_made(scaffold.files.items[i].path)) {
            return false;
        }
    }
    if (!good || !scaffold_write(starter->arena, &scaffold, false, &done, &error)) {
        print_error("%.*s", STR_ARG(error));
        return false;
    }
    for (uint32_t i = 0; i < scaffold.files.count; i++) {
        StarterFile file = {STR(""), scaffold.files.items[i].text};
        if (path_below(dir, scaffold.files.items[i].path, &file.path) &&
            !scaffold.files.items[i].keep) {
            VEC_PUSH(starter->arena, &starter->files, file);
        }
    }
    return true;
}

static bool write_all(Starter *starter, Str dir)
{
    for (uint32_t i = 0; i < starter->files.count; i++) {
        if (!write_one(starter->arena, dir, &starter->files.items[i])) {
            return false;
        }
    }
    bool good = starter->modules == 1 || scaffold_one(starter, dir, scaffold_eval, 0);
    for (uint32_t k = 1; good && starter->modules > 1 && k <= starter->modules; k++) {
        good = scaffold_one(starter, dir, scaffold_module, k);
    }
    return good && scaffold_one(starter, dir, scaffold_e2e, 0);
}

bool starter_write(Starter *starter, Str dir)
{
    Arena *arena = starter->arena;
    struct stat info;
    dir = str_from(str_dup(arena, path_without_slash(dir)));
    if (file_lstat(dir.at, &info)) {
        print_error("%s is there already; nothing was written", dir.at);
        return false;
    }
    Str parent = str_from(str_dup(arena, path_parent(dir)));
    atexit(remove_made);
    if (mkdir(parent.at, 0777) == 0) {
        note_made(parent);
    } else if (errno != EEXIST) {
        print_error("%.*s: %s", STR_ARG(parent), strerror(errno));
        return false;
    }
    Str made = str_format(arena, "%.*s/.%.*s.XXXXXX", STR_ARG(parent), STR_ARG(starter->op));
    char *folder = str_dup(arena, made);
    if (mkdtemp(folder) == NULL) {
        print_error("%s: %s", dir.at, strerror(errno));
        return false;
    }
    made = str_from(folder);
    mode_t mask = umask(0);
    umask(mask);
    if (!note_made(made)) {
        rmdir(folder);
        return false;
    }
    if (chmod(folder, 0777 & ~mask) != 0 || !write_all(starter, made)) {
        return false;
    }
    if (!platform_rename_new(made.at, dir.at)) {
        print_error("%s: %s", dir.at, strerror(errno));
        return false;
    }
    made_so_far.count = 0;
    return true;
}
