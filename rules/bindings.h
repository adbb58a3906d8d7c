/* Bindings: names with the node that each is bound to, sorted for look-up, so that rules which
 * resolve names (constants, buffers, functions) need no linear search for every use.
 *
 * Of several bindings of one name the last wins: by line where lines are given, then in level
 * order. */
#ifndef PYPTO_LINT_RULES_BINDINGS_H
#define PYPTO_LINT_RULES_BINDINGS_H

#include "python/ast.h"

typedef struct Binding {
    Str name;
    uint32_t line;  /* of the statement, or another place that look-ups are limited by; else 0 */
    uint64_t level; /* place in level order */
    NodeId node;    /* what the name is bound to: a value, a function */
} Binding;
typedef VEC(Binding) Bindings;

/* Adds one; `place` is the node whose level order counts. */
void bindings_add(Bindings *bindings, Arena *arena, const Module *module, Str name, uint32_t line,
                  NodeId place, NodeId node);
/* Adds the functions of a list under their own names, line 0. */
void bindings_add_functions(Bindings *bindings, Arena *arena, const Module *module,
                            NodeList functions);
/* Adds the Name nodes below `root` that are assigned to, as they are or as part of a tuple or list,
 * line 0. */
void bindings_add_targets(Bindings *bindings, Arena *arena, const Module *module, NodeId root);
/* To be called once between the last bindings_add and the first look-up. */
void bindings_sort(Bindings *bindings);
/* The last binding of `name` on a line smaller than `before` (UINT32_MAX: on any line), or NULL. */
const Binding *bindings_last(const Bindings *bindings, Str name, uint32_t before);

/* Index of the first binding of `name`, others of that name follow it; `count` without one. */
uint32_t bindings_first(const Bindings *bindings, Str name);

/* If `statement` is `NAME = expr` with one plain-name target, or `NAME: type = expr`: true, the
 * name and the value. */
bool plain_assignment(const Module *module, NodeId statement, Str *name, NodeId *value);

#endif
