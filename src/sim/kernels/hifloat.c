/* HiFloat8: eight bits whose prefix code says how many of them are exponent, so that numbers near 1
 * have three bits of fraction and those far away one.
 *
 * Below the sign: prefix 11, 10 or 01 (4, 3 or 2 bits of exponent, leaving 1, 2 or 3 of
 * fraction), 001 (1 and 3), 0001 (none and 3), 0000 (powers of two from 2^−22 to 2^−16). The
 * exponent is a sign and a magnitude whose leading one is not stored. */
#include "sim/kernels/number.h"

#include <math.h>
#include <stdlib.h>

enum { HF8_INFINITY = 0x6F, HF8_LARGEST = 0x6E, HF8_NAN = 0x80 };

/* By the number of exponent bits. */
static const struct Width {
    int prefix, fraction;
} widths[5] = {{0x08, 3}, {0x10, 3}, {0x20, 3}, {0x40, 2}, {0x60, 1}};

static int exponent_bits(uint32_t code)
{
    return code >= 0x60 ? 4 : code >= 0x40 ? 3 : code >= 0x20 ? 2 : code >= 0x10 ? 1 : 0;
}

double hf8_value(uint8_t bits)
{
    uint32_t code = bits & 0x7F;
    double sign = bits & 0x80 ? -1 : 1;
    if (code == HF8_INFINITY) {
        return sign * (double)INFINITY;
    }
    if (code < 0x08) {
        return bits == HF8_NAN ? (double)NAN : code == 0 ? 0 : sign * ldexp(1, (int)code - 23);
    }
    int width = exponent_bits(code);
    int fraction_bits = widths[width].fraction;
    int fraction = (int)(code & ((1U << fraction_bits) - 1));
    int exponent = 0;
    if (width > 0) {
        int field = (int)(code >> fraction_bits) & ((1 << width) - 1);
        int leading = 1 << (width - 1);
        exponent = (field & leading) != 0 ? -field : field + leading;
    }
    return sign * ldexp(1 + ldexp(fraction, -fraction_bits), exponent);
}

static uint32_t encode(int exponent, int fraction)
{
    int magnitude = abs(exponent);
    int width = magnitude >= 8 ? 4 : magnitude >= 4 ? 3 : magnitude >= 2 ? 2 : magnitude;
    int field = 0;
    if (width > 0) {
        int leading = 1 << (width - 1);
        field = exponent < 0 ? magnitude : magnitude - leading;
    }
    return (uint32_t)(widths[width].prefix | field << widths[width].fraction | fraction);
}

/* Ties away from zero: the only mode that the format has. */
uint8_t hf8_code(Number number, bool clamp)
{
    uint32_t sign = number.is_negative ? 0x80 : 0;
    uint32_t overflow = sign | (clamp ? HF8_LARGEST : HF8_INFINITY);
    if (number.kind != NUMBER_FINITE) {
        return (uint8_t)(number.kind == NUMBER_NAN ? HF8_NAN : overflow);
    }
    int exponent;
    double leading = 2 * frexp(ldexp((double)number.mantissa, number.exponent), &exponent);
    exponent--;
    if (number.mantissa == 0 || exponent < -23) {
        return 0; /* there is no negative zero */
    }
    if (exponent < -15) {
        exponent += leading >= 1.5 || exponent == -23 ? 1 : 0;
        if (exponent < -15) {
            return (uint8_t)(sign | (uint32_t)(exponent + 23));
        }
        leading = 1;
    }
    int magnitude = abs(exponent);
    int bits = magnitude >= 8 ? 1 : magnitude >= 4 ? 2 : 3;
    int fraction = (int)floor(ldexp(leading - 1, bits) + 0.5);
    if (fraction == 1 << bits) {
        fraction = 0;
        exponent++;
    }
    if (exponent > 15 || (exponent == 15 && fraction == 1)) {
        return (uint8_t)overflow;
    }
    return (uint8_t)(sign | encode(exponent, fraction));
}
