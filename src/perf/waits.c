/* What waits for what: the gaps of units and the critical chain of events. */
#include "perf/analysis.h"

#include <stdlib.h>
#include <string.h>

/* In microseconds. Traces give times with four decimals, so a distance up to this counts as
 * none. */
static const double TOGETHER = 3e-4;
/* At most so many events that ended at the same time are compared to find the likeliest cause. */
enum { CANDIDATES = 64 };

static int by_end(const void *a, const void *b)
{
    const End *x = a, *y = b;
    if (x->end < y->end || x->end > y->end) {
        return x->end < y->end ? -1 : 1;
    }
    return x->event < y->event ? -1 : x->event > y->event;
}

void ends_make(Ends *ends, Arena *arena, const Trace *trace)
{
    ends->trace = trace;
    ends->order = ARENA_ARRAY(arena, End, (size_t)trace->events.count + 1);
    for (uint32_t i = 0; i < trace->events.count; i++) {
        ends->order[i] = (End){trace->events.items[i].end, i};
    }
    qsort(ends->order, trace->events.count, sizeof *ends->order, by_end);
}

/* Of the events that `event` waits for according to flows, the one that ended last. */
static uint32_t said_cause(const Trace *trace, uint32_t event, bool other_lane)
{
    uint32_t low = 0, high = trace->flows.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (trace->flows.items[middle].to < event) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint32_t best = TRACE_NONE;
    for (; low < trace->flows.count && trace->flows.items[low].to == event; low++) {
        uint32_t from = trace->flows.items[low].from;
        bool fits = from < event && (!other_lane || trace->events.items[from].lane !=
                                                        trace->events.items[event].lane);
        if (fits &&
            (best == TRACE_NONE || trace->events.items[from].end > trace->events.items[best].end)) {
            best = from;
        }
    }
    return best;
}

/* Do both events belong to the same operation? */
static bool is_alike(const Event *event, const Event *cause)
{
    return event->name == cause->name && event->line == cause->line && event->file == cause->file;
}

/* What an event waited for: according to flows, else the last event that had ended when it started.
 * Its number is smaller than the event's; TRACE_NONE = there is none. */
static uint32_t ends_cause(const Ends *ends, uint32_t number, bool other_lane, bool *is_said)
{
    const Trace *trace = ends->trace;
    const Event *events = trace->events.items;
    const Event *event = &events[number];
    uint32_t best = said_cause(trace, number, other_lane);
    *is_said = best != TRACE_NONE;
    uint32_t low = 0, high = *is_said ? 0 : trace->events.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ends->order[middle].end <= event->start + TOGETHER) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (uint32_t tried = 0; low > 0 && tried < CANDIDATES; tried++) {
        uint32_t at = ends->order[--low].event;
        if (at >= number || (other_lane && events[at].lane == event->lane)) {
            continue;
        }
        if (best != TRACE_NONE && events[at].end < events[best].end - TOGETHER) {
            break;
        }
        if (best == TRACE_NONE || is_alike(event, &events[at])) {
            best = at;
        }
        if (is_alike(event, &events[best])) {
            break;
        }
    }
    return best;
}

/* ---- gaps ---- */

static void keep_gap(Analysis *analysis, Gap gap)
{
    uint32_t at = analysis->gap_count < PERF_GAPS ? analysis->gap_count++ : PERF_GAPS;
    while (at > 0 && analysis->gaps[at - 1].length < gap.length) {
        if (at < PERF_GAPS) {
            analysis->gaps[at] = analysis->gaps[at - 1];
        }
        at--;
    }
    if (at < PERF_GAPS) {
        analysis->gaps[at] = gap;
    }
}

static void find_gaps_of(Analysis *analysis, const Trace *trace, uint32_t lane)
{
    uint32_t first = trace->lane_first[lane];
    double until = 0;
    for (uint32_t i = first; i < trace->lane_first[lane + 1]; i++) {
        uint32_t number = trace->by_lane[i];
        const Event *event = &trace->events.items[number];
        if (i > first && event->start > until + TOGETHER) {
            Gap gap = {.lane = lane,
                       .start = until,
                       .length = event->start - until,
                       .waiter = number,
                       .cause = TRACE_NONE};
            analysis->idle += gap.length;
            keep_gap(analysis, gap);
        }
        until = i == first || event->end > until ? event->end : until;
    }
}

void find_gaps(Analysis *analysis, const Ends *ends)
{
    const Trace *trace = ends->trace;
    for (uint32_t lane = 0; lane < trace->lanes.count; lane++) {
        find_gaps_of(analysis, trace, lane);
    }
    for (uint32_t i = 0; i < analysis->gap_count; i++) {
        Gap *gap = &analysis->gaps[i];
        uint32_t cause = ends_cause(ends, gap->waiter, true, &gap->is_said);
        /* An event that ended before the gap began cannot have prolonged it. */
        bool lasts = cause != TRACE_NONE && trace->events.items[cause].end > gap->start + TOGETHER;
        gap->cause = gap->is_said || lasts ? cause : TRACE_NONE;
    }
}

/* ---- the chain ---- */

static void add_to_chain(Analysis *analysis, Arena *arena, const Ends *ends, uint32_t number,
                         uint32_t cause)
{
    const Event *events = ends->trace->events.items;
    const Event *event = &events[number];
    double from = event->start;
    double waited = 0;
    if (cause != TRACE_NONE) {
        waited = from - events[cause].end;
        from = waited < 0 ? events[cause].end : from;
        waited = waited > TOGETHER ? waited : 0;
    }
    double time = event->end > from ? event->end - from : 0;
    uint32_t line = line_of_event(analysis, event);
    analysis->lines.items[line].chain += time;
    analysis->chain_time += time;
    analysis->chain_waited += waited;
    analysis->chain_events++;
    uint32_t count = analysis->chain.count;
    ChainPart *last = count > 0 ? &analysis->chain.items[count - 1] : NULL;
    if (last != NULL && line_of_event(analysis, &events[last->first]) == line) {
        last->first = number;
        last->events++;
        last->time += time;
        last->waited += waited;
        return;
    }
    ChainPart part = {.first = number, .events = 1, .time = time, .waited = waited};
    VEC_PUSH(arena, &analysis->chain, part);
}

void find_chain(Analysis *analysis, Arena *arena, const Ends *ends)
{
    /* A cause has a smaller number than its effect, so this terminates. */
    uint32_t number = ends->order[ends->trace->events.count - 1].event;
    while (number != TRACE_NONE) {
        bool is_said;
        uint32_t cause = ends_cause(ends, number, false, &is_said);
        add_to_chain(analysis, arena, ends, number, cause);
        number = cause;
    }
    for (uint32_t i = 0; i < analysis->chain.count / 2; i++) { /* it was built from the end */
        ChainPart part = analysis->chain.items[i];
        analysis->chain.items[i] = analysis->chain.items[analysis->chain.count - 1 - i];
        analysis->chain.items[analysis->chain.count - 1 - i] = part;
    }
}
