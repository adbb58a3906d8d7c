/* Operations that move or make elements without computing with them. */
#include "sim/kernels/common.h"

#include <math.h>
#include <string.h>

/* Copies what both tensors' valid regions and `extent` have in common. */
static void copy_extent(const PtsTensor *to, const PtsTensor *from, const int64_t *extent,
                        int threads)
{
    Walk walk;
    if (pts_walk_over(&walk, 2, (const PtsTensor *const[]){to, from}, extent)) {
        pts_copy_walk(&walk, pts_dtype_bytes(to->dtype), threads);
    }
}

bool pts_run_copy(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    (void)error;
    copy_extent(result, call->operands[0].tensor, result->valid, call->threads);
    return true;
}

static void fill(const PtsTensor *tensor, const PtsElement *element)
{
    uint64_t value = 0;
    pts_store_element(&value, tensor->dtype, element);
    Walk walk;
    if (pts_walk_init(&walk, 1, (const PtsTensor *const[]){tensor})) {
        pts_fill_walk(&walk, pts_dtype_bytes(tensor->dtype), &value);
    }
}

bool pts_run_full(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    fill(call->results[0], &call->operands[0].element);
    return true;
}

static double element_real(const PtsElement *element)
{
    return pts_dtype_is_float(element->dtype) ? element->real : (double)element->integer;
}

/* Operands: end; or start, end; or start, end, step. */
bool pts_run_arange(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsKernelOperand *operands = call->operands;
    static const PtsElement zero = {.dtype = PTS_INT64, .integer = 0};
    static const PtsElement one = {.dtype = PTS_INT64, .integer = 1};
    (void)error;
    bool has_start = call->operand_count > 1 && operands[0].is_given && operands[1].is_given;
    const PtsElement *start = has_start ? &operands[0].element : &zero;
    bool has_step = call->operand_count > 2 && operands[2].is_given;
    const PtsElement *step = has_step ? &operands[2].element : &one;
    size_t bytes = pts_dtype_bytes(result->dtype);
    char *at = result->data;
    for (int64_t i = 0; i < pts_extent(result, 0); i++) {
        if (pts_dtype_is_float(result->dtype)) {
            double value = element_real(start) + (double)i * element_real(step);
            pts_store_real(at, result->dtype, value);
        } else {
            uint64_t value = (uint64_t)start->integer + (uint64_t)i * (uint64_t)step->integer;
            pts_store_integer(at, result->dtype, (int64_t)value);
        }
        at += result->stride[0] * (int64_t)bytes;
    }
    return true;
}

/* The operand with its axes in the order of the result's. */
static void copy_permuted(const PtsKernelCall *call, const int *axes)
{
    const PtsTensor *from = call->operands[0].tensor;
    PtsTensor seen = *from;
    for (int i = 0; i < from->rank; i++) {
        seen.shape[i] = from->shape[axes[i]];
        seen.stride[i] = from->stride[axes[i]];
        seen.valid[i] = from->valid[axes[i]];
    }
    copy_extent(call->results[0], &seen, call->results[0]->valid, call->threads);
}

bool pts_run_transpose(const PtsKernelCall *call, PtsError *error)
{
    int axes[PTS_MAX_RANK] = {0, 1, 2, 3, 4};
    (void)error;
    axes[call->attributes->dim] = call->attributes->dim1;
    axes[call->attributes->dim1] = call->attributes->dim;
    copy_permuted(call, axes);
    return true;
}

bool pts_run_permute(const PtsKernelCall *call, PtsError *error)
{
    int rank = call->operands[0].tensor->rank;
    int axes[PTS_MAX_RANK] = {0};
    (void)error;
    for (int i = 0; i < rank; i++) {
        int64_t axis = call->attributes->shape[i];
        axes[i] = (int)(axis < 0 ? axis + rank : axis);
    }
    copy_permuted(call, axes);
    return true;
}

