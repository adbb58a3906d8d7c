/* Comparisons against the definition, element by element in plain C, on every instruction set. */
#include "sim/compare.h"
#include "sim/kernels.h"
#include "sim/kernels/loops.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 1000 };

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525U + 1013904223U;
    return random_state >> 8;
}

/* |c − t| and its limit in the arithmetic that the dtype asks for. */
static bool is_close(double c, double t, bool is_wide, PtsTolerance tolerance, double *difference)
{
    if (c == t) {
        *difference = 0;
        return true;
    }
    if (is_wide) {
        *difference = fabs(c - t);
        double limit = fabs(t) * tolerance.rtol;
        limit += tolerance.atol;
        return isfinite(*difference) && *difference <= limit;
    }
    volatile float narrow = fabsf((float)c - (float)t);
    volatile float limit = fabsf((float)t) * (float)tolerance.rtol;
    limit = limit + (float)tolerance.atol;
    *difference = (double)narrow;
    return isfinite(narrow) && narrow <= limit;
}

static void fill(void *at, PtsDtype dtype, size_t count, uint32_t spread)
{
    for (size_t i = 0; i < count; i++) {
        char *element = (char *)at + i * pts_dtype_bytes(dtype);
        int64_t number = (int64_t)(random_bits() % (2 * spread)) - (int64_t)spread;
        if (pts_dtype_is_float(dtype)) {
            static const double specials[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, FLT_MAX};
            uint32_t pick = random_bits() % 100;
            pts_store_real(element, dtype, pick < 6 ? specials[pick] : (double)number / 16);
        } else {
            /* Small ones: those that F64 cannot hold have a test of their own. */
            pts_store_integer(element, dtype, dtype == PTS_UINT64 ? number + spread : number);
        }
    }
}

/* The second is the first with some changes. */
static void fill_both(void *c, void *t, PtsDtype dtype, size_t count)
{
    size_t size = pts_dtype_bytes(dtype);
    fill(c, dtype, count, 200);
    fill(t, dtype, count, 200);
    for (size_t i = 0; i < count; i++) {
        if (random_bits() % 3 != 0) {
            memcpy((char *)t + i * size, (char *)c + i * size, size);
        }
    }
}

static void check_one(PtsDtype dtype, size_t count, PtsTolerance tolerance)
{
    static uint64_t c[MOST], t[MOST];
    static double differences[MOST];
    static uint8_t mask[MOST];
    fill_both(c, t, dtype, count);
    PtsComparison one, two;
    PtsComparisonDetails details = {.differences = differences, .mask = mask};
    PtsError error;
    assert_true(pts_compare(c, t, dtype, count, tolerance, &one, &error));
    assert_true(pts_compare_details(c, t, dtype, count, tolerance, &two, &details, &error));
    bool is_wide = pts_compare_dtype(dtype) == PTS_DOUBLE;
    size_t size = pts_dtype_bytes(dtype), out = 0, nonfinite = 0;
    double max_abs = 0, max_rel = 0;
    for (size_t i = 0; i < count; i++) {
        double difference = 0;
        double x = pts_load_real((char *)c + i * size, dtype);
        double y = pts_load_real((char *)t + i * size, dtype);
        bool close = is_close(x, y, is_wide, tolerance, &difference);
        assert_int_equal(mask[i], close);
        out += !close;
        nonfinite += isfinite(difference) ? 0 : 1;
        max_abs = difference > max_abs ? difference : max_abs;
        max_rel = fmax(max_rel, difference / fmax(fabs(y), PTS_COMPARE_LEAST));
        double told = is_wide ? differences[i] : (double)((float *)(void *)differences)[i];
        assert_true(told == difference || (isnan(told) && isnan(difference)));
    }
    assert_int_equal(one.elements, count);
    assert_int_equal(one.out_of_tolerance, out);
    assert_int_equal(one.nonfinite, nonfinite);
    assert_int_equal(one.exact, memcmp(c, t, count * size) == 0);
    if (nonfinite == 0) {
        assert_true(one.max_abs_diff == max_abs);
        assert_true(fabs(one.max_rel_diff - max_rel) <= 1e-6 * max_rel);
    } else {
        assert_true(isfinite(one.max_abs_diff) == 0);
        assert_true(isfinite(one.max_rel_diff) == 0);
    }
    assert_memory_equal(&one.elements, &two.elements, 3 * sizeof one.elements);
}

static void check_all(void)
{
    static const PtsDtype dtypes[] = {
        PTS_INT8, PTS_INT16, PTS_INT32, PTS_INT64,  PTS_UINT8, PTS_UINT16,  PTS_UINT32,  PTS_UINT64,
        PTS_FP16, PTS_BF16,  PTS_FP32,  PTS_DOUBLE, PTS_BOOL,  PTS_FP8E4M3, PTS_FP8E5M2, PTS_HF8};
    static const size_t counts[] = {0, 1, 2, 15, 16, 17, 255, 256, 257, 511, 1000};
    static const PtsTolerance tolerances[] = {{0, 0}, {1e-3, 1e-3}, {5, 0}, {0, 0.5}};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            for (size_t e = 0; e < sizeof tolerances / sizeof *tolerances; e++) {
                check_one(dtypes[d], counts[n], tolerances[e]);
            }
        }
    }
}

static void test_all_dtypes(void **state)
{
    (void)state;
    static const char *const names[] = {"plain", "avx2", "avx512"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (pts_loops_select(names[i])) {
            check_all();
        }
    }
}

