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

/* Does the statement of `lines` only import what every machine with torch has, if need be with
 * `try`, or name a constant? Then it matters only to those who use its names. `source` is the text before it
 * was cleaned. */
bool skim_only_binds(const Lexed *lexed, const char *source, const SkimLine *lines, uint32_t count);

#endif
