/* Element-wise operations: comparisons, integers that wrap, constants and selection, and all of
 * them with broadcasting, windows, valid regions and threads. */
#include "kernel_fixture.h"

static void add_of_a_row_and_a_column(void **unused)
{
    float row[3] = {1, 2, 3};
    float column[2] = {10, 20};
    float out[6];
    PtsTensor a = OVER(row, PTS_FP32, 3);
    PtsTensor b = OVER(column, PTS_FP32, 2, 1);
    PtsTensor c = OVER(out, PTS_FP32, 2, 3);
    (void)unused;
    RUN(PTS_OP_ADD, NULL, &c, &a, &b);
    const float expected[6] = {11, 12, 13, 21, 22, 23};
    assert_memory_equal(out, expected, sizeof expected);
}

static void signs_as_booleans(void **unused)
{
    float x[] = {-1, 0.0F, -0.0F, -NAN, NAN, INFINITY, -INFINITY, 2};
    uint8_t out[8];
    PtsTensor a = OVER(x, PTS_FP32, 8);
    PtsTensor c = OVER(out, PTS_BOOL, 8);
    (void)unused;
    RUN(PTS_OP_SIGNBIT, NULL, &c, &a);
    const uint8_t signs[] = {1, 0, 1, 0, 0, 0, 1, 0};
    assert_memory_equal(out, signs, 8);
    RUN(PTS_OP_ISFINITE, NULL, &c, &a);
    const uint8_t finite[] = {1, 1, 1, 0, 0, 0, 0, 1};
    assert_memory_equal(out, finite, 8);
    RUN(PTS_OP_LOGICAL_NOT, NULL, &c, &a);
    const uint8_t zeros[] = {0, 1, 1, 0, 0, 0, 0, 0};
    assert_memory_equal(out, zeros, 8);
}

static void comparisons(void **unused)
{
    float x[] = {1, 2, 3, NAN};
    float y[] = {2, 2, 2, NAN};
    static const struct {
        PtsOp op;
        uint8_t expected[4];
    } cases[] = {{PTS_OP_EQ, {0, 1, 0, 0}}, {PTS_OP_NE, {1, 0, 1, 1}}, {PTS_OP_LT, {1, 0, 0, 0}},
                 {PTS_OP_LE, {1, 1, 0, 0}}, {PTS_OP_GT, {0, 0, 1, 0}}, {PTS_OP_GE, {0, 1, 1, 0}}};
    (void)unused;
    for (size_t i = 0; i < 6; i++) {
        uint8_t out[4];
        uint16_t halves[2][4];
        PtsError error;
        PtsTensor a = OVER(x, PTS_FP32, 4);
        PtsTensor b = OVER(y, PTS_FP32, 4);
        PtsTensor c = OVER(out, PTS_BOOL, 4);
        RUN(cases[i].op, NULL, &c, &a, &b);
        assert_memory_equal(out, cases[i].expected, 4);
        for (int j = 0; j < 4; j++) {
            pts_store_real(&halves[0][j], PTS_FP16, (double)x[j]);
            pts_store_real(&halves[1][j], PTS_FP16, (double)y[j]);
        }
        PtsTensor p = OVER(halves[0], PTS_FP16, 4);
        PtsTensor q = OVER(halves[1], PTS_FP16, 4);
        RUN(cases[i].op, NULL, &c, &p, &q);
        assert_memory_equal(out, cases[i].expected, 4);
        PtsKernelOperand scalar[2] = {operand(&p), real_operand(PTS_FP16, 2)};
        assert_true(run_kernel(cases[i].op, NULL, 2, scalar, &c, NULL, &error));
        assert_memory_equal(out, cases[i].expected, 3);
    }
}

/* ---- integers ---- */

