/* The interpreter of slot programs. Private to libptosim.
 *
 * vm.c walks blocks and loops, vm_code.c prepares instructions, vm_data.c does the operations that
 * move references or memory (view, reshape, move, assemble …); all others go to kernels.h. */
#ifndef PTOSIM_VM_H
#define PTOSIM_VM_H

#include "sim/program.h"
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
} VmCode;

typedef struct VmFrame {
    const PtsRecordedLoop *loop; /* NULL = the kernel's body */
    uint32_t body, block, next;  /* next instruction of the block */
    int64_t index, stop, step;
    bool is_entered; /* an iteration has started */
} VmFrame;

enum { VM_MAX_DEPTH = 256 };

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
    int64_t trips_left;
    void *scratch;
    size_t scratch_size;
    PtsStats stats;
    PtsRunState *state;
} Vm;

/* Runs the whole program; slots hold the parameters. */
bool vm_run(Vm *vm, PtsError *error);

/* Prepares all instructions of a program, once. */
bool vm_compile(PtsProgram *program, PtsError *error);

/* Fills last_uses of compiled instructions (vm_liveness.c); false when memory ran out. */
bool vm_find_last_uses(PtsProgram *program);

/* Evaluates an expression with the run's values. */
bool vm_evaluate(Vm *vm, PtsSym sym, int64_t *value, PtsError *error);
/* The instruction's attributes and results at this moment; the result stays in its code. */
bool vm_evaluate_attributes(Vm *vm, const PtsInstruction *instruction, PtsError *error);
bool vm_evaluate_result(Vm *vm, const PtsInstruction *instruction, int number, PtsError *error);

/* The value in a slot that is to be read; F74007 when there is none. */
RtValue *vm_read(Vm *vm, PtsSlot slot, PtsError *error);
/* The value in a slot that is to be written in part: alone with its memory, and with memory as its
 * declaration says when it had none. */
RtValue *vm_write(Vm *vm, PtsSlot slot, PtsError *error);
/* Puts a value (taken over) into a slot. */
void vm_set(Vm *vm, PtsSlot slot, RtValue value);

/* Is it one of the operations below, not one of kernels.h? */
bool vm_is_data_op(PtsOp op);
bool vm_run_data_op(Vm *vm, const PtsInstruction *instruction, PtsError *error);
/* t[i, j]: binds the instruction's atom. */
bool vm_run_read(Vm *vm, const PtsInstruction *instruction, PtsError *error);
/* After a write to a parameter's slot: brings the caller's memory up to date and looks for poison
 * in the elements that were written (the valid part of `written`; NULL = of all). */
bool vm_flush_parameter(Vm *vm, const PtsInstruction *instruction, PtsSlot slot,
                        const PtsTensor *written, PtsError *error);

#endif
