/* Tensors in the tests' own memory and calls of single kernels. */
#ifndef KERNEL_FIXTURE_H
#define KERNEL_FIXTURE_H

#include "sim/kernels.h"
#include "sim/kernels/loops.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A dense tensor over `data`, valid as a whole. */
PtsTensor tensor_over(void *data, PtsDtype dtype, int rank, const int64_t *shape);
/* The same with memory of its own, filled with 0xA5; free it with tensor_free. */
PtsTensor tensor_new(PtsDtype dtype, int rank, const int64_t *shape);
void tensor_free(PtsTensor *tensor);
int64_t tensor_elements(const PtsTensor *tensor);
#define SHAPE(...)                                                                                 \
    (sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (const int64_t[])                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define OVER(data, dtype, ...) tensor_over((data), (dtype), (int)SHAPE(__VA_ARGS__))
#define NEW(dtype, ...)        tensor_new((dtype), (int)SHAPE(__VA_ARGS__))

PtsKernelOperand operand(const PtsTensor *tensor);
PtsKernelOperand integer_operand(PtsDtype dtype, int64_t value);
PtsKernelOperand real_operand(PtsDtype dtype, double value);

/* Runs one kernel with `count` operands and the results result and second (may be NULL). */
bool run_kernel(PtsOp op, const PtsKernelAttributes *attributes, int count,
                const PtsKernelOperand *operands, PtsTensor *result, PtsTensor *second,
                PtsError *error);
extern int kernel_threads;
extern bool kernel_device_sums;
/* With tensors only, and success expected. */
#define RUN(op, attributes, result, ...)                                                           \
    run_tensors((op), (attributes), (result),                                                      \
                (int)(sizeof((const PtsTensor *[]){__VA_ARGS__}) / sizeof(void *)),                \
                (const PtsTensor *[]){__VA_ARGS__})
void run_tensors(PtsOp op, const PtsKernelAttributes *attributes, PtsTensor *result, int count,
                 const PtsTensor *const *tensors);

/* Numbers that do not repeat soon; the same in every run. */
uint32_t next_random(void);
void seed_random(uint32_t seed);
/* Fills with numbers around 0, rounded to the dtype. */
void fill_random(PtsTensor *tensor);

/* pts_convert, which must succeed. Modes and saturation are those of the cast op. */
enum { NONE, RINT, ROUND, FLOOR, CEIL, TRUNC, ODD, MODES };
enum { ON, OFF };
void convert(const void *from, PtsDtype from_dtype, void *to, PtsDtype to_dtype, size_t count,
             int mode, int saturation);

float half_value(uint16_t bits); /* by arithmetic of its own, not the library's */
float bfloat_value(uint16_t bits);

/* The names of the instruction sets that this machine has; NULL after the last. */
const char *const *isa_names(void);

#endif
