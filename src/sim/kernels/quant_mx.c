/* quant_mx: blocks of 32 numbers along an axis share a power of two (DT_FP8E8M0). */
#include "sim/kernels/common.h"
#include "sim/kernels/number.h"

#include <math.h>

enum {
    MX_BLOCK = 32,
    BIAS = 127,
    NOT_A_NUMBER = 255,
    ROUND_UP = 0 /* DequantScaleRoundingMode */
};

/* The largest number of a format, and its exponent. */
typedef struct Range {
    int exponent;
    double most;
} Range;

static Range range_of(PtsDtype dtype)
{
    return dtype == PTS_FP8E4M3 ? (Range){8, 448} : (Range){2, 6};
}

typedef struct Block {
    const char *from;
    char *to;
    int64_t step, to_step; /* bytes */
    int64_t count;
    PtsDtype dtype, to_dtype;
} Block;

/* The biased exponent of the block: that of its largest number less the format's (ROUND_DOWN), or
 * the least with which no number is beyond the format's range (ROUND_UP). */
static int scale_of(const Block *block, int mode)
{
    const Range range = range_of(block->to_dtype);
    double most = 0;
    int exponent;
    for (int64_t i = 0; i < block->count; i++) {
        double size = fabs(pts_load_real(block->from + i * block->step, block->dtype));
        if (!isfinite(size)) {
            return NOT_A_NUMBER;
        }
        most = size > most ? size : most;
    }
    if (most == 0) {
        return 0;
    }
    frexp(most, &exponent);
    exponent -= 1 + range.exponent;
    exponent += mode == ROUND_UP && ldexp(most, -exponent) > range.most;
    return exponent < -BIAS ? 0 : exponent + BIAS;
}

static void quantise(const Block *block, int scale)
{
    double factor = scale == NOT_A_NUMBER ? NAN : ldexp(1, BIAS - scale);
    for (int64_t i = 0; i < block->count; i++) {
        double value = pts_load_real(block->from + i * block->step, block->dtype) * factor;
        number_store(block->to + i * block->to_step, block->to_dtype, number_of_double(value),
                     MODE_NEAREST, true);
    }
}

/* All blocks of the line whose first element is at `at`. */
static void quantise_line(const PtsKernelCall *call, const int64_t *at)
{
    const PtsTensor *input = call->operands[0].tensor;
    const PtsTensor *out = call->results[0];
    const PtsTensor *scale = call->results[1];
    int axis = call->attributes->dim;
    int64_t extent = pts_extent(input, axis);
    int64_t pairs = pts_extent(scale, axis);
    Block block = {.step = input->stride[axis] * (int64_t)pts_dtype_bytes(input->dtype),
                   .to_step = out->stride[axis],
                   .dtype = input->dtype,
                   .to_dtype = out->dtype};
    int64_t place[PTS_MAX_RANK];
    for (int i = 0; i < scale->rank; i++) {
        place[i] = i < input->rank ? at[i] : 0;
    }
    for (int64_t number = 0; number < 2 * pairs; number++) {
        int64_t first = number * MX_BLOCK;
        block.count = extent - first < MX_BLOCK ? extent - first : MX_BLOCK;
        block.count = block.count < 0 ? 0 : block.count;
        block.from = pts_at(input, at, input->rank) + (block.count > 0 ? first * block.step : 0);
        block.to = pts_at(out, at, out->rank) + (block.count > 0 ? first * block.to_step : 0);
        int code = scale_of(&block, call->attributes->mode);
        quantise(&block, code);
        place[axis] = number / 2;
        place[scale->rank - 1] = number % 2;
        *(uint8_t *)pts_at(scale, place, scale->rank) = (uint8_t)code;
    }
}

bool pts_run_quant_mx(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *input = call->operands[0].tensor;
    int64_t extent[PTS_MAX_RANK];
    int64_t at[PTS_MAX_RANK] = {0};
    (void)error;
    for (int i = 0; i < input->rank; i++) {
        extent[i] = pts_extent(input, i);
    }
    if (pts_product(input->rank, extent) == 0) {
        return true;
    }
    extent[call->attributes->dim] = 1;
    do {
        quantise_line(call, at);
    } while (pts_next_index(input->rank, extent, at));
    return true;
}
