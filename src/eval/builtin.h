/* Builtin functions by topic. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_BUILTIN_H
#define PYPTO_LINT_EVAL_BUILTIN_H

#include "eval/state.h"

/* Is it an int that a double represents exactly? */
bool value_is_exact(Value value);
/* int(x), float(x), list(x), …: of one argument. */
Value builtin_convert(Eval *eval, Str name, Value value);
/* The items of an iterable as a "list", "tuple", "set" or "frozenset". */
Value builtin_copy(Eval *eval, Str name, Value value);
Value builtin_dict(Eval *eval, const Arguments *arguments);
Value builtin_enumerate(Eval *eval, const Arguments *arguments);
Value builtin_zip(Eval *eval, const Arguments *arguments);
/* map(f, items, …) of known items. */
Value builtin_map(Eval *eval, const Arguments *arguments);
/* itertools.product, chain and the like; false for other functions and unknown items. */
bool library_iterator(Eval *eval, const Arguments *arguments, Str name, Value *result);
/* An iterator without items yet. */
Value iterator_new(Eval *eval, uint32_t room);
Value builtin_reversed(Eval *eval, Value value);
Value builtin_sum(Eval *eval, const Arguments *arguments);
/* any(x), all(x) */
Value builtin_quantifier(Eval *eval, Value value, bool all);
Value builtin_sorted(Eval *eval, const Arguments *arguments);

#endif
