/* What ops.def says of each operation. sim/run_table.h has the functions that compute. Private to
 * libptosim and the static evaluation. */
#ifndef PTOSIM_OP_TABLE_H
#define PTOSIM_OP_TABLE_H

#include "model/dtype_kind.h"
#include "pts_op_lists.h" /* generated from ops.def */

/* Operations of one class are inferred and checked by one routine, infer_CLASS. */
#define PTS_CLASS_ID(NAME, name) PTS_CLASS_##NAME,
typedef enum PtsOpClass {
    PTS_CLASS_NONE,   /* not built */
    PTS_CLASS_PYTHON, /* composed of others above this library */
    PTS_OP_CLASSES(PTS_CLASS_ID) PTS_CLASS_COUNT
} PtsOpClass;

struct PtsEmit; /* infer.h */
typedef bool PtsInfer(struct PtsEmit *emit);
#define PTS_DECLARE_INFER(NAME, name) PtsInfer infer_##name;
PTS_OP_CLASSES(PTS_DECLARE_INFER)

/* Where the product's compiler runs an operation in F32 though its tensors are of 16 bits. */
enum {
    PTS_WIDE_NOWHERE = 0,
    PTS_WIDE_BF16_A2 = 1,
    PTS_WIDE_F16_A2 = 2,
    PTS_WIDE_BF16_950 = 4,
    PTS_WIDE_F16_950 = 8,
    PTS_WIDE_ONLY_9_1 = 16 /* since 9.2 it has casts of its own around it */
};

/* How the dtype of a result follows from that of the first tensor operand. */
typedef enum PtsResultRule {
    PTS_RESULT_NONE,
    PTS_RESULT_SAME,
    PTS_RESULT_BOOL,
    PTS_RESULT_I32,
    PTS_RESULT_I64,
    PTS_RESULT_FLOAT,
    PTS_RESULT_WIDE,
    PTS_RESULT_DTYPE,
    PTS_RESULT_POW,
} PtsResultRule;

#define PTS_ALL_DTYPES ((UINT32_C(1) << PTS_DTYPE_COUNT) - 1)

typedef struct PtsOpInfo {
    const char *name;
    const char *opcodes[4]; /* [0] is always there */
    PtsOpClass kind;
    bool is_vector; /* takes the vector tile */
    PtsResultRule result;
    uint32_t dtypes, dtypes950; /* sets: bit PtsDtype */
    uint32_t dtypes92;          /* those of `dtypes` that 9.1 lacks, or as dtypes950 says */
    uint8_t min_rank, max_rank;
    uint8_t min_operands, max_operands; /* 255 = PTS_MAX_OPERANDS */
    bool tile_aligned;
    uint8_t tiles32;
    bool built;
    uint8_t wide;    /* set of PTS_WIDE_… */
    PtsInfer *infer; /* NULL: no operation of its own */
} PtsOpInfo;

extern const PtsOpInfo pts_op_table[PTS_OP_COUNT];

#endif
