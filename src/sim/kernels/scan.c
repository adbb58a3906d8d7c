/* Running sums and products, and variance. */
#include "sim/kernels/common.h"

#include <math.h>

typedef struct Scan {
    const PtsTensor *result, *operand;
    int axis;
    bool is_product;
} Scan;

/* One line along the axis: floating point in F64, each prefix rounded on its own. */
static void scan_line(const Scan *scan, char *to, const char *from, int64_t count)
{
    const PtsTensor *result = scan->result;
    const PtsTensor *operand = scan->operand;
    int64_t to_step = result->stride[scan->axis] * (int64_t)pts_dtype_bytes(result->dtype);
    int64_t from_step = operand->stride[scan->axis] * (int64_t)pts_dtype_bytes(operand->dtype);
    double real = scan->is_product ? 1 : 0;
    uint64_t integer = scan->is_product ? 1 : 0;
    bool is_float = pts_dtype_is_float(operand->dtype);
    for (int64_t i = 0; i < count; i++) {
        if (is_float) {
            double value = pts_load_real(from + i * from_step, operand->dtype);
            real = scan->is_product ? real * value : real + value;
            pts_store_real(to + i * to_step, result->dtype, real);
        } else {
            uint64_t value = (uint64_t)pts_load_integer(from + i * from_step, operand->dtype);
            integer = scan->is_product ? integer * value : integer + value;
            pts_store_integer(to + i * to_step, result->dtype, (int64_t)integer);
        }
    }
}

/* cumsum and cumprod. */
bool pts_run_scan(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    Scan scan = {result, call->operands[0].tensor, call->attributes->dim,
                 call->op == PTS_OP_CUMPROD};
    (void)error;
    int64_t extent[PTS_MAX_RANK];
    for (int i = 0; i < result->rank; i++) {
        extent[i] = pts_extent(result, i);
    }
    int64_t count = extent[scan.axis];
    if (pts_product(result->rank, extent) == 0) {
        return true;
    }
    extent[scan.axis] = 1;
    int64_t index[PTS_MAX_RANK] = {0};
    do {
        scan_line(&scan, pts_at(result, index, result->rank),
                  pts_at(scan.operand, index, result->rank), count);
    } while (pts_next_index(result->rank, extent, index));
    return true;
}

/* ---- variance ---- */

/* The axes that are reduced: the listed ones, or the one given, or all. */
static void reduced_axes(const PtsKernelCall *call, bool *is_reduced)
{
    const PtsKernelAttributes *attributes = call->attributes;
    int rank = call->operands[0].tensor->rank;
    for (int i = 0; i < rank; i++) {
        is_reduced[i] = attributes->shape_rank == 0;
    }
    for (int i = 0; i < attributes->shape_rank; i++) {
        int64_t axis = attributes->shape[i];
        axis = axis < 0 ? axis + rank : axis;
        if (axis >= 0 && axis < rank) {
            is_reduced[axis] = true;
        }
    }
}

/* Two passes in F64 over the elements at `from` along the reduced axes. */
static double variance(const PtsTensor *operand, const char *from, const int64_t *extent,
                       double correction)
{
    double count = (double)pts_product(operand->rank, extent);
    double mean = 0;
    double squares = 0;
    int64_t offset = from - (const char *)operand->data;
    for (int pass = 0; pass < 2; pass++) {
        double sum = 0;
        int64_t index[PTS_MAX_RANK] = {0};
        do {
            const char *at = pts_at(operand, index, operand->rank) + offset;
            double value = pts_load_real(at, operand->dtype) - mean;
            sum += pass == 0 ? value : value * value;
        } while (pts_next_index(operand->rank, extent, index));
        mean = pass == 0 ? sum / count : mean;
        squares = sum;
    }
    return squares / fmax(0, count - correction);
}

bool pts_run_var(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *operand = call->operands[0].tensor;
    bool is_reduced[PTS_MAX_RANK];
    (void)error;
    reduced_axes(call, is_reduced);
    int64_t inner[PTS_MAX_RANK];
    int64_t outer[PTS_MAX_RANK];
    for (int i = 0; i < operand->rank; i++) {
        int64_t extent = pts_extent(operand, i);
        inner[i] = is_reduced[i] ? extent : 1;
        outer[i] = is_reduced[i] ? 1 : extent;
    }
    if (pts_product(operand->rank, inner) == 0 || pts_product(operand->rank, outer) == 0) {
        return true;
    }
    int64_t index[PTS_MAX_RANK] = {0};
    do {
        int64_t at[PTS_MAX_RANK] = {0};
        int axes = 0;
        for (int i = 0; i < operand->rank; i++) {
            if (result->rank == operand->rank || !is_reduced[i]) {
                at[axes++] = index[i];
            }
        }
        double value =
            variance(operand, pts_at(operand, index, operand->rank), inner, call->attributes->real);
        pts_store_real(pts_at(result, at, axes), result->dtype, value);
    } while (pts_next_index(operand->rank, outer, index));
    return true;
}
