/* Runs an operation's kernel. */
#include "sim/kernels/common.h"

bool pts_kernel_exists(PtsOp op)
{
    return (unsigned)op < PTS_OP_COUNT && pts_run_table[op].kernel != NULL;
}

size_t pts_kernel_scratch(const PtsKernelCall *call)
{
    PtsScratch *scratch = pts_run_table[call->op].scratch;
    return scratch != NULL ? scratch(call) : 0;
}

bool pts_kernel_run(const PtsKernelCall *call, PtsError *error)
{
    if (!pts_kernel_exists(call->op)) {
        return pts_fail(error, PTS_E_PLANNED, "operation number %d is not simulated",
                        (int)call->op);
    }
    return pts_run_table[call->op].kernel(call, error);
}
