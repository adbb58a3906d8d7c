/* online_softmax and online_softmax_update: columns are queries. Exponentials are computed in F64
 * and rounded to F32, as those of the element-wise operations; sums go in F32 from row to row. */
#include "sim/kernels/common.h"

#include <math.h>

static char *cell(const PtsTensor *tensor, int64_t row, int64_t column)
{
    int64_t at = row * tensor->stride[0] + column * tensor->stride[1];
    return (char *)tensor->data + at * (int64_t)pts_dtype_bytes(tensor->dtype);
}

static float real(const PtsTensor *tensor, int64_t row, int64_t column)
{
    return *(const float *)cell(tensor, row, column);
}

static void set(const PtsTensor *tensor, int64_t row, int64_t column, float value)
{
    *(float *)cell(tensor, row, column) = value;
}

/* NaN wins. */
static float larger(float a, float b)
{
    return a > b || a != a ? a : b;
}

static float power(float difference)
{
    return (float)exp((double)difference);
}

bool pts_run_online_softmax(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *scores = call->operands[0].tensor;
    const PtsTensor *out = call->results[0];
    float scale = (float)call->attributes->real;
    int64_t rows = pts_extent(scores, 0);
    int64_t columns = pts_extent(scores, 1);
    (void)error;
    for (int64_t column = 0; column < columns && rows > 0; column++) {
        float most = real(scores, 0, column) * scale;
        for (int64_t row = 1; row < rows; row++) {
            most = larger(most, real(scores, row, column) * scale);
        }
        float sum = 0;
        for (int64_t row = 0; row < rows; row++) {
            float value = power(real(scores, row, column) * scale - most);
            sum += value;
            pts_store_real(cell(out, row, column), out->dtype, (double)value);
        }
        set(call->results[1], 0, column, most);
        set(call->results[2], 0, column, sum);
    }
    return true;
}

/* A maximum of −inf stands for a block without keys: it weighs nothing, also beside another. */
static float weight(float maximum, float most)
{
    return maximum == most && isinf(most) ? 1.0F : power(maximum - most);
}

bool pts_run_online_update(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *in[6];
    for (int i = 0; i < 6; i++) {
        in[i] = call->operands[i].tensor;
    }
    int64_t rows = pts_extent(in[2], 0);
    int64_t columns = pts_extent(in[0], 1);
    (void)error;
    for (int64_t column = 0; column < columns; column++) {
        float before = real(in[0], 0, column);
        float now = real(in[3], 0, column);
        float most = larger(before, now);
        float a = weight(before, most);
        float b = weight(now, most);
        set(call->results[0], 0, column, most);
        set(call->results[1], 0, column, real(in[1], 0, column) * a + real(in[4], 0, column) * b);
        for (int64_t row = 0; row < rows; row++) {
            set(call->results[2], row, column,
                real(in[2], row, column) * a + real(in[5], row, column) * b);
        }
    }
    return true;
}
