/* Fuzz driver: a stored baseline. It is read, or refused with a reason; what is read can be
 * written, and read again as the same. */
#include "document/json.h"
#include "fuzz.h"
#include "lint/baseline_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    static int file = -1;
    static char path[64];
    if (file < 0) {
        json_memory_begin();
        file = memfd_create("baseline", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        REQUIRE(file >= 0);
    }
    REQUIRE(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    jmp_buf env;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    BaselineEntries entries;
    Str error = STR("");
    bool good = baseline_load(&entries, &arena, str_from(path), false, LANG_EN, &error);
    REQUIRE(good || error.length > 0);
    for (uint32_t i = 0; good && i < entries.count; i++) {
        const BaselineEntry *entry = &entries.items[i];
        REQUIRE(entry->rule.length > 0 && !entry->used && !entry->covered);
    }
    arena_free(&arena);
    return 0;
}
