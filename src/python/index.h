/* Index: ids by kind, and the order of syntax errors. Private to src/python. */
#ifndef PYPTO_LINT_PYTHON_INDEX_H
#define PYPTO_LINT_PYTHON_INDEX_H

#include "python/ast.h"

/* Fills ids_by_kind and kind_start of a module whose nodes are complete. */
void module_index(Module *module, Arena *arena);

/* Sorts errors by place. The first `lexical` of them are the lexer's: a parser's error at or after
 * the first lexical one on the same line is only its echo and is dropped. */
void errors_sort(SyntaxErrors *errors, uint32_t lexical);

#endif
