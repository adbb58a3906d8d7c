/* The report on precision: rows, their order, and what is public of them. */
#include "sim/precision.h"

#include "model/context.h"
#include "model/error.h"

#include <stdlib.h>
#include <string.h>

/* Relative errors that a few operations of one precision add up to. */
static const double TOLERANCE_FP32 = 1e-4, TOLERANCE_FP16 = 4e-3, TOLERANCE_BF16 = 1.6e-2;

double precision_tolerance(const PtsPrecision *precision, PtsDtype dtype)
{
    if (precision->tolerance > 0) {
        return precision->tolerance;
    }
    return dtype == PTS_BF16 ? TOLERANCE_BF16 : dtype == PTS_FP16 ? TOLERANCE_FP16 : TOLERANCE_FP32;
}

static uint32_t bucket_of(const PtsInstruction *instruction)
{
    uint64_t hash = (uint64_t)(uintptr_t)instruction->site.file / 8;
    hash = hash * 31 + (uint64_t)instruction->site.line;
    hash = hash * 31 + (uint64_t)instruction->op;
    return (uint32_t)((hash * UINT64_C(0x9E3779B97F4A7C15)) >> 32) % PRECISION_BUCKETS;
}

uint32_t precision_row(PtsPrecision *precision, const PtsInstruction *instruction)
{
    uint32_t *bucket = &precision->buckets[bucket_of(instruction)];
    for (uint32_t at = *bucket; at != 0; at = precision->rows[at - 1].next) {
        const PtsPrecisionRow *seen = &precision->rows[at - 1].seen;
        if (seen->op == instruction->op && seen->site.line == instruction->site.line &&
            seen->site.file == instruction->site.file) {
            return at - 1;
        }
    }
    if (precision->row_count == precision->row_capacity) {
        uint32_t capacity = precision->row_capacity == 0 ? 64 : precision->row_capacity * 2;
        PrecisionRow *rows = realloc(precision->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            return PRECISION_NO_ROW;
        }
        precision->rows = rows;
        precision->row_capacity = capacity;
    }
    precision->rows[precision->row_count] = (PrecisionRow){
        .seen = {.site = instruction->site, .op = instruction->op, .number = precision->row_count},
        .next = *bucket};
    *bucket = precision->row_count + 1;
    return precision->row_count++;
}

PtsPrecision *pts_precision_start(PtsContext *context, double tolerance)
{
    PtsPrecision *precision = calloc(1, sizeof *precision);
    if (precision == NULL) {
        return NULL;
    }
    precision->context = context;
    precision->tolerance = tolerance > 0 ? tolerance : 0;
    pts_context_run_state(context)->precision = precision;
    return precision;
}

void pts_precision_free(PtsPrecision *precision)
{
    if (precision == NULL) {
        return;
    }
    PtsRunState *state = pts_context_run_state(precision->context);
    if (state->precision == precision) {
        state->precision = NULL;
    }
    free(precision->rows);
    free(precision);
}

/* Flags whose effect never reaches an output are those of a kernel that copes with it: an
 * exponential that underflows in a softmax, a mask of −inf. */
static PtsPrecisionRow settled(const PrecisionRow *row)
{
    PtsPrecisionRow seen = row->seen;
    if (seen.share > seen.tolerance) {
        seen.flags |= row->possible;
    }
    seen.harmless = row->possible & ~seen.flags;
    seen.is_accused = (seen.flags & ~(unsigned)PTS_PRECISION_NO_DOUBLE) != 0;
    return seen;
}

static int compare_reals(double a, double b)
{
    return a > b ? -1 : a < b;
}

static int by_rank(const void *a, const void *b)
{
    const PtsPrecisionRow *x = a, *y = b;
    if (x->is_accused != y->is_accused) {
        return x->is_accused ? -1 : 1;
    }
    int order = compare_reals(x->share, y->share);
    order = order != 0 ? order : compare_reals(x->added, y->added);
    return order != 0 ? order : x->number < y->number ? -1 : x->number > y->number;
}

size_t pts_precision_rows(const PtsPrecision *precision, PtsPrecisionRow *rows, size_t most)
{
    PtsPrecisionRow *all = malloc((precision->row_count + 1) * sizeof *all);
    if (all == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < precision->row_count; i++) {
        all[i] = settled(&precision->rows[i]);
    }
    qsort(all, precision->row_count, sizeof *all, by_rank);
    size_t count = precision->row_count < most ? precision->row_count : most;
    if (count > 0) {
        memcpy(rows, all, count * sizeof *rows);
    }
    free(all);
    return count;
}

PtsPrecisionSummary pts_precision_summary(const PtsPrecision *precision)
{
    PtsPrecisionSummary summary = precision->summary;
    summary.rows = precision->row_count;
    summary.has_beyond = precision->has_beyond && summary.output_is_wrong;
    if (summary.has_beyond) {
        summary.beyond = settled(&precision->rows[precision->beyond]);
        summary.beyond.in_loop = precision->beyond_in_loop;
        summary.beyond.iteration = precision->beyond_iteration;
    }
    return summary;
}

const char *pts_precision_flag(unsigned flag)
{
    static const struct {
        unsigned flag;
        const char *name;
    } names[] = {
        {PTS_PRECISION_CANCELLATION, "cancellation"},    {PTS_PRECISION_OVERFLOW, "overflow"},
        {PTS_PRECISION_UNDERFLOW, "underflow"},          {PTS_PRECISION_SATURATION, "saturation"},
        {PTS_PRECISION_ACCUMULATION, "accumulation-16"}, {PTS_PRECISION_NO_DOUBLE, "no-double"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].flag == flag) {
            return names[i].name;
        }
    }
    return NULL;
}
