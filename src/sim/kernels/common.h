/* Shared by the numeric kernels: lanes of dtypes, walking over tensors of one shape, conversion of
 * runs, and the families of kernels. */
#ifndef PTOSIM_KERNELS_COMMON_H
#define PTOSIM_KERNELS_COMMON_H

#include "model/error.h"
#include "sim/run_table.h"
#include "sim/threads.h"

enum {
    WALK_MAX_TENSORS = 4,       /* the result and three operands */
    BLOCK = 256,                /* elements that are converted at a time */
    THREAD_ELEMENTS = 64 * 1024 /* cheap operations below this size stay in one thread */
};

/* ---- dtypes ---- */

/* The lane that a dtype's elements have in memory; −1 for floating point of 16 bits and less, which
 * is converted to F32 for computing, and for DT_INT4. BOOL has LANE_U8. */
int pts_storage_lane(PtsDtype dtype);
/* The unsigned lane of elements of that size, for moving them. */
Lane pts_lane_of_size(size_t bytes);

/* Converts a run between dtypes as stores do (nearest even, integers keep their low bits, real
 * numbers become integers as the cast op's default says). */
typedef struct Conversion {
    PtsConvertRun *run; /* NULL = see below */
    bool is_same;       /* just a copy */
    PtsDtype from, to;  /* for the slow way */
} Conversion;
Conversion pts_conversion(PtsDtype from, PtsDtype to);
void pts_convert_run(const Conversion *conversion, size_t count, void *to, const void *from);

/* ---- constants ---- */

/* Writes the constant as an element of `dtype` (rounded to its own dtype first). */
void pts_store_element(void *at, PtsDtype dtype, const PtsElement *element);

/* ---- walking ---- */

/* Several tensors seen with one set of extents; broadcast axes have stride 0, neighbouring axes
 * are joined where all tensors allow it. Tensor 0 gives the extents. Strides are in bytes. */
typedef struct Walk {
    int rank; /* ≥ 1 */
    int count;
    int64_t extent[PTS_MAX_RANK];
    int64_t stride[WALK_MAX_TENSORS][PTS_MAX_RANK];
    char *base[WALK_MAX_TENSORS];
} Walk;

/* Extents of the first tensor's valid region, no larger than what the others can give. False when
 * there is nothing to do. NULL tensors have stride 0 and base NULL. Shapes of fewer axes are
 * aligned to the right. */
bool pts_walk_init(Walk *walk, int count, const PtsTensor *const *tensors);
/* The same over given extents (of the first tensor's rank). */
bool pts_walk_over(Walk *walk, int count, const PtsTensor *const *tensors, const int64_t *extent);
/* Rows: all axes but the last. */
int64_t pts_walk_rows(const Walk *walk);
/* Calls `row` for rows from ≤ i < to, with the addresses of each tensor's first element. */
typedef void PtsWalkRow(void *context, char *const *at, int64_t row);
void pts_walk_rows_do(const Walk *walk, int64_t from, int64_t to, PtsWalkRow *row, void *context);

/* Copies the elements of a walk over two tensors of one dtype. */
void pts_copy_walk(const Walk *walk, size_t size, int threads);
/* Copies a run of elements of `size` bytes; strides in bytes, 0 = one value. */
void pts_copy_strided(char *to, int64_t to_stride, const char *from, int64_t from_stride,
                      int64_t count, size_t size);
/* Fills a walk over one tensor with the element at `value`. */
void pts_fill_walk(const Walk *walk, size_t size, const void *value);

/* Product of extents, clipped at 0. */
int64_t pts_product(int count, const int64_t *extent);
/* The smaller of shape and valid extent per axis, at least 0. */
int64_t pts_extent(const PtsTensor *tensor, int axis);

/* Steps an index through extents, last axis first; false after the last. */
bool pts_next_index(int rank, const int64_t *extent, int64_t *index);
/* The address of an element, by the first `axes` subscripts. */
char *pts_at(const PtsTensor *tensor, const int64_t *index, int axes);

/* The errors that only data can show. */
bool pts_fail_index(PtsError *error, const char *op, int64_t index, int64_t limit);

#endif
