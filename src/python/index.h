/* Index: ids by kind, and the order of syntax errors. Private to src/python. */
#ifndef PYPTO_LINT_PYTHON_INDEX_H
#define PYPTO_LINT_PYTHON_INDEX_H

#include "python/ast.h"

/* Fills ids_by_kind and kind_start of a module whose nodes are complete. */
void module_index(Module *module, Arena *arena);

/* Sorts errors by place. The first `lexical` of them are the lexer's. When there are some, the
 * errors of the parser that do not end before the first of these are only its echo, on whatever
 * line, and are dropped. */
void errors_sort(SyntaxErrors *errors, uint32_t lexical);

#endif
