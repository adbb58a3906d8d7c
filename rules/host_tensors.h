/* Host tensors: which expressions of host code give a torch tensor, as far as their own function
 * tells. */
#ifndef PYPTO_LINT_RULES_HOST_TENSORS_H
#define PYPTO_LINT_RULES_HOST_TENSORS_H

#include "base/map.h"
#include "lint/rule.h"

typedef enum HostTensor {
    HOST_UNKNOWN,
    HOST_PLACES, /* a tensor whose name says that it holds lengths, positions or indices */
    HOST_TENSOR,
} HostTensor;

/* How a function uses a name. */
typedef struct NameUses {
    bool as_tensor; /* as only tensors are, or made by torch */
    bool as_other;  /* something else is assigned to it: then it is open what it is */
} NameUses;

/* What is known of one file. Empty but for the arena and the module. */
typedef struct HostTensors {
    Arena *arena;
    const Module *module;
    Map names;          /* functions with a name in each */
    VEC(NameUses) uses; /* of these names */
    Buf key;            /* of the name at hand */
} HostTensors;

/* What a name is must be seen in the function: it is annotated torch.Tensor, its `.device`,
 * `.contiguous` and the like are used, or it is made by torch.empty, zeros or ones_like. */
HostTensor host_tensor(HostTensors *tensors, NodeId expression);

#endif
