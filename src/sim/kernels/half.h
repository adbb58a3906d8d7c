/* Conversions between F32 and the 16-bit floating-point types, to nearest even, in integer
 * arithmetic that compilers vectorise. They do not depend on the processor's settings for
 * subnormal numbers, and keep the sign and the upper payload bits of NaNs. */
#ifndef PTOSIM_HALF_H
#define PTOSIM_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float float_of_half(uint16_t half)
{
    uint32_t magnitude = (uint32_t)(half & 0x7FFF) << 13;
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    /* Subnormal: as the fraction of a number around 2^-14, whose leading one is taken off again. */
    uint32_t small = bits_of_float(float_of_bits(magnitude + (113U << 23)) - 0x1p-14F);
    uint32_t bits = magnitude + (112U << 23);
    bits = magnitude < (1U << 23) ? small : bits;
    bits = magnitude >= (31U << 23) ? magnitude | 0x7F800000U : bits;
    return float_of_bits(bits | sign);
}

static inline uint16_t half_of_float(float value)
{
    uint32_t bits = bits_of_float(value);
    uint32_t sign = (bits >> 16) & 0x8000U;
    uint32_t magnitude = bits & 0x7FFFFFFFU;
    uint32_t normal = (magnitude + 0x0FFFU + ((magnitude >> 13) & 1U) - (112U << 23)) >> 13;
    /* Below 2^-14: adding 1/2 leaves the multiple of 2^-24 in the fraction, rounded. */
    uint32_t small = bits_of_float(float_of_bits(magnitude) + 0.5F) - (126U << 23);
    uint32_t nan = 0x7E00U | ((magnitude >> 13) & 0x3FFU);
    uint32_t half = magnitude < (113U << 23) ? small : normal;
    half = magnitude >= 0x477FF000U ? 0x7C00U : half; /* 65520 and beyond */
    half = magnitude > 0x7F800000U ? nan : half;
    return (uint16_t)(half | sign);
}

static inline float float_of_bfloat(uint16_t bfloat)
{
    return float_of_bits((uint32_t)bfloat << 16);
}

static inline uint16_t bfloat_of_float(float value)
{
    uint32_t bits = bits_of_float(value);
    uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
    uint32_t nan = (bits >> 16) | 0x40U;
    return (uint16_t)((bits & 0x7FFFFFFFU) > 0x7F800000U ? nan : rounded);
}

#endif
