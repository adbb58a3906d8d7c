/* Watching a run: what each operation read and made, for explaining a wrong result
 * (docs/internals/blame.md). Private to libptosim; ptosim.h has the caller's side. */
#ifndef PTOSIM_WATCH_H
#define PTOSIM_WATCH_H

#include "sim/vm.h"

/* A run starts: notes the arguments as they are. */
void watch_run(PtsWatch *watch, const Vm *vm);
/* An operation has run; the slots of its operands still hold what it read, unless it wrote them. */
void watch_op(PtsWatch *watch, const Vm *vm, const PtsInstruction *instruction);
/* The run has ended: notes the arguments that it may have written. */
void watch_end(PtsWatch *watch, const Vm *vm);

#endif