static void integers_wrap_at_their_width(void **unused)
{
    static const PtsDtype dtypes[] = {PTS_INT8,  PTS_UINT8,  PTS_INT16, PTS_UINT16,
                                      PTS_INT32, PTS_UINT32, PTS_INT64};
    (void)unused;
    for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++) {
        size_t bytes = pts_dtype_bytes(dtypes[t]);
        PtsTensor x = NEW(dtypes[t], 500);
        PtsTensor y = NEW(dtypes[t], 500);
        PtsTensor z = NEW(dtypes[t], 500);
        for (size_t i = 0; i < 500; i++) {
            uint64_t bits[2] = {next_random() | (uint64_t)next_random() << 32,
                                next_random() | (uint64_t)next_random() << 32};
            memcpy((char *)x.data + i * bytes, &bits[0], bytes);
            memcpy((char *)y.data + i * bytes, &bits[1], bytes);
        }
        static const PtsOp ops[] = {PTS_OP_ADD,     PTS_OP_SUB,     PTS_OP_MUL,
                                    PTS_OP_MAXIMUM, PTS_OP_MINIMUM, PTS_OP_BITWISE_XOR};
        for (int o = 0; o < 6; o++) {
            RUN(ops[o], NULL, &z, &x, &y);
            for (size_t i = 0; i < 500; i++) {
                int64_t p = pts_load_integer((char *)x.data + i * bytes, dtypes[t]);
                int64_t q = pts_load_integer((char *)y.data + i * bytes, dtypes[t]);
                uint64_t wide = o == 0   ? (uint64_t)p + (uint64_t)q
                                : o == 1 ? (uint64_t)p - (uint64_t)q
                                : o == 2 ? (uint64_t)p * (uint64_t)q
                                : o == 3 ? (uint64_t)(p > q ? p : q)
                                : o == 4 ? (uint64_t)(p < q ? p : q)
                                         : (uint64_t)(p ^ q);
                assert_memory_equal((char *)z.data + i * bytes, &wide, bytes);
            }
        }
        tensor_free(&x);
        tensor_free(&y);
        tensor_free(&z);
    }
}

static void integer_division_gives_f32(void **unused)
{
    int16_t x[] = {7, -7, 1, 0};
    int16_t y[] = {2, 2, 3, 0};
    float out[4];
    PtsTensor a = OVER(x, PTS_INT16, 4);
    PtsTensor b = OVER(y, PTS_INT16, 4);
    PtsTensor c = OVER(out, PTS_FP32, 4);
    (void)unused;
    RUN(PTS_OP_DIV, NULL, &c, &a, &b);
    assert_true(out[0] == 3.5F && out[1] == -3.5F && out[2] == 1.0F / 3.0F && isnan(out[3]));
}

static void integer_operations(void **unused)
{
    static const struct {
        PtsOp op;
        int32_t x, y, expected;
    } cases[] = {
        {PTS_OP_FLOOR_DIV, -7, 2, -4},
        {PTS_OP_FLOOR_DIV, 7, -2, -4},
        {PTS_OP_FLOOR_DIV, 6, 3, 2},
        {PTS_OP_FLOOR_DIV, INT32_MIN, -1, INT32_MIN},
        {PTS_OP_CEIL_DIV, 7, 2, 4},
        {PTS_OP_CEIL_DIV, -7, 2, -3},
        {PTS_OP_REMAINDER, -7, 3, 2},
        {PTS_OP_REMAINDER, 7, -3, -2},
        {PTS_OP_REMAINDER, INT32_MIN, -1, 0},
        {PTS_OP_POW, 3, 4, 81},
        {PTS_OP_POW, -2, 3, -8},
        {PTS_OP_POW, 2, -1, 0},
        {PTS_OP_POW, 65536, 2, 0},
        {PTS_OP_GCD, 12, -18, 6},
        {PTS_OP_GCD, 0, 5, 5},
        {PTS_OP_BITWISE_AND, 12, 10, 8},
        {PTS_OP_BITWISE_OR, 12, 10, 14},
        {PTS_OP_BITWISE_LEFT_SHIFT, 1, 31, INT32_MIN},
        {PTS_OP_BITWISE_LEFT_SHIFT, 1, 32, 0},
        {PTS_OP_BITWISE_RIGHT_SHIFT, -8, 1, -4},
        {PTS_OP_BITWISE_RIGHT_SHIFT, -8, 40, -1},
        {PTS_OP_COPYSIGN, -3, 4, 3},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t x = cases[i].x;
        int32_t y = cases[i].y;
        int32_t out;
        PtsTensor a = OVER(&x, PTS_INT32, 1);
        PtsTensor b = OVER(&y, PTS_INT32, 1);
        PtsTensor c = OVER(&out, PTS_INT32, 1);
        RUN(cases[i].op, NULL, &c, &a, &b);
        assert_int_equal(out, cases[i].expected);
    }
}

