/* Slot programs: what the recorder writes and the interpreter reads.
 *
 * A program is a tree of bodies (the kernel, loop bodies). A body is a decision tree of blocks: a
 * block is a list of instructions and then, maybe, a branch into one of two further blocks. Paths
 * never join again inside a body. Tensors are slots: registers that hold a reference to a buffer.
 * Slots made outside a loop carry their state into it and out of it; slots made inside are empty at
 * the start of each iteration. */
#ifndef PTOSIM_PROGRAM_H
#define PTOSIM_PROGRAM_H

#include "model/sym.h"

#include "base/arena.h"

#include <stdatomic.h>

#define PTS_NO_BLOCK UINT32_MAX
#define PTS_NO_BODY  UINT32_MAX

typedef enum PtsInstructionKind {
    PTS_INSTRUCTION_OP,
    PTS_INSTRUCTION_READ,    /* binds `atom` to an element of operand 0 at attributes->offsets */
    PTS_INSTRUCTION_LOOP,    /* runs `loop` */
    PTS_INSTRUCTION_UNKNOWN, /* partial programs: `symbol` is made here */
} PtsInstructionKind;

typedef struct PtsResult {
    PtsSlot slot;
    PtsDtype dtype;
    PtsFormat format;
    int rank;
    PtsSym shape[PTS_MAX_RANK], valid[PTS_MAX_RANK];
} PtsResult;

typedef struct PtsRecordedLoop {
    PtsLoop loop;  /* names owned by the program */
    PtsAtom index; /* bound to start, start + step, … */
    PtsSym symbol; /* the index as an expression */
    uint32_t body;
    int number; /* loop_N */
} PtsRecordedLoop;

typedef struct PtsInstruction {
    PtsInstructionKind kind;
    PtsOp op;
    int operand_count, result_count;
    const PtsOperand *operands;
    const PtsAttributes *attributes; /* NULL = PTS_ATTRIBUTES */
    const PtsResult *results;        /* for ops that write through: none; see `written` */
    PtsSlot written; /* slot that an op writes through (move, assemble …); PTS_SLOT_NONE = none.
                          * move: it takes operand 0's buffer, shape, valid extents and dtype */
    PtsAtom atom;    /* READ */
    PtsSym symbol;   /* READ: the atom as an expression */
    const PtsRecordedLoop *loop; /* LOOP */
    int vector_tile_count;
    int64_t vector_tile[PTS_MAX_TILE];
    const PtsCubeTile *cube_tile;     /* NULL = not set or irrelevant */
    int64_t needs[PTS_CORE_MEMORIES]; /* bytes that one tile takes */
    const char *label;                /* "" = none */
    uint8_t wide_operands; /* bit i: operand i is taken as it was before rounding to 16 bits */
    bool keeps_wide;       /* some other instruction takes its result so */
    PtsSite site;
    struct VmCode *code; /* the interpreter's; NULL when recorded */
} PtsInstruction;

typedef struct PtsBlock {
    PtsInstruction **instructions;
    uint32_t count, capacity;
    PtsSym condition; /* PTS_SYM_NONE: the path ends here */
    PtsSite condition_site;
    uint32_t if_true, if_false; /* blocks */
} PtsBlock;

typedef struct PtsBody {
    uint32_t parent;             /* body around it; PTS_NO_BODY for the kernel */
    const PtsRecordedLoop *loop; /* NULL for the kernel */
    uint32_t root;               /* first block */
    uint32_t first_slot; /* slots from here to end_slot were made inside, inner loops included */
    uint32_t end_slot;
} PtsBody;

typedef struct PtsSlotRecord {
    PtsDtype dtype; /* as declared */
    PtsFormat format;
    int rank;
    PtsSym shape[PTS_MAX_RANK];
    const char *name;
    PtsSite site;
    uint32_t body;  /* where it was made */
    int parameter;  /* its number, or -1 */
    PtsSlot base;   /* the slot whose memory an in-place reshape shares; PTS_SLOT_NONE = its own */
    bool is_output; /* an instruction writes it (vm_code.c) */
    bool is_result; /* of an operation, not declared */
} PtsSlotRecord;

typedef struct PtsParameterDim {
    PtsAtom atom;
    PtsSym symbol; /* the atom's */
    int parameter, axis;
    const char *name; /* NULL = none */
} PtsParameterDim;

struct PtsProgram {
    PtsContext *context;
    Arena arena; /* all that the program points to */
    const char *name;
    PtsSite site;
    PtsBlock *blocks;
    uint32_t block_count;
    PtsBody *bodies; /* [0] is the kernel's */
    uint32_t body_count;
    PtsSlotRecord *slots;
    uint32_t slot_count;
    int parameter_count; /* slots 0 … parameter_count − 1 */
    PtsParameterDim *dims;
    uint32_t dim_count;
    bool finished;
    bool is_lenient;              /* see pts_program_lenient */
    bool compiled;                /* every instruction has its code (vm_code.c) */
    bool writes_through;          /* an op changes memory that views of it share (vm_code.c) */
    struct PtsSlotState *final;   /* of each slot when the recording ended; NULL before */
    struct PtsRecorder *recorder; /* NULL once finished */
    struct PtsDiagnosticList *diagnostics;
    struct Output *outputs;                   /* the sanitizer's, of the last run; NULL = none */
    struct RaceFacts *race_facts;             /* the sanitizer's; NULL = not known yet */
    void (*release_run)(struct PtsProgram *); /* frees those two; NULL = there are none */
};

/* What messages call a slot: its name, or "a tensor". */
const char *pts_slot_name(const PtsProgram *program, PtsSlot slot);
/* The slot that owns the memory: another one for an in-place reshape. */
PtsSlot pts_slot_root(const PtsProgram *program, PtsSlot slot);

/* What runs share with their context (owned by it). */
typedef struct PtsRunState {
    atomic_bool cancel;             /* pts_run_cancel: the run stops soon */
    struct PtsTrace *trace;         /* NULL = none is being collected */
    struct PtsPrecision *precision; /* NULL = not watched */
    struct PtsWatch *watch;         /* NULL = nobody watches */
} PtsRunState;
PtsRunState *pts_context_run_state(PtsContext *context);
const PtsOptions *pts_context_options(const PtsContext *context);

/* Adds a finding; the text is copied, equal findings of one site are kept once. Never fails:
 * when memory runs out the finding is lost. */
void pts_diagnose(PtsProgram *program, PtsSeverity severity, uint32_t code, const char *id,
                  PtsSite site, const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif
