/* Comparison of tensors; see compare.h. A block at a time is converted, subtracted and judged, so
 * that everything between memory and result stays in the processor's cache. */
#include "sim/compare.h"
#include "sim/kernels/common.h"
#include "sim/kernels/half.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Comparer {
    PtsDtype dtype;
    bool is_wide; /* compared in F64 */
    size_t size;  /* of an element */
    Conversion widen;
    PtsDifferences *differences;
    PtsJudge *judge;
    double tolerance[2];
    PtsTally tally;
} Comparer;

PtsDtype pts_compare_dtype(PtsDtype dtype)
{
    bool is_wide =
        dtype == PTS_DOUBLE || (pts_dtype_is_integer(dtype) && pts_dtype_bytes(dtype) > 2);
    return is_wide ? PTS_DOUBLE : PTS_FP32;
}

/* Differences of 64-bit integers, which may be closer than F64 can tell them apart. */
static void integer_differences(size_t count, bool is_signed, double *diff, const uint64_t *c,
                                const uint64_t *t)
{
    for (size_t i = 0; i < count; i++) {
        bool is_above = is_signed ? (int64_t)c[i] > (int64_t)t[i] : c[i] > t[i];
        diff[i] = (double)(is_above ? c[i] - t[i] : t[i] - c[i]);
    }
}

/* At most BLOCK elements. */
static void compare_block(Comparer *comparer, size_t count, const void *c, const void *t,
                          void *diff, uint8_t *mask)
{
    double room[2][BLOCK];
    bool is_long = comparer->dtype == PTS_INT64 || comparer->dtype == PTS_UINT64;
    if (is_long) {
        integer_differences(count, comparer->dtype == PTS_INT64, diff, c, t);
    }
    if (!comparer->widen.is_same) {
        pts_convert_run(&comparer->widen, count, room[0], c);
        pts_convert_run(&comparer->widen, count, room[1], t);
        c = room[0];
        t = room[1];
    }
    if (!is_long) {
        comparer->differences(count, diff, c, t);
    }
    comparer->judge(count, diff, t, comparer->tolerance, mask, &comparer->tally);
}

static bool comparer_init(Comparer *comparer, PtsDtype dtype, PtsTolerance tolerance,
                          PtsError *error)
{
    if (!pts_dtype_is_supported(dtype)) {
        pts_fail(error, PTS_E_PLANNED, "comparison of %s is not simulated yet",
                 pts_dtype_name(dtype));
        return false;
    }
    const PtsLoops *loops = pts_loops();
    bool is_wide = pts_compare_dtype(dtype) == PTS_DOUBLE;
    *comparer = (Comparer){
        .dtype = dtype,
        .is_wide = is_wide,
        .size = pts_dtype_bytes(dtype),
        .widen = pts_conversion(dtype, pts_compare_dtype(dtype)),
        .differences = is_wide ? loops->differences_f64 : loops->differences_f32,
        .judge = is_wide ? loops->judge_f64 : loops->judge_f32,
        .tolerance = {tolerance.atol, tolerance.rtol},
    };
    return true;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void tell(const Comparer *comparer, const void *candidate, const void *reference,
                 size_t count, PtsComparison *comparison)
{
    *comparison = (PtsComparison){
        .elements = count,
        .out_of_tolerance = comparer->tally.out,
        .nonfinite = comparer->tally.nonfinite,
        .max_abs_diff = double_of(comparer->tally.max_abs),
        .max_rel_diff = double_of(comparer->tally.max_rel),
        .exact = count == 0 || memcmp(candidate, reference, count * comparer->size) == 0,
    };
}

/* Not the caller's rounding or flushing of subnormal numbers. */
static fenv_t enter_arithmetic(void)
{
    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    return environment;
}

bool pts_compare(const void *candidate, const void *reference, PtsDtype dtype, size_t count,
                 PtsTolerance tolerance, PtsComparison *comparison, PtsError *error)
{
    Comparer comparer;
    double diff[BLOCK];
    uint8_t mask[BLOCK];
    if (!comparer_init(&comparer, dtype, tolerance, error)) {
        return false;
    }
    fenv_t environment = enter_arithmetic();
    for (size_t done = 0; done < count; done += BLOCK) {
        size_t part = count - done < BLOCK ? count - done : BLOCK;
        compare_block(&comparer, part, (const char *)candidate + done * comparer.size,
                      (const char *)reference + done * comparer.size, diff, mask);
    }
    fesetenv(&environment);
    tell(&comparer, candidate, reference, count, comparison);
    return true;
}

static double difference_at(const void *differences, bool is_wide, size_t i)
{
    return is_wide ? ((const double *)differences)[i] : (double)((const float *)differences)[i];
}

/* Sums are in F64; a NaN among the differences is in every figure that it is part of. */
static void add_up(PtsComparisonDetails *details, bool is_wide, size_t count)
{
    const void *differences = details->differences;
    double sum = 0;
    double sum_out = 0;
    double squares = 0;
    double most = 0;
    size_t out = 0;
    for (size_t i = 0; i < count; i++) {
        double x = difference_at(differences, is_wide, i);
        sum += x;
        if (details->mask[i] == 0) {
            out++;
            sum_out += x;
            most = x > most || isnan(x) ? x : most;
        }
    }
    double mean = count == 0 ? 0 : sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        double x = difference_at(differences, is_wide, i) - mean;
        squares += x * x;
    }
    details->mean_diff = mean;
    details->std_diff = count < 2 ? 0 : sqrt(squares / (double)(count - 1));
    details->max_out_of_tolerance_diff = most;
    details->mean_out_of_tolerance_diff = out == 0 ? 0 : sum_out / (double)out;
}

