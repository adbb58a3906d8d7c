/* Fuzz driver: what git prints about changes. The first NUL NUL NUL parts the diff from the names
 * of untracked files. Each file is listed once, sorted, below the top; questions about them end. */
#include "fuzz.h"
#include "lint/changes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    Str text = {(const char *)data, size};
    size_t middle = str_find(text, STR("\0\0\0"), 0);
    Str diff = str_slice(text, 0, middle);
    Str names = middle == SIZE_MAX ? STR("") : str_slice(text, middle + 3, size);
    Changes changes = {.top = STR("/top")};
    changes_parse(&changes, &arena, diff, names);
    for (uint32_t i = 0; i < changes.files.count; i++) {
        const ChangedFile *file = &changes.files.items[i];
        REQUIRE(str_starts(file->path, STR("/top/")));
        REQUIRE(i == 0 || str_compare(changes.files.items[i - 1].path, file->path) < 0);
        REQUIRE(changes_touch(&changes, file->path, false));
    }
    REQUIRE(changes_touch(&changes, STR("/"), true) == (changes.files.count > 0));
    (void)changes_touch(&changes, STR("/top/a"), true);
    arena_free(&arena);
    return 0;
}
