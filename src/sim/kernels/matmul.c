/* The matrix operations, mapped onto gemm.h. */
#include "sim/kernels/gemm.h"

#include <fenv.h>
#include <stdlib.h>

static bool fail_types(PtsError *error, PtsDtype a, PtsDtype b, PtsDtype c)
{
    return pts_fail(error, PTS_E_PLANNED, "matmul of %s and %s to %s is not simulated",
                    pts_dtype_name(a), pts_dtype_name(b), pts_dtype_name(c));
}

static bool choose_sum(PtsDtype a, PtsDtype b, PtsDtype c, GemmSum *sum)
{
    bool is_byte = a == PTS_INT8 || a == PTS_UINT8;
    bool floats = pts_dtype_is_float(a) && pts_dtype_is_float(b) && pts_dtype_is_supported(a) &&
                  pts_dtype_is_supported(b);
    *sum = a == PTS_DOUBLE ? GEMM_F64 : is_byte ? GEMM_I32 : GEMM_F32;
    if (!(a == PTS_INT8 && b == PTS_INT8) && !floats) {
        return false;
    }
    if ((a == PTS_DOUBLE) != (b == PTS_DOUBLE)) {
        return false;
    }
    return c == PTS_FP32 || c == PTS_FP16 || c == PTS_BF16 || c == PTS_INT8 ||
           (c == PTS_INT32 && *sum == GEMM_I32) || c == PTS_DOUBLE;
}

