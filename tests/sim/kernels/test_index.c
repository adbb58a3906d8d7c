/* Operations with index tensors, sorting and quantisation. */
#include "kernel_fixture.h"

static void gathering(void **unused)
{
    float x[] = {1, 2, 3, 4, 5, 6};
    int32_t columns[] = {2, 0, 1, 1};
    int64_t rows[] = {1, 0, 1};
    float out[4];
    PtsError error;
    PtsTensor a = OVER(x, PTS_FP32, 2, 3);
    PtsTensor i = OVER(columns, PTS_INT32, 2, 2);
    PtsTensor c = OVER(out, PTS_FP32, 2, 2);
    PtsKernelAttributes last = {.dim = 1};
    PtsKernelAttributes first = {.dim = 0};
    (void)unused;
    RUN(PTS_OP_GATHER, &last, &c, &a, &i);
    assert_memory_equal(out, ((float[]){3, 1, 5, 5}), sizeof out);
    PtsTensor r = OVER(rows, PTS_INT64, 1, 3);
    PtsTensor d = OVER(out, PTS_FP32, 1, 3);
    RUN(PTS_OP_GATHER, &first, &d, &a, &r);
    assert_memory_equal(out, ((float[]){4, 2, 6}), 12);
    static const int32_t wrong[] = {3, -1, INT32_MAX, INT32_MIN};
    for (size_t w = 0; w < 4; w++) {
        columns[3] = wrong[w];
        PtsKernelOperand operands[2] = {operand(&a), operand(&i)};
        assert_false(run_kernel(PTS_OP_GATHER, &last, 2, operands, &c, NULL, &error));
        assert_int_equal(error.code, 0xF74006);
        c.valid[0] = 1; /* the wrong one is not valid */
        assert_true(run_kernel(PTS_OP_GATHER, &last, 2, operands, &c, NULL, &error));
        c.valid[0] = 2;
    }
}

static void selecting_rows(void **unused)
{
    int16_t x[] = {1, 2, 3, 4, 5, 6};
    int32_t which[] = {2, 0, 0, 1};
    int16_t out[8];
    PtsError error;
    PtsTensor a = OVER(x, PTS_INT16, 3, 2);
    PtsTensor i = OVER(which, PTS_INT32, 2, 2);
    PtsTensor c = OVER(out, PTS_INT16, 2, 2, 2);
    PtsKernelAttributes first = {.dim = 0};
    PtsKernelAttributes last = {.dim = 1};
    (void)unused;
    RUN(PTS_OP_INDEX_SELECT, &first, &c, &a, &i);
    assert_memory_equal(out, ((int16_t[]){5, 6, 1, 2, 1, 2, 3, 4}), sizeof out);
    int32_t one[] = {1, 1, 0};
    PtsTensor j = OVER(one, PTS_INT32, 3);
    PtsTensor d = OVER(out, PTS_INT16, 3, 3);
    d.shape[0] = d.valid[0] = 2;
    RUN(PTS_OP_INDEX_SELECT, &last, &d, &a, &j);
    assert_memory_equal(out, ((int16_t[]){2, 2, 1, 4, 4, 3}), 12);
    which[0] = 3;
    PtsKernelOperand operands[2] = {operand(&a), operand(&i)};
    assert_false(run_kernel(PTS_OP_INDEX_SELECT, &first, 2, operands, &c, NULL, &error));
}

static void scattering(void **unused)
{
    float x[] = {0, 0, 0, 1, 1, 1};
    int64_t columns[] = {2, 1, 0, 0};
    float source[] = {5, 6, 7, 8};
    float out[6];
    PtsError error;
    PtsTensor a = OVER(x, PTS_FP32, 2, 3);
    PtsTensor i = OVER(columns, PTS_INT64, 2, 2);
    PtsTensor s = OVER(source, PTS_FP32, 2, 2);
    PtsTensor c = OVER(out, PTS_FP32, 2, 3);
    PtsKernelAttributes set = {.dim = 1, .mode = 0};
    PtsKernelAttributes add = {.dim = 1, .mode = 1};
    PtsKernelAttributes multiply = {.dim = 1, .mode = 2};
    (void)unused;
    RUN(PTS_OP_SCATTER, &add, &c, &a, &i, &s);
    assert_memory_equal(out, ((float[]){0, 6, 5, 16, 1, 1}), sizeof out);
    RUN(PTS_OP_SCATTER, &multiply, &c, &a, &i, &s);
    assert_memory_equal(out, ((float[]){0, 0, 0, 56, 1, 1}), sizeof out);
    PtsKernelOperand operands[3] = {operand(&a), operand(&i), real_operand(PTS_FP32, 9)};
    assert_true(run_kernel(PTS_OP_SCATTER, &set, 3, operands, &c, NULL, &error));
    assert_memory_equal(out, ((float[]){0, 9, 9, 9, 1, 1}), sizeof out);
    columns[0] = -1;
    assert_false(run_kernel(PTS_OP_SCATTER, &set, 3, operands, &c, NULL, &error));
}

