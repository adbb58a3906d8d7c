/* Collecting events for a Chrome trace while a program runs. Private to libptosim.
 *
 * Times are those of a simple cost model, not measurements (docs/kernel-authors/simulator.md,
 * "Trace"): one core, one queue for each pipe, an operation starts when its operands are ready and
 * its pipe is free. */
#ifndef PTOSIM_TRACE_H
#define PTOSIM_TRACE_H

#include "sim/vm.h"

/* A run starts: its events come after those of earlier runs. */
void trace_run(PtsTrace *trace, const Vm *vm);
/* An operation is about to run; its attributes and results have been evaluated. Events beyond the
 * limit are counted, not kept. */
void trace_op(PtsTrace *trace, Vm *vm, const PtsInstruction *instruction);

#endif
