/* Tiles: alternatives to the tiles of a kernel's operations, for `pypto-lint tiles`. Private
 * to src/eval. */
#ifndef PYPTO_LINT_EVAL_TILES_H
#define PYPTO_LINT_EVAL_TILES_H

#include "eval/state.h"

/* From now on collects the tiles of the walk's operations in eval->out.tilings, each call once for
 * a tile and sizes. Does nothing unless facts are wanted. */
void tiles_watch(Eval *eval, const char *kernel);

#endif
