/* The interpreter of slot programs. Private to libptosim.
 *
 * vm.c walks blocks and loops, vm_code.c prepares instructions, vm_view.c and vm_data.c do the
 * operations that move references or memory (view, reshape; move, assemble …) over the slots of
 * vm_slots.c; all others go to kernels.h. */
#ifndef PTOSIM_VM_H
#define PTOSIM_VM_H

#include "model/program.h"
#include "sim/rt.h"

/* What is known of a result before the run; symbolic extents are evaluated each time. */
typedef struct VmResult {
    bool is_constant;
    int64_t shape[PTS_MAX_RANK], valid[PTS_MAX_RANK];
} VmResult;

/* A slot that nothing uses after its instruction. */
typedef struct VmLastUse {
    PtsSlot slot;
    struct VmLastUse *next;
} VmLastUse;

/* An instruction, prepared: constant attributes and results are evaluated once. */
typedef struct VmCode {
    bool attributes_constant;
    PtsKernelAttributes attributes;
    VmResult *results;
    PtsKernelOperand *operands; /* constants are in place, tensors are filled in at each run */
    PtsTensor *tensors;         /* room for the operands' tensors */
    VmLastUse *last_uses;       /* slots to empty after it */
    uint32_t number;            /* among all of the program, block by block */
} VmCode;

typedef struct VmFrame {
    const PtsRecordedLoop *loop; /* NULL = the kernel's body */
    uint32_t body, block, next;  /* next instruction of the block */
    int64_t index, stop, step;
    bool is_entered; /* an iteration has started */
    uint32_t turn;   /* of the sanitizer: a number that each iteration has alone */
} VmFrame;

enum { VM_MAX_DEPTH = 256, VM_WIDE_OPERANDS = 8 };

typedef struct Vm {
    PtsProgram *program;
    PtsSymTable *symbols;
    PtsSymValues values;
    RtPool pool;
    RtValue *slots;
    RtBuffer **parameters; /* one more reference to each parameter's memory */
    const PtsArgument *arguments;
    VmFrame frames[VM_MAX_DEPTH];
    int depth;
    int threads;
    bool strict, device_sums;
    bool is_twin; /* of another run, which looks for poison itself (precision.h) */
    int64_t trips_left;
    void *scratch;
    size_t scratch_size;
    PtsStats stats;
    PtsRunState *state;
    const PtsInstruction *at;       /* the one that runs */
    struct Sanitizer *sanitizer;    /* sanitize.h; NULL = off */
    struct PrecisionRun *precision; /* precision.h; NULL = off */
} Vm;

/* Runs the whole program; slots hold the parameters. */
bool vm_run(Vm *vm, PtsError *error);

/* Runs one operation: no loop, no condition. */
bool vm_run_op(Vm *vm, const PtsInstruction *instruction, PtsError *error);
/* An iteration of the body starts: slots that are made inside become empty. */
void vm_empty_slots(Vm *vm, const PtsBody *body);
/* Binds a parameter's slot to the memory of its argument (run.c). */
bool vm_bind_parameter(Vm *vm, int number, PtsError *error);

/* Prepares all instructions of a program, once. */
bool vm_compile(PtsProgram *program, PtsError *error);

/* Fills last_uses of compiled instructions (vm_liveness.c); false when memory ran out. */
bool vm_find_last_uses(PtsProgram *program);

/* Evaluates an expression with the run's values. */
bool vm_evaluate(Vm *vm, PtsSym sym, int64_t *value, PtsError *error);
/* The instruction's attributes and results at this moment; the result stays in its code. */
bool vm_evaluate_attributes(Vm *vm, const PtsInstruction *instruction, PtsError *error);
bool vm_evaluate_result(Vm *vm, const PtsInstruction *instruction, int number, PtsError *error);

/* Makes vm->scratch at least so large. */
bool vm_reserve_scratch(Vm *vm, size_t size, PtsError *error);

/* The value in a slot that is to be read; F74007 when there is none. */
RtValue *vm_read(Vm *vm, PtsSlot slot, PtsError *error);
/* The same for callers that check addresses: a reshape in place may describe more than there is. */
RtValue *vm_read_window(Vm *vm, PtsSlot slot, PtsError *error);
/* Puts a value (taken over) into a slot. */
void vm_set(Vm *vm, PtsSlot slot, RtValue value);

/* Is it an operation of vm_view.c or vm_data.c, not one of kernels.h? */
bool vm_is_data_op(PtsOp op);
bool vm_run_data_op(Vm *vm, const PtsInstruction *instruction, PtsError *error);

/* vm_wide.c: 16-bit operations that the device computes in F32. Operands that are taken unrounded
 * replace those of the call; `results[0]`, when it is kept unrounded, gets its F32 memory and the
 * call's result describes that. */
bool vm_widen(Vm *vm, const PtsInstruction *instruction, RtValue *results, PtsTensor *tensors,
              RtValue *temporary, PtsError *error);
/* Do all tensor operands of an instruction hold data everywhere? (Loaded ones.) */
bool vm_operands_are_whole(const PtsInstruction *instruction);
/* After the kernel: rounds what was computed so into results[0]. */
bool vm_round(Vm *vm, RtValue *result, PtsError *error);
/* The slot holds another rank or dtype than it had when the operation was recorded: an iteration,
 * or another path, left it so. The recorder finds most of these; here none may reach the memory.
 * Returns false. */
bool vm_fail_changed(const Vm *vm, PtsSlot slot, PtsError *error);
/* The distance of an element from the first, in bytes; false with an error when the tensor has no
 * such element. `what` is for its text. */
bool vm_element_offset(const PtsTensor *tensor, const int64_t *index, const char *what,
                       int64_t *bytes, PtsError *error);
/* t[i, j]: binds the instruction's atom. */
bool vm_run_read(Vm *vm, const PtsInstruction *instruction, PtsError *error);
/* The byte of the caller's map of written bytes for `at` in a parameter's memory; NULL where there
 * is no map, or the memory is no parameter's. */
unsigned char *vm_written(const Vm *vm, const RtBuffer *memory, const void *at);
/* After a write to a parameter's slot: brings the caller's memory up to date and looks for poison
 * in the elements that were written (the valid part of `written`; NULL = of all). */
bool vm_flush_parameter(Vm *vm, const PtsInstruction *instruction, PtsSlot slot,
                        const PtsTensor *written, PtsError *error);

#endif
