/* scaled_mm: both operands become F32, each element times the power of two of its block of 32 along
 * K; then it is a matrix product like any other. */
#include "sim/kernels/gemm.h"

enum { MX_BLOCK = 32, A = 0, B = 1, SCALE_A = 4, SCALE_B = 5 };

typedef struct Scaled {
    const PtsTensor *values, *scale;
    bool k_first; /* as stored: [K, other], not [other, K] */
    bool scale_k_first;
} Scaled;

static size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t bytes_of(const PtsTensor *tensor)
{
    return aligned((size_t)(tensor->shape[0] * tensor->shape[1]) * sizeof(float));
}

static double scale_at(const Scaled *s, int64_t other, int64_t block)
{
    const PtsTensor *scale = s->scale;
    int64_t first = s->scale_k_first ? block / 2 : other;
    int64_t second = s->scale_k_first ? other : block / 2;
    int64_t at =
        first * scale->stride[0] + second * scale->stride[1] + block % 2 * scale->stride[2];
    return pts_load_real((const char *)scale->data + at, PTS_FP8E8M0);
}

/* As stored, row-major. */
static void unfold(const Scaled *s, float *to)
{
    const PtsTensor *values = s->values;
    int64_t rows = pts_extent(values, 0);
    int64_t columns = pts_extent(values, 1);
    for (int64_t row = 0; row < rows; row++) {
        double factor = 0;
        for (int64_t column = 0; column < columns; column++) {
            int64_t k = s->k_first ? row : column;
            if (s->k_first || column % MX_BLOCK == 0) {
                factor = scale_at(s, s->k_first ? column : row, k / MX_BLOCK);
            }
            int64_t at = row * values->stride[0] + column * values->stride[1];
            double value = pts_load_real((const char *)values->data + at, values->dtype);
            to[row * values->shape[1] + column] = (float)(value * factor);
        }
    }
}

static PtsTensor in_f32(const PtsTensor *tensor, void *memory)
{
    PtsTensor seen = *tensor;
    seen.data = memory;
    seen.dtype = PTS_FP32;
    seen.stride[0] = tensor->shape[1];
    seen.stride[1] = 1;
    return seen;
}

/* The same call as a matmul of the tensors in `seen`. */
static PtsKernelCall as_matmul(const PtsKernelCall *call, const PtsTensor seen[2],
                               PtsKernelOperand operands[4])
{
    PtsKernelCall plain = *call;
    for (int i = 0; i < 4; i++) {
        operands[i] = call->operands[i];
    }
    operands[A].tensor = &seen[0];
    operands[B].tensor = &seen[1];
    plain.op = PTS_OP_MATMUL;
    plain.operand_count = 4;
    plain.operands = operands;
    return plain;
}

size_t pts_scaled_scratch(const PtsKernelCall *call)
{
    const PtsTensor *a = call->operands[A].tensor;
    const PtsTensor *b = call->operands[B].tensor;
    const PtsTensor seen[2] = {in_f32(a, NULL), in_f32(b, NULL)};
    PtsKernelOperand operands[4];
    PtsKernelCall plain = as_matmul(call, seen, operands);
    return bytes_of(a) + bytes_of(b) + 64 + pts_matmul_scratch(&plain);
}

bool pts_run_scaled_mm(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *a = call->operands[A].tensor;
    const PtsTensor *b = call->operands[B].tensor;
    const PtsKernelAttributes *attributes = call->attributes;
    char *memory = call->scratch;
    const Scaled left = {a, call->operands[SCALE_A].tensor, attributes->a_trans,
                         attributes->scale_a_trans};
    const Scaled right = {b, call->operands[SCALE_B].tensor, !attributes->b_trans,
                          !attributes->scale_b_trans};
    const PtsTensor seen[2] = {in_f32(a, memory), in_f32(b, memory + bytes_of(a))};
    unfold(&left, (float *)(void *)memory);
    unfold(&right, (float *)(void *)(memory + bytes_of(a)));
    PtsKernelOperand operands[4];
    PtsKernelCall plain = as_matmul(call, seen, operands);
    plain.scratch = memory + bytes_of(a) + bytes_of(b);
    return pts_run_matmul(&plain, error);
}
