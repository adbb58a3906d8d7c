/* conv: sums in F32 over input channel and kernel position, in that order; then bias, relu, scale
 * (one, or one a channel) and one rounding. One and two dimensions are three with axes of one
 * element. */
#include "sim/kernels/common.h"
#include "sim/kernels/half.h"
#include "sim/threads.h"

enum { SPACE = 3, UNIT = 1024 };

/* [outer, channel, d, h, w] of a tensor with fewer axes. */
typedef struct Image {
    const char *data;
    PtsDtype dtype;
    int64_t extent[SPACE + 2], stride[SPACE + 2]; /* bytes */
} Image;

typedef struct Conv {
    Image input, weight, result;
    int64_t stride[SPACE], dilation[SPACE], begin[SPACE];
    int64_t channels; /* of the input, in a group */
    int64_t outputs;  /* of the result, in a group */
} Conv;

static Image image_of(const PtsTensor *tensor)
{
    int64_t size = (int64_t)pts_dtype_bytes(tensor->dtype);
    Image image = {.data = tensor->data, .dtype = tensor->dtype};
    int missing = SPACE + 2 - tensor->rank;
    for (int i = 0; i < SPACE + 2; i++) {
        int axis = i < 2 ? i : i - missing;
        bool is_there = i < 2 || axis >= 2;
        image.extent[i] = is_there ? tensor->shape[axis] : 1;
        image.stride[i] = is_there ? tensor->stride[axis] * size : 0;
    }
    return image;
}

static Conv conv_of(const PtsKernelCall *call)
{
    const PtsKernelAttributes *attributes = call->attributes;
    Conv conv = {.input = image_of(call->operands[0].tensor),
                 .weight = image_of(call->operands[1].tensor),
                 .result = image_of(call->results[0])};
    int missing = SPACE - attributes->shape_rank;
    for (int i = 0; i < SPACE; i++) {
        int axis = i - missing;
        conv.stride[i] = axis < 0 ? 1 : attributes->shape[axis] / UNIT;
        conv.dilation[i] = axis < 0 ? 1 : attributes->shape[axis] % UNIT;
        conv.begin[i] = axis < 0 ? 0 : attributes->offsets[axis] / UNIT;
    }
    conv.channels = conv.weight.extent[1];
    conv.outputs = conv.weight.extent[0] / attributes->count;
    return conv;
}

/* The sum over one channel's kernel; `at` is the place in the result. */
static float add_channel(const Conv *conv, const int64_t *at, int64_t channel, float sum)
{
    const Image *input = &conv->input;
    const Image *weight = &conv->weight;
    int64_t group = at[1] / conv->outputs;
    const char *from = input->data + at[0] * input->stride[0] +
                       (group * conv->channels + channel) * input->stride[1];
    const char *kernel = weight->data + at[1] * weight->stride[0] + channel * weight->stride[1];
    int64_t place[SPACE] = {0};
    do {
        const char *element = from;
        const char *factor = kernel;
        bool is_inside = true;
        for (int i = 0; i < SPACE; i++) {
            int64_t where =
                at[i + 2] * conv->stride[i] + place[i] * conv->dilation[i] - conv->begin[i];
            is_inside = is_inside && where >= 0 && where < input->extent[i + 2];
            element += where * input->stride[i + 2];
            factor += place[i] * weight->stride[i + 2];
        }
        if (is_inside) {
            sum += (float)pts_load_real(element, input->dtype) *
                   (float)pts_load_real(factor, weight->dtype);
        }
    } while (pts_next_index(SPACE, weight->extent + 2, place));
    return sum;
}

/* What the sum of a channel is multiplied by. Scales keep ten bits of their fraction, as those of
 * matmul do. */
static float scale_of(const PtsKernelCall *call, int64_t channel)
{
    const PtsTensor *rows = call->operand_count > 3 ? call->operands[3].tensor : NULL;
    float scale = call->attributes->has_scale ? (float)call->attributes->scale : 1.0F;
    uint32_t bits;
    memcpy(&bits, &scale, sizeof bits);
    if (rows != NULL) {
        int64_t step = rows->stride[rows->rank - 1] * (int64_t)sizeof(uint64_t);
        uint64_t packed;
        memcpy(&packed, (const char *)rows->data + channel * step, sizeof packed);
        bits = (uint32_t)packed;
    }
    return float_of_bits(bits & 0xFFFFE000U);
}

typedef struct ConvJob {
    const PtsKernelCall *call;
    Conv conv;
} ConvJob;

static void run_element(const ConvJob *job, const int64_t *at)
{
    const Conv *conv = &job->conv;
    const PtsKernelCall *call = job->call;
    const PtsTensor *bias = call->operand_count > 2 ? call->operands[2].tensor : NULL;
    float sum = 0;
    for (int64_t channel = 0; channel < conv->channels; channel++) {
        sum = add_channel(conv, at, channel, sum);
    }
    if (bias != NULL) {
        int64_t step = bias->stride[bias->rank - 1] * (int64_t)pts_dtype_bytes(bias->dtype);
        sum += (float)pts_load_real((const char *)bias->data + at[1] * step, bias->dtype);
    }
    sum = call->attributes->relu != 0 && sum < 0 ? 0 : sum;
    sum *= scale_of(call, at[1]);
    char *to = (char *)call->results[0]->data;
    for (int i = 0; i < SPACE + 2; i++) {
        to += at[i] * conv->result.stride[i];
    }
    pts_store_real(to, conv->result.dtype, (double)sum);
}

/* Lines of the result: all axes but the last. */
static void run_lines(void *context, int64_t from, int64_t to, int worker)
{
    const ConvJob *job = context;
    const int64_t *extent = job->conv.result.extent;
    (void)worker;
    for (int64_t line = from; line < to; line++) {
        int64_t at[SPACE + 2] = {0};
        int64_t rest = line;
        for (int i = SPACE; i >= 0; i--) {
            at[i] = rest % extent[i];
            rest /= extent[i];
        }
        for (int64_t i = 0; i < extent[SPACE + 1]; i++) {
            at[SPACE + 1] = i;
            run_element(job, at);
        }
    }
}

bool pts_run_conv(const PtsKernelCall *call, PtsError *error)
{
    ConvJob job = {call, conv_of(call)};
    (void)error;
    if (pts_product(SPACE + 2, job.conv.result.extent) > 0) {
        pts_parallel(call->threads, pts_product(SPACE + 1, job.conv.result.extent), run_lines,
                     &job);
    }
    return true;
}
