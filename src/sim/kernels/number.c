/* Numbers between formats: decoding, rounding and encoding by integer arithmetic. */
#include "sim/kernels/number.h"

#include "sim/kernels/common.h"
#include "sim/kernels/half.h"

#include <math.h>

/* A binary floating-point format: `fraction` bits below the leading one, subnormal numbers below
 * 2^least_exponent. Codes are without the sign. */
typedef struct Format {
    int fraction, least_exponent;
    uint32_t largest, infinity, nan; /* codes; infinity = nan in formats without */
    uint32_t sign;
} Format;

static const Format *format_of(PtsDtype dtype)
{
    static const Format f32 = {23, -126, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x80000000};
    static const Format f16 = {10, -14, 0x7BFF, 0x7C00, 0x7E00, 0x8000};
    static const Format bf16 = {7, -126, 0x7F7F, 0x7F80, 0x7FC0, 0x8000};
    static const Format e4m3 = {3, -6, 0x7E, 0x7F, 0x7F, 0x80};
    static const Format e5m2 = {2, -14, 0x7B, 0x7C, 0x7E, 0x80};
    /* Four bits, in the low half of a byte: neither infinity nor NaN. */
    static const Format e2m1 = {1, 0, 0x7, 0x7, 0, 0x8};
    static const Format e1m2 = {2, 0, 0x7, 0x7, 0, 0x8};
    switch (dtype) {
    case PTS_FP32:
        return &f32;
    case PTS_FP16:
        return &f16;
    case PTS_BF16:
        return &bf16;
    case PTS_FP8E4M3:
        return &e4m3;
    case PTS_FP4_E2M1:
    case PTS_FP4_E2M1X2:
        return &e2m1;
    case PTS_FP4_E1M2:
    case PTS_FP4_E1M2X2:
        return &e1m2;
    default:
        return &e5m2;
    }
}

static Number number_of_integer(int64_t value)
{
    return (Number){.is_negative = value < 0,
                    .is_integer = true,
                    .mantissa = value < 0 ? 0 - (uint64_t)value : (uint64_t)value};
}

static Number number_of_unsigned(uint64_t value)
{
    return (Number){.is_integer = true, .mantissa = value};
}

Number number_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & ((1ULL << 52) - 1);
    int exponent = (int)(bits >> 52) & 0x7FF;
    Number number = {.is_negative = bits >> 63, .mantissa = fraction};
    if (exponent == 0x7FF) {
        number.kind = fraction != 0 ? NUMBER_NAN : NUMBER_INFINITE;
    } else {
        number.mantissa |= exponent != 0 ? 1ULL << 52 : 0;
        number.exponent = (exponent != 0 ? exponent : 1) - 1075;
    }
    return number;
}

double small_float_value(uint8_t bits, PtsDtype dtype)
{
    if (dtype == PTS_HF8) {
        return hf8_value(bits);
    }
    if (dtype == PTS_FP8E8M0) {
        return bits == 0xFF ? (double)NAN : ldexp(1.0, bits - 127);
    }
    const Format *format = format_of(dtype);
    uint32_t code = bits & (format->sign - 1);
    double sign = bits & format->sign ? -1.0 : 1.0;
    if (code > format->largest) {
        return code == format->infinity && format->infinity != format->nan ? sign * (double)INFINITY
                                                                           : (double)NAN;
    }
    uint32_t field = code >> format->fraction;
    uint32_t fraction = code & ((1U << format->fraction) - 1);
    fraction |= field != 0 ? 1U << format->fraction : 0;
    int exponent = (field != 0 ? (int)field - 1 : 0) + format->least_exponent - format->fraction;
    return sign * ldexp((double)fraction, exponent);
}

Number number_load(const void *at, PtsDtype dtype)
{
    if (pts_dtype_is_float(dtype)) {
        return number_of_double(pts_load_real(at, dtype));
    }
    int64_t value = pts_load_integer(at, dtype);
    return dtype == PTS_UINT64 ? number_of_unsigned((uint64_t)value) : number_of_integer(value);
}

/* mantissa · 2^−shift for shift ≥ 0, rounded to an integer. */
static uint64_t shift_rounded(uint64_t mantissa, int shift, Mode mode, bool is_negative)
{
    if (shift == 0) {
        return mantissa;
    }
    uint64_t whole = shift < 64 ? mantissa >> shift : 0;
    uint64_t rest = shift < 64 ? mantissa & ((1ULL << shift) - 1) : mantissa;
    if (rest == 0) {
        return whole;
    }
    uint64_t half = shift <= 64 ? 1ULL << (shift - 1) : 0; /* beyond: always less than half */
    bool above = half != 0 && rest > half;
    bool tie = half != 0 && rest == half;
    switch (mode) {
    case MODE_AWAY:
        return whole + (above || tie);
    case MODE_FLOOR:
        return whole + is_negative;
    case MODE_CEIL:
        return whole + !is_negative;
    case MODE_TRUNC:
        return whole;
    case MODE_ODD:
        return whole | 1;
    default:
        return whole + (above || (tie && (whole & 1)));
    }
}

