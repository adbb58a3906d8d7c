/* What a trace holds, between the cost model (trace.c), the records of operations
 * (trace_record.c), the sums (trace_sums.c) and the writers (trace_write.c, trace_profile.c). */
#ifndef PTOSIM_TRACE_EVENTS_H
#define PTOSIM_TRACE_EVENTS_H

#include "base/map.h"
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

enum { TRACE_PRODUCERS = 4 };
#define TRACE_NONE UINT32_MAX

/* An iteration of a loop, or a launch: turns nest. */
typedef struct TraceTurn {
    uint32_t parent; /* TRACE_NONE for a launch */
    uint32_t name;   /* of the loop or the kernel, in `names` */
    int64_t index;   /* of the loop; of a launch: its number, from 0 */
    double start, end;
} TraceTurn;

/* An operation that ran. Cycles are of the model. */
typedef struct TraceOperation {
    PtsOp op;
    uint32_t label, file;   /* in `names` */
    uint32_t target, loads; /* what it makes or writes, what it reads from memory */
    int line;
    uint32_t turn;
    uint32_t producers[TRACE_PRODUCERS]; /* operations whose results it waits for; TRACE_NONE */
    uint32_t waits_for; /* what it could not start before: an operation; TRACE_NONE = nothing */
    double start, end;
    double in_bytes, out_bytes; /* from and to global memory */
    double flops;
    int64_t needs[PTS_CORE_MEMORIES]; /* bytes of a tile in each memory */
    double kept_bytes;                /* of its results */
    double last_use;                  /* until when an operation takes them */
} TraceOperation;

/* A part of a parameter that an operation reads from, or writes to, global memory. */
typedef struct TraceWindow {
    uint32_t operation, tensor; /* tensor: in `tensors` */
    bool is_write;
    int64_t offset[PTS_MAX_RANK], extent[PTS_MAX_RANK];
} TraceWindow;

typedef struct TraceTensor {
    uint32_t name, turn; /* turn: the launch */
    PtsDtype dtype;
    int rank;
    int64_t shape[PTS_MAX_RANK];
} TraceTensor;

/* A stretch of one pipe: a tile of an operation, or the rest of its tiles together. */
typedef struct TraceEvent {
    TracePipe pipe;
    uint32_t operation;
    double start, cycles;
    int64_t tiles;
    double bytes;
} TraceEvent;

/* What belongs to one source line. */
typedef struct TraceLine {
    uint32_t file;
    int line;
    uint32_t operations;
    double busy[TRACE_PIPES]; /* cycles */
    double in_bytes, out_bytes, flops;
} TraceLine;

/* When a slot of the running program is ready, and which operation made it so. */
typedef struct TraceSlot {
    double ready;
    uint32_t operation;
} TraceSlot;

struct PtsTrace {
    PtsContext *context;
    Arena arena; /* names, and what follows */
    Map names;
    VEC(TraceOperation) operations;
    VEC(TraceEvent) events;
    VEC(TraceTurn) turns;
    VEC(TraceTensor) tensors;
    VEC(TraceWindow) windows;
    VEC(TraceLine) lines;
    Map line_numbers; /* of `lines`, by file and line */
    size_t max_events;
    size_t dropped; /* events beyond the limit; their cycles are in the sums */
    double pipe_free[TRACE_PIPES];
    uint32_t pipe_last[TRACE_PIPES]; /* operation that was last on a pipe */
    double busy[TRACE_PIPES];
    double end; /* of the last event, in cycles */
    VEC(TraceSlot) slots;
    VEC(uint32_t) open; /* the turns that are going on, outermost first */
    uint32_t operation; /* the one at work; TRACE_NONE = beyond the limit */
    uint32_t line;      /* its line, in `lines` */
    TraceOperation now; /* its record */
    int runs;
    bool failed; /* memory ran out: nothing more is recorded */
};

#endif
