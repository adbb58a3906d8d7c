/* Dimension: sizes in the module contract: arithmetic over named numbers ("T//BT"). */
#ifndef PYPTO_LINT_HARNESS_PLAN_DIMENSION_H
#define PYPTO_LINT_HARNESS_PLAN_DIMENSION_H

#include "kernel/kernel.h"

typedef struct Variable {
    Str name;
    int64_t value;
} Variable;
typedef VEC(Variable) Variables;

/* The variable of that name, or NULL. */
Variable *variable_find(const Variables *variables, Str name);

/* Deeper nesting of operators and parentheses is refused. */
enum { DIMENSION_MAX_DEPTH = 64 };

/* The value of names, integers, parentheses, signs and + - * // as Python computes it. False for
 * anything else, a name without a value, an overflow, a division by zero. */
bool dimension_value(Str expression, const Variables *variables, int64_t *value);

/* Would it have a value if all its names had one? */
bool dimension_is_valid(Str expression);

/* Is it a single name? */
bool dimension_is_name(Str expression);

/* Appends the names in it that are not in `names`. */
void dimension_names(Arena *arena, Str expression, Strs *names);

/* The next token of an expression; moves `*at` past it; empty at the end. A byte that begins no
 * token is a token of its own. */
Str dimension_token(Str expression, size_t *at);
bool dimension_token_is_name(Str token);

#endif
