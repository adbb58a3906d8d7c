/* Conversions over runs: the pairs that kernels convert all the time. The others go through
 * convert.c element by element. Compiled once per instruction set. */
#include "sim/kernels/loops_macros.h"

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types */
#define CONVERT(name, from_type, to_type, expression)                                              \
    static void name(size_t count, void *out, const void *in)                                      \
    {                                                                                              \
        to_type *to = out;                                                                         \
        const from_type *from = in;                                                                \
        EACH(i, count)                                                                             \
        {                                                                                          \
            const from_type x = from[i];                                                           \
            to[i] = expression;                                                                    \
        }                                                                                          \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

CONVERT(half_to_float, uint16_t, float, float_of_half(x))
CONVERT(float_to_half, float, uint16_t, half_of_float(x))
CONVERT(bfloat_to_float, uint16_t, float, float_of_bfloat(x))
CONVERT(float_to_bfloat, float, uint16_t, bfloat_of_float(x))

CONVERT(f64_to_float, double, float, (float)x)
CONVERT(f32_to_double, float, double, (double)x)

#define FROM_INTEGER(lane, type)                                                                   \
    CONVERT(lane##_to_float, type, float, (float)x)                                                \
    CONVERT(lane##_to_double, type, double, (double)x)

FROM_INTEGER(i8, int8_t)
FROM_INTEGER(u8, uint8_t)
FROM_INTEGER(i16, int16_t)
FROM_INTEGER(u16, uint16_t)
FROM_INTEGER(i32, int32_t)
FROM_INTEGER(u32, uint32_t)
FROM_INTEGER(i64, int64_t)
FROM_INTEGER(u64, uint64_t)

#define NARROW(lane, type, least, most)                                                            \
    CONVERT(clamp_##lane, int32_t, type, (type)(x < (least) ? (least) : x > (most) ? (most) : x))  \
    CONVERT(wrap_##lane, int32_t, type, (type)x)

NARROW(i8, int8_t, INT8_MIN, INT8_MAX)
NARROW(u8, uint8_t, 0, UINT8_MAX)
NARROW(i16, int16_t, INT16_MIN, INT16_MAX)
NARROW(u16, uint16_t, 0, UINT16_MAX)

/* To nearest, ties away from zero: the fraction that truncation takes off is exact. */
static inline float round_away(float x)
{
    float whole = truncf(x);
    return fabsf(x - whole) >= 0.5F ? whole + copysignf(1.0F, x) : whole;
}

#define TO_INTEGER(name, rounding)                                                                 \
    static void name(size_t count, int32_t *out, const float *from)                                \
    {                                                                                              \
        int32_t *to = out;                                                                         \
        EACH(i, count)                                                                             \
        {                                                                                          \
            const float x = rounding(from[i]);                                                     \
            int32_t value = (int32_t)(x >= -0x1p31F && x < 0x1p31F ? x : 0.0F);                    \
            value = x >= 0x1p31F ? INT32_MAX : value;                                              \
            to[i] = x < -0x1p31F ? INT32_MIN : value;                                              \
        }                                                                                          \
    }

TO_INTEGER(integer_nearest, rintf)
TO_INTEGER(integer_away, round_away)
TO_INTEGER(integer_floor, floorf)
TO_INTEGER(integer_ceil, ceilf)
TO_INTEGER(integer_trunc, truncf)

#define SET_FROM(lane, name)                                                                       \
    loops->to_float[LANE_##lane] = name##_to_float;                                                \
    loops->to_double[LANE_##lane] = name##_to_double

#define SET_NARROW(lane, name)                                                                     \
    loops->clamp[LANE_##lane] = clamp_##name;                                                      \
    loops->wrap[LANE_##lane] = wrap_##name

void ISA(pts_fill_convert)(PtsLoops *loops)
{
    loops->half_to_float = half_to_float;
    loops->float_to_half = float_to_half;
    loops->bfloat_to_float = bfloat_to_float;
    loops->float_to_bfloat = float_to_bfloat;
    loops->to_float[LANE_F64] = f64_to_float;
    loops->to_double[LANE_F32] = f32_to_double;
    SET_FROM(I8, i8);
    SET_FROM(U8, u8);
    SET_FROM(I16, i16);
    SET_FROM(U16, u16);
    SET_FROM(I32, i32);
    SET_FROM(U32, u32);
    SET_FROM(I64, i64);
    SET_FROM(U64, u64);
    SET_NARROW(I8, i8);
    SET_NARROW(U8, u8);
    SET_NARROW(I16, i16);
    SET_NARROW(U16, u16);
    PtsToInteger *const rounding[6] = {NULL,          integer_nearest, integer_away,
                                       integer_floor, integer_ceil,    integer_trunc};
    memcpy(loops->to_integer, rounding, sizeof rounding);
}
