/* Precision: the same program in double beside the run, and what each operation adds to the error.
 *
 * The twin is an interpreter of its own over a copy of the program in which every tensor of F16,
 * BF16 and F32 is DOUBLE. It executes each instruction right after the run did and takes what is
 * an integer (indices, masks, conditions, addresses) from the run, so both go the same way. The
 * run's values never change because of it; when its memory runs out the run goes on without it.
 * docs/kernel-authors/precision.md says what is reported. Private to libptosim. */
#ifndef PTOSIM_PRECISION_H
#define PTOSIM_PRECISION_H

#include "sim/vm.h"

/* Relative errors end here; what is infinite or not a number on one side only has this one. */
#define PRECISION_CAP    1e6
#define PRECISION_NO_ROW UINT32_MAX

/* ---- rows: what the report has a line for (precision_rows.c) ---- */

typedef struct PrecisionRow {
    PtsPrecisionRow seen;
    double worst;      /* added + inherited of the execution that `seen` describes */
    unsigned possible; /* flags that count once their effect reaches an output */
    uint32_t next;     /* in its bucket */
} PrecisionRow;

enum { PRECISION_BUCKETS = 1024 };

struct PtsPrecision {
    PtsContext *context;
    double tolerance; /* 0 = by dtype */
    int64_t compared; /* elements, so far */
    PrecisionRow *rows;
    uint32_t row_count, row_capacity;
    uint32_t buckets[PRECISION_BUCKETS];
    bool has_beyond; /* the first value that was wrong */
    uint32_t beyond; /* its row */
    bool beyond_in_loop;
    int64_t beyond_iteration;
    PtsPrecisionSummary summary;
};

/* The row of an operation at a place; PRECISION_NO_ROW when memory ran out. */
uint32_t precision_row(PtsPrecision *precision, const PtsInstruction *instruction);
/* The relative error from which on a value of that dtype is called wrong. */
double precision_tolerance(const PtsPrecision *precision, PtsDtype dtype);

/* ---- the twin's program (precision_program.c) ---- */

/* Does a tensor of that dtype have a double beside it? */
bool precision_has_double(PtsDtype dtype);

/* How an instruction is done in double. */
typedef enum PrecisionForm {
    PRECISION_SAME,   /* by the same kernel, over doubles */
    PRECISION_CHOICE, /* its result is taken from the run: indices, masks, steps */
    PRECISION_PICK,   /* topk: values at the indices of the run */
    PRECISION_NONE,   /* there is no double form: the result is taken, and that is said */
} PrecisionForm;
PrecisionForm precision_form(const PtsInstruction *instruction);

typedef struct PrecisionProgram {
    PtsProgram program;
    PtsInstruction **twins; /* by VmCode.number */
    uint32_t count;
} PrecisionProgram;
/* A compiled copy over doubles; false when memory ran out. To be freed in either case. */
bool precision_program_make(const PtsProgram *from, PrecisionProgram *to);
void precision_program_free(PrecisionProgram *copy);

/* ---- comparing (precision_measure.c) ---- */

/* The valid elements of `from` as doubles at the same places of `to`, which is dense and of the
 * same shape. */
void precision_widen(const PtsTensor *from, const PtsTensor *to);

typedef struct PrecisionMeasure {
    double error;  /* the largest |r − d| / max(|d|, scale) */
    double single; /* the largest |r − d| / |d|: small elements count as much as large ones */
    double scale;  /* root of the mean square of the finite d */
    int64_t infinite, zeroed; /* r is infinite, or 0, where d is finite and not 0 */
    int64_t both_not_finite;
    int64_t largest; /* r is the largest number of its dtype, and d beyond it */
} PrecisionMeasure;
/* Compares the valid elements of a result with doubles of the same shape; `floor` is the least
 * scale. */
PrecisionMeasure precision_measure(const PtsTensor *result, const PtsTensor *doubles, double floor);
/* Is the error, as precision_measure finds it, at most about `bound` (three times that at the very
 * most)? It takes little more than one pass; false where that does not show it. */
