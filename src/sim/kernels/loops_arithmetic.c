/* Arithmetic over runs: one line per operation and kind of type. Compiled once per instruction
 * set. */
#include "sim/kernels/loops_macros.h"

/* Larger and smaller as IEEE 754-2019 says: a NaN wins, −0 is below +0. Equal numbers differ in
 * their sign bit at most, so `and`, `or` of their bits chooses between zeros. */
static inline float max_f32(float x, float y)
{
    float equal = float_of_bits(bits_of_float(x) & bits_of_float(y));
    float larger = x > y || x != x ? x : y;
    return x == y ? equal : larger;
}

static inline float min_f32(float x, float y)
{
    float equal = float_of_bits(bits_of_float(x) | bits_of_float(y));
    float smaller = x < y || x != x ? x : y;
    return x == y ? equal : smaller;
}

static inline double max_f64(double x, double y)
{
    double equal = double_of_bits(bits_of_double(x) & bits_of_double(y));
    double larger = x > y || x != x ? x : y;
    return x == y ? equal : larger;
}

static inline double min_f64(double x, double y)
{
    double equal = double_of_bits(bits_of_double(x) | bits_of_double(y));
    double smaller = x < y || x != x ? x : y;
    return x == y ? equal : smaller;
}

#define MAX_INT(x, y) ((x) > (y) ? (x) : (y))
#define MIN_INT(x, y) ((x) < (y) ? (x) : (y))

/* ---- two operands ---- */

#define FLOAT_BINARIES(lane, type, max, min)                                                       \
    BINARY(add, lane, type, type, x + y)                                                           \
    BINARY(sub, lane, type, type, x - y)                                                           \
    BINARY(mul, lane, type, type, x *y)                                                            \
    BINARY(div, lane, type, type, x / y)                                                           \
    BINARY(maximum, lane, type, type, max(x, y))                                                   \
    BINARY(minimum, lane, type, type, min(x, y))                                                   \
    BINARY(lrelu, lane, type, type, x >= 0 ? x : y * x)                                            \
    UNARY(neg, lane, type, type, -x)                                                               \
    UNARY(sign, lane, type, type, (type)((x > 0) - (x < 0)))                                       \
    UNARY(reciprocal, lane, type, type, (type)1 / x)                                               \
    UNARY(relu, lane, type, type, max(x, (type)0))                                                 \
    UNARY(square, lane, type, type, x *x)                                                          \
    UNARY(cube, lane, type, type, x *x *x)                                                         \
    UNARY(inverse_square, lane, type, type, (type)1 / (x * x))                                     \
    UNARY(one, lane, type, type, ((void)x, (type)1))                                               \
    UNARY(copy, lane, type, type, x)                                                               \
    TERNARY(clip, lane, type, type, min(max(x, y), z))

FLOAT_BINARIES(f32, float, max_f32, min_f32)
FLOAT_BINARIES(f64, double, max_f64, min_f64)
UNARY(abs, f32, float, float, fabsf(x))
UNARY(abs, f64, double, double, fabs(x))
UNARY(signbit, f32, float, uint8_t, x == x && signbit(x) != 0)
UNARY(signbit, f64, double, uint8_t, x == x && signbit(x) != 0)
BINARY(copysign, f32, float, float, copysignf(x, y))
BINARY(copysign, f64, double, double, copysign(x, y))
TERNARY(axpy, f32, float, float, (float)((double)z *(double)x + (double)y))
TERNARY(axpy, f64, double, double, z *x + y)

/* Integers wrap at their width: the unsigned type `wide` computes without overflow. */
#define INTEGER_BINARIES(lane, type, wide)                                                         \
    BINARY(add, lane, type, type, (wide)x + (wide)y)                                               \
    BINARY(sub, lane, type, type, (wide)x - (wide)y)                                               \
    BINARY(mul, lane, type, type, (wide)x *(wide)y)                                                \
    BINARY(maximum, lane, type, type, MAX_INT(x, y))                                               \
    BINARY(minimum, lane, type, type, MIN_INT(x, y))                                               \
    UNARY(neg, lane, type, type, (wide)0 - (wide)x)                                                \
    UNARY(relu, lane, type, type, MAX_INT(x, 0))                                                   \
    UNARY(copy, lane, type, type, x)                                                               \
    TERNARY(clip, lane, type, type, MIN_INT(MAX_INT(x, y), z))

#define SIGNED_UNARIES(lane, type, wide)                                                           \
    UNARY(abs, lane, type, type, x < 0 ? (wide)0 - (wide)x : (wide)x)                              \
    UNARY(sign, lane, type, type, (x > 0) - (x < 0))                                               \
    UNARY(signbit, lane, type, uint8_t, x < 0)                                                     \
    BINARY(copysign, lane, type, type, (x < 0) != (y < 0) ? (wide)0 - (wide)x : (wide)x)

INTEGER_BINARIES(i8, int8_t, uint32_t)
INTEGER_BINARIES(u8, uint8_t, uint32_t)
INTEGER_BINARIES(i16, int16_t, uint32_t)
INTEGER_BINARIES(u16, uint16_t, uint32_t)
INTEGER_BINARIES(i32, int32_t, uint32_t)
INTEGER_BINARIES(u32, uint32_t, uint32_t)
INTEGER_BINARIES(i64, int64_t, uint64_t)
INTEGER_BINARIES(u64, uint64_t, uint64_t)
SIGNED_UNARIES(i8, int8_t, uint32_t)
SIGNED_UNARIES(i16, int16_t, uint32_t)
SIGNED_UNARIES(i32, int32_t, uint32_t)
SIGNED_UNARIES(i64, int64_t, uint64_t)

void ISA(pts_fill_arithmetic)(PtsLoops *loops)
{
    SET_ALL(ADD, add);
    SET_ALL(SUB, sub);
    SET_ALL(MUL, mul);
    SET_FLOATS(DIV, div);
    SET_ALL(MAXIMUM, maximum);
    SET_ALL(MINIMUM, minimum);
    SET_FLOATS(LRELU, lrelu);
    SET_FLOATS(AXPY, axpy);
    SET_ALL(NEG, neg);
    SET_SIGNED(ABS, abs);
    SET_SIGNED(SIGN, sign);
    SET_SIGNED(SIGNBIT, signbit);
    SET_SIGNED(COPYSIGN, copysign);
    SET_FLOATS(RECIPROCAL, reciprocal);
    SET_ALL(RELU, relu);
    SET_FLOATS(SQUARE, square);
    SET_FLOATS(CUBE, cube);
    SET_FLOATS(INVERSE_SQUARE, inverse_square);
    SET_FLOATS(ONE, one);
    SET_ALL(COPY, copy);
    SET_ALL(CLIP, clip);
}
