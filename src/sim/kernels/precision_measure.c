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

/* Runs of neighbours in two tensors of one shape: the axes from `first` on, which have no gaps. */
typedef struct Runs {
    int64_t extent[PTS_MAX_RANK]; /* of the axes before */
    int first;
    int64_t count; /* elements of a run; 0 = there are none */
} Runs;

static bool has_no_gap(const PtsTensor *tensor, int axis, int64_t inside)
{
    return pts_extent(tensor, axis) == 1 || tensor->stride[axis] == inside;
}

static Runs runs_of(const PtsTensor *first, const PtsTensor *second)
{
    Runs runs = {.first = first->rank, .count = 1};
    for (int i = 0; i < first->rank; i++) {
        runs.extent[i] = pts_extent(first, i);
        if (runs.extent[i] == 0) {
            runs.count = 0;
            return runs;
        }
    }
    while (runs.first > 0 && has_no_gap(first, runs.first - 1, runs.count) &&
           has_no_gap(second, runs.first - 1, runs.count)) {
        runs.count *= runs.extent[--runs.first];
    }
    return runs;
}

/* Walks over the valid elements of two tensors of one shape in pieces of at most BLOCK; the second
 * one has doubles, the first one's are made doubles. Without a `piece` to call these are written to
 * the second. */
typedef void Piece(void *context, size_t count, const double *first, double *second);

static void over_pieces(const PtsTensor *first, const PtsTensor *second, Piece *piece,
                        void *context)
{
    Runs runs = runs_of(first, second);
    int64_t index[PTS_MAX_RANK] = {0};
    int64_t bytes = (int64_t)pts_dtype_bytes(first->dtype);
    double widened[BLOCK] = {0};
    if (runs.count == 0) {
        return;
    }
    do {
        const char *from = pts_at(first, index, runs.first);
        double *to = (double *)(void *)pts_at(second, index, runs.first);
        for (int64_t done = 0; done < runs.count; done += BLOCK) {
            int64_t count = runs.count - done < BLOCK ? runs.count - done : BLOCK;
            double *doubles = piece == NULL ? to + done : widened;
            widen_run(first->dtype, (size_t)count, doubles, from + done * bytes);
            if (piece != NULL) {
                piece(context, (size_t)count, doubles, to + done);
            }
        }
    } while (pts_next_index(runs.first, runs.extent, index));
}

void precision_widen(const PtsTensor *from, const PtsTensor *to)
{
    over_pieces(from, to, NULL, NULL);
}

/* ---- errors ---- */

typedef struct Comparing {
    const PtsLoops *loops;
    PrecisionMeasure *measure;
    double scale, largest;
} Comparing;

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
    PtsErrors errors = {.error = measure->error, .single = measure->single};
    comparing->loops->errors_f64(count, r, d, comparing->scale, comparing->largest, &errors);
    if (errors.odd) {
        compare_odd(comparing, count, r, d);
    } else {
        measure->error = errors.error;
        measure->single = errors.single;
        measure->zeroed += errors.zeroed;
        measure->largest += errors.at_limit;
    }
    measure->error = fmin(measure->error, PRECISION_CAP);
    measure->single = fmin(measure->single, PRECISION_CAP);
}

/* Of each run a glance takes the size of one element in so many, but of short runs of all. Where
 * these happen to have all that is large, the scale is too large by the root of this: 2.8. */
enum { GLANCE_SHARE = 8, SHORT_RUN = 512 };

/* Root of the mean square of the finite elements, or of the first 1/`share` of each run. */
static double scale_of(const PtsTensor *doubles, int share)
{
    Runs runs = runs_of(doubles, doubles);
    int64_t index[PTS_MAX_RANK] = {0};
    PtsSizes sizes = {.squares = 0};
    if (runs.count == 0) {
        return 0;
    }
    do {
        const double *at = (const double *)(const void *)pts_at(doubles, index, runs.first);
        int64_t count = runs.count > SHORT_RUN ? runs.count / share : runs.count;
        pts_loops()->sizes_f64((size_t)count, at, &sizes);
    } while (pts_next_index(runs.first, runs.extent, index));
    return sizes.finite > 0 ? fmin(sqrt(sizes.squares / (double)sizes.finite), DBL_MAX) : 0;
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
    measure.scale = scale_of(doubles, 1);
    comparing.scale = fmax(fmax(measure.scale, floor), DBL_MIN);
    over_pieces(result, doubles, compare_piece, &comparing);
    return measure;
}

/* ---- a glance ---- */

typedef struct Glance {
    double limit;
    bool is_beyond;
} Glance;

static void glance_piece(void *context, size_t count, const double *r, double *d)
{
    Glance *glance = context;
    glance->is_beyond |= pts_loops()->is_beyond_f64(count, r, d, glance->limit);
}

bool precision_is_near(const PtsTensor *result, const PtsTensor *doubles, double floor,
                       double bound)
{
    Glance glance = {.limit = bound * fmax(scale_of(doubles, GLANCE_SHARE), floor)};
    Runs runs = runs_of(result, doubles);
    if (result->dtype == PTS_FP32 && runs.first == 0) {
        return !pts_loops()->is_beyond_f32((size_t)runs.count, result->data, doubles->data,
                                           glance.limit);
    }
    over_pieces(result, doubles, glance_piece, &glance);
    return !glance.is_beyond;
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
