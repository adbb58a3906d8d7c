/* Matrix products against three nested loops, bit for bit: shapes with tails, transposes, batches,
 * types, instruction sets and numbers of threads; bias, relu, scale, split-k. */
#include "kernel_fixture.h"

#include <fenv.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

static float element(const PtsTensor *tensor, int64_t i, int64_t j, bool transposed)
{
    int64_t offset = transposed ? j * tensor->stride[0] + i * tensor->stride[1]
                                : i * tensor->stride[0] + j * tensor->stride[1];
    return (float)pts_load_real(
        (char *)tensor->data + offset * (int64_t)pts_dtype_bytes(tensor->dtype), tensor->dtype);
}

/* One element: products rounded to F32 and added in order of k; pieces added afterwards. */
static float naive(const PtsTensor *a, bool a_trans, const PtsTensor *b, bool b_trans, int64_t i,
                   int64_t j, int64_t k, int64_t piece)
{
    volatile float total = 0;
    for (int64_t start = 0; start < k; start += piece) {
        volatile float sum = 0;
        for (int64_t at = start; at < k && at < start + piece; at++) {
            volatile float product = element(a, i, at, a_trans) * element(b, at, j, b_trans);
            sum = sum + product;
        }
        total = start == 0 ? sum : total + sum;
    }
    return total;
}

static void check_product(PtsDtype dtype, PtsDtype result_dtype, int64_t m, int64_t k, int64_t n,
                          const PtsKernelAttributes *attributes)
{
    PtsTensor a = attributes->a_trans ? NEW(dtype, k, m) : NEW(dtype, m, k);
    PtsTensor b = attributes->b_trans ? NEW(dtype, n, k) : NEW(dtype, k, n);
    PtsTensor c = NEW(result_dtype, m, n);
    fill_random(&a);
    fill_random(&b);
    RUN(PTS_OP_MATMUL, attributes, &c, &a, &b);
    size_t bytes = pts_dtype_bytes(result_dtype);
    int64_t piece = attributes->split_k ? attributes->split_k_size : k;
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            uint64_t expected = 0;
            float sum = naive(&a, attributes->a_trans, &b, attributes->b_trans, i, j, k, piece);
            pts_store_real(&expected, result_dtype, (double)sum);
            assert_memory_equal((char *)c.data + (size_t)(i * n + j) * bytes, &expected, bytes);
        }
    }
    tensor_free(&a);
    tensor_free(&b);
    tensor_free(&c);
}

static const struct {
    int64_t m, k, n;
} shapes[] = {{1, 1, 1},     {1, 7, 1},     {2, 3, 4},   {16, 16, 16},
              {13, 257, 33}, {12, 300, 32}, {7, 64, 65}, {100, 31, 3},
              {25, 513, 70}, {1, 100, 200}, {200, 5, 1}, {66, 256, 95}};

static void products_are_those_of_three_loops(void **unused)
{
    static const struct {
        PtsDtype from, to;
    } types[] = {{PTS_FP32, PTS_FP32}, {PTS_FP16, PTS_FP16}, {PTS_FP16, PTS_FP32},
                 {PTS_BF16, PTS_BF16}, {PTS_BF16, PTS_FP32}, {PTS_FP8E4M3, PTS_FP32}};
    (void)unused;
    const char *const *names = isa_names();
    for (int n = 0; names[n] != NULL; n++) {
        assert_true(pts_loops_select(names[n]));
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
                PtsKernelAttributes attributes = {.a_trans = (s + t) % 2,
                                                  .b_trans = (s / 2 + t) % 2};
                kernel_threads = 1 + (int)((s + t) % 3);
                check_product(types[t].from, types[t].to, shapes[s].m, shapes[s].k, shapes[s].n,
                              &attributes);
            }
        }
    }
    kernel_threads = 1;
}

static void all_transposes(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        PtsKernelAttributes attributes = {.a_trans = i & 1, .b_trans = i >> 1};
        check_product(PTS_FP32, PTS_FP32, 37, 290, 41, &attributes);
        check_product(PTS_BF16, PTS_BF16, 37, 290, 41, &attributes);
    }
}

static void split_k_adds_partial_sums(void **unused)
{
    (void)unused;
    static const int64_t sizes[] = {16, 64, 256, 300, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        PtsKernelAttributes attributes = {.split_k = true, .split_k_size = sizes[i]};
        check_product(PTS_FP32, PTS_FP32, 17, 700, 35, &attributes);
    }
}

