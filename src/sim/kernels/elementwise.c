/* Element-wise operations: chooses the strip for op and dtypes. Types without a lane of their own
 * go through F32, so each operation rounds once to F32 and once to the result. */
#include "sim/kernels/elementwise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an op is made of before the job: operands in the strip's order. */
typedef struct Setup {
    const PtsStripUse *use;
    StripId strip;
    int arity;
    PtsKernelOperand operand[MAX_ARITY];
    PtsDtype computed; /* the dtype of the lane */
} Setup;

static const PtsDtype lane_dtypes[LANE_COUNT] = {PTS_FP32,  PTS_DOUBLE, PTS_INT8,  PTS_UINT8,
                                                 PTS_INT16, PTS_UINT16, PTS_INT32, PTS_UINT32,
                                                 PTS_INT64, PTS_UINT64};

/* The dtype that an op computes in, from its tensors, or from its result when it has none. */
static PtsDtype computed_dtype(const Setup *setup, const PtsTensor *result)
{
    bool any_double = false;
    bool any_float = pts_dtype_is_float(result->dtype) || setup->use->rule == PTS_STRIP_FLOAT;
    PtsDtype first = PTS_BOTTOM;
    for (int i = 0; i < setup->arity; i++) {
        const PtsTensor *tensor = setup->operand[i].tensor;
        if (tensor == NULL) {
            continue;
        }
        first = first == PTS_BOTTOM ? tensor->dtype : first;
        any_double = any_double || tensor->dtype == PTS_DOUBLE;
        any_float = any_float || pts_dtype_is_float(tensor->dtype);
    }
    first = first == PTS_BOTTOM ? result->dtype : first;
    any_double = any_double || result->dtype == PTS_DOUBLE;
    int lane = pts_storage_lane(first);
    if (any_double) {
        return PTS_DOUBLE;
    }
    return any_float || lane < 0 ? PTS_FP32 : lane_dtypes[lane];
}

static PtsKernelOperand real_constant(PtsDtype dtype, double value)
{
    PtsElement element = {.dtype = dtype, .real = value, .integer = 0};
    return (PtsKernelOperand){.element = element, .is_given = true};
}

/* Bounds that clip nothing. */
static PtsKernelOperand open_bound(PtsDtype dtype, bool is_upper)
{
    if (pts_dtype_is_float(dtype)) {
        return real_constant(dtype, is_upper ? (double)INFINITY : -(double)INFINITY);
    }
    int bits = (int)pts_dtype_bytes(dtype) * 8;
    bool is_signed = pts_dtype_is_signed(dtype);
    int64_t least = is_signed ? INT64_MIN >> (64 - bits) : 0;
    int64_t most = (int64_t)(UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0)));
    PtsElement element = {.dtype = dtype, .integer = is_upper ? most : least};
    return (PtsKernelOperand){.element = element, .is_given = true};
}

/* Powers that the product computes by cheaper operations. */
static void setup_pow(Setup *setup)
{
    static const struct {
        double exponent;
        StripId strip;
    } cheap[] = {
        {0.5, STRIP_SQRT},          {-0.5, STRIP_RSQRT},    {3, STRIP_CUBE}, {2, STRIP_SQUARE},
        {-2, STRIP_INVERSE_SQUARE}, {-1, STRIP_RECIPROCAL}, {0, STRIP_ONE},  {1, STRIP_COPY}};
    const PtsKernelOperand *exponent = &setup->operand[1];
    if (exponent->tensor != NULL || !pts_dtype_is_float(setup->computed)) {
        return;
    }
    bool is_real = pts_dtype_is_float(exponent->element.dtype);
    double value = is_real ? exponent->element.real : (double)exponent->element.integer;
    for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++) {
        if (fabs(value - cheap[i].exponent) < 1e-9) {
            setup->strip = cheap[i].strip;
            setup->arity = 1;
            return;
        }
    }
}

static void setup_round(Setup *setup, int decimals)
{
    if (decimals == 0) {
        return;
    }
    if (!pts_dtype_is_float(setup->computed)) {
        if (decimals > 0) {
            return;
        }
        setup->computed = PTS_DOUBLE;
    }
    setup->strip = decimals > 0 ? STRIP_ROUND_DECIMALS : STRIP_ROUND_TENS;
    setup->arity = 2;
    setup->operand[1] = real_constant(setup->computed, pow(10.0, abs(decimals)));
}

static void swap_operands(Setup *setup)
{
    PtsKernelOperand first = setup->operand[0];
    setup->operand[0] = setup->operand[1];
    setup->operand[1] = first;
}

/* Operands in the strip's order, and ops that choose by their attributes. */
static void setup_special(Setup *setup, const PtsKernelCall *call)
{
    const PtsKernelAttributes *attributes = call->attributes;
    switch (call->op) {
    case PTS_OP_POW:
        setup_pow(setup);
        break;
    case PTS_OP_ROUND:
        setup_round(setup, attributes->mode);
        break;
    case PTS_OP_LRELU:
        if (!setup->operand[1].is_given) {
            setup->operand[1] = real_constant(PTS_FP32, attributes->real);
        }
        break;
    case PTS_OP_AXPY_:
        swap_operands(setup); /* alpha · x + y of (y, x) */
        if (!setup->operand[2].is_given) {
            setup->operand[2] = real_constant(PTS_FP32, attributes->real);
        }
        break;
    case PTS_OP_CLIP:
        for (int i = 1; i < 3; i++) {
            if (!setup->operand[i].is_given) {
                setup->operand[i] = open_bound(call->results[0]->dtype, i == 2);
            }
        }
        break;
    default:
        break;
    }
    bool is_integer = !pts_dtype_is_float(setup->computed);
    if (setup->use->rule == PTS_STRIP_WHOLE && is_integer) {
        setup->strip = STRIP_COPY;
    }
}

