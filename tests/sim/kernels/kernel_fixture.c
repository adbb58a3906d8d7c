#include "kernel_fixture.h"

int kernel_threads = 1;
bool kernel_device_sums = false;
static uint32_t state = 1;

PtsTensor tensor_over(void *data, PtsDtype dtype, int rank, const int64_t *shape)
{
    PtsTensor tensor = {.data = data, .dtype = dtype, .rank = rank, .storage = data};
    int64_t stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
        tensor.shape[i] = tensor.valid[i] = shape[i];
        tensor.stride[i] = tensor.storage_stride[i] = stride;
        stride *= shape[i];
    }
    tensor.storage_elements = stride;
    return tensor;
}

int64_t tensor_elements(const PtsTensor *tensor)
{
    int64_t count = 1;
    for (int i = 0; i < tensor->rank; i++) {
        count *= tensor->shape[i];
    }
    return count;
}

PtsTensor tensor_new(PtsDtype dtype, int rank, const int64_t *shape)
{
    PtsTensor tensor = tensor_over(NULL, dtype, rank, shape);
    size_t bytes = (size_t)tensor_elements(&tensor) * pts_dtype_bytes(dtype);
    tensor.data = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(tensor.data);
    tensor.storage = tensor.data;
    memset(tensor.data, 0xA5, bytes);
    return tensor;
}

void tensor_free(PtsTensor *tensor)
{
    free(tensor->storage);
    tensor->data = tensor->storage = NULL;
}

PtsKernelOperand operand(const PtsTensor *tensor)
{
    return (PtsKernelOperand){.tensor = tensor, .is_given = true};
}

PtsKernelOperand integer_operand(PtsDtype dtype, int64_t value)
{
    PtsElement element = {.dtype = dtype, .integer = value, .real = (double)value};
    return (PtsKernelOperand){.element = element, .is_given = true};
}

PtsKernelOperand real_operand(PtsDtype dtype, double value)
{
    PtsElement element = {.dtype = dtype, .real = value};
    return (PtsKernelOperand){.element = element, .is_given = true};
}

bool run_kernel(PtsOp op, const PtsKernelAttributes *attributes, int count,
                const PtsKernelOperand *operands, PtsTensor *result, PtsTensor *second,
                PtsError *error)
{
    static const PtsKernelAttributes none;
    PtsKernelCall call = {.op = op,
                          .operand_count = count,
                          .operands = operands,
                          .attributes = attributes != NULL ? attributes : &none,
                          .result_count = second != NULL ? 2 : 1,
                          .results = {result, second},
                          .threads = kernel_threads,
                          .device_sums = kernel_device_sums};
    /* Nothing may be written beyond the scratch memory that the kernel asked for. */
    enum { GUARD = 64 };
    size_t scratch = pts_kernel_scratch(&call);
    unsigned char *memory = aligned_alloc(64, (scratch + GUARD + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory + scratch, 0xA5, GUARD);
    call.scratch = memory;
    bool ok = pts_kernel_run(&call, error);
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(memory[scratch + i], 0xA5);
    }
    free(memory);
    return ok;
}

void run_tensors(PtsOp op, const PtsKernelAttributes *attributes, PtsTensor *result, int count,
                 const PtsTensor *const *tensors)
{
    PtsKernelOperand operands[8];
    PtsError error;
    for (int i = 0; i < count; i++) {
        operands[i] = operand(tensors[i]);
    }
    assert_true(run_kernel(op, attributes, count, operands, result, NULL, &error));
}

void seed_random(uint32_t seed)
{
    state = seed * 2654435761U + 1;
}

uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

void fill_random(PtsTensor *tensor)
{
    size_t bytes = pts_dtype_bytes(tensor->dtype);
    char *at = tensor->data;
    for (int64_t i = 0; i < tensor_elements(tensor); i++, at += bytes) {
        if (pts_dtype_is_float(tensor->dtype)) {
            double value = ((double)next_random() / 4294967296.0 - 0.5) * 8;
            pts_store_real(at, tensor->dtype, value);
        } else {
            pts_store_integer(at, tensor->dtype, (int64_t)(next_random() % 256) - 128);
        }
    }
}

/* Sign, exponent of `exponent_bits` bits and fraction, taken apart by the definition. */
static float small_value(uint32_t bits, int exponent_bits, int fraction_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint32_t fraction = bits & ((1U << fraction_bits) - 1);
    int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1.0 : 1.0;
    if (exponent == (1 << exponent_bits) - 1) {
        return fraction != 0 ? NAN : (float)(sign * (double)INFINITY);
    }
    double leading = exponent != 0 ? 1.0 : 0.0;
    double value = leading + (double)fraction / (double)(1U << fraction_bits);
    return (float)(sign * ldexp(value, (exponent != 0 ? exponent : 1) - bias));
}

void convert(const void *from, PtsDtype from_dtype, void *to, PtsDtype to_dtype, size_t count,
             int mode, int saturation)
{
    PtsError error;
    assert_true(pts_convert(from, from_dtype, to, to_dtype, count, mode, saturation, &error));
}

float half_value(uint16_t bits)
{
    return small_value(bits, 5, 10);
}

float bfloat_value(uint16_t bits)
{
    return small_value(bits, 8, 7);
}

const char *const *isa_names(void)
{
    static const char *names[4];
    static const char *const all[] = {"plain", "avx2", "avx512"};
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (pts_loops_select(all[i])) {
            names[count++] = all[i];
        }
    }
    names[count] = NULL;
    return names;
}