/* Large enough for several blocks and all threads: equal bits whatever the division. */
static void threads_and_instruction_sets_agree(void **unused)
{
    static const PtsDtype dtypes[] = {PTS_FP32, PTS_BF16, PTS_DOUBLE};
    const char *const *names = isa_names();
    (void)unused;
    for (size_t t = 0; t < 3; t++) {
        PtsTensor a = NEW(dtypes[t], 601, 333);
        PtsTensor b = NEW(dtypes[t], 333, 1100);
        PtsTensor first = NEW(dtypes[t], 601, 1100);
        PtsTensor c = NEW(dtypes[t], 601, 1100);
        fill_random(&a);
        fill_random(&b);
        size_t bytes = (size_t)tensor_elements(&c) * pts_dtype_bytes(dtypes[t]);
        for (int n = 0; names[n] != NULL; n++) {
            assert_true(pts_loops_select(names[n]));
            for (int threads = 1; threads <= 4; threads++) {
                kernel_threads = threads;
                bool is_first = n == 0 && threads == 1;
                RUN(PTS_OP_MATMUL, NULL, is_first ? &first : &c, &a, &b);
                if (!is_first) {
                    assert_memory_equal(c.data, first.data, bytes);
                }
            }
        }
        tensor_free(&a);
        tensor_free(&b);
        tensor_free(&c);
        tensor_free(&first);
    }
    kernel_threads = 1;
}

static void bytes_are_summed_exactly(void **unused)
{
    enum { M = 5, K = 5000, N = 37 };
    PtsTensor a = NEW(PTS_INT8, M, K);
    PtsTensor b = NEW(PTS_INT8, N, K);
    PtsTensor c = NEW(PTS_INT32, M, N);
    PtsKernelAttributes attributes = {.b_trans = true};
    (void)unused;
    memset(a.data, 0x80, M * K); /* −128 · −128, the largest products */
    fill_random(&b);
    memset((int8_t *)a.data + K, 127, K); /* products whose sums need more than 24 bits */
    memset(b.data, 0x80, K);
    memset((int8_t *)b.data + K, 127, K);
    const int8_t *x = a.data;
    const int8_t *y = b.data;
    RUN(PTS_OP_MATMUL, &attributes, &c, &a, &b);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            int64_t sum = 0;
            for (int k = 0; k < K; k++) {
                sum += x[i * K + k] * y[j * K + k];
            }
            assert_int_equal(((int32_t *)c.data)[i * N + j], sum);
        }
    }
    assert_int_equal(((int32_t *)c.data)[0], 5000 * 16384);
    assert_int_equal(((int32_t *)c.data)[N + 1], 5000 * 16129);
    tensor_free(&a);
    tensor_free(&b);
    tensor_free(&c);
}

static void batches_broadcast(void **unused)
{
    PtsTensor a = NEW(PTS_FP32, 2, 1, 5, 6);
    PtsTensor b = NEW(PTS_FP32, 1, 3, 6, 7);
    PtsTensor c = NEW(PTS_FP32, 2, 3, 5, 7);
    (void)unused;
    fill_random(&a);
    fill_random(&b);
    RUN(PTS_OP_MATMUL, NULL, &c, &a, &b);
    for (int64_t x = 0; x < 2; x++) {
        for (int64_t y = 0; y < 3; y++) {
            PtsTensor left = OVER((float *)a.data + x * 30, PTS_FP32, 5, 6);
            PtsTensor right = OVER((float *)b.data + y * 42, PTS_FP32, 6, 7);
            for (int64_t i = 0; i < 35; i++) {
                float expected = naive(&left, false, &right, false, i / 7, i % 7, 6, 6);
                assert_memory_equal((float *)c.data + (x * 3 + y) * 35 + i, &expected, 4);
            }
        }
    }
    tensor_free(&a);
    tensor_free(&b);
    tensor_free(&c);
}

/* Only the valid rows and columns are written, only the valid part of K is summed. */
static void valid_extents(void **unused)
{
    PtsTensor a = NEW(PTS_FP32, 4, 8);
    PtsTensor b = NEW(PTS_FP32, 8, 5);
    PtsTensor c = NEW(PTS_FP32, 4, 5);
    (void)unused;
    fill_random(&a);
    fill_random(&b);
    a.valid[0] = c.valid[0] = 3;
    a.valid[1] = b.valid[0] = 6;
    b.valid[1] = c.valid[1] = 2;
    RUN(PTS_OP_MATMUL, NULL, &c, &a, &b);
    for (int64_t i = 0; i < 4; i++) {
        for (int64_t j = 0; j < 5; j++) {
            uint32_t expected = 0xA5A5A5A5;
            if (i < 3 && j < 2) {
                float sum = naive(&a, false, &b, false, i, j, 6, 6);
                memcpy(&expected, &sum, 4);
            }
            assert_memory_equal((float *)c.data + i * 5 + j, &expected, 4);
        }
    }
    a.valid[1] = 0;
    RUN(PTS_OP_MATMUL, NULL, &c, &a, &b);
    tensor_free(&a);
    tensor_free(&b);
    tensor_free(&c);
}

