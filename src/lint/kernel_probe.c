/* Kernel probe: see kernel_probe.h. */
#include "lint/kernel_probe.h"

#include "base/fence.h"

bool kernel_probe(Arena *arena, Str fence, const char *path, size_t limit, FileStatus *status,
                  size_t *length)
{
    Arena scratch;
    jmp_buf env;
    arena_init(&scratch, 0);
    if (!OOM_GUARD(&scratch, env)) {
        arena_free(&scratch);
        arena_fail(arena);
    }
    Str text = STR("");
    *status = fence_read(&scratch, fence, path, limit, &text, NULL);
    *length = text.length;
    bool found =
        *status == FILE_OK && str_contains(text, STR("jit")) && str_contains(text, STR("pypto"));
    arena_free(&scratch);
    return found;
}
