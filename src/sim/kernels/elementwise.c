/* Element-wise operations: chooses the strip for op and dtypes. Types without a lane of their own
 * go through F32, so each operation rounds once to F32 and once to the result. */
#include "sim/kernels/elementwise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Rule {
    NATURAL,  /* integers in their own lane */
    FLOATING, /* integers are converted to F32 first */
    WHOLE,    /* integers stay as they are: floor, ceil … */
} Rule;

typedef struct Row {
    unsigned char arity; /* 0 = no element-wise op */
    unsigned char strip;
    unsigned char rule;
    bool gives_bool;
    bool is_heavy; /* worth more threads early */
} Row;

#define PLAIN(arity, strip)                                                                        \
    {                                                                                              \
        arity, STRIP_##strip, NATURAL, false, false                                                \
    }
#define HEAVY(arity, strip)                                                                        \
    {                                                                                              \
        arity, STRIP_##strip, FLOATING, false, true                                                \
    }
#define FLOATED(arity, strip)                                                                      \
    {                                                                                              \
        arity, STRIP_##strip, FLOATING, false, false                                               \
    }
#define ROUNDING(strip)                                                                            \
    {                                                                                              \
        1, STRIP_##strip, WHOLE, false, false                                                      \
    }
#define TEST(arity, strip)                                                                         \
    {                                                                                              \
        arity, STRIP_##strip, NATURAL, true, false                                                 \
    }
#define FLOAT_TEST(arity, strip)                                                                   \
    {                                                                                              \
        arity, STRIP_##strip, FLOATING, true, false                                                \
    }

static const Row rows[PTS_OP_COUNT] = {
    [PTS_OP_ADD] = PLAIN(2, ADD),
    [PTS_OP_SUB] = PLAIN(2, SUB),
    [PTS_OP_MUL] = PLAIN(2, MUL),
    [PTS_OP_DIV] = FLOATED(2, DIV),
    [PTS_OP_FLOOR_DIV] = PLAIN(2, FLOOR_DIV),
    [PTS_OP_CEIL_DIV] = FLOATED(2, CEIL_DIV),
    [PTS_OP_FMOD] = FLOATED(2, FMOD),
    [PTS_OP_REMAINDER] = PLAIN(2, REMAINDER),
    [PTS_OP_POW] = {2, STRIP_POW, NATURAL, false, true},
    [PTS_OP_HYPOT] = HEAVY(2, HYPOT),
    [PTS_OP_MAXIMUM] = PLAIN(2, MAXIMUM),
    [PTS_OP_MINIMUM] = PLAIN(2, MINIMUM),
    [PTS_OP_NEG] = PLAIN(1, NEG),
    [PTS_OP_ABS] = PLAIN(1, ABS),
    [PTS_OP_SIGN] = PLAIN(1, SIGN),
    [PTS_OP_SIGNBIT] = TEST(1, SIGNBIT),
    [PTS_OP_COPYSIGN] = PLAIN(2, COPYSIGN),
    [PTS_OP_RECIPROCAL] = FLOATED(1, RECIPROCAL),
    [PTS_OP_RELU] = PLAIN(1, RELU),
    [PTS_OP_LRELU] = FLOATED(2, LRELU),
    [PTS_OP_PRELU] = FLOATED(2, LRELU),
    [PTS_OP_AXPY_] = FLOATED(3, AXPY),
    [PTS_OP_CLIP] = PLAIN(3, CLIP),
    [PTS_OP_GCD] = PLAIN(2, GCD),
    [PTS_OP_EXPAND_EXP_DIF] = HEAVY(2, EXPAND_EXP_DIF),
    [PTS_OP_EXP] = HEAVY(1, EXP),
    [PTS_OP_EXP2] = HEAVY(1, EXP2),
    [PTS_OP_EXPM1] = HEAVY(1, EXPM1),
    [PTS_OP_LOG] = HEAVY(1, LOG),
    [PTS_OP_LOG2] = HEAVY(1, LOG2),
    [PTS_OP_LOG10] = HEAVY(1, LOG10),
    [PTS_OP_LOG1P] = HEAVY(1, LOG1P),
    [PTS_OP_SQRT] = FLOATED(1, SQRT),
    [PTS_OP_RSQRT] = FLOATED(1, RSQRT),
    [PTS_OP_CBRT] = HEAVY(1, CBRT),
    [PTS_OP_SIN] = HEAVY(1, SIN),
    [PTS_OP_COS] = HEAVY(1, COS),
    [PTS_OP_TAN] = HEAVY(1, TAN),
    [PTS_OP_TANH] = HEAVY(1, TANH),
    [PTS_OP_SINH] = HEAVY(1, SINH),
    [PTS_OP_COSH] = HEAVY(1, COSH),
    [PTS_OP_ASINH] = HEAVY(1, ASINH),
    [PTS_OP_ACOSH] = HEAVY(1, ACOSH),
    [PTS_OP_ATANH] = HEAVY(1, ATANH),
    [PTS_OP_ASIN] = HEAVY(1, ASIN),
    [PTS_OP_ACOS] = HEAVY(1, ACOS),
    [PTS_OP_ATAN] = HEAVY(1, ATAN),
    [PTS_OP_ATAN2] = HEAVY(2, ATAN2),
    [PTS_OP_ERF] = HEAVY(1, ERF),
    [PTS_OP_ERFC] = HEAVY(1, ERFC),
    [PTS_OP_ROUND] = ROUNDING(ROUND),
    [PTS_OP_FLOOR] = ROUNDING(FLOOR),
    [PTS_OP_CEIL] = ROUNDING(CEIL),
    [PTS_OP_TRUNC] = ROUNDING(TRUNC),
    [PTS_OP_ISFINITE] = FLOAT_TEST(1, ISFINITE),
    [PTS_OP_ISNAN] = FLOAT_TEST(1, ISNAN),
    [PTS_OP_GT] = TEST(2, GT),
    [PTS_OP_GE] = TEST(2, GE),
    [PTS_OP_LT] = TEST(2, LT),
    [PTS_OP_LE] = TEST(2, LE),
    [PTS_OP_EQ] = TEST(2, EQ),
    [PTS_OP_NE] = TEST(2, NE),
    [PTS_OP_GREATER] = TEST(2, GT),
    [PTS_OP_LOGICAL_NOT] = FLOAT_TEST(1, LOGICAL_NOT),
    [PTS_OP_LOGICAL_AND] = FLOAT_TEST(2, LOGICAL_AND),
    [PTS_OP_WHERE] = PLAIN(3, WHERE),
    [PTS_OP_BITWISE_AND] = PLAIN(2, BITWISE_AND),
    [PTS_OP_BITWISE_OR] = PLAIN(2, BITWISE_OR),
    [PTS_OP_BITWISE_XOR] = PLAIN(2, BITWISE_XOR),
    [PTS_OP_BITWISE_NOT] = PLAIN(1, BITWISE_NOT),
    [PTS_OP_BITWISE_LEFT_SHIFT] = PLAIN(2, LEFT_SHIFT),
    [PTS_OP_BITWISE_RIGHT_SHIFT] = PLAIN(2, RIGHT_SHIFT),
};

