/* Putting a trace in order once all of it has been read. Private to the folder. */
#ifndef PYPTO_LINT_PERF_TRACE_ORDER_H
#define PYPTO_LINT_PERF_TRACE_ORDER_H

#include "perf/trace.h"

/* One end of a flow, until the events are sorted. */
typedef struct FlowEnd {
    uint32_t id, lane;
    double ts;
    bool is_start;
} FlowEnd;

typedef struct FlowEnds {
    const FlowEnd *items;
    uint32_t count;
    uint32_t ids; /* they are numbered from 0 */
} FlowEnds;

/* Drops events that never ended, sorts the others, groups them by lane and makes the flows. */
void trace_order(Trace *trace, Arena *arena, const FlowEnds *ends);

#endif
