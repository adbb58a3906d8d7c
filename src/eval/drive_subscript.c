/* Subscripts of tensors while a kernel is recorded: converts the syntax to the key of a recipe. */
#include "eval/drive.h"

static bool is_dots(Eval *eval, NodeId node)
{
    return node_is(eval->module, node, NODE_CONSTANT) &&
           eval_node(eval, node)->op == CONSTANT_ELLIPSIS;
}

static Value bound_of(Eval *eval, NodeId node, Role role)
{
    NodeId bound = node_child(eval->module, node, role);
    return bound == NO_NODE ? value_none() : drive_plain(eval, eval_expression(eval, bound));
}

static Value entry_of(Eval *eval, NodeId node)
{
    if (is_dots(eval, node)) {
        return (Value){.kind = VALUE_DOTS};
    }
    if (!node_is(eval->module, node, NODE_SLICE)) {
        return drive_plain(eval, eval_expression(eval, node));
    }
    Value slice = value_sequence(eval->arena, VALUE_SLICE, 3);
    static const Role roles[] = {ROLE_LOWER, ROLE_UPPER, ROLE_STEP};
    for (int i = 0; i < 3; i++) {
        sequence_add(eval->arena, slice.as.sequence, bound_of(eval, node, roles[i]));
    }
    return slice;
}

static Value key_of(Eval *eval, NodeId index)
{
    const Module *module = eval->module;
    if (!node_is(module, index, NODE_TUPLE)) {
        return entry_of(eval, index);
    }
    Value key = value_sequence(eval->arena, VALUE_TUPLE, 4);
    for (NodeId item = node_first(module, index); item != NO_NODE;
         item = node_sibling(module, item)) {
        if (node_is(module, item, NODE_STARRED)) {
            eval_expression(eval, item);
            key.as.sequence->open = true;
        } else {
            sequence_add(eval->arena, key.as.sequence, entry_of(eval, item));
        }
    }
    return key;
}

Value drive_item(Eval *eval, NodeId node, Value owner)
{
    Value arguments[] = {owner, key_of(eval, node_child(eval->module, node, ROLE_SLICE))};
    eval->drive->node = node;
    return eval->stopped ? value_unknown() : drive_cook(eval, "__getitem__", 2, arguments);
}

void drive_put(Eval *eval, NodeId target, Value owner, Value value)
{
    Value arguments[] = {owner, key_of(eval, node_child(eval->module, target, ROLE_SLICE)),
                         drive_plain(eval, value)};
    eval->drive->node = node_statement(eval->module, target);
    if (!eval->stopped) {
        drive_cook(eval, "__setitem__", 3, arguments);
    }
}
