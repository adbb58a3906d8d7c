/* The table of kernels: which function computes which operation. */
#include "sim/kernels/common.h"

static PtsKernel *const kernels[PTS_OP_COUNT] = {
    [PTS_OP_ASSEMBLE] = NULL, /* moved by the interpreter itself, like view, reshape and move */
    [PTS_OP_CLONE] = pts_run_copy,
    [PTS_OP_EXPAND_CLONE] = pts_run_copy,
    [PTS_OP_NOP] = pts_run_copy,
    [PTS_OP_TRANSPOSE] = pts_run_transpose,
    [PTS_OP_PERMUTE] = pts_run_permute,
    [PTS_OP_CONCAT] = pts_run_concat,
    [PTS_OP_PAD] = pts_run_pad,
    [PTS_OP_FILLPAD] = pts_run_pad,
    [PTS_OP_TRIL] = pts_run_triangle,
    [PTS_OP_TRIU] = pts_run_triangle,
    [PTS_OP_INTERLEAVE] = pts_run_interleave,
    [PTS_OP_DEINTERLEAVE] = pts_run_deinterleave,
    [PTS_OP_GATHERMASK] = pts_run_gathermask,
    [PTS_OP_ATOMIC_ADD] = pts_run_atomic_add,
    [PTS_OP_FULL] = pts_run_full,
    [PTS_OP_ARANGE] = pts_run_arange,
    [PTS_OP_WHERE] = pts_run_where,
    [PTS_OP_PRELU] = pts_run_prelu,
    [PTS_OP_SUM] = pts_run_sum,
    [PTS_OP_PROD] = pts_run_sum,
    [PTS_OP_AMAX] = pts_run_extreme,
    [PTS_OP_AMIN] = pts_run_extreme,
    [PTS_OP_ARGMAX] = pts_run_arg_extreme,
    [PTS_OP_ARGMIN] = pts_run_arg_extreme,
    [PTS_OP_VAR] = pts_run_var,
    [PTS_OP_CUMSUM] = pts_run_scan,
    [PTS_OP_CUMPROD] = pts_run_scan,
    [PTS_OP_TOPK] = pts_run_topk,
    [PTS_OP_ARGSORT] = pts_run_argsort,
    [PTS_OP_GATHER] = pts_run_gather,
    [PTS_OP_INDEX_SELECT] = pts_run_index_select,
    [PTS_OP_SCATTER] = pts_run_scatter,
    [PTS_OP_SCATTER_] = pts_run_scatter,
    [PTS_OP_SCATTER_UPDATE] = pts_run_scatter_update,
    [PTS_OP_INDEX_ADD_] = pts_run_index_add,
    [PTS_OP_INDEX_PUT_] = pts_run_index_put,
    [PTS_OP_ONE_HOT] = pts_run_one_hot,
    [PTS_OP_GATHER_IN_UB] = pts_run_paged_gather,
    [PTS_OP_GATHER_IN_L1] = pts_run_paged_gather,
    [PTS_OP_CAST] = pts_run_cast,
    [PTS_OP_QUANTIZE] = pts_run_quantize,
    [PTS_OP_DEQUANTIZE] = pts_run_dequantize,
    [PTS_OP_ONLINE_SOFTMAX] = pts_run_online_softmax,
    [PTS_OP_ONLINE_SOFTMAX_UPDATE] = pts_run_online_update,
    [PTS_OP_SCALED_MM] = pts_run_scaled_mm,
    [PTS_OP_CONV] = pts_run_conv,
    [PTS_OP_QUANT_MX] = pts_run_quant_mx,
    [PTS_OP_SORT32] = pts_run_sort32,
    [PTS_OP_MRGSORT] = pts_run_mrgsort,
    [PTS_OP_UNIFORM] = pts_run_uniform,
    [PTS_OP_NORMAL] = pts_run_normal,
    [PTS_OP_MATMUL] = pts_run_matmul,
    [PTS_OP_TRANSPOSED_BATCHMATMUL] = pts_run_matmul,
};

static PtsKernel *kernel_of(PtsOp op)
{
    if ((unsigned)op >= PTS_OP_COUNT) {
        return NULL;
    }
    if (kernels[op] != NULL) {
        return kernels[op];
    }
    return pts_elementwise_exists(op) ? pts_run_elementwise : NULL;
}

bool pts_kernel_exists(PtsOp op)
{
    return kernel_of(op) != NULL;
}

size_t pts_kernel_scratch(const PtsKernelCall *call)
{
    switch (call->op) {
    case PTS_OP_MATMUL:
    case PTS_OP_TRANSPOSED_BATCHMATMUL:
        return pts_matmul_scratch(call);
    case PTS_OP_SCALED_MM:
        return pts_scaled_scratch(call);
    case PTS_OP_TOPK:
    case PTS_OP_ARGSORT:
        return pts_sort_scratch(call);
    default:
        return 0;
    }
}

bool pts_kernel_run(const PtsKernelCall *call, PtsError *error)
{
    PtsKernel *kernel = kernel_of(call->op);
    if (kernel == NULL) {
        return pts_fail(error, PTS_NOT_IMPLEMENTED, 0xF00005, "NOT_IMPLEMENTED_ERROR",
                        "operation number %d is not simulated", (int)call->op);
    }
    return kernel(call, error);
}
