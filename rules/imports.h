/* Imports: byte ranges and edits for rules that remove an import or bring it into the accepted form
 * `import pypto`, and the removal of a statement in general. */
#ifndef PYPTO_LINT_RULES_IMPORTS_H
#define PYPTO_LINT_RULES_IMPORTS_H

#include "lint/rule.h"
#include "rules/names.h"

/* A half-open byte range of a file. */
typedef struct Span {
    uint32_t start, end;
} Span;

/* Span of the module name of a `from M import …`, leading dots left out. Empty for `from . import
 * x`. */
Span import_module_span(const Module *module, NodeId statement);

/* What to delete so that a statement goes and its neighbours stay as they are: its whole lines if
 * nothing else is on them, else the statement with the `;` next to it. A comment after it stays.
 * The caller sees to it that the block does not become empty. */
Span statement_removal(const Module *module, NodeId statement);
/* What to delete so that one item of an `import` goes; the whole statement when it is the only
 * one. */
Span import_item_removal(const Module *module, NodeId alias);

/* Rewrites one file's imports of pypto. Set up after the first violation only: it walks the
 * file. */
typedef struct ImportFixer {
    const PyFile *file;
    NameTable names;        /* "pypto" and every name bound by a violating import */
    uint32_t package_binds; /* aliases in any scope that bind `pypto` to the package itself */
    uint32_t first_plain; /* offset of the first top-level item `import pypto`; UINT32_MAX: none */
} ImportFixer;

void import_fixer_init(ImportFixer *fixer, Arena *arena, const PyFile *file);
/* Adds to the finding the edits that turn an import item (`import pypto.op as p`: `alias` is the
 * item) or a whole `from pypto… import …` (`alias` is NO_NODE) into `import pypto` and every use of
 * the names it bound into the full path. Adds nothing and returns false where that could change
 * what the file does: names bound elsewhere too, star imports, `pypto` standing for something
 * else. */
bool import_fixer_rewrite(const ImportFixer *fixer, RuleRun *run, Finding *finding,
                          NodeId statement, NodeId alias);
/* A wrong import of pypto that was reported: an item, or a `from` statement (then `alias` is
 * NO_NODE). */
typedef struct WrongImport {
    NodeId statement, alias;
    Finding *finding;
} WrongImport;

/* Merges all wrong imports of a file, in source order, each of them rewritten by itself before: the
 * first finding gets the edits that leave one `import pypto` for all of them and for a plain one
 * further down. The edits of the other findings overlap with these, so they wait and then have
 * nothing left to do. Leaves the findings as they are when one of the imports cannot be rewritten,
 * when a plain `import pypto` stands before them, or when there are too many. */
void import_fixer_merge(const ImportFixer *fixer, RuleRun *run, const WrongImport *wrong,
                        uint32_t count);
/* What to insert, and where, so that the import `line` follows the last one at the top level, else
 * the docstring, else stands first. The module has a statement. In the arena. */
Str import_insertion(Arena *arena, const Module *module, Str line, uint32_t *place);
/* Adds the edit that inserts `import pypto` below the last top-level import, when the file uses the
 * name `pypto`, never binds it and has no star import; else returns false. */
bool import_fixer_insert(const ImportFixer *fixer, RuleRun *run, Finding *finding);

#endif
