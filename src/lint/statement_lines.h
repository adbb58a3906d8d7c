/* StatementLines: the lines of every statement of a module. Private to suppressions. */
#ifndef PYPTO_LINT_LINT_STATEMENT_LINES_H
#define PYPTO_LINT_LINT_STATEMENT_LINES_H

#include "python/ast.h"

/* Lines of a simple statement, or of the header of a compound one. */
typedef struct StatementLines {
    uint32_t first;  /* decorators included */
    uint32_t anchor; /* where the statement itself begins */
    uint32_t last;
} StatementLines;
typedef VEC(StatementLines) StatementList;

/* In source order: `first` and `last` ascend. Empty when `module` is NULL. */
void statement_lines_read(StatementList *list, Arena *arena, const Module *module);
/* First statement that begins after this line, or NULL. */
const StatementLines *statement_after(const StatementList *list, uint32_t line);
/* The statement that this line belongs to (the first of several), or NULL. */
const StatementLines *statement_on(const StatementList *list, uint32_t line);

#endif
