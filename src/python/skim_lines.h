/* Statements of a test that no launch can depend on: what they do is print, compare or seed. */
#ifndef PYPTO_LINT_PYTHON_SKIM_LINES_H
#define PYPTO_LINT_PYTHON_SKIM_LINES_H

#include "python/skim_words.h"

/* What a file defines itself of the names that otherwise change nothing, as `def mean`. */
typedef struct SkimOwn {
    Str names[64];
    uint32_t count;
    bool modules; /* torch's may occur, which .to() changes */
} SkimOwn;

SkimOwn skim_own(Str text, const SkimLine *lines, uint32_t count);

/* Adds gaps for the statements among `lines` that may be left out, and for long comments between
 * them. Where a block would become empty, `...` is written into lexed->clean. lines[count] is the
 * line after them, which at the end of the text is an empty one. */
void skim_lines(Lexed *lexed, Arena *arena, const SkimOwn *own, const SkimLine *lines,
                uint32_t count);

/* If `lines` are a function that returns torch.device(…) whatever happens, adds gaps for all but
 * its head and its last line. Returns whether it is one. */
bool skim_device(Lexed *lexed, Arena *arena, const SkimOwn *own, const SkimLine *lines,
                 uint32_t count);

/* A star that is left out would never find its expression in the tree. */
bool skim_has_star(const Lexed *lexed, const SkimLine *line);

#endif
