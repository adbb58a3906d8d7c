/* Tiles: what the operations of a walk could have instead of theirs, for `pypto-lint tiles`. */
#ifndef PYPTO_LINT_EVAL_TILES_H
#define PYPTO_LINT_EVAL_TILES_H

#include "eval/state.h"

/* From now on the walk's program tells the tiles of its operations; they come to eval->out.tilings,
 * each call once for a tile and sizes. Does nothing unless facts are wanted. */
void tiles_watch(Eval *eval, const char *kernel);

#endif