bool pts_compare_details(const void *candidate, const void *reference, PtsDtype dtype, size_t count,
                         PtsTolerance tolerance, PtsComparison *comparison,
                         PtsComparisonDetails *details, PtsError *error)
{
    Comparer comparer;
    if (!comparer_init(&comparer, dtype, tolerance, error)) {
        return false;
    }
    size_t size = comparer.is_wide ? sizeof(double) : sizeof(float);
    fenv_t environment = enter_arithmetic();
    for (size_t done = 0; done < count; done += BLOCK) {
        size_t part = count - done < BLOCK ? count - done : BLOCK;
        compare_block(&comparer, part, (const char *)candidate + done * comparer.size,
                      (const char *)reference + done * comparer.size,
                      (char *)details->differences + done * size, details->mask + done);
    }
    add_up(details, comparer.is_wide, count);
    fesetenv(&environment);
    tell(&comparer, candidate, reference, count, comparison);
    return true;
}

/* ---- order ---- */

typedef struct Outlier {
    uint64_t key; /* ascending */
    int64_t index;
} Outlier;

/* Largest first: differences are not negative, so their bits have their order. */
static uint64_t key_of(double difference)
{
    uint64_t bits;
    memcpy(&bits, &difference, sizeof bits);
    return ~bits;
}

/* One pass of a radix sort, by the byte at `shift`; false when all elements have the same there. */
static bool sort_by_byte(const Outlier *from, Outlier *to, size_t count, unsigned shift)
{
    size_t start[257] = {0};
    for (size_t i = 0; i < count; i++) {
        start[((from[i].key >> shift) & 0xFF) + 1]++;
    }
    if (start[((from[0].key >> shift) & 0xFF) + 1] == count) {
        return false;
    }
    for (int i = 1; i < 257; i++) {
        start[i] += start[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        to[start[(from[i].key >> shift) & 0xFF]++] = from[i];
    }
    return true;
}

bool pts_compare_order(const void *differences, PtsDtype dtype, const uint8_t *mask, size_t count,
                       int64_t *order, PtsError *error)
{
    size_t out = 0;
    for (size_t i = 0; i < count; i++) {
        out += mask[i] == 0;
    }
    if (out == 0) {
        return true;
    }
    Outlier *room = calloc(out, 2 * sizeof *room);
    if (room == NULL) {
        return pts_fail_memory(error);
    }
    Outlier *now = room;
    Outlier *next = room + out;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (mask[i] == 0) {
            double difference = difference_at(differences, dtype == PTS_DOUBLE, i);
            now[found++] =
                (Outlier){key_of(isnan(difference) ? (double)NAN : difference), (int64_t)i};
        }
    }
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (sort_by_byte(now, next, out, shift)) {
            Outlier *sorted = next;
            next = now;
            now = sorted;
        }
    }
    for (size_t i = 0; i < out; i++) {
        order[i] = now[i].index;
    }
    free(room);
    return true;
}
