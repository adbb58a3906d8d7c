/* Torch cast: a conversion as torch writes it, and as PyPTO does. */
#ifndef PYPTO_LINT_RULES_TORCH_CAST_H
#define PYPTO_LINT_RULES_TORCH_CAST_H

#include "python/ast.h"

/* "pypto.cast(t, pypto.DT_FP32)" for `t.float()`, `t.to(torch.float32)`, `t.to(dtype=kind)`, given
 * the Attribute `t.float`; an empty Str for what converts to no data type, `t.to("cpu")`. A long
 * `t` is called x. */
Str torch_cast(Arena *arena, const Module *module, NodeId attribute);

#endif
