/* libptosim: records PyPTO kernels as slot programs (ptosim_model.h) and interprets them on the
 * host.
 *
 * A finished program is run, any number of times, over the caller's memory.
 * docs/kernel-authors/simulator.md says what is computed and what is checked. What ptosim_model.h
 * says of errors and threads holds here, too. */
#ifndef PTOSIM_H
#define PTOSIM_H

#include "ptosim_model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the sanitizer finds (docs/kernel-authors/sanitizer.md). */
enum {
    PTS_SANITIZE_INIT = 1,   /* elements that nothing has written */
    PTS_SANITIZE_RACES = 2,  /* accesses without an order */
    PTS_SANITIZE_BOUNDS = 4, /* elements beyond valid extents */
    PTS_SANITIZE_ALL = 7
};
/* Reads a list such as "init,races" ("all", "none"); false with the first unknown entry and its
 * length. */
bool pts_sanitize_kinds(const char *list, unsigned *kinds, const char **unknown, size_t *length);

/* ---- running ---- */

/* One argument: dense, row-major memory of the caller's, which the run reads and writes. */
typedef struct PtsArgument {
    void *data; /* may be NULL only when an extent is 0 */
    PtsDtype dtype;
    int rank;
    int64_t shape[PTS_MAX_RANK];
    /* NULL, or the caller's map with a byte for each byte of `data`: those that the run writes
     * become 1, the others stay as they are. */
    unsigned char *written;
} PtsArgument;

typedef struct PtsStats {
    int64_t ops;        /* executed */
    int64_t iterations; /* of all loops */
    int64_t bytes;      /* read and written by ops */
    int64_t flops;      /* of matmul: 2·m·n·k each */
    double seconds;
} PtsStats;

/* Runs a finished program. Binds dynamic axes, checks fixed ones (F77004). Uses up to `threads`
 * threads (0 = as many as the machine has); the result does not depend on it. `stats` may be NULL;
 * it is added to. On failure the arguments' content is undefined. */
bool pts_run(PtsProgram *program, int argument_count, const PtsArgument *arguments, int threads,
             PtsStats *stats, PtsError *error);
/* What the last run of a program left unwritten of a parameter that it writes, where that looks
 * like a mistake: the memory still holds what the stand-in of torch.empty puts there (`is_unset`),
 * or the last rows are left out that do not fill a window. Another launch may still write it: the
 * caller decides when it is a finding. Only with PTS_SANITIZE_INIT. False when there is no such
 * `index` (0, 1 …). */
typedef struct PtsUnwritten {
    int parameter;
    bool is_unset;
    int64_t begin, end; /* bytes around it */
    PtsSite site;       /* of the last write */
    const char *message;
} PtsUnwritten;
bool pts_unwritten(const PtsProgram *program, size_t index, PtsUnwritten *unwritten);
/* Did the last run write a byte of [begin, end) of a parameter? Only with PTS_SANITIZE_INIT. */
bool pts_wrote(const PtsProgram *program, int parameter, int64_t begin, int64_t end);
/* Does an operation of a finished program compute values, or do all only move and convert them? */
bool pts_program_computes(const PtsProgram *program);
/* May a run write the memory of this parameter (0, 1 …)? */
bool pts_program_writes(const PtsProgram *program, int parameter);
/* Asks a run in another thread to stop soon (Ctrl-C); async-signal-safe. */
void pts_run_cancel(PtsContext *context);

/* ---- trace ---- */

typedef struct PtsTrace PtsTrace;
/* Collects the events of the runs of programs of this context from now on, at most `max_events`
 * (0 = 200,000). NULL when memory ran out. */
PtsTrace *pts_trace_start(PtsContext *context, size_t max_events);
/* Writes Chrome trace JSON (complete or not at all): 1 cycle is 1 µs, paths are relative to the
 * working directory where they lie below it. */
bool pts_trace_write(const PtsTrace *trace, const char *path, PtsError *error);
/* Writes the same as columns for the page of `run --html` (trace_profile.c says which). */
bool pts_trace_write_profile(const PtsTrace *trace, const char *path, PtsError *error);
/* What the operations of one line of source cost, by the model; texts live as long as the trace. */
typedef struct PtsTraceLine {
    const char *file;
    int line;
    uint32_t operations;
    double cycles; /* of all pipes */
    double in_bytes, out_bytes, flops;
} PtsTraceLine;
/* The line with this index, in the order in which they ran first; false after the last. */
bool pts_trace_line(const PtsTrace *trace, size_t index, PtsTraceLine *line);
/* Name and busy cycles of the pipe with this index; NULL after the last. */
const char *pts_trace_pipe(const PtsTrace *trace, size_t index, double *busy);
/* When the last event ends, in cycles. */
double pts_trace_cycles(const PtsTrace *trace);
void pts_trace_free(PtsTrace *trace);

/* ---- precision ---- */

/* The same programs in double beside their runs: how much each operation adds to the error
 * (docs/kernel-authors/precision.md). All errors are relative, from 0 to 10^6. */
typedef struct PtsPrecision PtsPrecision;

