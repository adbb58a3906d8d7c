/* ParseMemory: the parser's trees of files that are parsed again and again while somebody types, so
 * that only what has changed is parsed. For one thread; without parse_memory_begin there is none.
 *
 * A tree with an error is never kept and never given: error recovery may come out otherwise than in
 * a parse from the start. */
#ifndef PYPTO_LINT_PYTHON_PARSE_MEMORY_H
#define PYPTO_LINT_PYTHON_PARSE_MEMORY_H

#include "python/lower.h"

/* From now on trees are kept. */
void parse_memory_begin(void);
void parse_memory_end(void);
/* For tests: until it is called again, files are parsed from the start. */
void parse_memory_pause(bool paused);

/* The tree of the text, which is kept for the file of that name until it is parsed again. NULL: to
 * be parsed from the start, as there is no memory or the text has an error. `traffic`: bytes that
 * the parser may ask for. */
TSTree *parse_memory_tree(Arena *arena, Str path, Str text, uint64_t traffic);

#endif
