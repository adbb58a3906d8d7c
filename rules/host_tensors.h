/* Host tensors: which expressions of host code give a torch tensor, as far as their own function
 * tells. */
#ifndef PYPTO_LINT_RULES_HOST_TENSORS_H
#define PYPTO_LINT_RULES_HOST_TENSORS_H

#include "lint/rule.h"

typedef enum HostTensor {
    HOST_UNKNOWN,
    HOST_PLACES, /* a tensor whose name says that it holds lengths, positions or indices */
    HOST_TENSOR,
} HostTensor;

/* What a name is must be seen in the function: it is annotated torch.Tensor, its `.device`,
 * `.contiguous` and the like are used, or it is made by torch.empty, zeros or ones_like. */
HostTensor host_tensor(const PyFile *file, NodeId expression);

#endif
