/* Comparing a result with its double. */
#include "sim/kernels/common.h"
#include "sim/precision.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- elements as doubles ---- */

/* A run of neighbours, at most BLOCK. 16-bit elements go by way of F32, for which there are fast
 * loops; that is exact. */
static void widen_run(PtsDtype dtype, size_t count, double *to, const void *from)
{
    float narrow[BLOCK];
    if (dtype == PTS_FP16 || dtype == PTS_BF16) {
        Conversion first = pts_conversion(dtype, PTS_FP32);
        pts_convert_run(&first, count, narrow, from);
        from = narrow;
        dtype = PTS_FP32;
    }
    Conversion conversion = pts_conversion(dtype, PTS_DOUBLE);
    pts_convert_run(&conversion, count, to, from);
}

static void widen_piece(const PtsTensor *from, const char *at, int64_t count, double *to)
{
    int64_t stride = from->stride[from->rank - 1];
    if (stride == 1) {
        widen_run(from->dtype, (size_t)count, to, at);
        return;
    }
    int64_t bytes = stride * (int64_t)pts_dtype_bytes(from->dtype);
    for (int64_t i = 0; i < count; i++) {
        widen_run(from->dtype, 1, &to[i], at + i * bytes);
    }
}

/* Walks over the valid elements of two tensors of one shape in pieces of at most BLOCK; the second
 * one has doubles, the first one's are made doubles. */
typedef void Piece(void *context, size_t count, const double *first, double *second);

static void over_pieces(const PtsTensor *first, const PtsTensor *second, Piece *piece,
                        void *context)
{
    int64_t extent[PTS_MAX_RANK];
    int64_t index[PTS_MAX_RANK] = {0};
    int last = first->rank - 1;
    for (int i = 0; i <= last; i++) {
        extent[i] = pts_extent(first, i);
        if (extent[i] == 0) {
            return;
        }
    }
    int64_t bytes = first->stride[last < 0 ? 0 : last] * (int64_t)pts_dtype_bytes(first->dtype);
    double widened[BLOCK] = {0};
    do {
        const char *from = pts_at(first, index, last);
        double *to = (double *)(void *)pts_at(second, index, last);
        for (int64_t done = 0; done < extent[last]; done += BLOCK) {
            int64_t count = extent[last] - done < BLOCK ? extent[last] - done : BLOCK;
            widen_piece(first, from + done * bytes, count, widened);
            piece(context, (size_t)count, widened, to + done);
        }
    } while (pts_next_index(last, extent, index));
}

static void store_piece(void *context, size_t count, const double *first, double *second)
{
    (void)context;
    memcpy(second, first, count * sizeof *first);
}

void precision_widen(const PtsTensor *from, const PtsTensor *to)
{
    over_pieces(from, to, store_piece, NULL);
}

/* ---- errors ---- */

typedef struct Comparing {
    const PtsLoops *loops;
    PrecisionMeasure *measure;
    PtsSizes sizes;
    double scale, largest;
} Comparing;

static void scale_piece(void *context, size_t count, const double *r, double *d)
{
    Comparing *comparing = context;
    comparing->loops->sizes_f64(count, r, d, &comparing->sizes);
}

/* A run with values that are not finite: the finite ones one by one. */
static void compare_odd(const Comparing *comparing, size_t count, const double *r, const double *d)
{
    PrecisionMeasure *measure = comparing->measure;
    for (size_t i = 0; i < count; i++) {
        PtsErrors one = {.error = 0};
        comparing->loops->errors_f64(1, &r[i], &d[i], comparing->scale, comparing->largest, &one);
        measure->error = fmax(measure->error, one.odd ? 0 : one.error);
        measure->single = fmax(measure->single, one.odd ? 0 : one.single);
        if (!one.odd) {
            measure->zeroed += one.zeroed;
            measure->largest += one.at_limit;
        } else if (r[i] == d[i] || (isnan(r[i]) && isnan(d[i]))) {
            measure->both_not_finite++;
        } else {
            measure->error = measure->single = PRECISION_CAP;
            measure->infinite += isinf(r[i]) && isfinite(d[i]);
        }
    }
}

