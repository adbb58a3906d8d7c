/* MiddleCut: a text of any length kept within a limit: its first half and its last, and between
 * them a line that tells how much is missing. How a program began and how it ended is what one
 * wants. */
#ifndef PYPTO_LINT_HARNESS_MIDDLE_CUT_H
#define PYPTO_LINT_HARNESS_MIDDLE_CUT_H

#include "base/str.h"

typedef struct MiddleCut {
    char *head, *ring; /* `half` bytes each; `head` is filled first */
    size_t half;
    uint64_t bytes; /* all that was added */
} MiddleCut;

/* Room for `limit` bytes, from the arena. */
void middle_cut_init(MiddleCut *cut, Arena *arena, size_t limit);
/* Empty again, the room kept. */
void middle_cut_reset(MiddleCut *cut);
/* Appends; takes nothing from an arena. */
void middle_cut_add(MiddleCut *cut, const char *bytes, size_t count);
/* A copy in the arena. When it was cut the marker comes on top of the limit. */
Str middle_cut_text(const MiddleCut *cut, Arena *arena);

#endif
