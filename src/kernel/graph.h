/* Same-file call graphs: the node tables of a PyFile. Private to src/kernel. */
#ifndef PYPTO_LINT_KERNEL_GRAPH_H
#define PYPTO_LINT_KERNEL_GRAPH_H

#include "kernel/kernel.h"

/* Fills functions_m and functions_n; file->functions must be there. */
void graph_collect(PyFile *file);

#endif
