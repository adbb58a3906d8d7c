/* Reductions and scans along every axis against plain loops, and their rules for order, NaN,
 * wrapping and rounding. */
#include "kernel_fixture.h"

/* A reduction of one line by the definition; floating point in long double. */
static long double reduce_line(PtsOp op, const PtsTensor *tensor, const char *from, int axis)
{
    int64_t step = tensor->stride[axis] * (int64_t)pts_dtype_bytes(tensor->dtype);
    long double result = op == PTS_OP_PROD ? 1 : 0;
    for (int64_t i = 0; i < tensor->valid[axis]; i++) {
        long double value = (long double)pts_load_real(from + i * step, tensor->dtype);
        bool is_first = i == 0;
        switch (op) {
        case PTS_OP_SUM:
            result += value;
            break;
        case PTS_OP_PROD:
            result *= value;
            break;
        case PTS_OP_AMAX:
            result = is_first || value > result ? value : result;
            break;
        default:
            result = is_first || value < result ? value : result;
        }
    }
    return result;
}

static void check_reduction(PtsOp op, PtsDtype dtype, int rank, const int64_t *shape, int axis,
                            bool keepdim, int64_t valid)
{
    PtsTensor a = tensor_new(dtype, rank, shape);
    int64_t kept[PTS_MAX_RANK];
    int axes = 0;
    for (int i = 0; i < rank; i++) {
        if (i != axis || keepdim || rank == 1) {
            kept[axes++] = i == axis ? 1 : shape[i];
        }
    }
    PtsTensor c = tensor_new(dtype, axes, kept);
    fill_random(&a);
    a.valid[axis] = valid;
    PtsKernelAttributes attributes = {.dim = axis, .keepdim = keepdim};
    RUN(op, &attributes, &c, &a);
    int64_t inner = a.stride[axis];
    for (int64_t e = 0; e < tensor_elements(&c); e++) {
        size_t bytes = pts_dtype_bytes(dtype);
        int64_t offset = e / inner * inner * shape[axis] + e % inner;
        long double exact = reduce_line(op, &a, (char *)a.data + (size_t)offset * bytes, axis);
        char expected[8] = {0};
        if (pts_dtype_is_float(dtype)) {
            pts_store_real(expected, dtype, (double)exact);
        } else {
            pts_store_integer(expected, dtype, (int64_t)exact);
        }
        assert_memory_equal((char *)c.data + (size_t)e * bytes, expected, bytes);
    }
    tensor_free(&a);
    tensor_free(&c);
}

static void all_axes_of_random_shapes(void **unused)
{
    static const PtsDtype dtypes[] = {PTS_FP32, PTS_BF16, PTS_FP16, PTS_INT16, PTS_INT32, PTS_INT8};
    static const PtsOp ops[] = {PTS_OP_SUM, PTS_OP_AMAX, PTS_OP_AMIN};
    const char *const *names = isa_names();
    (void)unused;
    for (int round = 0; round < 2000; round++) {
        int64_t shape[4];
        int rank = 1 + (int)(next_random() % 4);
        for (int i = 0; i < rank; i++) {
            shape[i] = 1 + next_random() % (rank == 1 ? 700 : 18);
        }
        int axis = (int)(next_random() % (uint32_t)rank);
        if (round % 100 == 0) {
            int count = 0;
            while (names[count] != NULL) {
                count++;
            }
            assert_true(pts_loops_select(names[round / 100 % count]));
        }
        check_reduction(ops[round % 3], dtypes[next_random() % 6], rank, shape, axis, round & 1,
                        1 + next_random() % shape[axis]);
    }
}

static void large_reductions_do_not_depend_on_threads(void **unused)
{
    PtsTensor a = NEW(PTS_FP32, 300, 1000);
    PtsTensor first[2] = {NEW(PTS_FP32, 300), NEW(PTS_FP32, 1000)};
    PtsTensor c = NEW(PTS_FP32, 1000);
    (void)unused;
    fill_random(&a);
    for (int axis = 0; axis < 2; axis++) {
        PtsKernelAttributes attributes = {.dim = axis};
        PtsTensor *expected = &first[1 - axis];
        for (kernel_threads = 1; kernel_threads <= 4; kernel_threads++) {
            c.shape[0] = c.valid[0] = expected->shape[0];
            RUN(PTS_OP_SUM, &attributes, kernel_threads == 1 ? expected : &c, &a);
            if (kernel_threads > 1) {
                assert_memory_equal(c.data, expected->data, (size_t)c.shape[0] * 4);
            }
        }
    }
    kernel_threads = 1;
    tensor_free(&a);
    tensor_free(&c);
    tensor_free(&first[0]);
    tensor_free(&first[1]);
}

