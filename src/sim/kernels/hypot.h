/* hypot, of our own: the C library's got a new symbol version in glibc 2.35, and a program that is
 * built with it does not load on an older system. It also differs between libraries in the last
 * bit. */
#ifndef PTOSIM_HYPOT_H
#define PTOSIM_HYPOT_H

#include <math.h>

/* The square root of x² + y² without overflow or underflow on the way, within one unit in the last
 * place and nearly always correctly rounded. Infinity wins over NaN, as the C standard has it.
 *
 * The rounded root is corrected by one step of Newton's method, whose residual h² − big² − small²
 * is gathered from exact parts with fma (C. Borges, An Improved Algorithm for hypot(a,b), 2019). */
static inline double hypot_double(double x, double y)
{
    double big = fmax(fabs(x), fabs(y));
    double small = fmin(fabs(x), fabs(y));
    if (isinf(big)) {
        return big;
    }
    if (isnan(x) || isnan(y)) {
        return x + y;
    }
    if (small <= big * 0x1p-27) { /* small² / (2 big) is below half a unit of big */
        return big;
    }
    double scale = big > 0x1p+510   ? 0x1p-600
                   : big < 0x1p-400 ? 0x1p+600
                                    : 1; /* squares stay normal */
    big *= scale;
    small *= scale;
    double root = sqrt(fma(big, big, small * small));
    double root_square = root * root;
    double big_square = big * big;
    double residual = fma(-small, small, root_square - big_square) + fma(root, root, -root_square) -
                      fma(big, big, -big_square);
    return (root - residual / (2 * root)) / scale;
}

#endif
