/* Names: what a file does with a few chosen names: how often each is bound, where it is read, and
 * whether strings mention it as code. Rules ask this before they offer to rename or remove an
 * import. Also useful as a plain set of names. */
#ifndef PYPTO_LINT_RULES_NAMES_H
#define PYPTO_LINT_RULES_NAMES_H

#include "base/map.h"
#include "python/ast.h"

typedef struct NameUse {
    Str name;
    uint32_t bindings; /* places in any scope that bind, delete or declare the name */
    uint32_t quoted;   /* strings that stand for the name: annotations, entries of `__all__` */
    VEC(NodeId) loads; /* Name nodes that read it, ascending ids */
} NameUse;

/* A table of names. Empty when all zero but for the arena. */
typedef struct NameTable {
    Arena *arena;
    Map known;
    VEC(NameUse *) uses;
    bool has_star; /* after name_table_scan: some `from … import *` */
} NameTable;

/* Adds a name (once); its entry, which stays where it is. */
NameUse *name_table_add(NameTable *table, Str name);
/* The entry of a name, or NULL. */
NameUse *name_table_find(const NameTable *table, Str name);
/* Walks the whole module once and fills in the entries added so far. */
void name_table_scan(NameTable *table, const Module *module);

/* True when the expression stands where it is assigned or deleted, not read. */
bool is_store(const Module *module, NodeId id);

#endif
