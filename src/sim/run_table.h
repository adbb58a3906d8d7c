/* What computes each operation: made from ops.def, as the table of model/op_table.h is. */
#ifndef PTOSIM_RUN_TABLE_H
#define PTOSIM_RUN_TABLE_H

#include "sim/kernels/loops.h"

/* Kernels compute over the call's tensors; some want scratch memory, of so many bytes. */
typedef bool PtsKernel(const PtsKernelCall *call, PtsError *error);
#define PTS_DECLARE_KERNEL(name) PtsKernel pts_run_##name;
PTS_OP_KERNELS(PTS_DECLARE_KERNEL)
PtsKernel pts_run_elementwise; /* of operations that only have a strip */

typedef size_t PtsScratch(const PtsKernelCall *call);
#define PTS_DECLARE_SCRATCH(name) PtsScratch pts_##name##_scratch;
PTS_OP_SCRATCHES(PTS_DECLARE_SCRATCH)

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

typedef struct PtsRunInfo {
    PtsKernel *kernel;   /* NULL: none, or the interpreter moves references itself (vm_data.c) */
    PtsScratch *scratch; /* NULL = none */
    PtsStripUse strip;
} PtsRunInfo;

extern const PtsRunInfo pts_run_table[PTS_OP_COUNT];

#endif
