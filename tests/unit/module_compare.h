/* Comparing two trees of one text, node by node. */
#ifndef PYPTO_LINT_TESTS_MODULE_COMPARE_H
#define PYPTO_LINT_TESTS_MODULE_COMPARE_H

#include "python/ast.h"

/* The first node in which they differ; NO_NODE when they are the same. */
static inline NodeId module_difference(const Module *one, const Module *other)
{
    for (NodeId id = 0; id < one->node_count && id < other->node_count; id++) {
        const Node *a = node_at(one, id), *b = node_at(other, id);
        bool same = a->kind == b->kind && a->role == b->role && a->op == b->op &&
                    a->parenthesized == b->parenthesized && a->depth == b->depth &&
                    a->start == b->start && a->end == b->end && a->parent == b->parent &&
                    a->subtree_end == b->subtree_end && a->extra == b->extra &&
                    str_equal(node_name(one, id), node_name(other, id));
        if (!same) {
            return id;
        }
    }
    return one->node_count == other->node_count ? NO_NODE : 0;
}

#endif
