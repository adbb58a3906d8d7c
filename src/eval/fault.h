/* Faults: errors that Python itself raises while a kernel is recorded, such as an index beyond the
 * end of a list. Private to src/eval. None of these does anything unless a kernel is being
 * recorded, nor in a branch that may not run. */
#ifndef PYPTO_LINT_EVAL_FAULT_H
#define PYPTO_LINT_EVAL_FAULT_H

#include "eval/state.h"
#include "model/error.h"

/* To be called when the result of an operator is not known: reports operands whose types it surely
 * does not accept, or a divisor of 0. */
void fault_operator(Eval *eval, NodeId node, ExprOperator op, Value left, Value right);
/* owner[index] out of range, if all items of the owner (a list, tuple or string) are known. */
void fault_index(Eval *eval, NodeId node, Value owner);
/* dict[key], if the dict surely has no such key. */
void fault_key(Eval *eval, NodeId node, Value key);
/* owner[key] of a list or tuple, if the key cannot be an index. */
void fault_key_of_list(Eval *eval, NodeId node, Value owner, Value key);
/* `a, b = value` of a value that has no items. */
void fault_unpack(Eval *eval, NodeId node, Value value);
/* owner[…] of a value that has no items. */
void fault_subscript(Eval *eval, NodeId node, Value owner);
/* owner.name; the owner is known to have no other names. */
void fault_attribute(Eval *eval, NodeId node, Value owner, Str name);
/* callee(…) of a value that cannot be called. */
void fault_call(Eval *eval, NodeId node, Value callee);
/* Is it a tensor, or a symbol that surely has no value? If so, reports that Python needs a value
 * there. */
bool fault_value(Eval *eval, NodeId node, Value value, Where where);

/* Makes room for a finding: drops those that are less certain, at this node and of this rule, or
 * about the same unwritten read in this line. False if one of them is as certain: then the new one
 * must not be reported. `foreign`: the new one depends on another file. */
bool eval_drop_weaker(Eval *eval, EvalRule rule, NodeId node, const PtsError *error, bool certain,
                      bool foreign);

#endif
