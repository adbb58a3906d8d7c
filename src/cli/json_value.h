/* What the commands that print JSON share; the tree is built with document/json.h. */
#ifndef PYPTO_LINT_CLI_JSON_VALUE_H
#define PYPTO_LINT_CLI_JSON_VALUE_H

#include "document/json.h"

/* Writes the tree to standard output and frees it; false with a message when that fails or the tree
 * is not complete. */
bool json_print(Arena *arena, const JsonTree *tree, json_t *root);

#endif