static void integers_become_f32_where_functions_need_it(void **unused)
{
    int16_t x[] = {0, 1, 3};
    float out[3];
    PtsTensor a = OVER(x, PTS_INT16, 3);
    PtsTensor c = OVER(out, PTS_FP32, 3);
    PtsError error;
    (void)unused;
    RUN(PTS_OP_EXP2, NULL, &c, &a);
    const float powers[] = {1, 2, 8};
    assert_memory_equal(out, powers, sizeof out);
    /* An integer base with a real exponent. */
    PtsKernelOperand operands[2] = {operand(&a), real_operand(PTS_DOUBLE, 1.5)};
    assert_true(run_kernel(PTS_OP_POW, NULL, 2, operands, &c, NULL, &error));
    assert_true(out[1] == 1 && out[2] == (float)pow(3, 1.5));
}

/* ---- constants, bounds, selection ---- */

static void cheap_powers(void **unused)
{
    static const struct {
        double exponent;
        float expected; /* of 1.1, in F32 steps */
    } cases[] = {{2, 1.1F * 1.1F}, {3, 1.1F * 1.1F * 1.1F},
                 {-1, 1 / 1.1F},   {-2, 1 / (1.1F * 1.1F)},
                 {0, 1},           {1, 1.1F}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float x = 1.1F;
        float out;
        PtsError error;
        PtsTensor a = OVER(&x, PTS_FP32, 1);
        PtsTensor c = OVER(&out, PTS_FP32, 1);
        PtsKernelOperand operands[2] = {operand(&a), real_operand(PTS_DOUBLE, cases[i].exponent)};
        assert_true(run_kernel(PTS_OP_POW, NULL, 2, operands, &c, NULL, &error));
        assert_memory_equal(&out, &cases[i].expected, 4);
    }
}

static void clipping(void **unused)
{
    float x[] = {-5, 0.5F, 5, NAN};
    float out[4];
    PtsError error;
    PtsTensor a = OVER(x, PTS_FP32, 4);
    PtsTensor c = OVER(out, PTS_FP32, 4);
    (void)unused;
    PtsKernelOperand both[3] = {operand(&a), real_operand(PTS_FP32, -1), real_operand(PTS_FP32, 1)};
    assert_true(run_kernel(PTS_OP_CLIP, NULL, 3, both, &c, NULL, &error));
    assert_true(out[0] == -1 && out[1] == 0.5F && out[2] == 1 && isnan(out[3]));
    PtsKernelOperand crossed[3] = {operand(&a), real_operand(PTS_FP32, 3),
                                   real_operand(PTS_FP32, 2)};
    assert_true(run_kernel(PTS_OP_CLIP, NULL, 3, crossed, &c, NULL, &error));
    assert_true(out[0] == 2 && out[1] == 2 && out[2] == 2);
    PtsKernelOperand lower[3] = {operand(&a), real_operand(PTS_FP32, 0), {.is_given = false}};
    assert_true(run_kernel(PTS_OP_CLIP, NULL, 3, lower, &c, NULL, &error));
    assert_true(out[0] == 0 && out[2] == 5);
    PtsKernelOperand unknown[3] = {operand(&a), real_operand(PTS_FP32, NAN),
                                   real_operand(PTS_FP32, 1)};
    assert_true(run_kernel(PTS_OP_CLIP, NULL, 3, unknown, &c, NULL, &error));
    assert_true(isnan(out[0]) && isnan(out[2]));
    int16_t whole[] = {-300, 7, 300};
    PtsTensor p = OVER(whole, PTS_INT16, 3);
    PtsKernelOperand upper[3] = {operand(&p), {.is_given = false}, integer_operand(PTS_INT16, 100)};
    assert_true(run_kernel(PTS_OP_CLIP, NULL, 3, upper, &p, NULL, &error)); /* in place */
    assert_true(whole[0] == -300 && whole[1] == 7 && whole[2] == 100);
}

static void selection(void **unused)
{
    uint8_t condition[] = {1, 0};
    uint16_t x[] = {1, 2, 3, 4, 5, 6};
    uint16_t out[6];
    PtsError error;
    PtsTensor c = OVER(condition, PTS_BOOL, 2, 1);
    PtsTensor a = OVER(x, PTS_BF16, 2, 3);
    PtsTensor b = OVER(x, PTS_BF16, 1, 3);
    PtsTensor z = OVER(out, PTS_BF16, 2, 3);
    (void)unused;
    a.data = x;
    RUN(PTS_OP_WHERE, NULL, &z, &c, &a, &b);
    const uint16_t expected[] = {1, 2, 3, 1, 2, 3};
    assert_memory_equal(out, expected, sizeof out);
    PtsKernelOperand scalar[3] = {operand(&c), real_operand(PTS_BF16, 1), operand(&a)};
    assert_true(run_kernel(PTS_OP_WHERE, NULL, 3, scalar, &z, NULL, &error));
    const uint16_t mixed[] = {0x3F80, 0x3F80, 0x3F80, 4, 5, 6};
    assert_memory_equal(out, mixed, sizeof out);
}

