/* Why a tile costs less than the one in force, in a sentence. */
#ifndef PYPTO_LINT_CLI_TILES_REASON_H
#define PYPTO_LINT_CLI_TILES_REASON_H

#include "lint/result.h"

/* The memories of the core, in the order of ShownTile.needs: "UB", "L1" … */
extern const char *const tiles_memories[SHOWN_MEMORIES];

/* Per cent; 0 when the size is not known. */
double tiles_share(int64_t bytes, int64_t size);

/* Appends "64 → 128 halves the MTE2 transactions (8 → 4); UB 61.0 % → 97.0 %". */
void tiles_reason_add(Buf *out, const ShownTiling *tiling, const ShownTile *option, Lang lang);

#endif
