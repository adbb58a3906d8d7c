/* MiddleCut: a text of any length kept within a limit: its first bytes and its last, and between
 * them a line that says how much is missing. What matters in a log is how a program began and how
 * it ended. */
#ifndef PYPTO_LINT_BASE_MIDDLE_CUT_H
#define PYPTO_LINT_BASE_MIDDLE_CUT_H

#include "base/str.h"

typedef struct MiddleCut {
    char *head, *ring;  /* `head` is filled first */
    size_t first, last; /* their sizes */
    uint64_t bytes;     /* all that was added */
} MiddleCut;

/* Room for so many first and last bytes, from the arena. Either may be 0; then there is no line
 * about what is missing. */
void middle_cut_init(MiddleCut *cut, Arena *arena, size_t first, size_t last);
/* Empties it, but keeps the room. */
void middle_cut_reset(MiddleCut *cut);
/* Appends; takes nothing from an arena. */
void middle_cut_add(MiddleCut *cut, const char *bytes, size_t count);
/* A copy in the arena. The line about what is missing is not part of the limit. */
Str middle_cut_text(const MiddleCut *cut, Arena *arena);

#endif