static void adding_rows(void **unused)
{
    int8_t x[] = {100, 0, 0, 0};
    int32_t which[] = {0, 0, 1};
    int8_t source[] = {20, 1, 20, 2, 3, 3};
    int8_t out[4];
    PtsTensor a = OVER(x, PTS_INT8, 2, 2);
    PtsTensor i = OVER(which, PTS_INT32, 3);
    PtsTensor s = OVER(source, PTS_INT8, 3, 2);
    PtsTensor c = OVER(out, PTS_INT8, 2, 2);
    PtsKernelAttributes attributes = {.dim = 0, .real = 2};
    (void)unused;
    RUN(PTS_OP_INDEX_ADD_, &attributes, &c, &a, &i, &s);
    assert_memory_equal(out, ((int8_t[]){(int8_t)(180 - 256), 6, 6, 6}), 4);
    /* Factors that no integer has: the nearest. INT64_MAX ends in 0xFF, INT64_MIN in 0x00. */
    static const double factors[] = {1e300, INFINITY, -1e300, -INFINITY, NAN};
    static const int8_t last[] = {-3, -3, 0, 0, 0};
    for (int k = 0; k < 5; k++) {
        attributes.real = factors[k];
        RUN(PTS_OP_INDEX_ADD_, &attributes, &c, &a, &i, &s);
        assert_int_equal(out[2], last[k]);
    }
}

static void putting_by_several_indexes(void **unused)
{
    int32_t x[] = {0, 1, 2, 3, 4, 5};
    int64_t rows[] = {1, 0, 1};
    int64_t columns[] = {2, 0, 2};
    int32_t values[] = {10, 20, 30};
    int32_t out[6];
    PtsTensor a = OVER(x, PTS_INT32, 2, 3);
    PtsTensor v = OVER(values, PTS_INT32, 3);
    PtsTensor i = OVER(rows, PTS_INT64, 3);
    PtsTensor j = OVER(columns, PTS_INT64, 3);
    PtsTensor c = OVER(out, PTS_INT32, 2, 3);
    PtsKernelAttributes add = {.accumulate = true};
    (void)unused;
    RUN(PTS_OP_INDEX_PUT_, NULL, &c, &a, &v, &i, &j);
    assert_memory_equal(out, ((int32_t[]){20, 1, 2, 3, 4, 30}), sizeof out);
    RUN(PTS_OP_INDEX_PUT_, &add, &c, &a, &v, &i, &j);
    assert_memory_equal(out, ((int32_t[]){20, 1, 2, 3, 4, 45}), sizeof out);
    int32_t lines[] = {7, 8, 9, 1, 1, 1, 2, 2, 2};
    PtsTensor w = OVER(lines, PTS_INT32, 3, 3);
    RUN(PTS_OP_INDEX_PUT_, NULL, &c, &a, &w, &i);
    assert_memory_equal(out, ((int32_t[]){1, 1, 1, 2, 2, 2}), sizeof out);
}

static void one_hots(void **unused)
{
    int32_t x[] = {2, 0, 5, -1};
    int64_t out[12];
    PtsTensor a = OVER(x, PTS_INT32, 4);
    PtsTensor c = OVER(out, PTS_INT64, 4, 3);
    (void)unused;
    RUN(PTS_OP_ONE_HOT, NULL, &c, &a);
    assert_memory_equal(out, ((int64_t[]){0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}), sizeof out);
}

/* ---- paged caches ---- */

