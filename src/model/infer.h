/* Inference of one operation: what its results are, and the checks that belong to it. Private.
 *
 * pts_emit fills a PtsEmit, does the checks that ops.def states for every operation, and calls the
 * routine of the operation's class, which normalises attributes (axes count from 0, -1 extents are
 * resolved), turns numbers into elements of the right dtype and describes the results. */
#ifndef PTOSIM_INFER_H
#define PTOSIM_INFER_H

#include "model/check_version.h"
#include "model/partial.h"
#include "model/record.h"

typedef struct PtsEmit {
    PtsProgram *program;
    PtsContext *context;
    PtsOp op;
    const PtsOpInfo *info;
    const char *opcode; /* in messages */
    bool is_950;
    bool is_partial; /* see partial.h */
    bool is_vague;   /* the results' valid parts may be smaller than `valid` says */
    int operand_count;
    PtsOperand operands[PTS_MAX_OPERANDS];
    const PtsSlotState *tensor[PTS_MAX_OPERANDS]; /* states of slot operands; NULL = no tensor */
    const PtsSlotState *first;                    /* of the first tensor operand, or NULL */
    PtsAttributes attributes;
    PtsResult results[PTS_MAX_RESULTS];
    int result_count;
    int written;       /* the operand that it writes through, or -1 */
    int tile_rank;     /* largest rank of the tiled operands besides the results; 0 = none */
    bool tile_is_free; /* the results do not count for that: they are as large as a destination */
    bool uses_vector_tile, uses_cube_tile;
    const PtsScope *scope;
    PtsSite site;
    PtsError *error;
} PtsEmit;

/* The checks that are possible before the class's routine has run, and after it. */
bool pts_check_before(PtsEmit *emit);
bool pts_check_after(PtsEmit *emit);
/* tile_options.c: tells the watcher of tiles, if there is one, of the current tile and of better
 * ones. `whole` is the number of axes of the widest tensor; m, k, n are those of the product. */
void pts_watch_vector_tile(PtsEmit *emit, int whole);
void pts_watch_cube_tile(PtsEmit *emit, int64_t m, int64_t k, int64_t n);
/* check_matmul.c: bytes of a cube tile in each memory of the core. */
void pts_cube_needs(PtsEmit *emit, const PtsCubeTile *tile, int64_t m, int64_t k, int64_t n,
                    int64_t needs[PTS_CORE_MEMORIES]);
/* check_tile.c: checks that one tile fits into the unified buffer; advice about tiles. */
bool pts_check_buffers(PtsEmit *emit);

/* The tile of one tensor: extents clipped to the tensor, in elements. */
typedef struct PtsTile {
    int rank;
    double extent[PTS_MAX_RANK];
} PtsTile;

/* Buffers of one tile of an operation. */
typedef struct PtsBuffers {
    double inputs, results, scratch; /* bytes */
    double documented; /* additional scratch memory, known only from the documentation */
} PtsBuffers;

/* check_buffers.c. `whole` is the number of axes of the widest tensor. */
PtsBuffers pts_buffers_of(const PtsEmit *emit, int whole);
/* The same with 16-bit elements kept in F32, as in chains of operations. */
PtsBuffers pts_buffers_in_f32(const PtsEmit *emit, int whole);
double pts_align(double value, double unit);

/* chain.c: does the device compute this operation on its 16-bit tensors in F32? */
bool pts_stays_wide(const PtsEmit *emit);
/* Operands (bit i: operand i) whose unrounded values it takes: results of such operations in the
 * same piece of the body. */
uint8_t pts_wide_operands(const PtsEmit *emit);
/* check_window.c: does what a view reads, or an assemble writes, lie in memory, in the iterations
 * that surely run? Partial programs only; in others the run checks it. */
bool pts_check_viewed(PtsEmit *emit);
bool pts_check_assembled(PtsEmit *emit);
/* May the memory of the results be part of another tensor's? */
bool pts_result_shares(const PtsEmit *emit);
/* Where the result lies in its source if it is a view and that is known; else NULL. */
const struct PtsViewPlace *pts_view_place(const PtsEmit *emit);
/* check_conv.c: the tiles of a convolution, after its shapes were checked. */
bool pts_check_conv(PtsEmit *emit);
/* check_matmul.c: tile values, alignment and capacity of the cube unit. */
bool pts_check_cube(PtsEmit *emit, int64_t m, int64_t k, int64_t n);

/* The dtypes that the operation accepts on this hardware, in this version of the product. */
static inline uint32_t emit_dtypes(const PtsEmit *emit)
{
    const PtsOpInfo *info = emit->info;
    uint32_t base = emit->context->options.is_9_1 ? info->dtypes & ~info->dtypes92 : info->dtypes;
    return base | (emit->is_950 ? info->dtypes950 : 0);
}

/* ---- help for the routines; those that return bool fill the error on false ---- */

