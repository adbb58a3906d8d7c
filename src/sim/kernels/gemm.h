/* Matrix products over any strides and types; matmul.c maps the operations onto this. */
#ifndef PTOSIM_GEMM_H
#define PTOSIM_GEMM_H

#include "sim/kernels/common.h"

/* A matrix: element (row, column) lies at data + bytes · (row·row_stride +
 * column·column_stride). */
typedef struct GemmMatrix {
    char *data;
    PtsDtype dtype;
    int64_t row_stride, column_stride;
} GemmMatrix;

typedef enum GemmSum {
    GEMM_F32,
    GEMM_I32, /* of 8-bit integers: exact */
    GEMM_F64,
} GemmSum;

/* What happens between the sum and the result: + bias, relu, × scale, conversion. */
typedef struct GemmEnd {
    GemmMatrix bias;          /* data NULL = none; its columns are used */
    GemmMatrix scale_columns; /* 64-bit integers whose low half is an F32; data NULL = none */
    int64_t bias_batch[2], scale_batch[2]; /* strides in elements; 0 = one row for all */
    bool relu;
    bool has_scale;
    float scale;
} GemmEnd;

enum { GEMM_MAX_BATCH_RANK = 2 };

/* c = a · b for every batch. Element sums go in order of k from 0; every `piece` products (0 = all)
 * are summed on their own and the partial sums are added in order. */
typedef struct Gemm {
    GemmSum sum;
    int64_t m, n, k, piece;
    GemmMatrix a, b, c;
    int64_t batch[GEMM_MAX_BATCH_RANK]; /* extents */
    int64_t a_batch[GEMM_MAX_BATCH_RANK], b_batch[GEMM_MAX_BATCH_RANK],
        c_batch[GEMM_MAX_BATCH_RANK]; /* strides in elements */
    int tf32; /* TransMode: F32 operands lose 13 bits: 0 = no, 1 = to even, 2 = away from zero */
    GemmEnd end;
} Gemm;

size_t gemm_scratch(const Gemm *gemm, int threads);
/* `scratch` is of that size for the same number of threads, 16-byte aligned. */
void gemm_run(const Gemm *gemm, int threads, void *scratch);

/* A block of sums becomes results: gemm_end.c. `tiles` holds column panels of tiles of `tile`. */
typedef struct GemmBlock {
    int64_t row, column, rows, columns; /* of c */
    char *c;                            /* c's batch */
    int64_t bias_offset, scale_offset;  /* of its rows, in elements */
    const char *sums;                   /* F32, I32 or F64 */
    GemmShape tile;
    float *bias_row, *scale_row; /* room for `columns` numbers each */
} GemmBlock;
void gemm_finish(const Gemm *gemm, const GemmBlock *block);

#endif
