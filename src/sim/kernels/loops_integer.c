/* Integer division, powers and bit operations over runs. Where hardware leaves a result undefined
 * (division by zero), it is 0. Compiled once per instruction set. */
#include "sim/kernels/loops_macros.h"

/* All of these work in int64_t or uint64_t and are cut to the width of the result. */

static inline int64_t floor_divide(int64_t x, int64_t y)
{
    if (y == 0) {
        return 0;
    }
    if (y == -1) {
        return (int64_t)(0 - (uint64_t)x);
    }
    int64_t quotient = x / y;
    return x % y != 0 && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}

static inline int64_t floor_remainder(int64_t x, int64_t y)
{
    if (y == 0 || y == -1) {
        return 0;
    }
    int64_t rest = x % y;
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static inline uint64_t greatest_divisor(uint64_t x, uint64_t y)
{
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

static inline uint64_t magnitude(int64_t x)
{
    return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

/* Wraps. Negative exponents give the truncated quotient 1/x^n, and 0 for x = 0. */
static inline int64_t integer_power(int64_t x, int64_t exponent)
{
    if (exponent < 0) {
        if (x == 1 || (x == -1 && exponent % 2 == 0)) {
            return 1;
        }
        return x == -1 ? -1 : 0;
    }
    uint64_t result = 1;
    uint64_t factor = (uint64_t)x;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) {
            result *= factor;
        }
        factor *= factor;
    }
    return (int64_t)result;
}

/* Shifts by the width or more, and by negative amounts, shift everything out. */
static inline bool shifts_out(int64_t y, size_t bytes)
{
    return y < 0 || (uint64_t)y >= 8 * bytes;
}

#define INTEGERS(lane, type)                                                                       \
    BINARY(floor_div, lane, type, type, floor_divide((int64_t)x, (int64_t)y))                      \
    BINARY(remainder, lane, type, type, floor_remainder((int64_t)x, (int64_t)y))                   \
    BINARY(pow, lane, type, type, integer_power((int64_t)x, (int64_t)y))                           \
    BINARY(gcd, lane, type, type, greatest_divisor(magnitude((int64_t)x), magnitude((int64_t)y)))  \
    BINARY(bitwise_and, lane, type, type, x &y)                                                    \
    BINARY(bitwise_or, lane, type, type, x | y)                                                    \
    BINARY(bitwise_xor, lane, type, type, x ^ y)                                                   \
    UNARY(bitwise_not, lane, type, type, ~x)

#define SHIFTS(lane, type)                                                                         \
    BINARY(left_shift, lane, type, type,                                                           \
           shifts_out((int64_t)y, sizeof(type)) ? 0 : (uint64_t)x << (uint64_t)y)                  \
    BINARY(right_shift, lane, type, type,                                                          \
           (int64_t)x >> (shifts_out((int64_t)y, sizeof(type)) ? 63 : (int64_t)y))

INTEGERS(i8, int8_t)
INTEGERS(u8, uint8_t)
INTEGERS(i16, int16_t)
INTEGERS(u16, uint16_t)
INTEGERS(i32, int32_t)
INTEGERS(u32, uint32_t)
INTEGERS(i64, int64_t)
INTEGERS(u64, uint64_t)
SHIFTS(i8, int8_t)
SHIFTS(u8, uint8_t)
SHIFTS(i16, int16_t)
SHIFTS(u16, uint16_t)
SHIFTS(i32, int32_t)
SHIFTS(u32, uint32_t)

void ISA(pts_fill_integer)(PtsLoops *loops)
{
    SET_INTEGERS(FLOOR_DIV, floor_div);
    SET_INTEGERS(REMAINDER, remainder);
    SET_INTEGERS(POW, pow);
    SET_INTEGERS(GCD, gcd);
    SET_INTEGERS(BITWISE_AND, bitwise_and);
    SET_INTEGERS(BITWISE_OR, bitwise_or);
    SET_INTEGERS(BITWISE_XOR, bitwise_xor);
    SET_INTEGERS(BITWISE_NOT, bitwise_not);
    SET(LEFT_SHIFT, I8, left_shift_i8);
    SET(LEFT_SHIFT, U8, left_shift_u8);
    SET(LEFT_SHIFT, I16, left_shift_i16);
    SET(LEFT_SHIFT, U16, left_shift_u16);
    SET(LEFT_SHIFT, I32, left_shift_i32);
    SET(LEFT_SHIFT, U32, left_shift_u32);
    SET(RIGHT_SHIFT, I8, right_shift_i8);
    SET(RIGHT_SHIFT, U8, right_shift_u8);
    SET(RIGHT_SHIFT, I16, right_shift_i16);
    SET(RIGHT_SHIFT, U16, right_shift_u16);
    SET(RIGHT_SHIFT, I32, right_shift_i32);
    SET(RIGHT_SHIFT, U32, right_shift_u32);
}
