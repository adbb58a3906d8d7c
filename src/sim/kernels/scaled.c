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
    return aligned((size_t)pts_product(tensor->rank, tensor->shape) * sizeof(float));
}

/* The scale of a block of the matrix whose leading indexes are `at`. */
static double scale_at(const Scaled *s, const int64_t *at, int64_t other, int64_t block)
{
    const PtsTensor *scale = s->scale;
    int64_t place[PTS_MAX_RANK] = {0};
    int lead = scale->rank - 3;
    for (int i = 0; i < lead; i++) {
        place[i] = at[i];
    }
    place[lead] = s->scale_k_first ? block / 2 : other;
    place[lead + 1] = s->scale_k_first ? other : block / 2;
    place[lead + 2] = block % 2;
    return pts_load_real(pts_at(scale, place, scale->rank), PTS_FP8E8M0);
}

/* One matrix, as stored, row-major. */
static void unfold_matrix(const Scaled *s, int64_t *at, float *to)
{
    const PtsTensor *values = s->values;
    int lead = values->rank - 2;
    int64_t rows = pts_extent(values, lead);
    int64_t columns = pts_extent(values, lead + 1);
    for (int64_t row = 0; row < rows; row++) {
        double factor = 0;
        for (int64_t column = 0; column < columns; column++) {
            int64_t k = s->k_first ? row : column;
            if (s->k_first || column % MX_BLOCK == 0) {
                factor = scale_at(s, at, s->k_first ? column : row, k / MX_BLOCK);
            }
            at[lead] = row;
            at[lead + 1] = column;
            double value = pts_load_real(pts_at(values, at, values->rank), values->dtype);
            to[row * values->shape[lead + 1] + column] = (float)(value * factor);
        }
    }
    at[lead] = at[lead + 1] = 0;
}

static void unfold(const Scaled *s, float *to)
{
    int lead = s->values->rank - 2;
    int64_t at[PTS_MAX_RANK] = {0};
    do {
        unfold_matrix(s, at, to);
        to += s->values->shape[lead] * s->values->shape[lead + 1];
    } while (pts_next_index(lead, s->values->shape, at));
}

static PtsTensor in_f32(const PtsTensor *tensor, void *memory)
{
    PtsTensor seen = *tensor;
    seen.data = memory;
    seen.dtype = PTS_FP32;
    int64_t step = 1;
    for (int i = tensor->rank - 1; i >= 0; i--) {
        seen.stride[i] = step;
        step *= tensor->shape[i];
    }
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
