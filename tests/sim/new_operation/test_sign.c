/* test_sign: x / (1 + |x|). */
#include "sim/kernels/common.h"

#include <math.h>

static void test_sign_row(void *context, char *const *at, int64_t row)
{
    const Walk *walk = context;
    int last = walk->rank - 1;
    (void)row;
    for (int64_t i = 0; i < walk->extent[last]; i++) {
        const float x = *(const float *)(const void *)(at[1] + i * walk->stride[1][last]);
        *(float *)(void *)(at[0] + i * walk->stride[0][last]) = x / (1 + fabsf(x));
    }
}

bool pts_run_test_sign(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *tensors[] = {call->results[0], call->operands[0].tensor};
    Walk walk;
    (void)error;
    if (pts_walk_init(&walk, 2, tensors)) {
        pts_walk_rows_do(&walk, 0, pts_walk_rows(&walk), test_sign_row, &walk);
    }
    return true;
}
