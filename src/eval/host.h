/* Host code by topic: torch tensors, with their data types and sizes only. Private to
 * src/eval; launch.h has what the others call. */
#ifndef PYPTO_LINT_EVAL_HOST_H
#define PYPTO_LINT_EVAL_HOST_H

#include "eval/launch.h"
#include "model/ptosim_model.h"

enum { HOST_RANK = 8 };

/* --- data types (host_dtype.c) */

/* The number of a dtype with that name, as "float32"; -1 for other names. */
int host_dtype_named(Str name);
/* The number of a dtype named "torch.float32", -1 for other values. */
int host_dtype(Value value);
bool host_is_float(int dtype);
Value host_dtype_value(Eval *eval, int dtype);
/* An attribute of torch.finfo(dtype) or torch.iinfo(dtype). */
Value host_limit(Str dtype, Str name);

/* --- making tensors (host_make.c) */

HostTensor host_unknown(void);
/* The tensor after torch has copied it: strides are kept where its elements fill their memory. */
HostTensor host_copied(HostTensor tensor);
/* What a text that begins like this says of the device it names: a HostDevice + 1, or 0. */
uint8_t host_device_begins(Str text);
/* The HostDevice of "npu:0", 0 and the like. */
int host_device(Value value);
Value host_value(Eval *eval, HostTensor tensor);
/* The argument of that name, or None. */
Value host_keyword(const Arguments *arguments, const char *name);
/* The argument at `place`, or else of that name. */
Value host_argument(const Arguments *arguments, uint32_t place, const char *name);
/* Sets the sizes of `tensor` from a list, or from the positional arguments from `from` on; rank -1:
 * not known. */
void host_sizes(const Arguments *arguments, uint32_t from, HostTensor *tensor);
/* The value of `dtype=`, or `none` when it is left out. */
int host_dtype_argument(const Arguments *arguments, int none);
/* torch.zeros and the like. */
Value host_factory(Eval *eval, const Arguments *arguments, Str name, bool *found);

/* --- arrays of numpy (host_array.c) */

/* numpy.zeros and the like; false for other functions. */
bool host_array(Eval *eval, const Arguments *arguments, Str name, Value *result);
/* torch.from_numpy and the like; false for other functions and arguments. */
bool host_from_array(Eval *eval, const Arguments *arguments, Str name, Value *result);

/* Calls an operator that the file registers with torch.library; false for other functions. */
bool torch_library_call(Eval *eval, const Arguments *arguments, Str name, Value *result);

/* --- modules (torch_module.c) */

/* A layer of torch with a known weight; false for other classes and arguments. */
bool torch_module_new(Eval *eval, const Arguments *arguments, Str name, Value *result);
/* Notes that another attribute of a module is read, which may be a method that changes it. */
void torch_module_other(Eval *eval, Value module, Str name);
/* Notes that unknown code may have moved or cast a module's tensor, which other names may share. */
void torch_module_lose_tensor(const HostTensor *tensor);
/* Is it a method of torch.nn.Module that is understood? */
bool torch_module_has(Str name);
/* Calls such a method; false for other objects, methods and arguments. */
bool torch_module_method(Eval *eval, const Arguments *arguments, Value self, Str name,
                         Value *result);

/* --- shapes (host_shape.c) */

Value host_shape(Eval *eval, const HostTensor *tensor);
/* An axis by place or name, from 0 on; false when it is not known. */
bool host_axis(const Arguments *arguments, uint32_t place, const char *name, int rank, int *axis);
/* Methods that change only the form; false for other methods. */
bool host_reform(Eval *eval, const Arguments *arguments, const HostTensor *tensor, Str name,
                 Value *result);

/* --- cutting one into several (host_parts.c) */

/* chunk and split; false for other methods. */
bool host_parts(Eval *eval, const Arguments *arguments, const HostTensor *tensor, Str name,
                Value *result);
Value host_outer(Eval *eval, const HostTensor *a, const HostTensor *b);

/* --- values and indices, padding (host_pairs.c) */

/* max and min along an axis, sort, topk; false for other methods and arguments. */
bool host_pairs(Eval *eval, const Arguments *arguments, const HostTensor *from, Str name,
                Value *result);
/* torch.nn.functional.pad; false if it is not understood. */
bool host_pad(Eval *eval, const Arguments *arguments, Value *result);

/* --- products, sums, several tensors into one (host_math.c) */

Value host_matmul(Eval *eval, const HostTensor *a, const HostTensor *b);
/* sum, mean, amax, …; false for other methods. */
bool host_reduce(Eval *eval, const Arguments *arguments, const HostTensor *tensor, Str name,
                 Value *result);
/* cat and stack of a list. */
Value host_einsum(Eval *eval, const Arguments *arguments);
Value host_concat(Eval *eval, const Arguments *arguments, bool stack);

/* --- element-wise operations (host_element.c) */

/* What is certain about the result of an element-wise operation. */
HostTensor host_broadcast(const HostTensor *a, const HostTensor *b);
/* Does the result have one element for each of the tensor's? */
bool host_keeps_shape(Str name);
/* Calls such a function. */
Value host_same_shape(Eval *eval, const Arguments *arguments, const HostTensor *from, Str name);
/* add, eq and the like with one other operand; false for other methods. */
bool host_two_operands(Eval *eval, const Arguments *arguments, Value self, Str name, Value *result);
Value host_where(Eval *eval, const Arguments *arguments);

/* The call writes `made`, which may be unknown, into `out`: that keeps its form only if `made` has
 * the same. */
void host_write_out(Value out, Value made);
#endif
