/* Scaffold: writing all files or none. */
#include "harness/scaffold/scaffold.h"

#include "base/fence.h"
#include "base/file.h"
#include "operator/operator.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { OLD_MAX_BYTES = 16 * 1024 * 1024 };

/* A file to write, with its old text so that it can be restored. */
typedef struct Step {
    const ScaffoldFile *file;
    bool existed;
    Str before;
    Str made_folder; /* empty: the folder existed */
} Step;
typedef VEC(Step) Steps;

/* Decides which files are written; false if one may not be. */
static bool plan(Arena *arena, const Scaffold *scaffold, bool force, Steps *steps,
                 ScaffoldWritten *done, Str *error)
{
    Buf there = {.arena = arena};
    for (uint32_t i = 0; i < scaffold->files.count; i++) {
        const ScaffoldFile *file = &scaffold->files.items[i];
        Step step = {.file = file, .before = STR(""), .made_folder = STR("")};
        step.existed = file_exists(file->path.at);
        if (step.existed && file->keep) {
            VEC_PUSH(arena, &done->kept, file->path);
            continue;
        }
        if (step.existed && !force) {
            buf_addf(&there, "%s%.*s", there.length == 0 ? "" : ", ", STR_ARG(file->path));
            continue;
        }
        Str reason = STR("not a regular file");
        if (step.existed &&
            file_read(arena, file->path.at, OLD_MAX_BYTES, &step.before, &reason) != FILE_OK) {
            *error = str_format(arena, "%.*s: %.*s", STR_ARG(file->path), STR_ARG(reason));
            return false;
        }
        VEC_PUSH(arena, steps, step);
    }
    if (there.length > 0) {
        *error = str_format(arena, "%.*s: there already (--force replaces it); nothing was written",
                            STR_ARG(buf_str(&there)));
    }
    return there.length == 0;
}

static bool carry_out(Arena *arena, Step *step, Str *error)
{
    Str path = step->file->path, folder = str_from(str_dup(arena, path_parent(path)));
    if (!file_exists(folder.at)) {
        if (mkdir(folder.at, 0777) != 0) {
            *error = str_format(arena, "%.*s: %s", STR_ARG(folder), strerror(errno));
            return false;
        }
        step->made_folder = folder;
    }
    Str reason = STR("");
    if (!fence_write(arena, STR(""), path.at, step->file->text, &reason)) {
        *error = str_format(arena, "%.*s: %.*s", STR_ARG(path), STR_ARG(reason));
        return false;
    }
    return true;
}

/* Restores a file. Errors are ignored: the one that led here is reported. */
static void undo(Arena *arena, const Step *step, bool written)
{
    Str ignored = STR("");
    if (written && step->existed) {
        file_write_atomic(arena, step->file->path.at, step->before, &ignored);
    } else if (written) {
        unlink(step->file->path.at);
    }
    if (step->made_folder.length > 0) {
        rmdir(step->made_folder.at);
    }
}

bool scaffold_write(Arena *arena, const Scaffold *scaffold, bool force, ScaffoldWritten *done,
                    Str *error)
{
    *done = (ScaffoldWritten){0};
    Steps steps = {0};
    if (!plan(arena, scaffold, force, &steps, done, error)) {
        return false;
    }
    for (uint32_t i = 0; i < steps.count; i++) {
        if (carry_out(arena, &steps.items[i], error)) {
            continue;
        }
        undo(arena, &steps.items[i], false);
        for (uint32_t k = i; k > 0; k--) {
            undo(arena, &steps.items[k - 1], true);
        }
        return false;
    }
    for (uint32_t i = 0; i < steps.count; i++) {
        VEC_PUSH(arena, &done->written, steps.items[i].file->path);
    }
    return true;
}