static void slopes(void **unused)
{
    float x[] = {-2, 4, -2, 4};
    float weight[] = {0.5F, 0.25F};
    float out[4];
    PtsTensor a = OVER(x, PTS_FP32, 2, 2);
    PtsTensor w = OVER(weight, PTS_FP32, 2);
    PtsTensor c = OVER(out, PTS_FP32, 2, 2);
    PtsKernelAttributes attributes = {.real = 0.125};
    (void)unused;
    x[3] = -4;
    RUN(PTS_OP_PRELU, NULL, &c, &a, &w);
    const float by_column[] = {-1, 4, -1, -1};
    assert_memory_equal(out, by_column, sizeof out);
    RUN(PTS_OP_LRELU, &attributes, &c, &a);
    const float fixed[] = {-0.25F, 4, -0.25F, -0.5F};
    assert_memory_equal(out, fixed, sizeof out);
    RUN(PTS_OP_RELU, NULL, &c, &a);
    const float cut[] = {0, 4, 0, 0};
    assert_memory_equal(out, cut, sizeof out);
    PtsKernelAttributes alpha = {.real = 2};
    RUN(PTS_OP_AXPY_, &alpha, &c, &a, &w); /* a + 2 w */
    const float sums[] = {-1, 4.5F, -1, -3.5F};
    assert_memory_equal(out, sums, sizeof out);
}

static void rounding_to_decimals(void **unused)
{
    float x[] = {1.25F, -1.35F, 1234.5F};
    float out[3];
    int32_t whole[] = {15, 25, 26};
    PtsTensor a = OVER(x, PTS_FP32, 3);
    PtsTensor c = OVER(out, PTS_FP32, 3);
    PtsTensor p = OVER(whole, PTS_INT32, 3);
    PtsKernelAttributes one = {.mode = 1};
    PtsKernelAttributes tens = {.mode = -1};
    (void)unused;
    RUN(PTS_OP_ROUND, &one, &c, &a);
    assert_true(out[0] == 1.2F && out[1] == -1.4F && out[2] == 1234.5F);
    RUN(PTS_OP_ROUND, &tens, &c, &a);
    assert_true(out[0] == 0 && out[2] == 1230);
    RUN(PTS_OP_ROUND, &tens, &p, &p);
    assert_true(whole[0] == 20 && whole[1] == 20 && whole[2] == 30);
    RUN(PTS_OP_FLOOR, NULL, &p, &p);
    assert_true(whole[2] == 30);
}

/* ---- windows, valid regions, threads ---- */

static void windows_and_valid_extents(void **unused)
{
    float x[6 * 7];
    float out[4 * 4];
    PtsTensor a = OVER(x, PTS_FP32, 6, 7);
    PtsTensor c = OVER(out, PTS_FP32, 4, 4);
    (void)unused;
    for (int i = 0; i < 42; i++) {
        x[i] = (float)i;
    }
    memset(out, 0, sizeof out);
    a.data = x + 8; /* [1:5, 1:5] */
    a.shape[0] = a.shape[1] = 4;
    c.valid[0] = 3;
    c.valid[1] = 2;
    RUN(PTS_OP_NEG, NULL, &c, &a);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            bool is_valid = i < 3 && j < 2;
            assert_true(out[i * 4 + j] == (is_valid ? -x[(i + 1) * 7 + j + 1] : 0));
        }
    }
    c.valid[0] = 0;
    out[0] = 77;
    RUN(PTS_OP_NEG, NULL, &c, &a);
    c.valid[0] = -3;
    RUN(PTS_OP_NEG, NULL, &c, &a);
    assert_true(out[0] == 77);
}

/* Columns of windows: neither operand nor result is dense along the last axis that is left. */
static void columns(void **unused)
{
    uint16_t x[40];
    uint16_t out[40];
    PtsTensor a = OVER(x, PTS_BF16, 8, 1);
    PtsTensor c = OVER(out, PTS_BF16, 8, 1);
    (void)unused;
    a.stride[0] = c.stride[0] = 5;
    for (int i = 0; i < 40; i++) {
        pts_store_real(&x[i], PTS_BF16, i);
    }
    memset(out, 0, sizeof out);
    RUN(PTS_OP_NEG, NULL, &c, &a);
    for (int i = 0; i < 40; i++) {
        assert_true(bfloat_value(out[i]) == (i % 5 == 0 ? (float)-i : 0));
    }
}

