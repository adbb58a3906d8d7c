/* What ops.def says of each operation, for the recorder. Private to libptosim. */
#ifndef PTOSIM_OP_TABLE_H
#define PTOSIM_OP_TABLE_H

#include "sim/ptosim.h"

/* Operations of one class are inferred and checked by one routine. */
typedef enum PtsOpClass {
    PTS_CLASS_NONE,   /* not built */
    PTS_CLASS_PYTHON, /* composed of others above this library */
    PTS_CLASS_VIEW,
    PTS_CLASS_VIEW_TYPE,
    PTS_CLASS_ASSEMBLE,
    PTS_CLASS_MOVE,
    PTS_CLASS_ELEMENT_WRITE,
    PTS_CLASS_RESHAPE,
    PTS_CLASS_UNSQUEEZE,
    PTS_CLASS_TRANSPOSE,
    PTS_CLASS_PERMUTE,
    PTS_CLASS_EXPAND,
    PTS_CLASS_CONCAT,
    PTS_CLASS_PAD,
    PTS_CLASS_FILLPAD,
    PTS_CLASS_FULL,
    PTS_CLASS_ARANGE,
    PTS_CLASS_UNARY,
    PTS_CLASS_BINARY,
    PTS_CLASS_COMPARE,
    PTS_CLASS_LOGICAL,
    PTS_CLASS_POW,
    PTS_CLASS_WHERE,
    PTS_CLASS_CLIP,
    PTS_CLASS_PRELU,
    PTS_CLASS_AXPY,
    PTS_CLASS_REDUCE,
    PTS_CLASS_VAR,
    PTS_CLASS_SCAN,
    PTS_CLASS_TOPK,
    PTS_CLASS_ARGSORT,
    PTS_CLASS_GATHER,
    PTS_CLASS_INDEX_SELECT,
    PTS_CLASS_GATHERMASK,
    PTS_CLASS_SCATTER,
    PTS_CLASS_SCATTER_UPDATE,
    PTS_CLASS_INDEX_ADD,
    PTS_CLASS_INDEX_PUT,
    PTS_CLASS_ONE_HOT,
    PTS_CLASS_GATHER_IN,
    PTS_CLASS_CAST,
    PTS_CLASS_QUANTIZE,
    PTS_CLASS_MATMUL,
    PTS_CLASS_BATCH_MATMUL,
    PTS_CLASS_NOP,
    PTS_CLASS_INTERLEAVE,
    PTS_CLASS_ONLINE_SOFTMAX,
    PTS_CLASS_ONLINE_UPDATE,
    PTS_CLASS_SCALED_MM,
    PTS_CLASS_QUANT_MX,
    PTS_CLASS_SORT32,
    PTS_CLASS_MRGSORT,
    PTS_CLASS_RANDOM,
    PTS_CLASS_CONV,
    PTS_CLASS_COUNT
} PtsOpClass;

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
    PtsResultRule result;
    uint32_t dtypes, dtypes950; /* sets: bit PtsDtype */
    uint8_t min_rank, max_rank;
    uint8_t min_operands, max_operands; /* 255 = PTS_MAX_OPERANDS */
    bool tile_aligned;
    uint8_t tiles32;
    bool built;
} PtsOpInfo;

extern const PtsOpInfo pts_op_table[PTS_OP_COUNT];

#endif