static void updating_a_cache(void **unused)
{
    float cache[6 * 2] = {0};
    float source[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int32_t rows[] = {5, 0, 2, 3};
    PtsError error;
    PtsTensor a = OVER(cache, PTS_FP32, 6, 2);
    PtsTensor i = OVER(rows, PTS_INT32, 2, 2);
    PtsTensor s = OVER(source, PTS_FP32, 4, 2);
    PtsKernelOperand operands[3] = {operand(&a), operand(&i), operand(&s)};
    (void)unused;
    assert_true(run_kernel(PTS_OP_SCATTER_UPDATE, NULL, 3, operands, &a, NULL, &error));
    assert_memory_equal(cache, ((float[]){3, 4, 0, 0, 5, 6, 7, 8, 0, 0, 1, 2}), sizeof cache);
    /* Four axes: blocks of three rows. Row 4 is row 1 of block 1. */
    memset(cache, 0, sizeof cache);
    PtsTensor b = OVER(cache, PTS_FP32, 2, 3, 1, 2);
    PtsTensor t = OVER(source, PTS_FP32, 2, 2, 1, 2);
    PtsKernelOperand paged[3] = {operand(&b), operand(&i), operand(&t)};
    rows[0] = 4;
    assert_true(run_kernel(PTS_OP_SCATTER_UPDATE, NULL, 3, paged, &b, NULL, &error));
    assert_memory_equal(cache, ((float[]){3, 4, 0, 0, 5, 6, 7, 8, 1, 2, 0, 0}), sizeof cache);
    static const int32_t wrong[] = {6, -1, INT32_MAX, INT32_MIN};
    for (int w = 0; w < 4; w++) {
        rows[1] = wrong[w];
        assert_false(run_kernel(PTS_OP_SCATTER_UPDATE, NULL, 3, operands, &a, NULL, &error));
        assert_false(run_kernel(PTS_OP_SCATTER_UPDATE, NULL, 3, paged, &b, NULL, &error));
        assert_int_equal(error.code, 0xF74006);
    }
    /* A view of two rows: rows beyond it, but inside the memory behind, are reached. */
    PtsTensor view = a;
    view.shape[0] = view.valid[0] = 2;
    view.data = view.storage = cache + 4;
    view.storage_elements = 8;
    rows[1] = 1;
    rows[0] = 3;
    PtsKernelOperand behind[3] = {operand(&view), operand(&i), operand(&s)};
    rows[2] = 0;
    rows[3] = 2;
    assert_true(run_kernel(PTS_OP_SCATTER_UPDATE, NULL, 3, behind, &view, NULL, &error));
    assert_true(cache[10] == 1 && cache[6] == 3 && cache[4] == 5 && cache[8] == 7);
    rows[3] = 4;
    assert_false(run_kernel(PTS_OP_SCATTER_UPDATE, NULL, 3, behind, &view, NULL, &error));
    /* Blocks without rows. */
    PtsTensor none = OVER(cache, PTS_FP32, 2, 3, 1, 2);
    none.shape[1] = none.valid[1] = 0;
    none.storage = cache;
    none.storage_elements = 12;
    PtsKernelOperand empty[3] = {operand(&none), operand(&i), operand(&t)};
    assert_false(run_kernel(PTS_OP_SCATTER_UPDATE, NULL, 3, empty, &none, NULL, &error));
    assert_int_equal(error.code, 0xF74006);
}

static void gathering_from_a_cache(void **unused)
{
    int8_t cache[8 * 3];
    int32_t entries[] = {0, 3, 1};
    int32_t table[] = {3, 1};
    int8_t out[3 * 2];
    PtsError error;
    (void)unused;
    for (int i = 0; i < 24; i++) {
        cache[i] = (int8_t)i;
    }
    PtsTensor a = OVER(cache, PTS_INT8, 8, 3);
    PtsTensor i = OVER(entries, PTS_INT32, 1, 3);
    PtsTensor t = OVER(table, PTS_INT32, 1, 2);
    PtsTensor c = OVER(out, PTS_INT8, 3, 2);
    PtsKernelAttributes attributes = {.count = 2};
    PtsKernelOperand operands[3] = {operand(&a), operand(&i), operand(&t)};
    /* entry 0 → row 3·2 + 0 = 6, entry 3 → 1·2 + 1 = 3, entry 1 → 7; the first two columns */
    assert_true(run_kernel(PTS_OP_GATHER_IN_L1, &attributes, 3, operands, &c, NULL, &error));
    assert_memory_equal(out, ((int8_t[]){18, 19, 9, 10, 21, 22}), 6);
    entries[0] = 4; /* beyond the table */
    assert_false(run_kernel(PTS_OP_GATHER_IN_UB, &attributes, 3, operands, &c, NULL, &error));
    entries[0] = 0;
    table[0] = 4; /* beyond the cache */
    assert_false(run_kernel(PTS_OP_GATHER_IN_UB, &attributes, 3, operands, &c, NULL, &error));
    /* Products that no int64_t holds; 2^62 · 4 would wrap to row 0. */
    int64_t far[] = {INT64_C(1) << 62, 1};
    PtsTensor f = OVER(far, PTS_INT64, 1, 2);
    operands[2] = operand(&f);
    attributes.count = 4;
    assert_false(run_kernel(PTS_OP_GATHER_IN_UB, &attributes, 3, operands, &c, NULL, &error));
    assert_int_equal(error.code, 0xF74006);
    far[0] = INT64_MIN;
    assert_false(run_kernel(PTS_OP_GATHER_IN_UB, &attributes, 3, operands, &c, NULL, &error));
    far[0] = INT64_MAX;
    entries[0] = 3;
    assert_false(run_kernel(PTS_OP_GATHER_IN_UB, &attributes, 3, operands, &c, NULL, &error));
}

/* ---- sorting ---- */

static void best_of_a_row(void **unused)
{
    float x[] = {1, 5, NAN, 5, -0.0F, 0.0F};
    float values[4];
    int32_t at[4];
    PtsError error;
    PtsTensor a = OVER(x, PTS_FP32, 1, 6);
    PtsTensor c = OVER(values, PTS_FP32, 1, 4);
    PtsTensor d = OVER(at, PTS_INT32, 1, 4);
    PtsKernelOperand in = operand(&a);
    PtsKernelAttributes largest = {.count = 4, .largest = true};
    PtsKernelAttributes smallest = {.count = 4};
    (void)unused;
    assert_true(run_kernel(PTS_OP_TOPK, &largest, 1, &in, &c, &d, &error));
    assert_memory_equal(at, ((int32_t[]){2, 1, 3, 0}), sizeof at);
    assert_true(isnan(values[0]) && values[1] == 5 && values[3] == 1);
    assert_true(run_kernel(PTS_OP_TOPK, &smallest, 1, &in, &c, &d, &error));
    assert_memory_equal(at, ((int32_t[]){4, 5, 0, 1}), sizeof at);
    assert_true(signbit(values[0]) && !signbit(values[1]));
}

/* A stable order by definition: count those that come before. */
static void orders_are_stable(void **unused)
{
    enum { ROWS = 3, COLUMNS = 300 };
    static const PtsDtype dtypes[] = {PTS_FP32, PTS_FP16, PTS_INT32};
    PtsError error;
    (void)unused;
    for (int round = 0; round < 12; round++) {
        PtsDtype dtype = dtypes[round % 3];
        bool descending = round & 1;
        size_t bytes = pts_dtype_bytes(dtype);
        PtsTensor a = NEW(dtype, ROWS, COLUMNS);
        PtsTensor order = NEW(PTS_INT32, ROWS, COLUMNS);
        PtsTensor values = NEW(dtype, ROWS, COLUMNS);
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            pts_store_real((char *)a.data + i * bytes, dtype,
                           (double)(next_random() % 40) - 20); /* many equal ones */
        }
        PtsKernelOperand in = operand(&a);
        PtsKernelAttributes attributes = {.dim = 1, .descending = descending};
        assert_true(run_kernel(PTS_OP_ARGSORT, &attributes, 1, &in, &order, NULL, &error));
        int32_t expected[ROWS * COLUMNS];
        for (int64_t r = 0; r < ROWS; r++) {
            for (int64_t i = 0; i < COLUMNS; i++) {
                int64_t before = 0;
                double x = pts_load_real((char *)a.data + (size_t)(r * COLUMNS + i) * bytes, dtype);
                for (int64_t j = 0; j < COLUMNS; j++) {
                    double y =
                        pts_load_real((char *)a.data + (size_t)(r * COLUMNS + j) * bytes, dtype);
                    before += (descending ? y > x : y < x) || (y == x && j < i);
                }
                expected[r * COLUMNS + before] = (int32_t)i;
            }
        }
        assert_memory_equal(order.data, expected, sizeof expected);
        static const int64_t counts[] = {1, 8, 64, 65, 300};
        for (size_t k = 0; k < 5; k++) {
            PtsTensor best = values;
            PtsTensor positions = order;
            best.shape[1] = best.valid[1] = positions.shape[1] = positions.valid[1] = counts[k];
            PtsKernelAttributes top = {.count = (int)counts[k], .largest = descending};
            assert_true(run_kernel(PTS_OP_TOPK, &top, 1, &in, &best, &positions, &error));
            for (int64_t r = 0; r < ROWS; r++) {
                assert_memory_equal((int32_t *)positions.data + r * COLUMNS, expected + r * COLUMNS,
                                    (size_t)counts[k] * 4);
            }
        }
        tensor_free(&a);
        tensor_free(&order);
        tensor_free(&values);
    }
}