static void compare_piece(void *context, size_t count, const double *r, double *d)
{
    const Comparing *comparing = context;
    PrecisionMeasure *measure = comparing->measure;
    PtsErrors errors = {.error = 0};
    comparing->loops->errors_f64(count, r, d, comparing->scale, comparing->largest, &errors);
    if (errors.odd) {
        compare_odd(comparing, count, r, d);
    } else {
        measure->error = fmax(measure->error, errors.error);
        measure->single = fmax(measure->single, errors.single);
        measure->zeroed += errors.zeroed;
        measure->largest += errors.at_limit;
    }
    measure->error = fmin(measure->error, PRECISION_CAP);
    measure->single = fmin(measure->single, PRECISION_CAP);
}

PrecisionMeasure precision_measure(const PtsTensor *result, const PtsTensor *doubles, double floor)
{
    static const double largest_bfloat = 3.3895313892515355e38; /* near enough for F32 */
    PrecisionMeasure measure = {.error = 0};
    Comparing comparing = {.loops = pts_loops(), .measure = &measure, .largest = DBL_MAX};
    if (result->dtype == PTS_FP16) {
        comparing.largest = 65504;
    } else if (result->dtype == PTS_BF16 || result->dtype == PTS_FP32) {
        comparing.largest = largest_bfloat;
    }
    over_pieces(result, doubles, scale_piece, &comparing);
    if (comparing.sizes.finite > 0) {
        measure.scale =
            fmin(sqrt(comparing.sizes.squares / (double)comparing.sizes.finite), DBL_MAX);
    }
    if (comparing.sizes.differing > 0) {
        comparing.scale = fmax(fmax(measure.scale, floor), DBL_MIN);
        over_pieces(result, doubles, compare_piece, &comparing);
    }
    return measure;
}

/* ---- integers ---- */

typedef struct Clipping {
    double least, most, error;
    int64_t count;
} Clipping;

static void clip_piece(void *context, size_t count, const double *unused, double *d)
{
    Clipping *clipping = context;
    (void)unused;
    for (size_t i = 0; i < count; i++) {
        double beyond = d[i] - clipping->most > clipping->least - d[i] ? d[i] - clipping->most
                                                                       : clipping->least - d[i];
        if (beyond >= 1) {
            double error = beyond / fabs(d[i]);
            clipping->count++;
            clipping->error = error > clipping->error ? error : clipping->error;
        }
    }
}

int64_t precision_clipped(const PtsTensor *result, const PtsTensor *doubles, double *error)
{
    *error = 0;
    if (!pts_dtype_is_integer(result->dtype) || pts_dtype_bytes(result->dtype) > 4 ||
        result->dtype == PTS_INT4) {
        return 0;
    }
    int bits = (int)pts_dtype_bytes(result->dtype) * 8;
    bool is_signed = pts_dtype_is_signed(result->dtype);
    Clipping clipping = {.least = is_signed ? -ldexp(1, bits - 1) : 0,
                         .most = ldexp(1, is_signed ? bits - 1 : bits) - 1};
    over_pieces(doubles, doubles, clip_piece, &clipping);
    *error = clipping.error < PRECISION_CAP ? clipping.error : PRECISION_CAP;
    return clipping.count;
}

static void finite_piece(void *context, size_t count, const double *first, double *second)
{
    bool *finite = context;
    (void)second;
    for (size_t i = 0; i < count; i++) {
        *finite = *finite && isfinite(first[i]);
    }
}

bool precision_is_finite(const PtsTensor *doubles)
{
    bool finite = true;
    over_pieces(doubles, doubles, finite_piece, &finite);
    return finite;
}
