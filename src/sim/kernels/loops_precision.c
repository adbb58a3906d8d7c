/* Errors of runs against doubles; see precision_measure.c. As in loops_compare.c the largest values
 * are found among bit patterns, where NaN comes last. */
#include "sim/kernels/loops_macros.h"

#include <float.h>
#include <string.h>

enum {
    SUMS = 8, /* partial ones, so that processors can add several at a time */
    RUN = 64  /* elements that are looked at before something is divided */
};

/* Of the finite elements only. */
static void finite_sizes(size_t count, const double *d, double *sums, PtsSizes *sizes)
{
    for (size_t i = 0; i < count; i++) {
        const bool is_finite = fabs(d[i]) <= DBL_MAX;
        sums[i < count - count % SUMS ? i % SUMS : 0] += is_finite ? d[i] * d[i] : 0;
        sizes->finite += is_finite;
    }
}

/* What is not finite makes the sum so, too: only then is each element looked at. */
static void sizes_f64(size_t count, const double *d, PtsSizes *sizes)
{
    double sums[SUMS] = {0};
    double total = 0;
    size_t whole = count - count % SUMS;
    for (size_t i = 0; i < whole; i += SUMS) {
        for (size_t j = 0; j < SUMS; j++) {
            sums[j] += d[i + j] * d[i + j];
        }
    }
    for (size_t i = whole; i < count; i++) {
        sums[0] += d[i] * d[i];
    }
    for (size_t j = 0; j < SUMS; j++) {
        total += sums[j];
    }
    if (total <= DBL_MAX) {
        sizes->squares += total;
        sizes->finite += (int64_t)count;
        return;
    }
    memset(sums, 0, sizeof sums);
    finite_sizes(count, d, sums, sizes);
    for (size_t j = 0; j < SUMS; j++) {
        sizes->squares += sums[j];
    }
}

static bool is_beyond_f64(size_t count, const double *r, const double *d, double limit)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t bits = (int64_t)bits_of_double(fabs(r[i] - d[i]));
        most = bits > most ? bits : most;
    }
    return !(double_of_bits((uint64_t)most) <= limit);
}

/* The same without doubles in between. */
static bool is_beyond_f32(size_t count, const float *r, const double *d, double limit)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t bits = (int64_t)bits_of_double(fabs((double)r[i] - d[i]));
        most = bits > most ? bits : most;
    }
    return !(double_of_bits((uint64_t)most) <= limit);
}

/* The largest errors of some elements, by division. */
static void divide_f64(size_t count, const double *r, const double *d, double scale,
                       PtsErrors *errors)
{
    int64_t error = 0;
    int64_t single = 0;
    for (size_t i = 0; i < count; i++) {
        const double size = fabs(d[i]);
        const double difference = fabs(r[i] - d[i]);
        const double to_scale = fabs(difference / (size > scale ? size : scale));
        const double alone = fabs(difference / (size > DBL_MIN ? size : DBL_MAX));
        const int64_t error_bits = (int64_t)bits_of_double(to_scale);
        const int64_t single_bits = (int64_t)bits_of_double(alone);
        error = error_bits > error ? error_bits : error;
        single = single_bits > single ? single_bits : single;
    }
    double most = double_of_bits((uint64_t)error);
    double most_alone = double_of_bits((uint64_t)single);
    errors->odd = errors->odd || !(most <= DBL_MAX) || !(most_alone <= DBL_MAX);
    errors->error = most > errors->error ? most : errors->error;
    errors->single = most_alone > errors->single ? most_alone : errors->single;
}

static void count_ends(size_t count, const double *r, const double *d, double largest,
                       PtsErrors *errors)
{
    for (size_t i = 0; i < count; i++) {
        errors->zeroed += (r[i] == 0) & (fabs(d[i]) > 0);
        errors->at_limit += (fabs(r[i]) >= largest) & (fabs(r[i] - d[i]) > 0);
    }
}

/* A maximum changes seldom: only runs that hold a larger error than those before are divided, and
 * only in those with a zero or with the dtype's largest number is it counted. */
static void errors_f64(size_t count, const double *r, const double *d, double scale, double largest,
                       PtsErrors *errors)
{
    for (size_t begin = 0; begin < count; begin += RUN) {
        const size_t end = count - begin < RUN ? count : begin + RUN;
        const double error = errors->error;
        const double single = errors->single;
        int64_t larger = 0;
        int64_t ends = 0;
        for (size_t i = begin; i < end; i++) {
            const double size = fabs(d[i]);
            const double difference = fabs(r[i] - d[i]);
            const double against = size > scale ? size : scale;
            const double alone = size > DBL_MIN ? size : DBL_MAX;
            /* not `>`: what is not a number is looked at, too */
            larger |= !(difference <= error * against) | !(difference <= single * alone);
            ends |= (r[i] == 0) | (fabs(r[i]) >= largest);
        }
        if (ends != 0) {
            count_ends(end - begin, &r[begin], &d[begin], largest, errors);
        }
        if (larger != 0) {
            divide_f64(end - begin, &r[begin], &d[begin], scale, errors);
        }
    }
}

void ISA(pts_fill_precision)(PtsLoops *loops)
{
    loops->sizes_f64 = sizes_f64;
    loops->errors_f64 = errors_f64;
    loops->is_beyond_f64 = is_beyond_f64;
    loops->is_beyond_f32 = is_beyond_f32;
}
