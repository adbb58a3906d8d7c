/* What `new --from` reads of a function: its parameters, and the tensors that the file makes for
 * them. Private to src/cli/starter_*.c. */
#ifndef PYPTO_LINT_CLI_STARTER_READ_H
#define PYPTO_LINT_CLI_STARTER_READ_H

#include "cli/starter.h"
#include "kernel/kernel.h"

enum { MOST_RANK = 5, MOST_PARAMETERS = 32, MOST_OUTPUTS = 16 };

typedef struct Parameter {
    Str name, scalar; /* "int", "float", "bool"; empty: a tensor */
    Str text;         /* as written, with annotation and default */
    bool known;       /* the file says its shape */
    int64_t shape[MOST_RANK];
    int rank;
    Str dtype;
} Parameter;

typedef struct Reading {
    Starter *starter;
    Arena *arena;
    const Module *module;
    NodeId function;
    Parameter parameters[MOST_PARAMETERS];
    uint32_t count;
    Strs outputs; /* names of what it returns: its own, else y, or y0, y1 … */
} Reading;

/* Reads the parameters of the function. False with a message. */
bool starter_read_parameters(Reading *reading);
/* Names what the function returns, as its last `return` says. False with a message. */
bool starter_read_outputs(Reading *reading);
/* Appends a line "step torch's | PyPTO's" for each operation in the text of the function: calls,
 * conversions, arithmetic operators. */
void starter_add_steps(Buf *out, const Reading *reading);
/* Finds shapes and dtypes of those that are tensors; notes what it has to guess. */
void starter_read_shapes(Reading *reading);

#endif
