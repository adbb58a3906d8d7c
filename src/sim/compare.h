/* Comparison of tensors: how far a result is from its reference.
 *
 * Elements are compared in F32 after conversion, doubles and integers of 32 and 64 bits in F64. An
 * element is close when |c − t| ≤ atol + rtol·|t|; a NaN on either side is not close, an infinity
 * only to itself. Differences of equal elements are 0, those of two 64-bit integers are exact
 * before they are rounded to F64. */
#ifndef PTOSIM_COMPARE_H
#define PTOSIM_COMPARE_H

#include "sim/ptosim.h"

/* What max_rel_diff divides by at least. */
#define PTS_COMPARE_LEAST 1e-12

typedef struct PtsTolerance {
    double atol, rtol;
} PtsTolerance;

typedef struct PtsComparison {
    size_t elements;
    size_t out_of_tolerance;
    size_t nonfinite;    /* elements whose difference is infinite or NaN */
    double max_abs_diff; /* infinite or NaN when a difference is; 0 without elements */
    double max_rel_diff; /* of |c − t| / max(|t|, PTS_COMPARE_LEAST) */
    bool exact;          /* the same bits */
} PtsComparison;

/* What detailed_tensor_compare tells beyond that. */
typedef struct PtsComparisonDetails {
    void *differences; /* the caller's room for each element's difference, as pts_compare_dtype */
    uint8_t *mask;     /* and for whether it is close */
    double mean_diff;
    double std_diff; /* unbiased; 0 for fewer than two elements */
    double max_out_of_tolerance_diff, mean_out_of_tolerance_diff; /* 0 if none */
} PtsComparisonDetails;

/* PTS_FP32 or PTS_DOUBLE: what elements of that dtype are compared in. */
PtsDtype pts_compare_dtype(PtsDtype dtype);

/* Compares `count` dense elements. False with an error for dtypes that the simulator cannot
 * represent. */
bool pts_compare(const void *candidate, const void *reference, PtsDtype dtype, size_t count,
                 PtsTolerance tolerance, PtsComparison *comparison, PtsError *error);

/* The same, and fills `details`, whose room the caller gives. */
bool pts_compare_details(const void *candidate, const void *reference, PtsDtype dtype, size_t count,
                         PtsTolerance tolerance, PtsComparison *comparison,
                         PtsComparisonDetails *details, PtsError *error);

/* Writes the indices of the elements whose mask is 0 to `order`, largest difference first (NaN
 * before everything), equal ones by index. `order` has room for all of them; `differences` are
 * of PTS_FP32 or PTS_DOUBLE. False with an error when memory ran out. */
bool pts_compare_order(const void *differences, PtsDtype dtype, const uint8_t *mask, size_t count,
                       int64_t *order, PtsError *error);

#endif
