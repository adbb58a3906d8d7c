/* Numeric kernels: one operation over run-time tensors. Private to libptosim.
 *
 * The interpreter evaluates shapes, offsets and attributes, prepares result tensors with dtype,
 * shape and valid extents, and calls pts_kernel_run. Kernels compute over valid extents only, never
 * allocate results, and give the same bits for any number of threads. */
#ifndef PTOSIM_KERNELS_H
#define PTOSIM_KERNELS_H

#include "model/dtype_kind.h"
#include "sim/ptosim.h"

/* A view of memory: element (i, j, …) lies at data + bytes · (i·stride[0] + j·stride[1] + …). */
typedef struct PtsTensor {
    void *data;
    PtsDtype dtype;
    int rank;
    int64_t shape[PTS_MAX_RANK];
    int64_t stride[PTS_MAX_RANK]; /* in elements; 0 = broadcast */
    int64_t valid[PTS_MAX_RANK];  /* extents that hold data; ≤ 0 = none */
    /* The whole buffer, for ops that address the storage behind a view (gather_in_ub …). */
    void *storage;                        /* where element (0, …) lies in it; NULL = at `data` */
    int64_t storage_elements;             /* from there on */
    int64_t storage_stride[PTS_MAX_RANK]; /* of the storage: a window over an edge has its own */
} PtsTensor;

/* An operand: a tensor, or (tensor == NULL) a constant already of the right dtype. */
typedef struct PtsKernelOperand {
    const PtsTensor *tensor;
    PtsElement element;
    bool is_given;
} PtsKernelOperand;

/* Attributes with every symbol evaluated; the fields mean the same as in PtsAttributes. `dim` and
 * `dim1` are never negative. */
typedef struct PtsKernelAttributes {
    PTS_SCALAR_ATTRIBUTES(PTS_DECLARE_SCALAR)
    int shape_rank;
    int64_t shape[PTS_MAX_RANK];
    int offset_rank;
    int64_t offsets[PTS_MAX_RANK];
    int64_t diagonal;
    bool split_k;
    int64_t split_k_size; /* elements of K per partial sum */
} PtsKernelAttributes;

typedef struct PtsKernelCall {
    PtsOp op;
    int operand_count;
    const PtsKernelOperand *operands;
    const PtsKernelAttributes *attributes;
    int result_count;
    PtsTensor *results[PTS_MAX_RESULTS]; /* for ops that write through: the written tensor */
    int threads;                         /* ≥ 1 */
    bool device_sums;                    /* PtsOptions.device_sums */
    void *scratch;                       /* see pts_kernel_scratch */
    /* For ops that write through: NULL, or the map's byte for the first byte of `results[0]->data`;
     * they set the bytes of what they write to 1. */
    unsigned char *written;
    /* The same for the sanitizer; NULL, or it hears of each region. */
    void (*touched)(void *context, const PtsTensor *region);
    void *context;
} PtsKernelCall;

/* Sets the bytes of a region's valid part to 1 in a map whose byte `map` stands for `base`. */
void pts_mark_written(unsigned char *map, const void *base, const PtsTensor *region);

/* Bytes of scratch memory that this call wants in `scratch` (16-byte aligned); usually 0. */
size_t pts_kernel_scratch(const PtsKernelCall *call);

/* Runs it. False with an error for what only data can show (index out of range …). */
bool pts_kernel_run(const PtsKernelCall *call, PtsError *error);

/* Is there a kernel for this op? (Ops without are refused when they are recorded.) */
bool pts_kernel_exists(PtsOp op);

/* One element as double / int64 (integer dtypes, BOOL), and back, rounded as stores are. */
double pts_load_real(const void *at, PtsDtype dtype);
int64_t pts_load_integer(const void *at, PtsDtype dtype);
void pts_store_real(void *at, PtsDtype dtype, double value);
void pts_store_integer(void *at, PtsDtype dtype, int64_t value);

#endif