/* [1 2; 3 4] · [1 0; 0 1] + [−2 10], relu, × 0.5. */
static void bias_relu_and_scale_in_this_order(void **unused)
{
    float a_data[] = {1, 2, 3, 4};
    float b_data[] = {1, 0, 0, 1};
    float bias_data[] = {-2, 10};
    float out[4];
    PtsTensor a = OVER(a_data, PTS_FP32, 2, 2);
    PtsTensor b = OVER(b_data, PTS_FP32, 2, 2);
    PtsTensor bias = OVER(bias_data, PTS_FP32, 1, 2);
    PtsTensor c = OVER(out, PTS_FP32, 2, 2);
    PtsKernelAttributes attributes = {.relu = 1, .has_scale = true, .scale = 0.5};
    (void)unused;
    RUN(PTS_OP_MATMUL, &attributes, &c, &a, &b, &bias);
    const float expected[] = {0, 6, 0.5F, 7};
    assert_memory_equal(out, expected, sizeof out);
}

/* I8 · I8 with a scale per column to F16, and to I8 with clamping. */
static void dequantisation_and_quantisation(void **unused)
{
    int8_t a_data[] = {100, 100, -100, 3};
    int8_t b_data[] = {100, 1, 100, 2};
    uint16_t halves[4];
    int8_t bytes[4];
    /* 0.5 and 2.0, in the low half; the upper half is ignored */
    uint64_t scale_data[] = {0xDEADBEEF3F000000, 0x40000000};
    PtsTensor a = OVER(a_data, PTS_INT8, 2, 2);
    PtsTensor b = OVER(b_data, PTS_INT8, 2, 2);
    PtsTensor scales = OVER(scale_data, PTS_UINT64, 1, 2);
    PtsTensor c = OVER(halves, PTS_FP16, 2, 2);
    PtsError error;
    (void)unused;
    PtsKernelOperand operands[4] = {
        operand(&a), operand(&b), {.is_given = false}, operand(&scales)};
    assert_true(run_kernel(PTS_OP_MATMUL, NULL, 4, operands, &c, NULL, &error));
    /* sums: 20000 300; −9700 −94. F16 has steps of 4 at 4850: the tie goes to 1212 · 4. */
    const float expected[] = {10000, 600, -4848, -188};
    for (int i = 0; i < 4; i++) {
        assert_true(half_value(halves[i]) == expected[i]);
    }
    PtsTensor d = OVER(bytes, PTS_INT8, 2, 2);
    PtsKernelAttributes attributes = {.has_scale = true, .scale = 0.0078125};
    assert_true(run_kernel(PTS_OP_MATMUL, &attributes, 2, operands, &d, NULL, &error));
    /* 156.25 → 127, 2.34 → 2, −75.78 → −76, −0.73 → −1 */
    const int8_t clamped[] = {127, 2, -76, -1};
    assert_memory_equal(bytes, clamped, 4);
}

/* A scale keeps ten bits of its fraction: 1 + 2^−11 is 1. */
static void scales_lose_their_last_bits(void **unused)
{
    float one = 1;
    float out;
    PtsTensor a = OVER(&one, PTS_FP32, 1, 1);
    PtsTensor c = OVER(&out, PTS_FP32, 1, 1);
    PtsKernelAttributes attributes = {.has_scale = true, .scale = 1 + 0x1p-11};
    (void)unused;
    RUN(PTS_OP_MATMUL, &attributes, &c, &a, &a);
    assert_true(out == 1.0F);
    attributes.scale = 1 + 0x1p-10;
    RUN(PTS_OP_MATMUL, &attributes, &c, &a, &a);
    assert_true(out == 1.0F + 0x1p-10F);
}

