/* Fuzz driver: a trace, as `perf` reads it, and the figures made from it; the same bytes as logs of
 * waits and counters. */
#include "document/json.h"
#include "fuzz.h"
#include "perf/analysis.h"
#include "perf/profile.h"

#include <math.h>

static void require_figures(const CoreTable *table, int figures)
{
    REQUIRE(table->cores.count <= PROFILE_MOST_CORES);
    for (uint32_t i = 0; i < table->cores.count; i++) {
        for (int k = 0; k < figures; k++) {
            REQUIRE(isfinite(table->cores.items[i].value[k]));
            REQUIRE(table->cores.items[i].value[k] >= 0);
        }
    }
}

static void read_logs(Arena *arena, Str text)
{
    CoreTable table;
    REQUIRE(waits_read(&table, arena, text) == (table.cores.count > 0));
    require_figures(&table, WAIT_FIGURES);
    REQUIRE(counters_read(&table, arena, text) == (table.cores.count > 0));
    require_figures(&table, COUNTER_FIGURES);
}

/* What is printed of an analysis is a number. */
static void require_analysis(const Analysis *analysis, const Trace *trace)
{
    REQUIRE(isfinite(analysis->length) && analysis->length >= 0);
    REQUIRE(isfinite(analysis->idle) && isfinite(analysis->chain_waited));
    REQUIRE(analysis->chain_events >= 1 && analysis->chain_events <= trace->events.count);
    REQUIRE(analysis->gap_count <= PERF_GAPS && analysis->hint_count <= PERF_HINTS);
    for (uint32_t i = 0; i < analysis->lanes.count; i++) {
        REQUIRE(analysis->lanes.items[i].busy <= analysis->length * (1 + 1e-9) + 1e-9);
    }
    for (uint32_t i = 0; i < analysis->lines.count; i++) {
        REQUIRE(isfinite(analysis->lines.items[i].time));
        REQUIRE(isfinite(analysis->lines.items[i].share));
    }
    for (uint32_t i = 0; i < analysis->hint_count; i++) {
        REQUIRE(isfinite(analysis->hints[i].figure) && isfinite(analysis->hints[i].other));
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
        require_analysis(&analysis, &trace);
        for (uint32_t i = 0; i < trace.flows.count; i++) {
            REQUIRE(trace.flows.items[i].to < trace.events.count);
        }
    }
    arena_free(&arena);
    return 0;
}
