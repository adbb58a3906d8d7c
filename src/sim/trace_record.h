/* Records of a trace: which operation runs, in which iteration, on which pipes, and what it reads
 * and writes. Private to libptosim's traces. When memory runs out, functions leave to the arena's
 * guard. */
#ifndef PTOSIM_TRACE_RECORD_H
#define PTOSIM_TRACE_RECORD_H

#include "sim/trace_events.h"
#include "sim/vm.h"

/* The operation that runs now: its place, iteration and needs. */
void trace_begin(PtsTrace *trace, const Vm *vm, const PtsInstruction *instruction);
/* It is done: its record is kept, and its iterations last at least until then. */
void trace_end(PtsTrace *trace);

/* When the slot's value is ready (cycles); the operation at work waits for whoever makes it. */
double trace_needs(PtsTrace *trace, PtsSlot slot);
/* Puts work on a pipe, not before `earliest`; returns when it is done (cycles). */
double trace_put(PtsTrace *trace, TracePipe pipe, double earliest, double cycles, int64_t tiles,
                 double bytes);
/* The results, and the slot that is written through, are ready then. */
void trace_done(PtsTrace *trace, const PtsInstruction *instruction, double done);

/* The operation at work reads (writes) this part of a parameter's memory. */
void trace_window(PtsTrace *trace, const Vm *vm, const RtValue *value, bool is_write);
/* The same for what a store writes of a parameter. */
void trace_written(PtsTrace *trace, const Vm *vm, const PtsInstruction *instruction);

#endif
