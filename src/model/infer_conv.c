/* Convolution in one, two or three dimensions. */
#include "model/infer.h"

enum {
    CONV_BIAS = 2,
    CONV_SCALE = 3,
    MAX_STEP = 63,
    MAX_PADDING = 255,
    MAX_GROUPS = 65535,
    STEP_UNIT = 1024 /* an axis is one number: stride · 1024 + dilation, and begin · 1024 + end */
};

static const uint32_t CODE_CONV = 0xFC6200;

/* One spatial axis. */
typedef struct ConvAxis {
    int64_t size, kernel, stride, dilation, begin, end;
} ConvAxis;

static bool fail_conv(PtsEmit *emit, const char *what, long long value)
{
    return emit_fail(
        emit, PTS_CORE_ERROR, CODE_CONV, "PARAM_INVALID", "conv: %s, got %lld; input %s, weight %s",
        what, value, pts_record_shape(emit->program, emit->tensor[0]->rank, emit->tensor[0]->shape),
        pts_record_shape(emit->program, emit->tensor[1]->rank, emit->tensor[1]->shape));
}

static bool is_within(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

static bool check_axis(PtsEmit *emit, int axis, ConvAxis *found)
{
    const PtsAttributes *attributes = &emit->attributes;
    int64_t steps = 0, padding = 0;
    pts_sym_value(emit->context, attributes->shape[axis], &steps);
    pts_sym_value(emit->context, attributes->offsets[axis], &padding);
    *found = (ConvAxis){.size = emit_extent(emit, emit->tensor[0]->shape[axis + 2]),
                        .kernel = emit_extent(emit, emit->tensor[1]->shape[axis + 2]),
                        .stride = steps / STEP_UNIT,
                        .dilation = steps % STEP_UNIT,
                        .begin = padding / STEP_UNIT,
                        .end = padding % STEP_UNIT};
    if (!is_within(found->stride, 1, MAX_STEP)) {
        return fail_conv(emit, "strides must be 1 to 63", found->stride);
    }
    if (!is_within(found->dilation, 1, MAX_STEP)) {
        return fail_conv(emit, "dilations must be 1 to 63", found->dilation);
    }
    int64_t most = found->begin > found->end ? found->begin : found->end;
    if (most > MAX_PADDING || (most > 0 && found->kernel >= 0 && most >= found->kernel)) {
        return fail_conv(emit, "paddings must be 0 to 255 and less than the kernel", most);
    }
    return true;
}

static bool check_channels(PtsEmit *emit)
{
    const PtsSlotState *input = emit->tensor[0], *weight = emit->tensor[1];
    int64_t groups = emit->attributes.count;
    int64_t in = emit_extent(emit, input->shape[1]), out = emit_extent(emit, weight->shape[0]);
    bool fits = is_within(groups, 1, MAX_GROUPS) && (in < 0 || in % groups == 0) &&
                (out < 0 || out % groups == 0); /* less than 0: not known */
    if (!fits) {
        return fail_conv(emit, "groups must be 1 to 65535 and divide both numbers of channels",
                         groups);
    }
    int64_t per_group = emit_extent(emit, weight->shape[1]);
    return in < 0 || per_group < 0 || per_group * groups == in ||
           fail_conv(emit, "the weight must have the input's channels / groups as its axis 1",
                     per_group);
}

/* How many elements; -1: not known. */
static int64_t count_of(const PtsEmit *emit, const PtsSlotState *tensor)
{
    int64_t count = 1;
    for (int i = 0; i < tensor->rank && count >= 0; i++) {
        int64_t extent = emit_extent(emit, tensor->shape[i]);
        count = extent < 0 ? -1 : count * extent;
    }
    return count;
}

/* One element for each channel of the result, along the last axis? */
static bool is_row_of_channels(const PtsEmit *emit, const PtsSlotState *tensor)
{
    PtsSym channels = emit->tensor[1]->shape[0];
    int64_t count = count_of(emit, tensor), wanted = emit_extent(emit, channels);
    bool open = emit->is_partial && (count < 0 || wanted < 0);
    return emit_equal(emit, tensor->shape[tensor->rank - 1], channels) != PTS_NO &&
           (open || count == wanted);
}

static bool check_bias(PtsEmit *emit)
{
    if (emit->operand_count <= CONV_BIAS || emit->operands[CONV_BIAS].kind == PTS_OPERAND_NONE) {
        return true;
    }
    if (!emit_need_tensor(emit, CONV_BIAS)) {
        return false;
    }
    const PtsSlotState *bias = emit->tensor[CONV_BIAS];
    if (!is_row_of_channels(emit, bias)) {
        return fail_conv(emit, "bias_tensor must have one element for each channel of the result",
                         count_of(emit, bias));
    }
    return bias->dtype == PTS_BOTTOM || pts_dtype_is_float(bias->dtype) ||
           fail_conv(emit, "bias_tensor must be floating point", 0);
}

/* One 64-bit number for each channel of the result; its low half is a float. */
static bool check_conv_scale(PtsEmit *emit)
{
    if (emit->operand_count <= CONV_SCALE || emit->operands[CONV_SCALE].kind == PTS_OPERAND_NONE) {
        return true;
    }
    if (!emit_need_tensor(emit, CONV_SCALE)) {
        return false;
    }
    const PtsSlotState *scale = emit->tensor[CONV_SCALE];
    if (emit_in(scale->dtype, PTS_SET(UINT64) | PTS_SET(INT64)) == PTS_NO) {
        return emit_fail(emit, PTS_E_VALUE,
                         "conv: scale_tensor must be DT_UINT64 or DT_INT64, not %s",
                         pts_dtype_name(scale->dtype));
    }
    return is_row_of_channels(emit, scale) ||
           fail_conv(emit, "scale_tensor must have one element for each channel of the result",
                     count_of(emit, scale));
}

bool infer_conv(PtsEmit *emit)
{
    if (!emit_need_tensor(emit, 0) || !emit_need_tensor(emit, 1)) {
        return false;
    }
    const PtsSlotState *input = emit->tensor[0], *weight = emit->tensor[1];
    PtsAttributes *attributes = &emit->attributes;
    PtsDtype out = attributes->dtype;
    if (weight->rank != input->rank || attributes->shape_rank != input->rank - 2 ||
        attributes->offset_rank != input->rank - 2) {
        return fail_conv(emit, "weight, strides, paddings and dilations must fit the input's axes",
                         input->rank);
    }
    if (!emit_same_dtype(emit, input, weight)) {
        return false;
    }
    bool open = out == PTS_BOTTOM || input->dtype == PTS_BOTTOM; /* of a partial program */
    if (!(open && emit->is_partial) && out != input->dtype && out != PTS_FP32) {
        return emit_fail(emit, PTS_E_VALUE, "conv: %s inputs do not give %s",
                         pts_dtype_name(input->dtype), pts_dtype_name(out));
    }
    for (int i = 0; i < input->rank; i++) {
        if (emit_equal(emit, input->valid[i], input->shape[i]) == PTS_NO ||
            emit_equal(emit, weight->valid[i], weight->shape[i]) == PTS_NO) {
            return fail_conv(emit, "input and weight must be valid to their ends; axis", i);
        }
    }
    if (!check_channels(emit) || !check_bias(emit) || !check_conv_scale(emit)) {
        return false;
    }
    PtsResult *result = emit_result(emit, out, input->rank);
    result->shape[0] = result->valid[0] = input->shape[0];
    result->shape[1] = result->valid[1] = weight->shape[0];
    for (int i = 0; i < input->rank - 2; i++) {
        ConvAxis axis;
        if (!check_axis(emit, i, &axis)) {
            return false;
        }
        if (emit->is_partial && (axis.size < 0 || axis.kernel < 0)) {
            result->shape[i + 2] = result->valid[i + 2] = emit_nothing(emit);
            continue;
        }
        int64_t room = axis.size + axis.begin + axis.end - axis.dilation * (axis.kernel - 1) - 1;
        if (room < 0 || axis.kernel < 1) {
            return fail_conv(emit, "the kernel must fit into the padded input; axis", i);
        }
        result->shape[i + 2] = result->valid[i + 2] = emit_constant(emit, room / axis.stride + 1);
    }
    return pts_check_conv(emit);
}
