/* ParsePart: parsing only the statements in which a text differs from the one that is kept. The
 * nodes of all others are copied, moved to where they are now.
 *
 * The lexer has read the whole text by then: where its logical lines end decides what can be parsed
 * by itself. Whatever is in doubt is left to a parse from the start. */
#ifndef PYPTO_LINT_PYTHON_PARSE_PART_H
#define PYPTO_LINT_PYTHON_PARSE_PART_H

#include "python/lower.h"
#include "python/parse_memory.h"

/* Fills lower->nodes with the whole tree; the text must have no lexical error. False, with neither
 * nodes nor errors left: it has to be parsed from the start. Runs in the present heap. */
bool parse_part(Lower *lower, const KeptParse *kept);
/* For tests: how often that was true. */
uint64_t parse_part_count(void);

#endif
