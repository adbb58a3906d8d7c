/* Skim: what of a file nothing but its direct run reaches.
 *
 * A test that is also a script has a main function with options and a verdict, which is a third of
 * it, and parsing costs more than all that is asked of the tree. So the parser is not given
 * `if __name__ == "__main__":` and the bodies of functions that only this statement, or others
 * without a body, mention. */
#ifndef PYPTO_LINT_PYTHON_SKIM_H
#define PYPTO_LINT_PYTHON_SKIM_H

#include "python/lexer.h"
#include "python/parse.h"

/* Fills lexed->gaps; bodies become `...` in lexed->clean. The text must have no lexical error.
 * Returns what is left out: nothing for lack of such parts, or because they may matter to the
 * rest. */
Skimmed python_skim(Lexed *lexed, Arena *arena, const Source *source);

#endif
