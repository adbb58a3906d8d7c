/* The events of a trace, between the cost model (trace.c) and the writer (trace_write.c). */
#ifndef PTOSIM_TRACE_EVENTS_H
#define PTOSIM_TRACE_EVENTS_H

#include "sim/ptosim.h"

/* Pipes of one core; the order is that of the rows in the viewer. */
typedef enum TracePipe {
    TRACE_MTE2, /* global memory to UB or L1 */
    TRACE_MTE1, /* L1 to L0 */
    TRACE_CUBE,
    TRACE_FIXPIPE, /* L0C to UB or global memory */
    TRACE_VECTOR,
    TRACE_MTE3, /* UB to global memory */
    TRACE_PIPES
} TracePipe;

typedef struct TraceWork {
    PtsOp op;
    const char *label; /* lives as long as the context */
    PtsSite site;
    int64_t tiles;
    double bytes;
} TraceWork;

typedef struct TraceEvent {
    TracePipe pipe;
    double start, cycles;
    TraceWork work;
} TraceEvent;

struct PtsTrace {
    PtsContext *context;
    TraceEvent *events;
    size_t event_count, event_capacity, max_events;
    size_t dropped;
    double pipe_free[TRACE_PIPES];
    double end;    /* of the last event, in cycles */
    double *ready; /* when each slot of the running program is ready */
    size_t ready_count;
    int runs;
};

#endif