/* 2^30 + 64 · 1 − 2^30: 64 in F64; in F32 every single 1 is lost. */
static void sums_accumulate_in_f64_or_like_the_device(void **unused)
{
    float x[66];
    float out;
    (void)unused;
    x[0] = 0x1p30F;
    for (int i = 1; i < 65; i++) {
        x[i] = 1;
    }
    x[65] = -0x1p30F;
    PtsTensor a = OVER(x, PTS_FP32, 66);
    PtsTensor c = OVER(&out, PTS_FP32, 1);
    RUN(PTS_OP_SUM, NULL, &c, &a);
    assert_true(out == 64);
    kernel_device_sums = true;
    RUN(PTS_OP_SUM, NULL, &c, &a);
    kernel_device_sums = false;
    assert_true(out == 0);
}

static void products(void **unused)
{
    float x[] = {2, -3, 0.5F, 4};
    int16_t y[] = {300, 300, 2};
    float out;
    int16_t wrapped;
    PtsTensor a = OVER(x, PTS_FP32, 4);
    PtsTensor c = OVER(&out, PTS_FP32, 1);
    PtsTensor b = OVER(y, PTS_INT16, 3);
    PtsTensor d = OVER(&wrapped, PTS_INT16, 1);
    (void)unused;
    RUN(PTS_OP_PROD, NULL, &c, &a);
    assert_true(out == -12);
    RUN(PTS_OP_PROD, NULL, &d, &b);
    assert_int_equal(wrapped, (int16_t)(180000 - 196608));
}

static void sums_of_i16_wrap(void **unused)
{
    int16_t x[] = {30000, 30000, 1};
    int16_t out;
    PtsTensor a = OVER(x, PTS_INT16, 3);
    PtsTensor c = OVER(&out, PTS_INT16, 1);
    (void)unused;
    RUN(PTS_OP_SUM, NULL, &c, &a);
    assert_int_equal(out, 60001 - 65536);
}

static void extremes_pass_nan_on(void **unused)
{
    float x[] = {1, NAN, 3, 4, 5, 6};
    float out[2];
    PtsTensor a = OVER(x, PTS_FP32, 2, 3);
    PtsTensor c = OVER(out, PTS_FP32, 2);
    PtsTensor d = OVER(out, PTS_FP32, 1);
    PtsKernelAttributes rows = {.dim = 1};
    (void)unused;
    RUN(PTS_OP_AMAX, &rows, &c, &a);
    assert_true(isnan(out[0]) && out[1] == 6);
    RUN(PTS_OP_AMIN, &rows, &c, &a);
    assert_true(isnan(out[0]) && out[1] == 4);
    float infinite[] = {-INFINITY, -INFINITY};
    PtsTensor b = OVER(infinite, PTS_FP32, 2);
    RUN(PTS_OP_AMAX, NULL, &d, &b);
    assert_true(out[0] == -INFINITY);
}

static void positions_of_extremes(void **unused)
{
    float x[] = {1, 5, 5, 0, NAN, 9, NAN, 2, -1, -1, -1, -2};
    int32_t out[4];
    PtsTensor a = OVER(x, PTS_FP32, 3, 4);
    PtsTensor c = OVER(out, PTS_INT32, 3);
    PtsTensor d = OVER(out, PTS_INT32, 1, 4);
    PtsKernelAttributes rows = {.dim = 1};
    PtsKernelAttributes columns = {.dim = 0, .keepdim = true};
    (void)unused;
    RUN(PTS_OP_ARGMAX, &rows, &c, &a);
    assert_true(out[0] == 1 && out[1] == 0 && out[2] == 0);
    RUN(PTS_OP_ARGMIN, &rows, &c, &a);
    assert_true(out[0] == 3 && out[1] == 0 && out[2] == 3);
    RUN(PTS_OP_ARGMAX, &columns, &d, &a);
    assert_true(out[0] == 1 && out[1] == 1 && out[2] == 1 && out[3] == 1);
}

