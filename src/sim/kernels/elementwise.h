/* One element-wise operation over the rows of up to three operands: elementwise.c chooses what is
 * to be done, elementwise_run.c does it. */
#ifndef PTOSIM_ELEMENTWISE_H
#define PTOSIM_ELEMENTWISE_H

#include "sim/kernels/common.h"

enum { MAX_ARITY = 3 };

/* An operand as the strip gets it: converted to the lane, in blocks, when it is of another type. */
typedef struct ElementInput {
    bool converts;
    Conversion conversion;
    size_t bytes;      /* of an element in memory */
    uint64_t constant; /* in the lane's type */
} ElementInput;

typedef struct ElementJob {
    Walk walk;
    PtsStrip *strip;
    int arity;
    ElementInput input[MAX_ARITY];
    bool converts_result;
    Conversion to_result;
    size_t bytes; /* of a result element */
} ElementJob;

/* Runs it over all elements of the walk; `is_heavy`: worth more threads early. */
void element_job_run(ElementJob *job, bool is_heavy, int threads);

#endif
