/* Functions of the package that take forms of their own, or record more than one operation. Private
 * to src/eval. */
#ifndef PYPTO_LINT_EVAL_COMPOSE_H
#define PYPTO_LINT_EVAL_COMPOSE_H

#include "eval/drive.h"

/* --- arguments (compose_arguments.c) */

/* The argument, or None. */
Value compose_argument(const Arguments *arguments, const char *names, uint32_t place);
/* Is it a tensor? Refuses what surely is none. */
bool compose_need_tensor(Eval *eval, const char *what, const char *name, Value value);
/* The number of a member of an enum, `none` for None; -1: not known. */
int compose_member(Value value, int none);
/* Puts a list into attributes; false when it is not wholly known. */
bool compose_take(SymList list, int *rank, PtsSym *items);
bool compose_take_valid(Eval *eval, Value valid, PtsAttributes *attributes);
/* The tensors of a list as operands; false when they are not all known. */
bool compose_tensors_of(Value list, Value *operands, uint32_t most, uint32_t *count);
double compose_real_of(Value value, double none, bool *known);
bool compose_flag_of(const Arguments *arguments, const char *name, bool *known);

/* --- functions, by topic */

Value compose_arange(Eval *eval, const Arguments *arguments);
Value compose_assemble(Eval *eval, const Arguments *arguments);
Value compose_axpy(Eval *eval, const Arguments *arguments);
Value compose_cast(Eval *eval, const Arguments *arguments);
Value compose_clip(Eval *eval, const Arguments *arguments);
Value compose_concat(Eval *eval, const Arguments *arguments);
/* What extend_params says; false when not all of it is known. */
bool compose_take_extended(Eval *eval, Value params, PtsAttributes *attributes, Value *operands);
Value compose_conv(Eval *eval, const Arguments *arguments);
Value compose_fill(Eval *eval, const Arguments *arguments);
Value compose_full(Eval *eval, const Arguments *arguments);
Value compose_index_add(Eval *eval, const Arguments *arguments);
Value compose_index_add_in_place(Eval *eval, const Arguments *arguments);
Value compose_index_put(Eval *eval, const Arguments *arguments);
Value compose_matmul(Eval *eval, const Arguments *arguments);
Value compose_nop(Eval *eval, const Arguments *arguments);
Value compose_normal(Eval *eval, const Arguments *arguments);
Value compose_ones(Eval *eval, const Arguments *arguments);
Value compose_pack(Eval *eval, const Arguments *arguments);
Value compose_quant_mx(Eval *eval, const Arguments *arguments);
Value compose_reshape(Eval *eval, const Arguments *arguments);
Value compose_scaled_mm(Eval *eval, const Arguments *arguments);
Value compose_scatter(Eval *eval, const Arguments *arguments);
Value compose_scatter_in_place(Eval *eval, const Arguments *arguments);
Value compose_tril(Eval *eval, const Arguments *arguments);
Value compose_triu(Eval *eval, const Arguments *arguments);
Value compose_uniform(Eval *eval, const Arguments *arguments);
Value compose_unpack(Eval *eval, const Arguments *arguments);
Value compose_var(Eval *eval, const Arguments *arguments);
Value compose_view(Eval *eval, const Arguments *arguments);
Value compose_zeros(Eval *eval, const Arguments *arguments);

#endif
