/* hypot_double against long double, whose precision and range leave nothing to round or
 * overflow. */
#include "kernel_fixture.h"
#include "sim/kernels/hypot.h"

#include <float.h>

enum { ROUNDS = 200000 };

static uint64_t state = 1;

static uint64_t next_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* A number of any sign and mantissa whose exponent is `exponent`. */
static double make_number(int exponent)
{
    double fraction = 1 + (double)(next_bits() >> 11) * 0x1p-53;
    return (next_bits() & 1 ? -1 : 1) * ldexp(fraction, exponent);
}

/* Distance in units in the last place of the wanted value. */
static long double error_of(double x, double y)
{
    long double wanted = sqrtl((long double)x * x + (long double)y * y);
    if (wanted > DBL_MAX) {
        return isinf(hypot_double(x, y)) || hypot_double(x, y) == DBL_MAX ? 0 : 99;
    }
    double near = (double)wanted;
    double unit = nextafter(near, INFINITY) - near;
    return fabsl((long double)hypot_double(x, y) - wanted) / unit;
}

static void within_one_unit(void **unused)
{
    (void)unused;
    unsigned wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int exponent = (int)(next_bits() % 2040) - 1020;
        double x = make_number(exponent);
        double y = make_number(exponent + (int)(next_bits() % 64) - 32);
        long double error = error_of(x, y);
        assert_true(error < 1);
        wrong += error > 0.5001L;
        assert_true(hypot_double(x, y) == hypot_double(y, -x));
    }
    assert_true(wrong < ROUNDS / 1000); /* not correctly rounded */
}

static void exact_triangles(void **unused)
{
    (void)unused;
    for (int exponent = -1060; exponent < 1020; exponent++) {
        assert_true(hypot_double(ldexp(3, exponent), ldexp(4, exponent)) == ldexp(5, exponent));
        assert_true(hypot_double(ldexp(12, exponent), ldexp(-5, exponent)) == ldexp(13, exponent));
    }
}

static void special_values(void **unused)
{
    (void)unused;
    assert_true(hypot_double(0, -0.0) == 0 && !signbit(hypot_double(-0.0, -0.0)));
    assert_true(hypot_double(0, -2) == 2);
    assert_true(isinf(hypot_double(NAN, -INFINITY)) && isinf(hypot_double(INFINITY, NAN)));
    assert_true(isnan(hypot_double(NAN, 1)) && isnan(hypot_double(0, NAN)));
    assert_true(isinf(hypot_double(DBL_MAX, DBL_MAX)));
    assert_true(hypot_double(DBL_MAX, 1) == DBL_MAX);
    assert_true(hypot_double(0x1p-1074, 0) == 0x1p-1074);
    assert_true(hypot_double(3 * 0x1p-1074, 4 * 0x1p-1074) == 5 * 0x1p-1074);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_one_unit),
        cmocka_unit_test(exact_triangles),
        cmocka_unit_test(special_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
