/* A trace of what ran when, in the format of Chrome and Perfetto: the simulator writes it with
 * --trace, a device as its swim lanes (merged_swimlane.json).
 *
 * An event belongs to a lane: a unit (thread) of a core (process). Flow events say which event
 * another one waits for. Files are untrusted input: whatever cannot be used is counted and
 * ignored. */
#ifndef PYPTO_LINT_PERF_TRACE_H
#define PYPTO_LINT_PERF_TRACE_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

/* Larger files are refused; if there are more events, only the first are read. Both limits bound
 * time and memory. */
enum { TRACE_MOST_BYTES = 256 << 20, TRACE_MOST_EVENTS = 2000000, TRACE_DEEPEST = 64 };

#define TRACE_NONE UINT32_MAX

typedef enum LaneKind {
    LANE_CUBE,    /* matrix unit, or a core of that kind */
    LANE_VECTOR,  /* the same for vectors */
    LANE_MEMORY,  /* moves data */
    LANE_CONTROL, /* hands out work */
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
    double bytes;      /* moved; 0 = the trace does not say */
    uint32_t lane;
    uint32_t name, file; /* numbers for trace_text; file TRACE_NONE = not known */
    int32_t line;
    uint32_t around; /* while reading: the enclosing event */
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
    uint32_t *by_lane;    /* event numbers, grouped by lane, sorted by start */
    uint32_t *lane_first; /* where each lane begins in by_lane; lanes.count + 1 entries */
    uint64_t unusable;    /* events without a time, of a wrong type, or that never ended */
    uint64_t unknown;     /* events of kinds that say nothing about time (counters, marks …) */
    uint64_t unread;      /* beyond TRACE_MOST_EVENTS */
    uint64_t loose_flows; /* flows with an end that is not in any event */
} Trace;

/* Reads JSON text: an array of events, or an object that has one under "traceEvents". The byte
 * after `text` must be NUL. Everything is in the arena. False, with the reason in `*error`, when
 * the text is neither. */
bool trace_read(Trace *trace, Arena *arena, Str text, Str *error);

Str trace_text(const Trace *trace, uint32_t number);

#endif
