/* A trace that has been read is put in order: events by their starts, lane by lane, and flows,
 * whose ends are looked up among the events. */
#include "perf/trace_order.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
    const Event *x = a, *y = b;
    if (x->start < y->start || x->start > y->start) {
        return x->start < y->start ? -1 : 1;
    }
    if (x->end < y->end || x->end > y->end) {
        return x->end < y->end ? -1 : 1;
    }
    return x->lane != y->lane ? (x->lane < y->lane ? -1 : 1) : 0;
}

static void drop_open_events(Trace *trace)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < trace->events.count; i++) {
        if (trace->events.items[i].end >= trace->events.items[i].start) {
            trace->events.items[kept++] = trace->events.items[i];
        } else {
            trace->unusable++;
        }
    }
    trace->events.count = kept;
}

/* Groups the events by lane, each in the order of their starts. */
static void group_by_lane(Trace *trace, Arena *arena)
{
    uint32_t lanes = trace->lanes.count;
    trace->lane_first = ARENA_ARRAY(arena, uint32_t, (size_t)lanes + 2);
    trace->by_lane = ARENA_ARRAY(arena, uint32_t, (size_t)trace->events.count + 1);
    uint32_t *first = trace->lane_first;
    for (uint32_t i = 0; i < trace->events.count; i++) {
        first[trace->events.items[i].lane + 2]++;
    }
    for (uint32_t lane = 0; lane < lanes; lane++) {
        first[lane + 2] += first[lane + 1];
    }
    for (uint32_t i = 0; i < trace->events.count; i++) { /* leaves each lane's begin in its place */
        trace->by_lane[first[trace->events.items[i].lane + 1]++] = i;
    }
}

/* The event of a lane that an end of a flow lies in: the last that had started, or, for what waits,
 * the next one when that has ended. */
static uint32_t event_at(const Trace *trace, const FlowEnd *end)
{
    uint32_t from = trace->lane_first[end->lane];
    uint32_t to = trace->lane_first[end->lane + 1];
    uint32_t low = from, high = to;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (trace->events.items[trace->by_lane[middle]].start <= end->ts) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool has_ended =
        low > from && trace->events.items[trace->by_lane[low - 1]].end < end->ts && low < to;
    if (!end->is_start && (low == from || has_ended)) {
        return low < to ? trace->by_lane[low] : TRACE_NONE;
    }
    return low > from ? trace->by_lane[low - 1] : TRACE_NONE;
}

static int by_waiter(const void *a, const void *b)
{
    const Flow *x = a, *y = b;
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return x->from < y->from ? -1 : x->from > y->from;
}

static void join_flows(Trace *trace, Arena *arena, const FlowEnds *ends)
{
    uint32_t ids = ends->ids;
    uint32_t *start_of = ARENA_ARRAY(arena, uint32_t, (size_t)ids + 1);
    for (uint32_t i = 0; i < ids; i++) {
        start_of[i] = TRACE_NONE;
    }
    for (uint32_t i = 0; i < ends->count; i++) {
        const FlowEnd *end = &ends->items[i];
        if (end->is_start) {
            start_of[end->id] = event_at(trace, end);
        }
    }
    for (uint32_t i = 0; i < ends->count; i++) {
        const FlowEnd *end = &ends->items[i];
        if (end->is_start) {
            continue;
        }
        Flow flow = {start_of[end->id], event_at(trace, end)};
        if (flow.from == TRACE_NONE || flow.to == TRACE_NONE || flow.from == flow.to) {
            trace->loose_flows++;
        } else {
            VEC_PUSH(arena, &trace->flows, flow);
        }
    }
    if (trace->flows.count > 0) {
        qsort(trace->flows.items, trace->flows.count, sizeof(Flow), by_waiter);
    }
}

void trace_order(Trace *trace, Arena *arena, const FlowEnds *ends)
{
    drop_open_events(trace);
    if (trace->events.count > 0) {
        qsort(trace->events.items, trace->events.count, sizeof(Event), by_start);
    }
    group_by_lane(trace, arena);
    join_flows(trace, arena, ends);
}
