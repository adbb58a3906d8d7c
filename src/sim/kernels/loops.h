/* Inner loops over runs of elements. They are compiled once per instruction set (plain, AVX2,
 * AVX-512) with the same rounding everywhere, so all builds give the same bits (payloads of NaNs
 * that come from two NaNs aside); pts_loops gives those of this machine. */
#ifndef PTOSIM_LOOPS_H
#define PTOSIM_LOOPS_H

#include "pts_op_lists.h" /* generated from ops.def */
#include "sim/kernels.h"

/* What loops compute in. Types without a lane of their own are converted to F32 in blocks. */
typedef enum Lane {
    LANE_F32,
    LANE_F64,
    LANE_I8,
    LANE_U8,
    LANE_I16,
    LANE_U16,
    LANE_I32,
    LANE_U32,
    LANE_I64,
    LANE_U64,
    LANE_COUNT,
} Lane;

/* out[i] = f(in[0][i], in[1][i], …). Bit i of `fixed`: operand i is one value for the whole run.
 * `out` may be an operand, but must not overlap one otherwise. */
typedef void PtsStrip(size_t count, void *out, const void *const *in, unsigned fixed);

/* Those that ops.def names, and those that kernels choose themselves. Comparisons and tests give
 * BOOL; operand 0 of WHERE is BOOL, its others are moved as unsigned integers of their size. */
#define STRIP_ID(NAME) STRIP_##NAME,
typedef enum StripId {
    PTS_OP_STRIPS(STRIP_ID) STRIP_COPY,
    STRIP_SQUARE,
    STRIP_CUBE,
    STRIP_INVERSE_SQUARE,
    STRIP_ONE,
    STRIP_ROUND_DECIMALS,
    STRIP_ROUND_TENS, /* operand 1: the power of ten */
    STRIP_COUNT,
} StripId;

/* Conversions of runs whose result is exact or rounded to nearest even. */
typedef void PtsConvertRun(size_t count, void *to, const void *from);
/* Floating point to I32, rounded as the mode says, clamped; NaN gives 0. */
typedef void PtsToInteger(size_t count, int32_t *to, const float *from);

/* A tile of matrix products: c[i][j] += Σ a[k][i] · b[k][j] for k = 0, 1, …, one product after the
 * other, from panels a[depth][rows] and b[depth][columns]. */
typedef struct GemmShape {
    int rows, columns;
} GemmShape;
typedef void PtsGemmTile(size_t depth, const void *a, const void *b, void *c);

/* Comparisons (compare.c). diff[i] = |c[i] − t[i]|, 0 where they are equal. */
typedef void PtsDifferences(size_t count, void *diff, const void *c, const void *t);
/* What was found of some elements; the largest values as the bits of an F64, which never becomes
 * negative: so NaN counts as more than infinity. */
typedef struct PtsTally {
    size_t out, nonfinite;
    uint64_t max_abs, max_rel;
} PtsTally;
/* mask[i] = diff[i] is finite and ≤ atol + rtol·|t[i]|, or 0; the rest is added to the tally. */
typedef void PtsJudge(size_t count, const void *diff, const void *t, const double tolerance[2],
                      uint8_t *mask, PtsTally *tally);

/* Errors against doubles (precision_measure.c): Σ d² and the number of the finite d. */
typedef struct PtsSizes {
    double squares;
    int64_t finite;
} PtsSizes;
typedef void PtsSizesOf(size_t count, const double *d, PtsSizes *sizes);
/* The largest |r − d| / max(|d|, scale) and |r − d| / |d|; `odd`: some are not finite, and the
 * others are not known. How often r is 0 where d is not, and how often |r| ≥ largest where it
 * differs. */
typedef struct PtsErrors {
    double error, single;
    int64_t zeroed, at_limit;
    bool odd;
} PtsErrors;
typedef void PtsErrorsOf(size_t count, const double *r, const double *d, double scale,
                         double largest, PtsErrors *errors);

/* Is any |r − d| beyond the limit or not a number? */
typedef bool PtsIsBeyond(size_t count, const double *r, const double *d, double limit);
typedef bool PtsIsBeyondSingle(size_t count, const float *r, const double *d, double limit);

typedef struct PtsLoops {
    const char *name; /* "plain", "avx2", "avx512" */
    PtsStrip *strips[STRIP_COUNT][LANE_COUNT];
    PtsConvertRun *half_to_float, *float_to_half, *bfloat_to_float, *float_to_bfloat;
    /* [lane] → F32 and F64; NULL for the same type */
    PtsConvertRun *to_float[LANE_COUNT], *to_double[LANE_COUNT];
    PtsToInteger *to_integer[6]; /* by CastMode; [0] unused */
    /* I32 → I8, U8, I16, U16 by [lane]: clamped, and low bits. */
    PtsConvertRun *clamp[LANE_COUNT], *wrap[LANE_COUNT];
    GemmShape tile_f32, tile_f64;
    PtsGemmTile *gemm_f32, *gemm_f64;
    PtsDifferences *differences_f32, *differences_f64;
    PtsJudge *judge_f32, *judge_f64;
    PtsSizesOf *sizes_f64;
    PtsErrorsOf *errors_f64;
    PtsIsBeyond *is_beyond_f64;
    PtsIsBeyondSingle *is_beyond_f32;
} PtsLoops;

/* The best loops of this machine, or those that the environment variable PTOSIM_ISA names. */
const PtsLoops *pts_loops(void);
/* For tests: uses those of that name from now on; false when this machine has none. */
bool pts_loops_select(const char *name);

#endif
