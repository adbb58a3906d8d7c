/* Numbers between formats: the exact way from any element to any dtype, with all rounding modes.
 * Slow and general; runs of the usual pairs are converted by loops_convert.c with the same
 * results. */
#ifndef PTOSIM_NUMBER_H
#define PTOSIM_NUMBER_H

#include "sim/ptosim.h"

/* CastMode of the product. */
typedef enum Mode {
    MODE_NONE,    /* truncation from floating point to integers, else MODE_NEAREST */
    MODE_NEAREST, /* ties to even */
    MODE_AWAY,    /* to nearest, ties away from zero */
    MODE_FLOOR,
    MODE_CEIL,
    MODE_TRUNC,
    MODE_ODD, /* truncated, and the last bit set when that changed the value */
    MODE_COUNT,
} Mode;

/* (−1)^is_negative · mantissa · 2^exponent, infinity, or NaN with the upper bits of its payload. */
typedef struct Number {
    enum { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN } kind;
    bool is_negative;
    bool is_integer; /* it comes from an integer dtype */
    uint64_t mantissa;
    int exponent;
} Number;

Number number_of_double(double value);
/* The element at `at`; the dtype must be one that pts_dtype_is_supported. */
Number number_load(const void *at, PtsDtype dtype);

/* Rounds to a multiple of 1 and clamps to 64 bits; NaN gives 0. */
int64_t number_to_integer(Number number, Mode mode);
/* As the cast op stores it: `clamp` = saturation ON. */
void number_store(void *at, PtsDtype dtype, Number number, Mode mode, bool clamp);

/* HiFloat8, which rounds in one way only. */
double hf8_value(uint8_t bits);
uint8_t hf8_code(Number number, bool clamp);

/* The value of an 8-bit floating-point element. */
double small_float_value(uint8_t bits, PtsDtype dtype);

#endif
