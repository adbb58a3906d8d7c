/* Functions of numbers against long double, and the rules for NaN, infinity and zeros. */
#include "kernel_fixture.h"

typedef long double Reference(long double x, long double y);

static long double ref_add(long double x, long double y)
{
    return x + y;
}
static long double ref_sub(long double x, long double y)
{
    return x - y;
}
static long double ref_mul(long double x, long double y)
{
    return x * y;
}
static long double ref_div(long double x, long double y)
{
    return x / y;
}
static long double ref_hypot(long double x, long double y)
{
    return hypotl(x, y);
}
static long double ref_atan2(long double x, long double y)
{
    return atan2l(x, y);
}
static long double ref_exp_dif(long double x, long double y)
{
    return expl(x - y);
}
static long double ref_remainder(long double x, long double y)
{
    return x - y * floorl(x / y);
}
static long double ref_floor_div(long double x, long double y)
{
    return floorl(x / y);
}
static long double ref_pow(long double x, long double y)
{
    return powl(x, y);
}
static long double ref_exp2(long double x, long double y)
{
    (void)y;
    return powl(2, x);
}
static long double ref_rsqrt(long double x, long double y)
{
    (void)y;
    return 1 / sqrtl(x);
}
static long double ref_reciprocal(long double x, long double y)
{
    (void)y;
    return 1 / x;
}
static long double ref_erfc(long double x, long double y)
{
    (void)y;
    return 1 - erfl(x);
}
#define REF(name)                                                                                  \
    static long double ref_##name(long double x, long double y)                                    \
    {                                                                                              \
        (void)y;                                                                                   \
        return name##l(x);                                                                         \
    }
REF(exp)
REF(expm1)
REF(log)
REF(log2)
REF(log10)
REF(log1p)
REF(sqrt)
REF(cbrt)
REF(sin)
REF(cos)
REF(tan)
REF(tanh)
REF(sinh)
REF(cosh)
REF(asinh)
REF(acosh)
REF(atanh)
REF(asin)
REF(acos)
REF(atan)
REF(erf)
REF(floor)
REF(ceil)
REF(trunc)

static const struct {
    PtsOp op;
    int operands;
    Reference *reference;
    bool is_exact; /* correctly rounded in F32 */
} functions[] = {
    {PTS_OP_ADD, 2, ref_add, true},
    {PTS_OP_SUB, 2, ref_sub, true},
    {PTS_OP_MUL, 2, ref_mul, true},
    {PTS_OP_DIV, 2, ref_div, true},
    {PTS_OP_HYPOT, 2, ref_hypot, false},
    {PTS_OP_ATAN2, 2, ref_atan2, false},
    {PTS_OP_EXPAND_EXP_DIF, 2, ref_exp_dif, false},
    {PTS_OP_REMAINDER, 2, ref_remainder, false},
    {PTS_OP_FLOOR_DIV, 2, ref_floor_div, true},
    {PTS_OP_POW, 2, ref_pow, false},
    {PTS_OP_EXP2, 1, ref_exp2, false},
    {PTS_OP_RSQRT, 1, ref_rsqrt, false},
    {PTS_OP_RECIPROCAL, 1, ref_reciprocal, true},
    {PTS_OP_ERFC, 1, ref_erfc, false},
    {PTS_OP_EXP, 1, ref_exp, false},
    {PTS_OP_EXPM1, 1, ref_expm1, false},
    {PTS_OP_LOG, 1, ref_log, false},
    {PTS_OP_LOG2, 1, ref_log2, false},
    {PTS_OP_LOG10, 1, ref_log10, false},
    {PTS_OP_LOG1P, 1, ref_log1p, false},
    {PTS_OP_SQRT, 1, ref_sqrt, true},
    {PTS_OP_CBRT, 1, ref_cbrt, false},
    {PTS_OP_SIN, 1, ref_sin, false},
    {PTS_OP_COS, 1, ref_cos, false},
    {PTS_OP_TAN, 1, ref_tan, false},
    {PTS_OP_TANH, 1, ref_tanh, false},
    {PTS_OP_SINH, 1, ref_sinh, false},
    {PTS_OP_COSH, 1, ref_cosh, false},
    {PTS_OP_ASINH, 1, ref_asinh, false},
    {PTS_OP_ACOSH, 1, ref_acosh, false},
    {PTS_OP_ATANH, 1, ref_atanh, false},
    {PTS_OP_ASIN, 1, ref_asin, false},
    {PTS_OP_ACOS, 1, ref_acos, false},
    {PTS_OP_ATAN, 1, ref_atan, false},
    {PTS_OP_ERF, 1, ref_erf, false},
    {PTS_OP_FLOOR, 1, ref_floor, true},
    {PTS_OP_CEIL, 1, ref_ceil, true},
    {PTS_OP_TRUNC, 1, ref_trunc, true},
};

static void check_value(PtsOp op, PtsDtype dtype, const void *got, long double exact, bool is_exact)
{
    char expected[8] = {0};
    float once = (float)exact;
    pts_store_real(expected, dtype, (double)once);
    double value = pts_load_real(got, dtype);
    double wanted = pts_load_real(expected, dtype);
    if (isnan(wanted)) {
        assert_true(isnan(value));
        return;
    }
    /* Two roundings, F64 then F32, may differ from one by a unit of the type where it is close. */
    double unit = dtype == PTS_FP32 ? 0x1p-23 : dtype == PTS_FP16 ? 0x1p-10 : 0x1p-7;
    bool is_close = fabs(value - wanted) <= unit * fabs(wanted);
    bool is_equal = value == wanted;
    if (is_exact ? !is_equal : !(is_equal || is_close)) {
        fail_msg("%s %s: %a, expected %a", pts_op_name(op), pts_dtype_name(dtype), value, wanted);
    }
}