static void random_broadcasts(void **unused)
{
    (void)unused;
    for (int round = 0; round < 3000; round++) {
        int64_t shape[3][4];
        int rank = 1 + (int)(next_random() % 4);
        for (int i = 0; i < rank; i++) {
            shape[0][i] = 1 + next_random() % 5;
            shape[1][i] = next_random() % 3 == 0 ? 1 : shape[0][i];
            shape[2][i] = next_random() % 3 == 0 ? 1 : shape[0][i];
        }
        PtsDtype dtype = round % 2 == 0 ? PTS_FP32 : PTS_FP16;
        PtsTensor a = tensor_new(dtype, rank, shape[1]);
        PtsTensor b = tensor_new(dtype, rank, shape[2]);
        PtsTensor c = tensor_new(dtype, rank, shape[0]);
        fill_random(&a);
        fill_random(&b);
        size_t bytes = pts_dtype_bytes(dtype);
        for (int i = 0; i < rank; i++) {
            c.valid[i] = 1 + next_random() % shape[0][i];
        }
        RUN(PTS_OP_SUB, NULL, &c, &a, &b);
        for (int64_t e = 0; e < tensor_elements(&c); e++) {
            int64_t at = 0;
            int64_t from[2] = {0, 0};
            bool is_valid = true;
            for (int i = 0; i < rank; i++) {
                at = e / c.stride[i] % shape[0][i];
                is_valid = is_valid && at < c.valid[i];
                from[0] += shape[1][i] == 1 ? 0 : at * a.stride[i];
                from[1] += shape[2][i] == 1 ? 0 : at * b.stride[i];
            }
            char expected[4];
            memset(expected, 0xA5, sizeof expected);
            if (is_valid) {
                pts_store_real(
                    expected, dtype,
                    (double)((float)pts_load_real((char *)a.data + (size_t)from[0] * bytes, dtype) -
                             (float)pts_load_real((char *)b.data + (size_t)from[1] * bytes,
                                                  dtype)));
            }
            assert_memory_equal((char *)c.data + (size_t)e * bytes, expected, bytes);
        }
        tensor_free(&a);
        tensor_free(&b);
        tensor_free(&c);
    }
}

static void equal_bits_for_all_threads_and_instruction_sets(void **unused)
{
    static const PtsDtype dtypes[] = {PTS_FP32, PTS_FP16, PTS_BF16};
    static const PtsOp ops[] = {PTS_OP_ADD,  PTS_OP_DIV,   PTS_OP_EXP,   PTS_OP_MAXIMUM,
                                PTS_OP_SQRT, PTS_OP_RSQRT, PTS_OP_FLOOR, PTS_OP_TANH};
    const char *const *names = isa_names();
    (void)unused;
    for (size_t t = 0; t < 3; t++) {
        PtsTensor a = NEW(dtypes[t], 517, 601);
        PtsTensor b = NEW(dtypes[t], 1, 601);
        PtsTensor first = NEW(dtypes[t], 517, 601);
        PtsTensor c = NEW(dtypes[t], 517, 601);
        fill_random(&a);
        fill_random(&b);
        size_t bytes = (size_t)tensor_elements(&c) * pts_dtype_bytes(dtypes[t]);
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            for (int n = 0; names[n] != NULL; n++) {
                assert_true(pts_loops_select(names[n]));
                for (kernel_threads = 1; kernel_threads <= 3; kernel_threads++) {
                    bool is_first = n == 0 && kernel_threads == 1;
                    RUN(ops[o], NULL, is_first ? &first : &c, &a, &b);
                    if (!is_first) {
                        assert_memory_equal(c.data, first.data, bytes);
                    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_of_a_row_and_a_column),
        cmocka_unit_test(signs_as_booleans),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(integers_wrap_at_their_width),
        cmocka_unit_test(integer_division_gives_f32),
        cmocka_unit_test(integer_operations),
        cmocka_unit_test(integers_become_f32_where_functions_need_it),
        cmocka_unit_test(cheap_powers),
        cmocka_unit_test(clipping),
        cmocka_unit_test(selection),
        cmocka_unit_test(slopes),
        cmocka_unit_test(rounding_to_decimals),
        cmocka_unit_test(windows_and_valid_extents),
        cmocka_unit_test(columns),
        cmocka_unit_test(random_broadcasts),
        cmocka_unit_test(equal_bits_for_all_threads_and_instruction_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
