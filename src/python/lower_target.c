/* Lowering of assignment targets: any expression, then a check that it can be one. */
#include "python/lower.h"

/* Checks one node of a target; lower_check_target walks the elements of tuples and lists. */
static void check_target_node(Lower *lower, NodeId id, bool deleting)
{
    const Node *node = &lower->nodes.items[id];
    const char *en = NULL;
    switch ((NodeKind)node->kind) {
    case NODE_NAME:
    case NODE_ATTRIBUTE:
    case NODE_SUBSCRIPT:
    case NODE_TUPLE:
    case NODE_LIST:
        return;
    case NODE_STARRED:
        en = deleting ? "cannot delete starred" : NULL;
        if (id + 1 < lower->nodes.count && lower->nodes.items[id + 1].kind == NODE_STARRED) {
            en = "cannot assign to starred";
        }
        break;
    case NODE_CALL:
        en = deleting ? "cannot delete function call" : "cannot assign to function call";
        break;
    case NODE_CONSTANT:
        en = deleting ? "cannot delete literal" : "cannot assign to literal";
        break;
    default:
        en = deleting ? "cannot delete expression" : "cannot assign to expression";
        break;
    }
    if (en != NULL) {
        lower_error(lower, node->start, node->end, en,
                    deleting ? "该表达式不能删除" : "该表达式不能被赋值");
    }
}

void lower_check_target(Lower *lower, NodeId id, bool deleting)
{
    if (id >= lower->nodes.count) {
        return;
    }
    NodeId end = lower->nodes.items[id].subtree_end;
    while (id < end) {
        check_target_node(lower, id, deleting);
        uint8_t kind = lower->nodes.items[id].kind;
        bool descend = kind == NODE_TUPLE || kind == NODE_LIST || kind == NODE_STARRED;
        id = descend ? id + 1 : lower->nodes.items[id].subtree_end;
    }
}

void lower_target(Lower *lower, Child child, Role role)
{
    NodeId id = lower->nodes.count;
    lower_expression(lower, child, role, ALLOW_STAR);
    lower_check_target(lower, id, false);
}