static void nothing_valid_writes_nothing(void **unused)
{
    float x[] = {1, 2};
    float out = 77;
    PtsTensor a = OVER(x, PTS_FP32, 2);
    PtsTensor c = OVER(&out, PTS_FP32, 1);
    (void)unused;
    a.valid[0] = 0;
    RUN(PTS_OP_SUM, NULL, &c, &a);
    RUN(PTS_OP_AMAX, NULL, &c, &a);
    assert_true(out == 77);
}

static void scans(void **unused)
{
    int16_t x[] = {30000, 30000, 1, 2, 3, 4};
    int64_t out[6];
    uint16_t halves[4];
    PtsTensor a = OVER(x, PTS_INT16, 2, 3);
    PtsTensor c = OVER(out, PTS_INT64, 2, 3);
    PtsKernelAttributes rows = {.dim = 1};
    PtsKernelAttributes columns = {.dim = 0};
    (void)unused;
    RUN(PTS_OP_CUMSUM, &rows, &c, &a);
    const int64_t along_rows[] = {30000, 60000, 60001, 2, 5, 9};
    assert_memory_equal(out, along_rows, sizeof out);
    RUN(PTS_OP_CUMSUM, &columns, &c, &a);
    const int64_t along_columns[] = {30000, 30000, 1, 30002, 30003, 5};
    assert_memory_equal(out, along_columns, sizeof out);
    for (int i = 0; i < 4; i++) {
        pts_store_real(&halves[i], PTS_FP16, i == 0 ? 2048 : 1);
    }
    PtsTensor b = OVER(halves, PTS_FP16, 4);
    PtsTensor d = NEW(PTS_FP16, 4);
    RUN(PTS_OP_CUMSUM, NULL, &d, &b);
    /* 2048 2049 2050 2051, each rounded on its own to steps of 2 */
    const float rounded[] = {2048, 2048, 2050, 2052};
    for (int i = 0; i < 4; i++) {
        assert_true(half_value(((uint16_t *)d.data)[i]) == rounded[i]);
    }
    RUN(PTS_OP_CUMPROD, NULL, &d, &b);
    assert_true(half_value(((uint16_t *)d.data)[3]) == 2048);
    tensor_free(&d);
}

/* 1 2 3 4: mean 2.5, squares 5. */
static void variances(void **unused)
{
    float x[] = {1, 2, 3, 4};
    float out[2];
    PtsTensor a = OVER(x, PTS_FP32, 2, 2);
    PtsTensor c = OVER(out, PTS_FP32, 2);
    PtsTensor all = OVER(out, PTS_FP32, 1, 1);
    PtsKernelAttributes rows = {.shape_rank = 1, .shape = {-1}, .real = 1};
    PtsKernelAttributes both = {.shape_rank = 2, .shape = {0, 1}, .real = 0, .keepdim = true};
    PtsKernelAttributes none = {.real = 1, .keepdim = true};
    (void)unused;
    RUN(PTS_OP_VAR, &rows, &c, &a);
    assert_true(out[0] == 0.5F && out[1] == 0.5F);
    RUN(PTS_OP_VAR, &both, &all, &a);
    assert_true(out[0] == 1.25F);
    RUN(PTS_OP_VAR, &none, &all, &a);
    assert_true(out[0] == (float)(5.0 / 3.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_axes_of_random_shapes),
        cmocka_unit_test(large_reductions_do_not_depend_on_threads),
        cmocka_unit_test(sums_accumulate_in_f64_or_like_the_device),
        cmocka_unit_test(products),
        cmocka_unit_test(sums_of_i16_wrap),
        cmocka_unit_test(extremes_pass_nan_on),
        cmocka_unit_test(positions_of_extremes),
        cmocka_unit_test(nothing_valid_writes_nothing),
        cmocka_unit_test(scans),
        cmocka_unit_test(variances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