static void sorting_along_the_first_axis(void **unused)
{
    float x[] = {3, 1, 2, 9, 1, 5};
    int32_t out[6];
    PtsTensor a = OVER(x, PTS_FP32, 3, 2);
    PtsTensor c = OVER(out, PTS_INT32, 3, 2);
    (void)unused;
    RUN(PTS_OP_ARGSORT, NULL, &c, &a);
    assert_memory_equal(out, ((int32_t[]){2, 0, 1, 2, 0, 1}), sizeof out);
    float zeros[] = {0.0F, -0.0F, 0.0F, -0.0F};
    PtsTensor z = OVER(zeros, PTS_FP32, 4); /* all equal: they stay where they are */
    PtsTensor d = OVER(out, PTS_INT32, 4);
    RUN(PTS_OP_ARGSORT, NULL, &d, &z);
    assert_memory_equal(out, ((int32_t[]){0, 1, 2, 3}), 16);
}

/* ---- quantisation ---- */

static void quantising_rows_and_columns(void **unused)
{
    float x[] = {0.5F, 1.5F, 100, -100};
    float by_row[] = {1, 2};
    float zero[] = {10, 0};
    int8_t out[4];
    uint8_t shifted[4];
    float back[4];
    PtsTensor a = OVER(x, PTS_FP32, 2, 2);
    PtsTensor s = OVER(by_row, PTS_FP32, 2);
    PtsTensor z = OVER(zero, PTS_FP32, 2);
    PtsTensor c = OVER(out, PTS_INT8, 2, 2);
    PtsTensor d = OVER(shifted, PTS_UINT8, 2, 2);
    PtsTensor e = OVER(back, PTS_FP32, 2, 2);
    PtsKernelAttributes rows = {.dim = 1};
    PtsKernelAttributes columns = {.dim = 0};
    (void)unused;
    RUN(PTS_OP_QUANTIZE, &rows, &c, &a, &s);
    assert_memory_equal(out, ((int8_t[]){0, 2, 127, -128}), 4);
    RUN(PTS_OP_QUANTIZE, &columns, &c, &a, &s);
    assert_memory_equal(out, ((int8_t[]){0, 3, 100, -128}), 4);
    RUN(PTS_OP_QUANTIZE, &rows, &d, &a, &s, &z);
    assert_memory_equal(shifted, ((uint8_t[]){10, 12, 200, 0}), 4);
    zero[0] = 0.75F; /* 0.5 + 0.75 is rounded as a whole */
    RUN(PTS_OP_QUANTIZE, &rows, &d, &a, &s, &z);
    assert_memory_equal(shifted, ((uint8_t[]){1, 2, 200, 0}), 4);
    zero[0] = 10;
    RUN(PTS_OP_DEQUANTIZE, &columns, &e, &c, &s, &z);
    assert_memory_equal(back, ((float[]){-10, 6, 90, -256}), sizeof back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gathering),
        cmocka_unit_test(selecting_rows),
        cmocka_unit_test(scattering),
        cmocka_unit_test(adding_rows),
        cmocka_unit_test(putting_by_several_indexes),
        cmocka_unit_test(one_hots),
        cmocka_unit_test(updating_a_cache),
        cmocka_unit_test(gathering_from_a_cache),
        cmocka_unit_test(best_of_a_row),
        cmocka_unit_test(orders_are_stable),
        cmocka_unit_test(sorting_along_the_first_axis),
        cmocka_unit_test(quantising_rows_and_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
