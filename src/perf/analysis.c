/* Computes the busy times of units and the costs of lines, and calls the other parts of the
 * analysis. */
#include "perf/analysis.h"

#include <stdlib.h>
#include <string.h>

/* ---- lanes ---- */

static void find_span(Analysis *analysis, const Trace *trace)
{
    double end = trace->events.items[0].end;
    analysis->start = trace->events.items[0].start;
    for (uint32_t i = 1; i < trace->events.count; i++) {
        end = trace->events.items[i].end > end ? trace->events.items[i].end : end;
    }
    analysis->length = end - analysis->start;
}

/* Time in which at least one event of the lane ran. */
static double busy_time(const Trace *trace, uint32_t lane)
{
    double busy = 0;
    double until = 0;
    for (uint32_t i = trace->lane_first[lane]; i < trace->lane_first[lane + 1]; i++) {
        const Event *event = &trace->events.items[trace->by_lane[i]];
        bool is_first = i == trace->lane_first[lane];
        double from = is_first || event->start > until ? event->start : until;
        busy += event->end > from ? event->end - from : 0;
        until = is_first || event->end > until ? event->end : until;
    }
    return busy;
}

static void find_lanes(Analysis *analysis, Arena *arena, const Trace *trace)
{
    for (uint32_t lane = 0; lane < trace->lanes.count; lane++) {
        LaneUse use = {.lane = lane,
                       .events = trace->lane_first[lane + 1] - trace->lane_first[lane],
                       .busy = busy_time(trace, lane)};
        use.share = analysis->length > 0 ? use.busy / analysis->length : 0;
        if (use.events > 0) {
            VEC_PUSH(arena, &analysis->lanes, use);
        }
    }
}

/* ---- lines ---- */

typedef struct LineKey {
    uint32_t file, name;
    int32_t line;
} LineKey;
_Static_assert(sizeof(LineKey) == 12, "keys are compared as bytes, so they must have no padding");

static LineKey key_of(const Event *event)
{
    return (LineKey){event->file, event->name, event->file == TRACE_NONE ? 0 : event->line};
}

uint32_t line_of_event(const Analysis *analysis, const Event *event)
{
    LineKey key = key_of(event);
    return map_find(&analysis->line_keys, (Str){.at = (const char *)&key, .length = sizeof key});
}

static void find_lines(Analysis *analysis, Arena *arena, const Trace *trace)
{
    double sum = 0;
    for (uint32_t i = 0; i < trace->events.count; i++) {
        const Event *event = &trace->events.items[i];
        uint32_t number = line_of_event(analysis, event);
        if (number == MAP_NONE) {
            LineKey key = key_of(event);
            Str kept = str_copy(arena, (Str){.at = (const char *)&key, .length = sizeof key});
            LineCost line = {.file = key.file, .name = key.name, .line = key.line};
            number = map_add(&analysis->line_keys, arena, kept);
            VEC_PUSH(arena, &analysis->lines, line);
        }
        LineCost *line = &analysis->lines.items[number];
        line->events++;
        line->time += event->end - event->start;
        line->bytes += event->bytes;
        sum += event->end - event->start;
    }
    for (uint32_t i = 0; i < analysis->lines.count; i++) {
        LineCost *line = &analysis->lines.items[i];
        line->share = sum > 0 ? line->time / sum : 0;
    }
}

static int by_time(const void *a, const void *b)
{
    const LineCost *x = a, *y = b;
    if (x->time < y->time || x->time > y->time) {
        return x->time > y->time ? -1 : 1;
    }
    if (x->line != y->line) {
        return x->line < y->line ? -1 : 1;
    }
    return x->name != y->name ? (x->name < y->name ? -1 : 1) : 0;
}

static void sort_lines(Analysis *analysis)
{
    qsort(analysis->lines.items, analysis->lines.count, sizeof(LineCost), by_time);
}

void analyse(Analysis *analysis, Arena *arena, const Trace *trace)
{
    Ends ends;
    *analysis = (Analysis){.length = 0};
    find_span(analysis, trace);
    find_lanes(analysis, arena, trace);
    find_lines(analysis, arena, trace);
    ends_make(&ends, arena, trace);
    find_gaps(analysis, &ends);
    find_chain(analysis, arena, &ends);
    sort_lines(analysis);
    find_hints(analysis, trace);
}
