/* Comparisons, logic and selection over runs. Compiled once per instruction set. */
#include "sim/kernels/loops_macros.h"

#define COMPARISONS(lane, type)                                                                    \
    BINARY(eq, lane, type, uint8_t, x == y)                                                        \
    BINARY(ne, lane, type, uint8_t, x != y)                                                        \
    BINARY(lt, lane, type, uint8_t, x < y)                                                         \
    BINARY(le, lane, type, uint8_t, x <= y)                                                        \
    BINARY(gt, lane, type, uint8_t, x > y)                                                         \
    BINARY(ge, lane, type, uint8_t, x >= y)

COMPARISONS(f32, float)
COMPARISONS(f64, double)
COMPARISONS(i8, int8_t)
COMPARISONS(u8, uint8_t)
COMPARISONS(i16, int16_t)
COMPARISONS(u16, uint16_t)
COMPARISONS(i32, int32_t)
COMPARISONS(u32, uint32_t)
COMPARISONS(i64, int64_t)
COMPARISONS(u64, uint64_t)

UNARY(isfinite, f32, float, uint8_t, isfinite(x) != 0)
UNARY(isfinite, f64, double, uint8_t, isfinite(x) != 0)
UNARY(isnan, f32, float, uint8_t, x != x)
UNARY(isnan, f64, double, uint8_t, x != x)
UNARY(logical_not, f32, float, uint8_t, x == 0)
UNARY(logical_not, f64, double, uint8_t, x == 0)
BINARY(logical_and, f32, float, uint8_t, x != 0 && y != 0)
BINARY(logical_and, f64, double, uint8_t, x != 0 && y != 0)

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types */
#define WHERE(lane, type)                                                                          \
    static void where_##lane(size_t count, void *out, const void *const *in, unsigned fixed)       \
    {                                                                                              \
        type *to = out;                                                                            \
        const uint8_t *condition = in[0];                                                          \
        const type *yes = in[1];                                                                   \
        const type *no = in[2];                                                                    \
        if ((fixed & 7) == 0) {                                                                    \
            EACH(i, count)                                                                         \
            {                                                                                      \
                const type a = yes[i];                                                             \
                const type b = no[i];                                                              \
                to[i] = condition[i] ? a : b;                                                      \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        size_t c_step = fixed & 1 ? 0 : 1;                                                         \
        size_t y_step = fixed & 2 ? 0 : 1;                                                         \
        size_t n_step = fixed & 4 ? 0 : 1;                                                         \
        EACH(i, count)                                                                             \
        {                                                                                          \
            to[i] = condition[i * c_step] ? yes[i * y_step] : no[i * n_step];                      \
        }                                                                                          \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

WHERE(u8, uint8_t)
WHERE(u16, uint16_t)
WHERE(u32, uint32_t)
WHERE(u64, uint64_t)

void ISA(pts_fill_logic)(PtsLoops *loops)
{
    SET_ALL(EQ, eq);
    SET_ALL(NE, ne);
    SET_ALL(LT, lt);
    SET_ALL(LE, le);
    SET_ALL(GT, gt);
    SET_ALL(GE, ge);
    SET_FLOATS(ISFINITE, isfinite);
    SET_FLOATS(ISNAN, isnan);
    SET_FLOATS(LOGICAL_NOT, logical_not);
    SET_FLOATS(LOGICAL_AND, logical_and);
    SET(WHERE, U8, where_u8);
    SET(WHERE, U16, where_u16);
    SET(WHERE, U32, where_u32);
    SET(WHERE, U64, where_u64);
}
