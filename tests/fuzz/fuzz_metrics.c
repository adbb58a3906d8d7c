/* Fuzz driver: a log of metrics, as `stats` reads it. */
#include "document/json.h"
#include "fuzz.h"
#include "metrics/stats.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    static Stats stats;
    static int file = -1;
    if (file < 0) {
        json_memory_begin();
        file = memfd_create("metrics", MFD_CLOEXEC);
        REQUIRE(file >= 0);
    }
    REQUIRE(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size &&
            lseek(file, 0, SEEK_SET) == 0);
    jmp_buf env;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    Str error = STR("");
    stats = (Stats){0};
    REQUIRE(stats_read(&stats, &arena, file, &(StatsFilter){0}, &error));
    REQUIRE(stats.ops.count <= STATS_MAX_OPS + 1 && stats.runs.count <= STATS_MAX_RUNS);
    for (uint32_t i = 0; i < stats.runs.count; i++) {
        REQUIRE(stats_run(&stats, i)->op < stats.ops.count);
    }
    arena_free(&arena);
    return 0;
}
