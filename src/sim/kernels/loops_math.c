/* Transcendental functions and rounding over runs. F32 is computed by the C library's double
 * function and rounded once, because single-precision functions differ between libraries.
 * Compiled once per instruction set. */
#include "sim/kernels/hypot.h"
#include "sim/kernels/loops_macros.h"

#define FUNCTION(NAME, name)                                                                       \
    UNARY(name, f32, float, float, (float)name((double)x))                                         \
    UNARY(name, f64, double, double, name(x))

#define FUNCTIONS(X)                                                                               \
    X(EXP, exp)                                                                                    \
    X(EXP2, exp2)                                                                                  \
    X(EXPM1, expm1)                                                                                \
    X(LOG, log)                                                                                    \
    X(LOG2, log2)                                                                                  \
    X(LOG10, log10)                                                                                \
    X(LOG1P, log1p)                                                                                \
    X(CBRT, cbrt)                                                                                  \
    X(SIN, sin)                                                                                    \
    X(COS, cos)                                                                                    \
    X(TAN, tan)                                                                                    \
    X(TANH, tanh)                                                                                  \
    X(SINH, sinh)                                                                                  \
    X(COSH, cosh)                                                                                  \
    X(ASINH, asinh)                                                                                \
    X(ACOSH, acosh)                                                                                \
    X(ATANH, atanh)                                                                                \
    X(ASIN, asin)                                                                                  \
    X(ACOS, acos)                                                                                  \
    X(ATAN, atan)                                                                                  \
    X(ERF, erf)                                                                                    \
    X(ERFC, erfc)

FUNCTIONS(FUNCTION)

/* Square roots are correctly rounded by the processor. */
UNARY(sqrt, f32, float, float, sqrtf(x))
UNARY(sqrt, f64, double, double, sqrt(x))
UNARY(rsqrt, f32, float, float, (float)(1.0 / sqrt((double)x)))
UNARY(rsqrt, f64, double, double, 1.0 / sqrt(x))

UNARY(round, f32, float, float, rintf(x))
UNARY(round, f64, double, double, rint(x))
UNARY(floor, f32, float, float, floorf(x))
UNARY(floor, f64, double, double, floor(x))
UNARY(ceil, f32, float, float, ceilf(x))
UNARY(ceil, f64, double, double, ceil(x))
UNARY(trunc, f32, float, float, truncf(x))
UNARY(trunc, f64, double, double, trunc(x))
/* In steps of the type, as frameworks define rounding to decimals. */
BINARY(round_decimals, f32, float, float, rintf(x *y) / y)
BINARY(round_decimals, f64, double, double, rint(x *y) / y)
BINARY(round_tens, f32, float, float, rintf(x / y) * y)
BINARY(round_tens, f64, double, double, rint(x / y) * y)

BINARY(pow, f32, float, float, (float)pow((double)x, (double)y))
BINARY(pow, f64, double, double, pow(x, y))
BINARY(hypot, f32, float, float, (float)hypot_double((double)x, (double)y))
BINARY(hypot, f64, double, double, hypot_double(x, y))
BINARY(atan2, f32, float, float, (float)atan2((double)x, (double)y))
BINARY(atan2, f64, double, double, atan2(x, y))
BINARY(expand_exp_dif, f32, float, float, (float)exp((double)x - (double)y))
BINARY(expand_exp_dif, f64, double, double, exp(x - y))
BINARY(floor_div, f32, float, float, (float)floor((double)x / (double)y))
BINARY(floor_div, f64, double, double, floor(x / y))
BINARY(ceil_div, f32, float, float, ceilf(x / y))
BINARY(ceil_div, f64, double, double, ceil(x / y))
BINARY(fmod, f32, float, float, fmodf(x, y))
BINARY(fmod, f64, double, double, fmod(x, y))

/* The remainder with the sign of the divisor. */
static inline float remainder_float(float x, float y)
{
    float rest = fmodf(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static inline double remainder_double(double x, double y)
{
    double rest = fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

BINARY(remainder, f32, float, float, remainder_float(x, y))
BINARY(remainder, f64, double, double, remainder_double(x, y))

#define SET_FUNCTION(NAME, name) SET_FLOATS(NAME, name);

void ISA(pts_fill_math)(PtsLoops *loops)
{
    FUNCTIONS(SET_FUNCTION)
    SET_FLOATS(SQRT, sqrt);
    SET_FLOATS(RSQRT, rsqrt);
    SET_FLOATS(ROUND, round);
    SET_FLOATS(FLOOR, floor);
    SET_FLOATS(CEIL, ceil);
    SET_FLOATS(TRUNC, trunc);
    SET_FLOATS(ROUND_DECIMALS, round_decimals);
    SET_FLOATS(ROUND_TENS, round_tens);
    SET_FLOATS(POW, pow);
    SET_FLOATS(HYPOT, hypot);
    SET_FLOATS(ATAN2, atan2);
    SET_FLOATS(EXPAND_EXP_DIF, expand_exp_dif);
    SET_FLOATS(FLOOR_DIV, floor_div);
    SET_FLOATS(CEIL_DIV, ceil_div);
    SET_FLOATS(FMOD, fmod);
    SET_FLOATS(REMAINDER, remainder);
}
