/* Comparisons of runs; see compare.c. The largest values are found among bit patterns: those of
 * numbers that are not negative have the order of the numbers, and NaN comes last. */
#include "sim/compare.h"
#include "sim/kernels/loops_macros.h"

#include <float.h>

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types and names */
#define COMPARISONS(lane, type, integer, absolute, most)                                           \
    static void differences_##lane(size_t count, void *diff, const void *c, const void *t)         \
    {                                                                                              \
        type *to = diff;                                                                           \
        const type *p = c;                                                                         \
        const type *q = t;                                                                         \
        EACH(i, count)                                                                             \
        {                                                                                          \
            const type x = absolute(p[i] - q[i]);                                                  \
            to[i] = p[i] == q[i] ? 0 : x;                                                          \
        }                                                                                          \
    }                                                                                              \
    static inline integer bits_##lane(type value)                                                  \
    {                                                                                              \
        integer bits;                                                                              \
        memcpy(&bits, &value, sizeof bits);                                                        \
        return bits;                                                                               \
    }                                                                                              \
    static inline uint64_t wide_##lane(integer bits)                                               \
    {                                                                                              \
        type value;                                                                                \
        memcpy(&value, &bits, sizeof value);                                                       \
        return bits_of_double((double)value);                                                      \
    }                                                                                              \
    static void judge_##lane(size_t count, const void *diff, const void *t,                        \
                             const double tolerance[2], uint8_t *mask, PtsTally *tally)            \
    {                                                                                              \
        const type *d = diff;                                                                      \
        const type *q = t;                                                                         \
        const type atol = (type)tolerance[0];                                                      \
        const type rtol = (type)tolerance[1];                                                      \
        const type least = (type)PTS_COMPARE_LEAST;                                                \
        integer out = 0;                                                                           \
        integer nonfinite = 0;                                                                     \
        integer max_abs = 0;                                                                       \
        integer max_rel = 0;                                                                       \
        for (size_t i = 0; i < count; i++) {                                                       \
            const type x = d[i];                                                                   \
            const type size = absolute(q[i]);                                                      \
            const type ratio = absolute(x / (size > least ? size : least)); /* or a NaN's sign */  \
            const integer absolute_bits = bits_##lane(x);                                          \
            const integer relative_bits = bits_##lane(ratio);                                      \
            const integer is_finite = x <= (most);                                                 \
            const integer is_close = ((x <= atol + rtol * size) & is_finite) | (x == 0);           \
            out += 1 - is_close;                                                                   \
            nonfinite += 1 - is_finite;                                                            \
            max_abs = absolute_bits > max_abs ? absolute_bits : max_abs;                           \
            max_rel = relative_bits > max_rel ? relative_bits : max_rel;                           \
            mask[i] = (uint8_t)is_close;                                                           \
        }                                                                                          \
        uint64_t largest = wide_##lane(max_abs);                                                   \
        uint64_t ratio = wide_##lane(max_rel);                                                     \
        tally->out += (size_t)out;                                                                 \
        tally->nonfinite += (size_t)nonfinite;                                                     \
        tally->max_abs = largest > tally->max_abs ? largest : tally->max_abs;                      \
        tally->max_rel = ratio > tally->max_rel ? ratio : tally->max_rel;                          \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

COMPARISONS(f32, float, int32_t, fabsf, FLT_MAX)
COMPARISONS(f64, double, int64_t, fabs, DBL_MAX)

void ISA(pts_fill_compare)(PtsLoops *loops)
{
    loops->differences_f32 = differences_f32;
    loops->differences_f64 = differences_f64;
    loops->judge_f32 = judge_f32;
    loops->judge_f64 = judge_f64;
}