int64_t number_to_integer(Number number, Mode mode)
{
    int64_t limit = number.is_negative ? INT64_MIN : INT64_MAX;
    if (number.kind == NUMBER_NAN) {
        return 0;
    }
    if (number.kind == NUMBER_INFINITE || (number.mantissa != 0 && number.exponent >= 64)) {
        return limit;
    }
    uint64_t magnitude = number.mantissa;
    if (number.exponent > 0) {
        if (magnitude > UINT64_MAX >> number.exponent) {
            return limit;
        }
        magnitude <<= number.exponent;
    } else if (number.exponent < 0) {
        magnitude = shift_rounded(magnitude, -number.exponent, mode, number.is_negative);
    }
    if (magnitude > (uint64_t)INT64_MAX) {
        return limit;
    }
    return number.is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
}

/* Powers of two only: 2^(code − 127); 0xFF is NaN. */
static uint32_t to_e8m0(Number number, Mode mode)
{
    if (number.kind != NUMBER_FINITE || number.is_negative) {
        return 0xFF;
    }
    if (number.mantissa == 0) {
        return 0;
    }
    int top = 63 - __builtin_clzll(number.mantissa);
    uint64_t leading = shift_rounded(number.mantissa, top, mode, false);
    int exponent = number.exponent + top + (leading == 2 ? 1 : 0);
    return exponent < -127 ? 0 : exponent > 127 ? 0xFF : (uint32_t)(exponent + 127);
}

/* The bits of the nearest value of a floating-point dtype up to 32 bits. Too large values become
 * infinity (NaN in formats without), or the largest value when `clamp` is set and the format has
 * 8 bits. */
static uint32_t number_to_float(Number number, PtsDtype dtype, Mode mode, bool clamp)
{
    if (dtype == PTS_HF8) {
        return hf8_code(number, clamp);
    }
    if (dtype == PTS_FP8E8M0) {
        return to_e8m0(number, mode);
    }
    const Format *format = format_of(dtype);
    uint32_t sign = number.is_negative ? format->sign : 0;
    uint32_t overflow = clamp && format->sign == 0x80 ? format->largest : format->infinity;
    if (number.kind == NUMBER_NAN && format->nan == 0) {
        return 0;
    }
    if (number.kind == NUMBER_NAN) {
        uint32_t payload = (uint32_t)(number.mantissa >> (52 - format->fraction));
        return sign | format->nan | (format->infinity == format->nan ? 0 : payload);
    }
    if (number.kind == NUMBER_INFINITE) {
        return sign | overflow;
    }
    if (number.mantissa == 0) {
        return sign;
    }
    int exponent = number.exponent + 63 - __builtin_clzll(number.mantissa);
    if (exponent > 2 * 128) {
        return sign | overflow;
    }
    int least = exponent > format->least_exponent ? exponent : format->least_exponent;
    int shift = least - format->fraction - number.exponent;
    uint64_t fraction = shift >= 0 ? shift_rounded(number.mantissa, shift, mode, number.is_negative)
                                   : number.mantissa << -shift;
    uint64_t code = ((uint64_t)(least - format->least_exponent) << format->fraction) + fraction;
    return sign | (code > format->largest ? overflow : (uint32_t)code);
}

static void store_integer(void *at, PtsDtype dtype, Number number, Mode mode, bool clamp)
{
    size_t bytes = pts_dtype_bytes(dtype);
    bool is_signed = pts_dtype_is_signed(dtype);
    int bits = dtype == PTS_INT4 ? 4 : (int)bytes * 8;
    if (number.is_integer && number.mantissa > (uint64_t)INT64_MAX && !number.is_negative) {
        /* Only from U64: its low bits, or the limit. */
        uint64_t most = is_signed ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);
        pts_store_integer(at, dtype, (int64_t)(clamp ? most : number.mantissa));
        return;
    }
    int64_t value = number_to_integer(number, mode);
    int64_t least = is_signed ? INT64_MIN >> (64 - bits) : 0;
    int64_t most =
        bits == 64 ? INT64_MAX : (int64_t)(UINT64_MAX >> (is_signed ? 65 - bits : 64 - bits));
    if (!number.is_integer && bits < 32 && !clamp) {
        /* The wide integer whose low bits are taken has 32 bits. */
        value = value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : value;
    } else if (clamp || (!number.is_integer && is_signed)) {
        value = value < least ? least : value > most ? most : value;
    }
    pts_store_integer(at, dtype, value);
}

void number_store(void *at, PtsDtype dtype, Number number, Mode mode, bool clamp)
{
    if (pts_dtype_is_integer(dtype)) {
        bool by_default = mode == MODE_NONE || mode == MODE_ODD;
        store_integer(at, dtype, number, by_default ? MODE_TRUNC : mode, clamp);
        return;
    }
    if (dtype == PTS_BOOL) {
        *(uint8_t *)at = number.kind != NUMBER_FINITE || number.mantissa != 0;
        return;
    }
    if (dtype == PTS_DOUBLE) {
        double value = number.kind == NUMBER_NAN ? (double)NAN
                       : number.kind == NUMBER_INFINITE
                           ? (double)INFINITY
                           : ldexp((double)number.mantissa, number.exponent);
        *(double *)at = number.is_negative ? -value : value;
        return;
    }
    uint32_t bits = number_to_float(number, dtype, mode == MODE_NONE ? MODE_NEAREST : mode, clamp);
    if (dtype == PTS_FP32) {
        *(uint32_t *)at = bits;
    } else if (pts_dtype_bytes(dtype) == 2) {
        *(uint16_t *)at = (uint16_t)bits;
    } else {
        *(uint8_t *)at = (uint8_t)bits;
    }
}