static void functions_are_those_of_long_double(void **unused)
{
    static const PtsDtype dtypes[] = {PTS_FP32, PTS_FP16, PTS_BF16};
    (void)unused;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        for (size_t t = 0; t < 3; t++) {
            PtsTensor x = NEW(dtypes[t], 37, 29);
            PtsTensor y = NEW(dtypes[t], 37, 29);
            PtsTensor z = NEW(dtypes[t], 37, 29);
            fill_random(&x);
            fill_random(&y);
            if (functions[f].operands == 2) {
                RUN(functions[f].op, NULL, &z, &x, &y);
            } else {
                RUN(functions[f].op, NULL, &z, &x);
            }
            size_t bytes = pts_dtype_bytes(dtypes[t]);
            for (size_t i = 0; i < 37 * 29; i++) {
                long double exact = functions[f].reference(
                    (long double)pts_load_real((char *)x.data + i * bytes, dtypes[t]),
                    (long double)pts_load_real((char *)y.data + i * bytes, dtypes[t]));
                /* The reference of remainder is inexact where the quotient is large. */
                check_value(functions[f].op, dtypes[t], (char *)z.data + i * bytes, exact,
                            functions[f].is_exact);
            }
            tensor_free(&x);
            tensor_free(&y);
            tensor_free(&z);
        }
    }
}

/* ---- special values ---- */

static float binary(PtsOp op, float x, float y)
{
    float out;
    PtsTensor a = OVER(&x, PTS_FP32, 1);
    PtsTensor b = OVER(&y, PTS_FP32, 1);
    PtsTensor c = OVER(&out, PTS_FP32, 1);
    RUN(op, NULL, &c, &a, &b);
    return out;
}

static float unary(PtsOp op, float x)
{
    float out;
    PtsTensor a = OVER(&x, PTS_FP32, 1);
    PtsTensor c = OVER(&out, PTS_FP32, 1);
    RUN(op, NULL, &c, &a);
    return out;
}

static void extremes_of_nan_and_zeros(void **unused)
{
    (void)unused;
    assert_true(isnan(binary(PTS_OP_MAXIMUM, NAN, 1)));
    assert_true(isnan(binary(PTS_OP_MAXIMUM, 1, NAN)));
    assert_true(isnan(binary(PTS_OP_MINIMUM, NAN, 1)));
    assert_true(isnan(binary(PTS_OP_MINIMUM, 1, NAN)));
    assert_false(signbit(binary(PTS_OP_MAXIMUM, 0.0F, -0.0F)));
    assert_false(signbit(binary(PTS_OP_MAXIMUM, -0.0F, 0.0F)));
    assert_true(signbit(binary(PTS_OP_MINIMUM, 0.0F, -0.0F)));
    assert_true(signbit(binary(PTS_OP_MINIMUM, -0.0F, 0.0F)));
    assert_true(signbit(binary(PTS_OP_MAXIMUM, -0.0F, -0.0F)));
    assert_true(binary(PTS_OP_MAXIMUM, -INFINITY, -5) == -5);
    assert_true(binary(PTS_OP_MINIMUM, 3, 4) == 3);
}

static void special_values_of_functions(void **unused)
{
    (void)unused;
    assert_true(isnan(unary(PTS_OP_LOG, -1)));
    assert_true(unary(PTS_OP_LOG, 0) == -INFINITY);
    assert_true(isnan(unary(PTS_OP_SQRT, -1)));
    assert_true(unary(PTS_OP_RSQRT, 0) == INFINITY);
    assert_true(unary(PTS_OP_ATANH, 1) == INFINITY);
    assert_true(unary(PTS_OP_ATANH, -1) == -INFINITY);
    assert_true(isnan(unary(PTS_OP_ASIN, 1.5F)));
    assert_true(unary(PTS_OP_CBRT, -27) == -3);
    assert_true(unary(PTS_OP_EXP, 1000) == INFINITY);
    assert_true(unary(PTS_OP_EXP, -1000) == 0);
    assert_true(unary(PTS_OP_ROUND, 2.5F) == 2);
    assert_true(unary(PTS_OP_ROUND, 3.5F) == 4);
    assert_true(unary(PTS_OP_SIGN, -3) == -1);
    assert_true(unary(PTS_OP_SIGN, 0) == 0);
    assert_true(signbit(unary(PTS_OP_NEG, 0.0F)));
    assert_true(unary(PTS_OP_ABS, -2) == 2);
    assert_true(binary(PTS_OP_FMOD, -7, 3) == -1);
    assert_true(binary(PTS_OP_REMAINDER, -7, 3) == 2);
    assert_true(binary(PTS_OP_REMAINDER, 7, -3) == -2);
    assert_true(signbit(binary(PTS_OP_COPYSIGN, 3, -0.0F)));
    assert_true(binary(PTS_OP_DIV, 1, 0) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_those_of_long_double),
        cmocka_unit_test(extremes_of_nan_and_zeros),
        cmocka_unit_test(special_values_of_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