/* What an op is made of before the job: operands in the strip's order. */
typedef struct Setup {
    const Row *row;
    StripId strip;
    int arity;
    PtsKernelOperand operand[MAX_ARITY];
    PtsDtype computed; /* the dtype of the lane */
} Setup;

bool pts_elementwise_exists(PtsOp op)
{
    return rows[op].arity > 0;
}

static const PtsDtype lane_dtypes[LANE_COUNT] = {PTS_FP32,  PTS_DOUBLE, PTS_INT8,  PTS_UINT8,
                                                 PTS_INT16, PTS_UINT16, PTS_INT32, PTS_UINT32,
                                                 PTS_INT64, PTS_UINT64};

/* The dtype that an op computes in, from its tensors, or from its result when it has none. */
static PtsDtype computed_dtype(const Setup *setup, const PtsTensor *result)
{
    bool any_double = false;
    bool any_float = pts_dtype_is_float(result->dtype) || setup->row->rule == FLOATING;
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
    if (setup->row->rule == WHOLE && is_integer) {
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
    return pts_fail(error, PTS_NOT_IMPLEMENTED, 0xF00005, "NOT_IMPLEMENTED_ERROR",
                    "operation number %d is not simulated for %s", (int)call->op,
                    pts_dtype_name(dtype));
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

/* ~ of truth values is not: their bytes hold 0 and 1 only. */
static const Row *row_of(const PtsKernelCall *call)
{
    const PtsTensor *first = call->operands[0].tensor;
    bool is_truth = first != NULL && first->dtype == PTS_BOOL;
    return &rows[call->op == PTS_OP_BITWISE_NOT && is_truth ? PTS_OP_LOGICAL_NOT : call->op];
}

bool pts_run_elementwise(const PtsKernelCall *call, PtsError *error)
{
    const PtsTensor *result = call->results[0];
    Setup setup = {.row = row_of(call)};
    setup.strip = (StripId)setup.row->strip;
    setup.arity = setup.row->arity;
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
    PtsDtype given = setup.row->gives_bool ? PTS_BOOL : setup.computed;
    bool is_bytes = given == PTS_UINT8 && result->dtype == PTS_BOOL;
    job.converts_result = given != result->dtype && !is_bytes;
    if (job.converts_result) {
        job.to_result = pts_conversion(given, result->dtype);
    }
    job.bytes = pts_dtype_bytes(result->dtype);

    if (walk_operands(&job, result, setup.operand)) {
        element_job_run(&job, setup.row->is_heavy, call->threads);
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
