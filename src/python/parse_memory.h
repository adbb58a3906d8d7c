/* ParseMemory: the trees of files that are parsed again and again while somebody types, so that
 * only the statements that have changed are parsed (parse_part.h). For one thread; without
 * parse_memory_begin there is none.
 *
 * Only what has no syntax error is kept. */
#ifndef PYPTO_LINT_PYTHON_PARSE_MEMORY_H
#define PYPTO_LINT_PYTHON_PARSE_MEMORY_H

#include "python/lexer.h"
#include "python/parse.h"

/* A file as it was when it last had no error. */
typedef struct KeptParse {
    char *path; /* malloc, as all of it; NULL: the place is free */
    char *text, *clean;
    uint32_t length, text_start; /* of both; where the parsed text begins */
    Node *nodes;                 /* their names point into `text`, or into `names` */
    uint32_t node_count;
    Arena names; /* names that differ from their spelling in the source */
    uint64_t used;
} KeptParse;

/* All bytes of a node's name, with the `as` name that may follow that of an alias
 * (lower_import.c). */
static inline Str node_name_bytes(const Node *node)
{
    bool two = node->kind == NODE_ALIAS && node->op == 1;
    size_t more = two ? 1 + strlen(node->name + node->name_length + 1) : 0;
    return (Str){node->name, node->name_length + more};
}

/* From now on trees are kept. */
void parse_memory_begin(void);
void parse_memory_end(void);
/* Are they? */
bool parse_memory_is_on(void);
/* For tests: until it is called again, files are parsed from the start. */
void parse_memory_pause(bool paused);

/* What is kept for the file of that name; NULL: nothing. It stays until the next call of
 * parse_memory_keep. */
const KeptParse *parse_memory_find(Str path);
/* Keeps a copy of the tree, unless the file is large or memory is short. */
void parse_memory_keep(const Module *module, const Lexed *lexed);

#endif
