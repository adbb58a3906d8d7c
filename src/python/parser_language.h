/* The Python grammar of the npm package tree-sitter-python. */
#ifndef PYPTO_LINT_PYTHON_PARSER_LANGUAGE_H
#define PYPTO_LINT_PYTHON_PARSER_LANGUAGE_H

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

#endif
