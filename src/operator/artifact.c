/* Artifact: see artifact.h. */
#include "operator/artifact.h"

#include "base/fence.h"
#include "operator/operator.h"

/* The folder that a path is in, "." without one. */
static Str folder_of(Str path)
{
    size_t end = path.length - path_basename(path).length;
    while (end > 1 && path.at[end - 1] == '/') {
        end--;
    }
    return end == 0 ? STR(".") : str_slice(path, 0, end);
}

FileStatus artifact_read(Arena *arena, Str path, size_t limit, Str *text, Str *error)
{
    Str folder = folder_of(path);
    Str name = path_basename(folder);
    if (str_is(name, "eval") || str_is(name, "modules")) {
        folder = path_join(arena, folder, STR(".."));
    }
    return fence_read(arena, fence_of(arena, folder), str_dup(arena, path), limit, text, error);
}