static void transposed_batches(void **unused)
{
    PtsTensor a = NEW(PTS_BF16, 3, 2, 4);
    PtsTensor b = NEW(PTS_BF16, 2, 4, 5);
    PtsTensor c = NEW(PTS_FP32, 3, 2, 5);
    (void)unused;
    fill_random(&a);
    fill_random(&b);
    RUN(PTS_OP_TRANSPOSED_BATCHMATMUL, NULL, &c, &a, &b);
    for (int64_t batch = 0; batch < 2; batch++) {
        PtsTensor left = OVER((uint16_t *)a.data + batch * 4, PTS_BF16, 3, 4);
        left.stride[0] = 8;
        PtsTensor right = OVER((uint16_t *)b.data + batch * 20, PTS_BF16, 4, 5);
        for (int64_t i = 0; i < 15; i++) {
            float expected = naive(&left, false, &right, false, i / 5, i % 5, 4, 4);
            float *got = (float *)c.data + i / 5 * 10 + batch * 5 + i % 5;
            assert_memory_equal(got, &expected, 4);
        }
    }
    tensor_free(&a);
    tensor_free(&b);
    tensor_free(&c);
}

static void products_of_arguments(void **unused)
{
    double a_data[] = {1, 2, 3, 4, 5, 6};
    double b_data[] = {1, 1, 1, 0, 2, 0};
    double out[4];
    PtsArgument a = {.data = a_data, .dtype = PTS_DOUBLE, .rank = 2, .shape = {3, 2}};
    PtsArgument b = {.data = b_data, .dtype = PTS_DOUBLE, .rank = 2, .shape = {2, 3}};
    PtsArgument c = {.data = out, .dtype = PTS_DOUBLE, .rank = 2, .shape = {2, 2}};
    PtsError error;
    (void)unused;
    /* aᵀ = [1 3 5; 2 4 6], bᵀ = [1 0; 1 2; 1 0] */
    assert_true(pts_matmul(&a, true, &b, true, &c, 0, &error));
    const double expected[] = {9, 6, 12, 8};
    assert_memory_equal(out, expected, sizeof out);
    assert_false(pts_matmul(&a, false, &b, true, &c, 0, &error));
    assert_int_equal(error.code, 0xF00002);
    a.rank = 1;
    assert_false(pts_matmul(&a, true, &b, true, &c, 0, &error));
}

/* The caller's rounding direction and flushing of subnormal numbers (a switch of some frameworks)
 * change nothing, and are the caller's again afterwards. */
static void the_callers_settings_do_not_matter(void **unused)
{
    float a_data[] = {1e-30F, 1};
    float b_data[] = {1e-10F, 1, 1, 1e-10F};
    float out[2];
    PtsArgument a = {.data = a_data, .dtype = PTS_FP32, .rank = 2, .shape = {1, 2}};
    PtsArgument b = {.data = b_data, .dtype = PTS_FP32, .rank = 2, .shape = {2, 2}};
    PtsArgument c = {.data = out, .dtype = PTS_FP32, .rank = 2, .shape = {1, 2}};
    double tiny = 1e-40;
    float narrow;
    PtsError error;
    (void)unused;
    b_data[2] = 0;
    fesetround(FE_UPWARD);
#ifdef __x86_64__
    unsigned settings = _mm_getcsr();
    _mm_setcsr(settings | 0x8040U); /* subnormal results and operands are 0 */
#endif
    bool ok = pts_matmul(&a, false, &b, false, &c, 1, &error) &&
              pts_convert(&tiny, PTS_DOUBLE, &narrow, PTS_FP32, 1, 0, 1, &error);
#ifdef __x86_64__
    bool is_kept = (_mm_getcsr() & 0x8040U) == 0x8040U;
    _mm_setcsr(settings);
    assert_true(is_kept);
#endif
    int rounding = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(rounding, FE_UPWARD);
    assert_true(ok);
    uint32_t bits[3];
    memcpy(bits, out, sizeof out);
    memcpy(&bits[2], &narrow, sizeof narrow);
    /* 1e-40 = 71362.38 · 2^−149; as a sum of F32 operands the product is 71362.4 units, too. */
    assert_int_equal(bits[0], 71362);
    assert_int_equal(bits[2], 71362);
    assert_true(out[1] == 1e-30F + 1e-10F);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_three_loops),
        cmocka_unit_test(all_transposes),
        cmocka_unit_test(split_k_adds_partial_sums),
        cmocka_unit_test(threads_and_instruction_sets_agree),
        cmocka_unit_test(bytes_are_summed_exactly),
        cmocka_unit_test(batches_broadcast),
        cmocka_unit_test(valid_extents),
        cmocka_unit_test(bias_relu_and_scale_in_this_order),
        cmocka_unit_test(dequantisation_and_quantisation),
        cmocka_unit_test(scales_lose_their_last_bits),
        cmocka_unit_test(transposed_batches),
        cmocka_unit_test(products_of_arguments),
        cmocka_unit_test(the_callers_settings_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