/* The last two axes of a tensor, exchanged when `transposed`. */
static GemmMatrix matrix_of(const PtsTensor *tensor, bool transposed)
{
    int rank = tensor->rank;
    GemmMatrix matrix = {.data = tensor->data,
                         .dtype = tensor->dtype,
                         .row_stride = tensor->stride[rank - 2],
                         .column_stride = tensor->stride[rank - 1]};
    if (transposed) {
        matrix.row_stride = tensor->stride[rank - 1];
        matrix.column_stride = tensor->stride[rank - 2];
    }
    return matrix;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Stride of a leading axis: 0 where the operand has one matrix for all. */
static int64_t batch_stride(const PtsTensor *tensor, int axis)
{
    return tensor->shape[axis] == 1 ? 0 : tensor->stride[axis];
}

static Gemm gemm_of(const PtsTensor *a, bool a_trans, const PtsTensor *b, bool b_trans,
                    const PtsTensor *c)
{
    int rank = c->rank;
    Gemm gemm = {.a = matrix_of(a, a_trans), .b = matrix_of(b, b_trans), .c = matrix_of(c, false)};
    int a_rows = a_trans ? rank - 1 : rank - 2;
    int b_columns = b_trans ? rank - 2 : rank - 1;
    int a_depth = 2 * rank - 3 - a_rows;
    int b_depth = 2 * rank - 3 - b_columns;
    gemm.m = least(pts_extent(c, rank - 2), a->shape[a_rows]);
    gemm.n = least(pts_extent(c, rank - 1), b->shape[b_columns]);
    gemm.k = least(pts_extent(a, a_depth), pts_extent(b, b_depth));
    for (int i = 0; i < GEMM_MAX_BATCH_RANK; i++) {
        int axis = rank - 2 - GEMM_MAX_BATCH_RANK + i;
        gemm.batch[i] = axis < 0 ? 1 : pts_extent(c, axis);
        gemm.a_batch[i] = axis < 0 ? 0 : batch_stride(a, axis);
        gemm.b_batch[i] = axis < 0 ? 0 : batch_stride(b, axis);
        gemm.c_batch[i] = axis < 0 ? 0 : c->stride[axis];
    }
    return gemm;
}

/* a [M, B, K] and the result [M, B, N] seen as batches of matrices. */
static PtsTensor batch_first(const PtsTensor *tensor)
{
    PtsTensor seen = *tensor;
    for (int i = 0; i < 2; i++) {
        seen.shape[i] = tensor->shape[1 - i];
        seen.stride[i] = tensor->stride[1 - i];
        seen.valid[i] = tensor->valid[1 - i];
    }
    return seen;
}

/* Bias or scales: one row, or one for each matrix; `batch` gets the strides. */
static GemmMatrix row_of(const PtsKernelCall *call, int operand, int64_t *batch)
{
    GemmMatrix none = {.data = NULL};
    if (call->operand_count <= operand || call->operands[operand].tensor == NULL) {
        return none;
    }
    const PtsTensor *tensor = call->operands[operand].tensor;
    for (int i = 0; i < GEMM_MAX_BATCH_RANK; i++) {
        int axis = tensor->rank - 2 - GEMM_MAX_BATCH_RANK + i;
        batch[i] = axis < 0 ? 0 : batch_stride(tensor, axis);
    }
    return (GemmMatrix){.data = tensor->data,
                        .dtype = tensor->dtype,
                        .column_stride = tensor->stride[tensor->rank - 1]};
}

static Gemm gemm_of_call(const PtsKernelCall *call)
{
    const PtsKernelAttributes *attributes = call->attributes;
    const PtsTensor *a = call->operands[0].tensor;
    const PtsTensor *b = call->operands[1].tensor;
    const PtsTensor *c = call->results[0];
    GemmSum sum;
    if (call->op == PTS_OP_TRANSPOSED_BATCHMATMUL) {
        PtsTensor a_seen = batch_first(a);
        PtsTensor c_seen = batch_first(c);
        Gemm gemm = gemm_of(&a_seen, false, b, false, &c_seen);
        choose_sum(a->dtype, b->dtype, c->dtype, &gemm.sum);
        return gemm;
    }
    Gemm gemm = gemm_of(a, attributes->a_trans, b, attributes->b_trans, c);
    choose_sum(a->dtype, b->dtype, c->dtype, &sum);
    gemm.sum = sum;
    gemm.piece = attributes->split_k ? attributes->split_k_size : 0;
    gemm.tf32 = attributes->trans_mode;
    gemm.end = (GemmEnd){.relu = attributes->relu != 0,
                         .has_scale = attributes->has_scale,
                         .scale = (float)attributes->scale};
    gemm.end.bias = row_of(call, 2, gemm.end.bias_batch);
    gemm.end.scale_columns = row_of(call, 3, gemm.end.scale_batch);
    return gemm;
}

size_t pts_matmul_scratch(const PtsKernelCall *call)
{
    Gemm gemm = gemm_of_call(call);
    return gemm_scratch(&gemm, call->threads);
}

bool pts_run_matmul(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *a = call->operands[0].tensor;
    const PtsTensor *b = call->operands[1].tensor;
    PtsDtype c = call->results[0]->dtype;
    GemmSum sum;
    if (!choose_sum(a->dtype, b->dtype, c, &sum)) {
        return fail_types(error, a->dtype, b->dtype, c);
    }
    Gemm gemm = gemm_of_call(call);
    gemm_run(&gemm, call->threads, call->scratch);
    return true;
}

/* ---- for references ---- */

static PtsTensor tensor_of(const PtsArgument *argument)
{
    PtsTensor tensor = {.data = argument->data, .dtype = argument->dtype, .rank = argument->rank};
    int64_t stride = 1;
    for (int i = argument->rank - 1; i >= 0; i--) {
        tensor.shape[i] = tensor.valid[i] = argument->shape[i];
        tensor.stride[i] = stride;
        stride *= argument->shape[i];
    }
    return tensor;
}

static void fill_zero(const PtsTensor *tensor)
{
    static const uint64_t zero = 0;
    Walk walk;
    if (pts_walk_init(&walk, 1, (const PtsTensor *const[]){tensor})) {
        pts_fill_walk(&walk, pts_dtype_bytes(tensor->dtype), &zero);
    }
}

bool pts_matmul(const PtsArgument *a, bool a_trans, const PtsArgument *b, bool b_trans,
                PtsArgument *result, int threads, PtsError *error)
{
    GemmSum sum;
    if (a->rank != 2 || b->rank != 2 || result->rank != 2) {
        return pts_fail(error, PTS_E_VALUE, "matmul: all three arguments must be matrices");
    }
    int64_t m = a->shape[a_trans ? 1 : 0];
    int64_t k = a->shape[a_trans ? 0 : 1];
    int64_t n = b->shape[b_trans ? 0 : 1];
    if (b->shape[b_trans ? 1 : 0] != k || result->shape[0] != m || result->shape[1] != n) {
        return pts_fail(error, PTS_E_VALUE, "matmul: the shapes of the arguments do not match");
    }
    if (!choose_sum(a->dtype, b->dtype, result->dtype, &sum)) {
        return fail_types(error, a->dtype, b->dtype, result->dtype);
    }
    PtsTensor at = tensor_of(a);
    PtsTensor bt = tensor_of(b);
    PtsTensor ct = tensor_of(result);
    Gemm gemm = gemm_of(&at, a_trans, &bt, b_trans, &ct);
    gemm.sum = sum;
    threads = threads > 0 ? threads : pts_hardware_threads();
    if (k == 0) {
        fill_zero(&ct);
        return true;
    }
    size_t size = gemm_scratch(&gemm, threads);
    void *scratch = malloc(size > 0 ? size : 1);
    if (scratch == NULL) {
        return pts_fail_memory(error);
    }
    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV); /* not the caller's rounding or flushing of subnormal numbers */
    gemm_run(&gemm, threads, scratch);
    fesetenv(&environment);
    free(scratch);
    return true;
}
