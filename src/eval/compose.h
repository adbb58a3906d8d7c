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
/* --- functions */

Value compose_conv(Eval *eval, const Arguments *arguments);

#endif
