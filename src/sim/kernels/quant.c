/* Quantisation to 8-bit integers and back, in steps of F32. */
#include "sim/kernels/common.h"

#include <math.h>

typedef struct Quantiser {
    PtsDtype from, to, scale, zero;
    bool is_quantize;
    const Walk *walk; /* result, input, scale, zero points or NULL */
} Quantiser;

/* A tensor without the axis, seen as broadcast along it. */
static PtsTensor with_axis(const PtsTensor *tensor, const PtsTensor *full, int axis)
{
    PtsTensor seen = *tensor;
    seen.rank = full->rank;
    int from = 0;
    for (int i = 0; i < full->rank; i++) {
        bool is_new = i == axis || from >= tensor->rank;
        seen.shape[i] = is_new ? 1 : tensor->shape[from];
        seen.valid[i] = is_new ? 1 : tensor->valid[from];
        seen.stride[i] = is_new ? 0 : tensor->stride[from];
        from += is_new ? 0 : 1;
    }
    return seen;
}

static void quantize_element(const Quantiser *q, char *to, const char *from, float scale,
                             float zero)
{
    if (!q->is_quantize) {
        float value = (float)pts_load_real(from, q->from);
        pts_store_real(to, q->to, (double)((value - zero) * scale));
        return;
    }
    float value = (float)pts_load_real(from, q->from) * scale;
    value = rintf(value + zero);
    float least = q->to == PTS_UINT8 ? 0 : -128;
    float most = q->to == PTS_UINT8 ? 255 : 127;
    value = value < least ? least : value > most ? most : value;
    pts_store_integer(to, q->to, value == value ? (int64_t)value : 0);
}

static void quantize_row(void *context, char *const *at, int64_t row)
{
    const Quantiser *q = context;
    const Walk *walk = q->walk;
    int last = walk->rank - 1;
    (void)row;
    for (int64_t i = 0; i < walk->extent[last]; i++) {
        const char *scale = at[2] + i * walk->stride[2][last];
        const char *zero = at[3] != NULL ? at[3] + i * walk->stride[3][last] : NULL;
        quantize_element(q, at[0] + i * walk->stride[0][last], at[1] + i * walk->stride[1][last],
                         (float)pts_load_real(scale, q->scale),
                         zero != NULL ? (float)pts_load_real(zero, q->zero) : 0.0F);
    }
}

static bool run(const PtsKernelCall *call, bool is_quantize)
{
    const PtsTensor *result = call->results[0];
    const PtsTensor *input = call->operands[0].tensor;
    int axis = call->attributes->dim;
    bool has_zero = call->operand_count > 2 && call->operands[2].tensor != NULL;
    PtsTensor scale = with_axis(call->operands[1].tensor, result, axis);
    PtsTensor zero = {.data = NULL};
    if (has_zero) {
        zero = with_axis(call->operands[2].tensor, result, axis);
    }
    Walk walk;
    Quantiser q = {input->dtype, result->dtype, scale.dtype, zero.dtype, is_quantize, &walk};
    const PtsTensor *const tensors[] = {result, input, &scale, has_zero ? &zero : NULL};
    if (pts_walk_init(&walk, 4, tensors)) {
        pts_walk_rows_do(&walk, 0, pts_walk_rows(&walk), quantize_row, &q);
    }
    return true;
}

/* round(x · scale [+ zero]), clamped. */
bool pts_run_quantize(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    return run(call, true);
}

/* (x [− zero]) · scale. */
bool pts_run_dequantize(const PtsKernelCall *call, PtsError *error)
{
    (void)error;
    return run(call, false);
}
