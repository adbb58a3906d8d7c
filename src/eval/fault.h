/* Faults: errors that Python itself raises while a kernel is recorded, as an index beyond the end
 * of a list. Private to src/eval. All of these do nothing unless a kernel is being recorded, nor on
 * a side that may not run. */
#ifndef PYPTO_LINT_EVAL_FAULT_H
#define PYPTO_LINT_EVAL_FAULT_H

#include "eval/state.h"

/* The result of an operator is not known. Are its operands surely of types that it does not take,
 * or the divisor 0? */
void fault_operator(Eval *eval, NodeId node, ExprOperator op, Value left, Value right);
/* owner[index], where all items of the owner, a list, a tuple or a text, are known. */
void fault_index(Eval *eval, NodeId node, Value owner);
/* dict[key], where the dict surely has no such key. */
void fault_key(Eval *eval, NodeId node, Value key);
/* owner[key] of a list or tuple, where the key cannot be an index. */
void fault_key_of_list(Eval *eval, NodeId node, Value owner, Value key);
/* `a, b = value` of what has no items. */
void fault_unpack(Eval *eval, NodeId node, Value value);
/* owner[…] of what has no items. */
void fault_subscript(Eval *eval, NodeId node, Value owner);
/* owner.name; the owner is known to have no other names. */
void fault_attribute(Eval *eval, NodeId node, Value owner, Str name);
/* callee(…) of what cannot be called. */
void fault_call(Eval *eval, NodeId node, Value callee);
/* Is it a tensor, or a symbol that surely has no value? Reports it, as Python needs one there. */
bool fault_value(Eval *eval, NodeId node, Value value, Where where);

#endif
