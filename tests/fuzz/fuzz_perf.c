/* Fuzz driver: a trace, as `perf` reads it, and the figures made from it; the same bytes as logs of
 * waits and counters. */
#include "document/json.h"
#include "fuzz.h"
#include "perf/analysis.h"
#include "perf/profile.h"

#include <math.h>

static void read_logs(Arena *arena, Str text)
{
    CoreTable table;
    bool found[] = {waits_read(&table, arena, text), false};
    REQUIRE(found[0] == (table.cores.count > 0));
    found[1] = counters_read(&table, arena, text);
    for (uint32_t i = 0; found[1] && i < table.cores.count; i++) {
        for (int k = 0; k < COUNTER_FIGURES; k++) {
            REQUIRE(isfinite(table.cores.items[i].value[k]));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena;
    jmp_buf env;
    json_memory_begin();
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    Trace trace;
    Str error = STR("");
    Str text = str_copy(&arena, (Str){.at = (const char *)data, .length = size});
    read_logs(&arena, text);
    if (trace_read(&trace, &arena, text, &error) && trace.events.count > 0) {
        Analysis analysis;
        analyse(&analysis, &arena, &trace);
        REQUIRE(isfinite(analysis.length) && analysis.length >= 0);
        REQUIRE(analysis.chain_events >= 1 && analysis.chain_events <= trace.events.count);
        for (uint32_t i = 0; i < analysis.lanes.count; i++) {
            REQUIRE(analysis.lanes.items[i].busy <= analysis.length * (1 + 1e-9) + 1e-9);
        }
        for (uint32_t i = 0; i < trace.flows.count; i++) {
            REQUIRE(trace.flows.items[i].to < trace.events.count);
        }
    }
    arena_free(&arena);
    return 0;
}
