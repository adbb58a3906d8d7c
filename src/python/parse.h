/* Parsing: text of a Python file -> Source, Module, comments, syntax errors.
 *
 * What is accepted: the union of the grammars of Python 3.8 to 3.13, no more and no less
 * (docs/internals/python-model.md). A file with a syntax error has no Module. */
#ifndef PYPTO_LINT_PYTHON_PARSE_H
#define PYPTO_LINT_PYTHON_PARSE_H

#include "python/ast.h"

typedef enum ParseStatus {
    PARSE_OK,
    PARSE_ABSENT, /* zero bytes: no tree, no error */
    PARSE_ERROR,  /* `errors` says where and why; no tree */
} ParseStatus;

/* What is not in the tree: see python_parse_skimmed. */
typedef enum Skimmed {
    SKIMMED_NOTHING,
    SKIMMED_TESTS, /* code that uses nothing of the file but test functions without parameters */
    SKIMMED_CODE,
} Skimmed;

typedef struct Parsed {
    Source source;
    ParseStatus status;
    Module *module; /* NULL unless PARSE_OK */
    SyntaxErrors errors;
    Comments comments;
    Skimmed skimmed;
} Parsed;

/* Nesting beyond this is refused ("too deeply nested"): the lowering recurses once a level, and
 * real code stays below 100. Python's own limit lies a little below 3000 (3.11). */
enum { PARSE_MAX_DEPTH = 2000 };

/* Parses `text`, which must outlive the result. Everything is in the arena. `path` is what findings
 * call the file. Never fails but by the arena's guard. */
void python_parse(Parsed *parsed, Arena *arena, Str path, Str text);

/* As python_parse, but may leave out what nothing but a direct run of the file reaches (skim.h),
 * and errors there with it. Where trees are kept (parse_memory.h) it leaves out nothing. */
void python_parse_skimmed(Parsed *parsed, Arena *arena, Str path, Str text);

/* Only the parser itself, for benchmarks: true if it ran. Makes nothing that is kept. */
bool python_parse_only(Arena *arena, Str text);

#endif