enum {
    PTS_PRECISION_CANCELLATION = 1,  /* a small difference of large values with small errors */
    PTS_PRECISION_OVERFLOW = 2,      /* finite operands give infinity */
    PTS_PRECISION_UNDERFLOW = 4,     /* what is not 0 becomes 0 */
    PTS_PRECISION_SATURATION = 8,    /* a cast whose dtype cannot hold the values */
    PTS_PRECISION_ACCUMULATION = 16, /* a sum in 16 bits */
    PTS_PRECISION_NO_DOUBLE = 32,    /* not compared: the operation has no double form */
    PTS_PRECISION_FLAGS = 6
};

/* An operation of a line of a kernel, over all of its executions. */
typedef struct PtsPrecisionRow {
    PtsSite site;
    PtsOp op;
    uint32_t number; /* in the order of first executions */
    int64_t executions;
    double added;     /* the largest error against its double form with the same operands */
    double inherited; /* what its operands brought when its result was worst */
    bool in_loop;     /* then `iteration` is the value of the innermost index at that time */
    int64_t iteration;
    double share;      /* the most of an output's error that began here; 0 = none reached one */
    double tolerance;  /* that of its result's dtype */
    unsigned flags;    /* PTS_PRECISION_… */
    unsigned harmless; /* those whose effect no output shows */
    bool is_accused;
} PtsPrecisionRow;

typedef struct PtsPrecisionSummary {
    int64_t runs, unchecked; /* `unchecked`: runs without enough memory for doubles */
    uint32_t rows;
    double output_error; /* the largest of all outputs */
    bool output_is_wrong, has_beyond;
    PtsPrecisionRow beyond; /* the first result beyond its tolerance when an output is */
} PtsPrecisionSummary;

/* Looks at the runs of programs of this context from now on. A `tolerance` of 0 means one by dtype.
 * NULL when memory ran out. */
PtsPrecision *pts_precision_start(PtsContext *context, double tolerance);
/* Up to `most` rows, those with the worst influence first; how many. 0 also without memory. */
size_t pts_precision_rows(const PtsPrecision *precision, PtsPrecisionRow *rows, size_t most);
PtsPrecisionSummary pts_precision_summary(const PtsPrecision *precision);
/* The name of a single flag; NULL when there is no such flag. */
const char *pts_precision_flag(unsigned flag);
void pts_precision_free(PtsPrecision *precision);

/* ---- watching ---- */

enum { PTS_WATCH_OPERANDS = 8, PTS_WATCH_LOOPS = 6, PTS_WATCH_NAME = 64 };

typedef struct PtsWatchedOperand {
    int64_t source; /* the record that made it; -1 = none */
    bool is_number;
    double number;
} PtsWatchedOperand;

/* As the fields of PtsAttributes, with every symbol evaluated; axes are never negative. */
typedef struct PtsWatchedAttributes {
    int dim, dim1, mode, shape_rank, offset_rank;
    bool has_dim, keepdim, a_trans, b_trans, largest; /* of argsort: descending */
    double real;
    int64_t diagonal, shape[PTS_MAX_RANK], offsets[PTS_MAX_RANK];
} PtsWatchedAttributes;

/* One result of an operation that ran, or a parameter's memory before or after a launch. */
typedef struct PtsWatched {
    bool is_parameter, is_end; /* before, after; else an operation */
    bool is_write;             /* it wrote into what record `target` had made */
    bool is_partial;           /* there are operands that are not listed */
    PtsOp op;
    char
        name[PTS_WATCH_NAME]; /* of a parameter before a launch; "" = too long, or another record */
    PtsSite site;
    int launch, parameter, result;
    int64_t target;
    int loop_count;
    int64_t loops[PTS_WATCH_LOOPS]; /* the indices of the loops around it, outermost first */
    int operand_count;
    PtsWatchedOperand operands[PTS_WATCH_OPERANDS];
    PtsWatchedAttributes attributes;
    PtsDtype dtype;
    int rank;
    int64_t shape[PTS_MAX_RANK]; /* valid extents */
    int64_t data_at;             /* of its elements, dense, in pts_watch_data; -1 = not kept */
} PtsWatched;

/* Records what the runs of programs of this context read and make from now on, at most so many
 * records and bytes of elements. NULL when memory ran out. */
typedef struct PtsWatch PtsWatch;
PtsWatch *pts_watch_start(PtsContext *context, size_t max_records, size_t max_bytes);
size_t pts_watch_count(const PtsWatch *watch);
size_t pts_watch_left_out(const PtsWatch *watch); /* for a limit, or for want of memory */
const PtsWatched *pts_watch_at(const PtsWatch *watch, size_t index); /* index < count */
const char *pts_watch_data(const PtsWatch *watch, size_t *size);     /* the watch owns it */
void pts_watch_free(PtsWatch *watch);                                /* NULL is allowed */

/* ---- pieces of use without a program ---- */

/* result[m,n] = a · b as the simulated cube unit accumulates: strictly increasing k, F32 (I32 for
 * I8, F64 for DOUBLE), one rounding to `result`'s dtype. Dense row-major [m,k]·[k,n], transposed
 * as said. For references that must accumulate like kernels. */
bool pts_matmul(const PtsArgument *a, bool a_trans, const PtsArgument *b, bool b_trans,
                PtsArgument *result, int threads, PtsError *error);

/* Conversion of `count` elements as the cast op does it (CastMode, SaturationMode); any pair of
 * dtypes that the simulator can represent. */
bool pts_convert(const void *from, PtsDtype from_dtype, void *to, PtsDtype to_dtype, size_t count,
                 int mode, int saturation, PtsError *error);

#ifdef __cplusplus
}
#endif

#endif