bool emit_fail(PtsEmit *emit, PtsErrorKind kind, uint32_t code, const char *symbol,
               const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A check with an id (pts_check_id): an error that names the id, or a warning (then true) when the
 * context says so. */
bool emit_limit(PtsEmit *emit, const char *id, uint32_t code, const char *symbol,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A check of check_version.c that failed: an error where the version makes it, else a warning that
 * names the version that does (then true). */
bool emit_version_fail(PtsEmit *emit, PtsVersionCheck check, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "; fits with --soc NAME" for known hardware whose memory has at least that many bytes, else
 * "". */
void emit_other_hardware(const PtsEmit *emit, int64_t (*size)(const PtsSoc *), double bytes,
                         char *text, size_t room);

/* A new result; its shape and valid extents are still to be set. */
PtsResult *emit_result(PtsEmit *emit, PtsDtype dtype, int rank);
/* A new result like a tensor, with another dtype. */
PtsResult *emit_result_like(PtsEmit *emit, const PtsSlotState *tensor, PtsDtype dtype);
/* The dtype that the table's rule gives for a first operand. */
PtsDtype emit_result_dtype(const PtsEmit *emit, PtsDtype first);

PtsSym emit_constant(PtsEmit *emit, int64_t value);
PtsSym emit_sym(PtsEmit *emit, PtsSymOp op, PtsSym a, PtsSym b);
/* Its value when it is known, else -1 (extents are never negative): symbolic, or unknown. */
int64_t emit_extent(const PtsEmit *emit, PtsSym extent);
/* Is it certainly 1? */
bool emit_is_one(const PtsEmit *emit, PtsSym extent);

/* Comparisons for checks, which fail on PTS_NO only; see answer.h. Symbols that are not provably
 * equal are different. */
static inline PtsAnswer emit_equal(const PtsEmit *emit, PtsSym a, PtsSym b)
{
    return !emit->is_partial ? (a == b ? PTS_YES : PTS_NO) : pts_equal(emit->context, a, b);
}
/* a <= b, as far as their bounds tell. */
PtsAnswer emit_at_most(const PtsEmit *emit, PtsSym a, PtsSym b);
/* extent == value: PTS_NO for symbols. */
PtsAnswer emit_is(const PtsEmit *emit, PtsSym extent, int64_t value);
/* Is it a multiple? PTS_NO for symbols. */
PtsAnswer emit_divides(const PtsEmit *emit, int64_t divisor, PtsSym extent);
/* Is the dtype in the set? */
static inline PtsAnswer emit_in(PtsDtype dtype, uint32_t set)
{
    return pts_dtype_in(dtype, set);
}
#define PTS_SET(name) (UINT32_C(1) << PTS_##name)
/* Is something in it unknown (partial.h)? */
static inline bool emit_is_unknown(const PtsEmit *emit, PtsSym extent)
{
    return emit->is_partial && pts_sym_is_unknown(emit->context, extent) &&
           pts_two_valued("unknown", PTS_MAYBE) == PTS_MAYBE;
}
bool emit_any_unknown(const PtsEmit *emit, int count, const PtsSym *list);
/* The extent about which nothing is known. */
PtsSym emit_nothing(PtsEmit *emit);
/* Of two extents that are equal if all is well: the one that is known. */
PtsSym emit_known_of(const PtsEmit *emit, PtsSym a, PtsSym b);
/* The entry of the vector tile; -1 if it is not set or unknown. */
static inline int64_t emit_tile(const PtsEmit *emit, int entry)
{
    int64_t tile = entry < emit->scope->vector_tile_count ? emit->scope->vector_tile[entry] : -1;
    return tile == PTS_TILE_UNKNOWN ? -1 : tile;
}
/* infer_partial.c: can the class's routine infer it, or is too much unknown? */
bool pts_is_inferable(const PtsEmit *emit);
/* Fills in what is known of the results in that case. */
void pts_infer_partial(PtsEmit *emit);

/* Operand `index` must be a tensor. */
bool emit_need_tensor(PtsEmit *emit, int index);
/* Brings an axis into 0 … rank − 1. */
bool emit_axis(PtsEmit *emit, int *axis, int rank);
/* Turns a number operand into an element of `dtype`. */
void emit_number(PtsEmit *emit, int index, PtsDtype dtype);
bool emit_same_dtype(PtsEmit *emit, const PtsSlotState *a, const PtsSlotState *b);
/* All symbols of a list must be valid; `what` names it. */
bool emit_need_syms(PtsEmit *emit, int count, const PtsSym *list, const char *what);
/* All of a list must be known integers, at least `least`. */
bool emit_need_ints(PtsEmit *emit, int count, const PtsSym *list, int64_t least, const char *what);
/* The explicit valid extents must be symbols, none known to exceed `limit`. */
bool emit_check_valid(PtsEmit *emit, int rank, const PtsSym *limit);
bool emit_is_index(PtsEmit *emit, int index, const char *what);

/* The broadcast of tensors to one result: extents, and valid extents by the rule of binary
 * operations (`by_minimum` false) or of where, maximum, clip (true). */
bool emit_broadcast(PtsEmit *emit, int count, const PtsSlotState *const *tensors, bool by_minimum,
                    PtsResult *result);

#endif