static void add_input(ElementJob *job, int i, const PtsKernelOperand *operand, PtsDtype computed)
{
    ElementInput *input = &job->input[i];
    input->converts = false;
    input->bytes = 0;
    if (operand->tensor == NULL) {
        pts_store_element(&input->constant, computed, &operand->element);
        return;
    }
    PtsDtype dtype = operand->tensor->dtype;
    input->bytes = pts_dtype_bytes(dtype);
    if (dtype != computed && !(dtype == PTS_BOOL && computed == PTS_UINT8)) {
        input->conversion = pts_conversion(dtype, computed);
        input->converts = true;
    }
}

static bool fail_dtype(const PtsKernelCall *call, PtsDtype dtype, PtsError *error)
{
    return pts_fail(error, PTS_E_PLANNED, "operation number %d is not simulated for %s",
                    (int)call->op, pts_dtype_name(dtype));
}

static bool walk_operands(ElementJob *job, const PtsTensor *result,
                          const PtsKernelOperand *operands)
{
    const PtsTensor *tensors[WALK_MAX_TENSORS] = {result};
    for (int i = 0; i < job->arity; i++) {
        tensors[i + 1] = operands[i].tensor;
    }
    return pts_walk_init(&job->walk, job->arity + 1, tensors);
}

/* Truth values are bytes 0 and 1: bitwise_not of them is logical_not. */
static const PtsStripUse *strip_of(const PtsKernelCall *call)
{
    const PtsTensor *first = call->operands[0].tensor;
    bool is_truth = first != NULL && first->dtype == PTS_BOOL;
    bool flips = call->op == PTS_OP_BITWISE_NOT && is_truth;
    return &pts_run_table[flips ? PTS_OP_LOGICAL_NOT : call->op].strip;
}

bool pts_run_elementwise(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    const PtsStripUse *use = strip_of(call);
    Setup setup = {.use = use, .strip = use->id, .arity = use->arity};
    for (int i = 0; i < setup.arity && i < call->operand_count; i++) {
        setup.operand[i] = call->operands[i];
    }
    setup.computed = computed_dtype(&setup, result);
    setup_special(&setup, call);
    ElementJob job;
    job.arity = setup.arity;
    job.strip = pts_loops()->strips[setup.strip][pts_storage_lane(setup.computed)];
    if (job.strip == NULL || !pts_dtype_is_supported(result->dtype)) {
        return fail_dtype(call, setup.computed, error);
    }
    for (int i = 0; i < setup.arity; i++) {
        const PtsTensor *tensor = setup.operand[i].tensor;
        if (tensor != NULL && !pts_dtype_is_supported(tensor->dtype)) {
            return fail_dtype(call, tensor->dtype, error);
        }
        add_input(&job, i, &setup.operand[i], setup.computed);
    }
    PtsDtype given = use->gives_bool ? PTS_BOOL : setup.computed;
    bool is_bytes = given == PTS_UINT8 && result->dtype == PTS_BOOL;
    job.converts_result = given != result->dtype && !is_bytes;
    if (job.converts_result) {
        job.to_result = pts_conversion(given, result->dtype);
    }
    job.bytes = pts_dtype_bytes(result->dtype);

    if (walk_operands(&job, result, setup.operand)) {
        element_job_run(&job, use->is_heavy, call->threads);
    }
    return true;
}

bool pts_run_where(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    size_t bytes = pts_dtype_bytes(result->dtype);
    ElementJob job = {.arity = 3, .bytes = bytes};
    (void)error;
    job.strip = pts_loops()->strips[STRIP_WHERE][pts_lane_of_size(bytes)];
    add_input(&job, 0, &call->operands[0], PTS_BOOL);
    add_input(&job, 1, &call->operands[1], result->dtype);
    add_input(&job, 2, &call->operands[2], result->dtype);
    if (walk_operands(&job, result, call->operands)) {
        element_job_run(&job, false, call->threads);
    }
    return true;
}

/* The weight belongs to the second axis: seen as a tensor that is broadcast along all others. */
bool pts_run_prelu(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *weight = call->operands[1].tensor;
    int rank = call->operands[0].tensor->rank;
    if (weight == NULL || rank < 2) {
        return pts_run_elementwise(call, error);
    }
    PtsTensor seen = *weight;
    seen.rank = rank;
    for (int i = 0; i < rank; i++) {
        seen.shape[i] = i == 1 ? weight->shape[0] : 1;
        seen.stride[i] = i == 1 && weight->shape[0] > 1 ? weight->stride[0] : 0;
        seen.valid[i] = seen.shape[i];
    }
    PtsKernelOperand operands[2] = {call->operands[0], {.tensor = &seen, .is_given = true}};
    PtsKernelCall again = *call;
    again.operands = operands;
    return pts_run_elementwise(&again, error);
}