static void test_refused_dtypes(void **state)
{
    (void)state;
    static const PtsDtype dtypes[] = {PTS_HF4, PTS_FP8, PTS_BOTTOM, (PtsDtype)-1};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        PtsComparison comparison;
        PtsError error;
        uint64_t none = 0;
        assert_false(
            pts_compare(&none, &none, dtypes[i], 1, (PtsTolerance){0, 0}, &comparison, &error));
        assert_int_equal(error.code, 0xF00005);
    }
}

static void test_signed_zero_is_close_but_not_exact(void **state)
{
    (void)state;
    float c = 0.0F, t = -0.0F;
    PtsComparison comparison;
    PtsError error;
    assert_true(pts_compare(&c, &t, PTS_FP32, 1, (PtsTolerance){0, 0}, &comparison, &error));
    assert_int_equal(comparison.out_of_tolerance, 0);
    assert_false(comparison.exact);
}

/* Infinity by infinity is a NaN that has a sign. */
static void test_opposite_infinities(void **state)
{
    (void)state;
    static const float signs[] = {INFINITY, -INFINITY};
    for (int i = 0; i < 2; i++) {
        float c[] = {signs[i], 1}, t[] = {signs[1 - i], 1};
        double wide_c[] = {(double)signs[i], 1}, wide_t[] = {(double)signs[1 - i], 1};
        PtsComparison one, two;
        PtsError error;
        assert_true(pts_compare(c, t, PTS_FP32, 2, (PtsTolerance){0, 0}, &one, &error));
        assert_true(pts_compare(wide_c, wide_t, PTS_DOUBLE, 2, (PtsTolerance){0, 0}, &two, &error));
        assert_true(isfinite(one.max_rel_diff) == 0 && isfinite(two.max_rel_diff) == 0);
        assert_int_equal(one.nonfinite, 1);
        assert_int_equal(two.nonfinite, 1);
    }
}

static void test_long_integers(void **state)
{
    (void)state;
    int64_t c[] = {INT64_MAX, INT64_MIN, -1}, t[] = {INT64_MAX - 1, INT64_MAX, 1};
    double differences[3];
    uint8_t mask[3];
    PtsComparison comparison;
    PtsComparisonDetails details = {.differences = differences, .mask = mask};
    PtsError error;
    assert_true(pts_compare_details(c, t, PTS_INT64, 3, (PtsTolerance){1.5, 0}, &comparison,
                                    &details, &error));
    assert_true(differences[0] == 1 && differences[1] == 0x1p64 && differences[2] == 2);
    assert_int_equal(comparison.out_of_tolerance, 2);
    uint64_t u[] = {UINT64_MAX}, v[] = {0};
    assert_true(pts_compare(u, v, PTS_UINT64, 1, (PtsTolerance){0, 0}, &comparison, &error));
    assert_true(comparison.max_abs_diff == 0x1p64);
}

static void test_details(void **state)
{
    (void)state;
    float c[] = {1, 2, 3, 10}, t[] = {1, 2, 2, 6}, differences[4]; /* 0, 0, 1, 4 */
    uint8_t mask[4];
    PtsComparison comparison;
    PtsComparisonDetails details = {.differences = differences, .mask = mask};
    PtsError error;
    assert_true(pts_compare_details(c, t, PTS_FP32, 4, (PtsTolerance){0.5, 0}, &comparison,
                                    &details, &error));
    assert_true(details.mean_diff == 1.25);
    /* Squares of -1.25, -1.25, -0.25, 2.75 by 3. */
    assert_true(fabs(details.std_diff - sqrt((1.5625 * 2 + 0.0625 + 7.5625) / 3)) < 1e-12);
    assert_true(details.max_out_of_tolerance_diff == 4);
    assert_true(details.mean_out_of_tolerance_diff == 2.5);
    int64_t order[2];
    assert_true(pts_compare_order(differences, PTS_FP32, mask, 4, order, &error));
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 2);
}

static void check_order(const double *differences, const uint8_t *mask, size_t count,
                        const int64_t *order, size_t out)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += mask[i] == 0;
    }
    assert_int_equal(found, out);
    for (size_t i = 0; i < out; i++) {
        assert_int_equal(mask[order[i]], 0);
        if (i > 0) {
            double before = differences[order[i - 1]], now = differences[order[i]];
            bool is_tie = before == now || (isnan(before) && isnan(now));
            assert_true(is_tie ? order[i - 1] < order[i]
                               : isnan(before) || (!isnan(now) && before > now));
        }
    }
}

static void test_order(void **state)
{
    (void)state;
    static double differences[MOST];
    static uint8_t mask[MOST];
    static int64_t order[MOST];
    size_t out = 0;
    for (size_t i = 0; i < MOST; i++) {
        uint32_t pick = random_bits() % 20;
        differences[i] = pick == 0   ? (double)NAN
                         : pick == 1 ? -(double)NAN
                         : pick == 2 ? (double)INFINITY
                                     : (double)(random_bits() % 97) * 1e-5;
        mask[i] = random_bits() % 4 == 0;
        out += mask[i] == 0;
    }
    PtsError error;
    assert_true(pts_compare_order(differences, PTS_DOUBLE, mask, MOST, order, &error));
    check_order(differences, mask, MOST, order, out);
    memset(mask, 1, sizeof mask);
    assert_true(pts_compare_order(differences, PTS_DOUBLE, mask, MOST, NULL, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_dtypes),
        cmocka_unit_test(test_refused_dtypes),
        cmocka_unit_test(test_signed_zero_is_close_but_not_exact),
        cmocka_unit_test(test_opposite_infinities),
        cmocka_unit_test(test_long_integers),
        cmocka_unit_test(test_details),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