/* The part of a tensor that starts at `offset` on an axis. */
static PtsTensor from_offset(const PtsTensor *tensor, int axis, int64_t offset)
{
    PtsTensor part = *tensor;
    int64_t bytes = (int64_t)pts_dtype_bytes(tensor->dtype);
    part.data = (char *)tensor->data + offset * tensor->stride[axis] * bytes;
    part.shape[axis] -= offset;
    part.valid[axis] -= offset;
    return part;
}

bool pts_run_concat(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    int axis = call->attributes->dim;
    int64_t offset = 0;
    (void)error;
    for (int i = 0; i < call->operand_count; i++) {
        const PtsTensor *from = call->operands[i].tensor;
        PtsTensor to = from_offset(result, axis, offset);
        int64_t extent[PTS_MAX_RANK];
        for (int j = 0; j < from->rank; j++) {
            int64_t valid = pts_extent(from, j);
            extent[j] = valid < to.valid[j] ? valid : to.valid[j];
        }
        copy_extent(&to, from, extent, call->threads);
        offset += from->shape[axis];
    }
    return true;
}

/* pad and fillpad: the operand's valid region, the value everywhere else. */
bool pts_run_pad(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *from = call->operands[0].tensor;
    static const PtsElement zero = {.dtype = PTS_INT64, .integer = 0};
    bool has_value = call->operand_count > 1 && call->operands[1].is_given;
    (void)error;
    fill(result, has_value ? &call->operands[1].element : &zero);
    int64_t extent[PTS_MAX_RANK];
    for (int i = 0; i < from->rank; i++) {
        extent[i] = pts_extent(from, i);
    }
    copy_extent(result, from, extent, call->threads);
    return true;
}

/* Keeps columns from ≤ j < to of a row and makes the others 0. */
static void copy_part(const PtsTensor *result, char *to, const PtsTensor *operand, const char *from,
                      int64_t first, int64_t end, int64_t columns)
{
    static const uint64_t zero = 0;
    size_t size = pts_dtype_bytes(result->dtype);
    int last = result->rank - 1;
    int64_t to_stride = result->stride[last] * (int64_t)size;
    int64_t from_stride = operand->stride[last] * (int64_t)size;
    first = first < 0 ? 0 : first > columns ? columns : first;
    end = end < first ? first : end > columns ? columns : end;
    pts_copy_strided(to, to_stride, (const char *)&zero, 0, first, size);
    pts_copy_strided(to + first * to_stride, to_stride, from + first * from_stride, from_stride,
                     end - first, size);
    pts_copy_strided(to + end * to_stride, to_stride, (const char *)&zero, 0, columns - end, size);
}

bool pts_run_triangle(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *operand = call->operands[0].tensor;
    int rank = result->rank;
    int64_t diagonal = call->attributes->diagonal;
    (void)error;
    int64_t extent[PTS_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        extent[i] = pts_extent(result, i);
    }
    if (rank < 2 || pts_product(rank, extent) == 0) {
        return true;
    }
    int64_t columns = extent[rank - 1];
    /* Far off the matrix, diagonals are all the same. */
    diagonal = diagonal > columns             ? columns
               : diagonal < -extent[rank - 2] ? -extent[rank - 2]
                                              : diagonal;
    int64_t index[PTS_MAX_RANK] = {0};
    do {
        int64_t edge = index[rank - 2] + diagonal;
        bool is_lower = call->op == PTS_OP_TRIL;
        copy_part(result, pts_at(result, index, rank - 1), operand,
                  pts_at(operand, index, rank - 1), is_lower ? 0 : edge,
                  is_lower ? edge + 1 : columns, columns);
    } while (pts_next_index(rank - 1, extent, index));
    return true;
}

/* ---- every second element, every fourth element ---- */

/* Copies elements of the last axis for every row of `to`: count of them, from element `from_first`
 * in steps, to element `to_first` in steps; no further than the valid extent of `to`. */
