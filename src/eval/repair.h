/* Repair: what was known about the operands of a refused operation, and what to write instead. A
 * repair is proposed only after another walk of the kernel has shown that the operation accepts it.
 * Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_REPAIR_H
#define PYPTO_LINT_EVAL_REPAIR_H

#include "eval/launch.h"
#include "model/op_table.h"
#include "model/ptosim_model.h"

struct DriveFinding;

/* Where the value of a slot comes from. */
typedef struct Maker {
    NodeId node; /* in the linted file; 0 = not known */
    PtsOp op;
    bool by_launch; /* a parameter whose annotation leaves something open */
} Maker;

/* The operation that was refused, as it was recorded. */
typedef struct Refusal {
    bool is_known;
    PtsOp op;
    uint32_t count; /* operands */
    struct {
        bool is_tensor;
        int dtype, rank;
        int64_t extent[PTS_MAX_RANK]; /* -1 = not a number */
        Str name;                     /* of a variable, else empty */
        Str en, zh;                   /* "x is [8, 128] DT_FP16 (annotation, line 12)" */
        NodeId node;                  /* where it comes from; 0 = not known */
    } operands[PTS_MAX_OPERANDS];
    bool a_trans, b_trans;
    int64_t tile[PTS_MAX_TILE];
    int tile_count; /* 0 = not set */
    PtsCubeTile cube;
} Refusal;

/* A change of one operation, to be tried. */
typedef struct Patch {
    enum { PATCH_CAST, PATCH_VECTOR_TILE, PATCH_CUBE_TILE, PATCH_FLAGS } kind;
    NodeId node;
    PtsOp op;
    uint32_t operand; /* PATCH_CAST */
    PtsDtype dtype;
    int64_t tile[PTS_MAX_TILE];
    int count;
    PtsCubeTile cube;
    bool a_trans, b_trans;
} Patch;

/* Notes that a slot was made by drive->node, or is the parameter at `node`. */
void repair_made(Eval *eval, PtsSlot slot, PtsOp op);
void repair_parameter(Eval *eval, PtsSlot slot, NodeId node, bool by_launch);
/* Notes that an operation is refused. `attributes` may be NULL. */
void repair_refused(Eval *eval, PtsOp op, uint32_t count, const Value *operands,
                    const PtsAttributes *attributes);
/* Apply the patch being tried, if it is for this operation: return what was given, or a changed
 * copy in `room`. */
const Value *repair_operands(Eval *eval, PtsOp op, uint32_t count, const Value *operands,
                             Value *room);
const PtsAttributes *repair_attributes(Eval *eval, PtsOp op, const PtsAttributes *attributes,
                                       PtsAttributes *room);
/* Add to a finding what was known about the operands, and a repair if one is found. */
void repair_describe(Eval *eval, EvalFinding *finding, const struct DriveFinding *found,
                     const Launch *launch);
void repair_propose(Eval *eval, EvalFinding *finding, const struct DriveFinding *found,
                    const KernelSite *site, const Launch *launch);

#endif
