/* What ops.def says of each operation, for recorder and interpreter. The lists of classes, kernels
 * and strips are made from ops.def, too. Private to libptosim. */
#ifndef PTOSIM_OP_TABLE_H
#define PTOSIM_OP_TABLE_H

#include "sim/kernels/loops.h"

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

/* Kernels compute over the call's tensors; some want scratch memory, of so many bytes. */
typedef bool PtsKernel(const PtsKernelCall *call, PtsError *error);
#define PTS_DECLARE_KERNEL(name) PtsKernel pts_run_##name;
PTS_OP_KERNELS(PTS_DECLARE_KERNEL)
PtsKernel pts_run_elementwise; /* of operations that only have a strip */

typedef size_t PtsScratch(const PtsKernelCall *call);
#define PTS_DECLARE_SCRATCH(name) PtsScratch pts_##name##_scratch;
PTS_OP_SCRATCHES(PTS_DECLARE_SCRATCH)

/* Who only records programs has the table without the functions that compute. */
#ifdef PTS_WITHOUT_KERNELS
#define PTS_RUN(function) NULL
#else
#define PTS_RUN(function) (function)
#endif

/* How an operation goes element by element (kernels/elementwise.c). */
typedef enum PtsStripRule {
    PTS_STRIP_NATURAL, /* integers in their own lane */
    PTS_STRIP_FLOAT,   /* integers are converted to F32 first */
    PTS_STRIP_WHOLE,   /* integers stay as they are: floor, ceil … */
} PtsStripRule;

typedef struct PtsStripUse {
    StripId id;
    unsigned char arity; /* 0 = it does not */
    PtsStripRule rule;
    bool gives_bool;
    bool is_heavy; /* worth more threads early */
} PtsStripUse;

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
    uint32_t dtypes92;          /* those of `dtypes` that 9.1 has not, or as dtypes950 says */
    uint8_t min_rank, max_rank;
    uint8_t min_operands, max_operands; /* 255 = PTS_MAX_OPERANDS */
    bool tile_aligned;
    uint8_t tiles32;
    bool built;
    uint8_t wide;        /* set of PTS_WIDE_… */
    PtsInfer *infer;     /* NULL: no operation of its own */
    PtsKernel *kernel;   /* NULL: none, or the interpreter moves references itself (vm_data.c) */
    PtsScratch *scratch; /* NULL = none */
    PtsStripUse strip;
} PtsOpInfo;

extern const PtsOpInfo pts_op_table[PTS_OP_COUNT];

#endif
