/* A short notation for kernels in tests of the simulator. Functions fail the test when something
 * fails that is not expected to. */
#ifndef RECORD_FIXTURE_H
#define RECORD_FIXTURE_H

#include "sim/ptosim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Fixture {
    PtsContext *context;
    PtsProgram *program;
    PtsError error; /* of the last call */
    PtsSoc soc;
} Fixture;

/* A context for the 910B1 (or another) with vector tile 16×16 (4 entries) and a cube tile. */
void fixture_open(Fixture *f, const char *soc, PtsProfile profile);
void fixture_close(Fixture *f);
/* Begins a kernel. */
void begin(Fixture *f);
/* Ends it without error. */
void end(Fixture *f);
/* Gives it up and begins another. */
void again(Fixture *f);
bool next_path(Fixture *f);

PtsSym number(Fixture *f, int64_t value);
PtsSym add(Fixture *f, PtsSym a, int64_t b);
PtsSym times(Fixture *f, PtsSym a, int64_t b);

/* Extents as a list that ends with −1. */
PtsSlot parameter(Fixture *f, PtsDtype dtype, const char *name, ...);
PtsSlot declare(Fixture *f, PtsDtype dtype, ...);
/* A parameter whose first axis is dynamic. */
PtsSlot dynamic_parameter(Fixture *f, PtsDtype dtype, const char *name, int64_t columns);

PtsOperand slot(PtsSlot slot);
PtsOperand integer(int64_t value);
PtsOperand real(double value);
PtsOperand element(PtsDtype dtype, double value);
PtsOperand symbol(PtsSym sym);

/* One operation; `emit` must succeed and gives its first result, `emit_error` must fail and gives
 * the code. */
PtsSlot emit(Fixture *f, PtsOp op, const PtsAttributes *attributes, int count, ...);
uint32_t emit_error(Fixture *f, PtsOp op, const PtsAttributes *attributes, int count, ...);
/* The second result of the last emit. */
PtsSlot second_result(void);

/* Common operations. */
PtsSlot view(Fixture *f, PtsSlot input, int64_t rows, int64_t columns, PtsSym row, PtsSym column);
void assemble(Fixture *f, PtsSlot src, PtsSlot dst, PtsSym row, PtsSym column);
void move(Fixture *f, PtsSlot src, PtsSlot dst);
PtsSlot full(Fixture *f, PtsDtype dtype, double value, int64_t rows, int64_t columns);
PtsSym loop(Fixture *f, PtsSym start, PtsSym stop, int64_t step);
bool next_loop_path(Fixture *f);
void end_loop(Fixture *f);

/* Shape and valid extents as text: "DT_FP32 [16, 64] valid [min(…), 64]" (valid only when it
 * differs). */
const char *describe(Fixture *f, PtsSlot slot);

/* A line of its own for every operation. */
PtsSite here(int line);

#endif