static void copy_stepped(const PtsTensor *to, int64_t to_first, int64_t to_step,
                         const PtsTensor *from, int64_t from_first, int64_t from_step,
                         int64_t count)
{
    size_t size = pts_dtype_bytes(to->dtype);
    int last = to->rank - 1;
    int64_t extent[PTS_MAX_RANK];
    for (int i = 0; i < to->rank; i++) {
        extent[i] = pts_extent(to, i);
    }
    int64_t room = extent[last] > to_first ? (extent[last] - to_first + to_step - 1) / to_step : 0;
    count = count < room ? count : room;
    if (count <= 0 || pts_product(to->rank, extent) == 0) {
        return;
    }
    int64_t to_stride = to->stride[last] * (int64_t)size;
    int64_t from_stride = from->stride[last] * (int64_t)size;
    int64_t index[PTS_MAX_RANK] = {0};
    do {
        pts_copy_strided(pts_at(to, index, last) + to_first * to_stride, to_step * to_stride,
                         pts_at(from, index, last) + from_first * from_stride,
                         from_step * from_stride, count, size);
    } while (pts_next_index(last, extent, index));
}

/* Element i of both rows goes to 2i and 2i + 1 of a stream that is cut into two halves of n. */
bool pts_run_interleave(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    int last = call->results[0]->rank - 1;
    int64_t half = call->operands[0].tensor->shape[last] / 2;
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < 2; i++) {
            copy_stepped(call->results[part], i, 2, call->operands[i].tensor, part * half, 1, half);
        }
    }
    return true;
}

bool pts_run_deinterleave(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    int last = call->operands[0].tensor->rank - 1;
    int64_t half = call->operands[0].tensor->shape[last] / 2;
    bool has_other = call->operand_count > 1 && call->operands[1].is_given;
    for (int odd = 0; odd < 2; odd++) {
        for (int i = 0; i < (has_other ? 2 : 1); i++) {
            copy_stepped(call->results[odd], i * half, 1, call->operands[i].tensor, odd, 2, half);
        }
    }
    return true;
}

bool pts_run_gathermask(const PtsKernelCall *call, PtsError *error)
{
    static const struct {
        int first, step;
    } patterns[8] = {{0, 1}, {0, 2}, {1, 2}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {0, 1}};
    int mode = call->attributes->mode;
    mode = mode >= 1 && mode <= 7 ? mode : call->attributes->count;
    const PtsTensor *from = call->operands[0].tensor;
    if (mode < 1 || mode > 7) {
        return pts_fail(error, PTS_E_INVALID, "gathermask: pattern_mode must be 1 to 7, it is %d",
                        mode);
    }
    copy_stepped(call->results[0], 0, 1, from, patterns[mode].first, patterns[mode].step,
                 from->shape[from->rank - 1] / patterns[mode].step);
    return true;
}

/* dst[offsets …] += src over the valid region of src. */
bool pts_run_atomic_add(const PtsKernelCall *call, PtsError *error)
{
    PtsTensor target = *call->results[0];
    const PtsTensor *source = call->operands[0].tensor;
    for (int i = 0; i < target.rank; i++) {
        int64_t offset = call->attributes->offsets[i];
        int64_t extent = pts_extent(source, i);
        if (extent > 0 && (offset < 0 || offset > target.shape[i] - extent)) {
            return pts_fail_index(error, "atomic_add", offset + extent, target.shape[i]);
        }
        target = from_offset(&target, i, offset);
        target.valid[i] = extent;
    }
    PtsKernelOperand operands[2] = {{.tensor = &target, .is_given = true}, call->operands[0]};
    PtsKernelCall add = *call;
    add.op = PTS_OP_ADD;
    add.operands = operands;
    add.operand_count = 2;
    add.results[0] = &target;
    pts_mark_written(call->written, call->results[0]->data, &target);
    if (call->touched != NULL) {
        call->touched(call->context, &target);
    }
    return pts_run_elementwise(&add, error);
}
