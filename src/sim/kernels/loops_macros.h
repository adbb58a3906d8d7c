/* How loops.h's runs are written: BINARY(name, lane, type, result, expression in x and y) makes the
 * function name_lane, and so on. Only for the loops_*.c files. */
#ifndef PTOSIM_LOOPS_MACROS_H
#define PTOSIM_LOOPS_MACROS_H

#include "sim/kernels/half.h"
#include "sim/kernels/loops.h"

#include <math.h>

/* The build system defines PTS_ISA as plain, avx2 or avx512. */
#define ISA_JOIN2(name, isa) name##_##isa
#define ISA_JOIN(name, isa)  ISA_JOIN2(name, isa)
#define ISA(name)            ISA_JOIN(name, PTS_ISA)

void ISA(pts_fill_arithmetic)(PtsLoops *loops);
void ISA(pts_fill_math)(PtsLoops *loops);
void ISA(pts_fill_logic)(PtsLoops *loops);
void ISA(pts_fill_integer)(PtsLoops *loops);
void ISA(pts_fill_convert)(PtsLoops *loops);
void ISA(pts_fill_gemm)(PtsLoops *loops);
void ISA(pts_fill_compare)(PtsLoops *loops);
void ISA(pts_fill_precision)(PtsLoops *loops);

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types and names */

/* A loop whose turns do not depend on each other: the result may be one of the operands. (clang
 * finds that out when it runs.) */
#ifdef __clang__
#define EACH(i, count) for (size_t i = 0; i < (count); i++)
#else
#define EACH(i, count) _Pragma("GCC ivdep") for (size_t i = 0; i < (count); i++)
#endif

#define UNARY(name, lane, type, result, expression)                                                \
    static void name##_##lane(size_t count, void *out, const void *const *in, unsigned fixed)      \
    {                                                                                              \
        result *to = out;                                                                          \
        const type *p = in[0];                                                                     \
        size_t step = fixed & 1 ? 0 : 1;                                                           \
        if (step == 1) {                                                                           \
            EACH(i, count)                                                                         \
            {                                                                                      \
                const type x = p[i];                                                               \
                to[i] = (result)(expression);                                                      \
            }                                                                                      \
        } else {                                                                                   \
            const type x = *p;                                                                     \
            const result value = (result)(expression);                                             \
            EACH(i, count)                                                                         \
            {                                                                                      \
                to[i] = value;                                                                     \
            }                                                                                      \
        }                                                                                          \
    }

#define BINARY(name, lane, type, result, expression)                                               \
    static void name##_##lane(size_t count, void *out, const void *const *in, unsigned fixed)      \
    {                                                                                              \
        result *to = out;                                                                          \
        const type *p = in[0];                                                                     \
        const type *q = in[1];                                                                     \
        if ((fixed & 3) == 0) {                                                                    \
            EACH(i, count)                                                                         \
            {                                                                                      \
                const type x = p[i];                                                               \
                const type y = q[i];                                                               \
                to[i] = (result)(expression);                                                      \
            }                                                                                      \
        } else if ((fixed & 3) == 2) {                                                             \
            const type y = *q;                                                                     \
            EACH(i, count)                                                                         \
            {                                                                                      \
                const type x = p[i];                                                               \
                to[i] = (result)(expression);                                                      \
            }                                                                                      \
        } else if ((fixed & 3) == 1) {                                                             \
            const type x = *p;                                                                     \
            EACH(i, count)                                                                         \
            {                                                                                      \
                const type y = q[i];                                                               \
                to[i] = (result)(expression);                                                      \
            }                                                                                      \
        } else {                                                                                   \
            const type x = *p;                                                                     \
            const type y = *q;                                                                     \
            const result value = (result)(expression);                                             \
            EACH(i, count)                                                                         \
            {                                                                                      \
                to[i] = value;                                                                     \
            }                                                                                      \
        }                                                                                          \
    }

/* Operands 1 and 2 fixed (bounds) is the case worth a loop of its own. */
#define TERNARY(name, lane, type, result, expression)                                              \
    static void name##_##lane(size_t count, void *out, const void *const *in, unsigned fixed)      \
    {                                                                                              \
        result *to = out;                                                                          \
        const type *p = in[0];                                                                     \
        const type *q = in[1];                                                                     \
        const type *r = in[2];                                                                     \
        if ((fixed & 7) == 6) {                                                                    \
            const type y = *q;                                                                     \
            const type z = *r;                                                                     \
            EACH(i, count)                                                                         \
            {                                                                                      \
                const type x = p[i];                                                               \
                to[i] = (result)(expression);                                                      \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        size_t p_step = fixed & 1 ? 0 : 1;                                                         \
        size_t q_step = fixed & 2 ? 0 : 1;                                                         \
        size_t r_step = fixed & 4 ? 0 : 1;                                                         \
        EACH(i, count)                                                                             \
        {                                                                                          \
            const type x = p[i * p_step];                                                          \
            const type y = q[i * q_step];                                                          \
            const type z = r[i * r_step];                                                          \
            to[i] = (result)(expression);                                                          \
        }                                                                                          \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

#define SET(id, lane, function) (loops->strips[STRIP_##id][LANE_##lane] = (function))
#define SET_FLOATS(id, name)    (SET(id, F32, name##_f32), SET(id, F64, name##_f64))
#define SET_SIGNED_INTEGERS(id, name)                                                              \
    (SET(id, I8, name##_i8), SET(id, I16, name##_i16), SET(id, I32, name##_i32),                   \
     SET(id, I64, name##_i64))
#define SET_INTEGERS(id, name)                                                                     \
    (SET_SIGNED_INTEGERS(id, name), SET(id, U8, name##_u8), SET(id, U16, name##_u16),              \
     SET(id, U32, name##_u32), SET(id, U64, name##_u64))
#define SET_SIGNED(id, name) (SET_FLOATS(id, name), SET_SIGNED_INTEGERS(id, name))
#define SET_ALL(id, name)    (SET_FLOATS(id, name), SET_INTEGERS(id, name))

#endif
