/* Shared by the operations that move references or memory (vm_slots.c, vm_view.c, vm_data.c). */
#ifndef PTOSIM_VM_DATA_H
#define PTOSIM_VM_DATA_H

#include "sim/vm.h"

typedef bool VmDataOp(Vm *vm, const PtsInstruction *instruction, PtsError *error);
VmDataOp vm_run_view, vm_run_reshape, vm_run_view_type, vm_run_save;

bool vm_is_parameter(const Vm *vm, PtsSlot slot);
/* The slot is read before anything was written to it; NULL. */
RtValue *vm_fail_unwritten(const Vm *vm, PtsSlot slot, PtsError *error);
/* Elements that the value's memory has from its start on. */
int64_t vm_memory_elements(const RtValue *value);
/* The element behind the last one of a window, counted from the source's first. */
int64_t vm_window_end(const PtsTensor *source, const int64_t *offset, const int64_t *extent);

/* A new value whose valid part is about to be copied. Its memory is poisoned first where something
 * is left out. */
bool vm_new_for_copy(Vm *vm, PtsDtype dtype, int rank, const int64_t *shape, const int64_t *valid,
                     RtValue *value, PtsError *error);
/* A dense value with the same elements at the same places. */
bool vm_make_dense(Vm *vm, const RtValue *source, RtValue *dense, PtsError *error);

/* To be called before the caller's memory of a parameter is written: values that still view it keep
 * their content. */
bool vm_claim_parameter(Vm *vm, PtsSlot slot, PtsError *error);
/* The value in a slot that is to be written in part, alone with its memory, which is made as the
 * slot was declared when there was none. New memory is poisoned, unless the valid part of `region`,
 * which is written next, is as large (NULL: it is not). vm_write_target also finds the memory that
 * a reshape in place describes, and the caller's of a parameter. */
RtValue *vm_write(Vm *vm, PtsSlot slot, const PtsTensor *region, PtsError *error);
RtValue *vm_write_target(Vm *vm, PtsSlot slot, const PtsTensor *region, PtsError *error);

#endif
