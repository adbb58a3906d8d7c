/* A trace of what ran when, in the form that Chrome and Perfetto open: what the simulator writes
 * with --trace, and the swim lanes of the device (merged_swimlane.json).
 *
 * An event lies in a lane: a unit (thread) of a core (process). Flow events say which event another
 * one waits for. Files are outside input: whatever cannot be used is counted, nothing is obeyed. */
#ifndef PYPTO_LINT_PERF_TRACE_H
#define PYPTO_LINT_PERF_TRACE_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

/* Larger files are refused; of more events the first are read. Both bound time and memory. */
enum { TRACE_MOST_BYTES = 256 << 20, TRACE_MOST_EVENTS = 2000000, TRACE_DEEPEST = 64 };

#define TRACE_NONE UINT32_MAX

typedef enum LaneKind {
    LANE_CUBE,    /* matrix unit, or a core of that kind */
    LANE_VECTOR,  /* the same for vectors */
    LANE_MEMORY,  /* what moves data */
    LANE_CONTROL, /* what hands out work */
    LANE_OTHER,
    LANE_KINDS
} LaneKind;

typedef struct Lane {
    Str core, unit; /* as the trace names them, or their numbers */
    LaneKind kind;
    uint32_t open; /* the innermost event that has begun and not ended; TRACE_NONE = none */
} Lane;

typedef struct Event {
    double start, end; /* microseconds; end < start: it never ended */
    double bytes;      /* moved, as the trace says; 0 = it does not */
    uint32_t lane;
    uint32_t name, file; /* numbers of texts; file TRACE_NONE = not known */
    int32_t line;
    uint32_t around; /* while reading: the event in which it began */
} Event;

/* `to` could not start before `from` had ended. */
typedef struct Flow {
    uint32_t from, to; /* events */
} Flow;

typedef struct Trace {
    Map texts;
    VEC(Lane) lanes;
    VEC(Event) events;    /* in the order of their starts */
    VEC(Flow) flows;      /* in the order of `to` */
    uint32_t *by_lane;    /* events, lane by lane in the order of their starts */
    uint32_t *lane_first; /* where a lane's begin there; lanes.count + 1 entries */
    uint64_t unusable;    /* events without a time, of a wrong type, or that never ended */
    uint64_t unknown;     /* events of kinds that say nothing about time (counters, marks …) */
    uint64_t unread;      /* beyond TRACE_MOST_EVENTS */
    uint64_t loose_flows; /* flows whose ends are in no event */
} Trace;

/* Reads JSON text: an array of events, or an object that has one under "traceEvents". Uses the
 * arena. False, with the reason in `*error`, when it is neither. */
bool trace_read(Trace *trace, Arena *arena, Str text, Str *error);

Str trace_text(const Trace *trace, uint32_t number);

#endif