bool precision_is_near(const PtsTensor *result, const PtsTensor *doubles, double floor,
                       double bound);
/* Of floating-point values that became integers: how many lie beyond what `result` can hold by one
 * or more, and the relative error of the worst. */
int64_t precision_clipped(const PtsTensor *result, const PtsTensor *doubles, double *error);
/* Is every valid element finite? */
bool precision_is_finite(const PtsTensor *doubles);

/* ---- whose error it is (precision_credit.c) ---- */

/* A part of a tensor's error, and the row that it began in. */
typedef struct PrecisionCredit {
    uint32_t row;
    uint32_t times; /* how often its operation added to it and rounded */
    double amount;
} PrecisionCredit;

enum { PRECISION_CREDITS = 8 }; /* the largest are kept */

/* What is known of the error of a slot's value. */
typedef struct PrecisionState {
    double total, single, scale; /* see PrecisionMeasure; against the twin */
    uint32_t suspect;            /* row where single elements went wrong; PRECISION_NO_ROW = none */
    unsigned suspect_flag;
    int count;
    PrecisionCredit credits[PRECISION_CREDITS];
} PrecisionState;

/* One result of one execution. */
typedef struct PrecisionEvent {
    const PtsInstruction *instruction;
    uint32_t row;
    PtsDtype dtype; /* of the run's result */
    PrecisionMeasure own, total;
    int64_t clipped;
    int64_t terms; /* that a sum adds into one element */
    bool overflows_in_double;
    bool in_loop;
    int64_t iteration;
} PrecisionEvent;

/* Does it add or subtract, so that errors of its operands may outweigh its result? */
bool precision_is_additive(PtsOp op);
/* The state of what is computed from two tensors with these states. */
void precision_join(PrecisionState *state, const PrecisionState *other);
/* Takes an execution into account: `state`, the joined one of its operands, becomes that of its
 * result, and the row hears of it. */
void precision_account(PtsPrecision *precision, const PrecisionEvent *event, PrecisionState *state);
/* A value of that dtype with this state reached a parameter. */
void precision_arrive(PtsPrecision *precision, const PrecisionState *state, PtsDtype dtype);

/* ---- beside the run (precision_run.c) ---- */

/* The functions are called with vm->precision set, after the run has done the same. */
typedef struct PrecisionRun {
    PtsPrecision *report;
    PrecisionProgram copy;
    Vm *twin;
    PtsRunState state;
    PtsArgument *arguments;
    PrecisionState *states; /* of each slot */
    uint32_t *rows;         /* of each instruction */
    uint32_t *turns;        /* how often each was executed */
    bool lost;              /* memory ran out: nothing is looked at any more */
} PrecisionRun;

/* Memory ran out: nothing is looked at any more in this run. */
void precision_lose(PrecisionRun *run);
/* Elements of a tensor's shape. */
int64_t precision_elements(const PtsTensor *tensor);
/* What is known of the value in a slot, and of an instruction's operands together. */
PrecisionState *precision_state(const Vm *vm, PtsSlot slot);
PrecisionState precision_operands(const Vm *vm, const PtsInstruction *instruction);
/* An execution with nothing measured yet; false when memory ran out. */
bool precision_event(Vm *vm, const PtsInstruction *instruction, PtsDtype dtype,
                     PrecisionEvent *event);

/* Sets vm->precision, or leaves it NULL and notes that this run is not looked at. */
void precision_begin(Vm *vm);
void precision_end(Vm *vm);
/* An iteration of the body begins. */
void precision_turn(Vm *vm, uint32_t body);
/* An operation that only moves elements, or writes memory that others see, has run. */
void precision_moved(Vm *vm, const PtsInstruction *instruction);
/* A kernel has computed `results` from the operands of `call`. */
void precision_computed(Vm *vm, const PtsInstruction *instruction, const PtsKernelCall *call,
                        const RtValue *results);
/* The instruction is done: what nothing uses any more is released. */
void precision_release(Vm *vm, const PtsInstruction *instruction);

#endif
