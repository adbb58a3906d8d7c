/* What a trace says about time: how busy units are, what they wait for, which lines cost most, and
 * the critical chain of events. All times are in microseconds; the same figures are computed for
 * traces of the simulator and of a device. */
#ifndef PYPTO_LINT_PERF_ANALYSIS_H
#define PYPTO_LINT_PERF_ANALYSIS_H

#include "perf/trace.h"

enum { PERF_GAPS = 10, PERF_LINES = 20, PERF_CHAIN = 12, PERF_HINTS = 8 };

typedef struct LaneUse {
    uint32_t lane;
    uint32_t events;
    double busy;  /* microseconds in which at least one event ran */
    double share; /* of the whole time */
} LaneUse;

/* A unit did nothing between two of its events. */
typedef struct Gap {
    uint32_t lane;
    double start, length;
    uint32_t waiter; /* the event after it */
    uint32_t cause;  /* the event that it waited for; TRACE_NONE = the trace shows none */
    bool is_said;    /* by a flow; else the last event that ended before */
} Gap;

/* All events of a source line, or of a name where lines are not known. */
typedef struct LineCost {
    uint32_t file, name; /* texts; `file` TRACE_NONE = not known */
    int32_t line;
    uint32_t events;
    double time;  /* the sum of the events' lengths */
    double share; /* of the sum of all */
    double chain; /* the part of `time` on the critical chain */
    double bytes;
} LineCost;

/* A piece of the critical chain: events of one line in a row. */
typedef struct ChainPart {
    uint32_t first; /* an event */
    uint32_t events;
    double time, waited; /* running; waiting for it after the event before ended */
} ChainPart;

typedef enum Hint {
    HINT_MEMORY,   /* moving data takes much longer than computing */
    HINT_SERIAL,   /* units take turns: none is busy for half of the time */
    HINT_UNEVEN,   /* units of a kind have unequal work */
    HINT_SHORT,    /* very many very short events */
    HINT_ONE_LINE, /* one line takes more than half of the time */
    HINT_WAITING,  /* the chain waits for over a fifth of the time, for nothing shown */
} Hint;

typedef struct HintAt {
    Hint hint;
    double figure, other; /* the figures of the hint, in its own unit */
    uint32_t line;        /* HINT_ONE_LINE: number in `lines`; HINT_UNEVEN: a LaneKind */
} HintAt;

typedef struct Analysis {
    double start, length; /* from the first start to the last end */
    VEC(LaneUse) lanes;   /* those that have events, in the order of the trace */
    Gap gaps[PERF_GAPS];  /* the longest first */
    uint32_t gap_count;
    double idle;          /* sum of all gaps */
    VEC(LineCost) lines;  /* most time first */
    Map line_keys;        /* used only while the analysis is made */
    VEC(ChainPart) chain; /* in the order of time */
    double chain_time, chain_waited;
    uint32_t chain_events;
    HintAt hints[PERF_HINTS];
    uint32_t hint_count;
} Analysis;

/* Fills `*analysis`; its lists are in the arena. The trace must have at least one event. */
void analyse(Analysis *analysis, Arena *arena, const Trace *trace);

/* ---- the parts (private to the folder) ---- */

/* All events sorted by their ends, to find what others waited for. */
typedef struct End {
    double end;
    uint32_t event;
} End;
typedef struct Ends {
    End *order;
    const Trace *trace;
} Ends;
void ends_make(Ends *ends, Arena *arena, const Trace *trace);

void find_gaps(Analysis *analysis, const Ends *ends);
void find_chain(Analysis *analysis, Arena *arena, const Ends *ends);
void find_hints(Analysis *analysis, const Trace *trace);
/* The number of the line that an event belongs to, before the lines are sorted. */
uint32_t line_of_event(const Analysis *analysis, const Event *event);

#endif
