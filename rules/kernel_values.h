/* Kernel values: kernels that a file launches without naming them at the call, as in
 * `make_kernel(dtype)(x, y)`, `KERNELS[dtype](x, y)` or `kernel = make_kernel(dtype)`.
 *
 * A name of the module holds kernels when it is a kernel, a function with a kernel in it, or a
 * function or value in the text of which such a name occurs. That is generous on purpose: it
 * tells whether a call may be a launch, and a caller that blames code needs it to be none. */
#ifndef PYPTO_LINT_RULES_KERNEL_VALUES_H
#define PYPTO_LINT_RULES_KERNEL_VALUES_H

#include "rules/bindings.h"
#include "rules/common.h"

typedef struct KernelValues {
    const Module *module;
    Bindings names; /* functions and plain assignments of the module's body */
    bool *holds;    /* by place in `names` */
} KernelValues;

/* Reads a file that parses. */
void kernel_values_read(KernelValues *values, Arena *arena, const PyFile *file);
/* Does `function` call what a name that holds kernels gave: the result of a call, an item, or a
 * name that one of these was assigned to? A function called by its name is not asked about. */
bool kernel_values_launched(const KernelValues *values, Arena *arena, NodeId function);

#endif
