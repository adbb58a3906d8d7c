/* Assignment: names, items, attributes; `a, *b = c`, `a += b`. */
#include "eval/drive.h"
#include "eval/fault.h"
#include "eval/launch.h"

static Value rest_of(Eval *eval, const Sequence *items, uint32_t from, uint32_t count)
{
    Value rest = value_sequence(eval->arena, VALUE_LIST, count);
    rest.as.sequence->birth = eval->clock;
    for (uint32_t i = 0; i < count; i++) {
        sequence_add(eval->arena, rest.as.sequence, items->items[from + i]);
    }
    return rest;
}

/* The first items of a list that may go on; there are as many as targets, or Python refuses. */
static const Sequence *first_items(Value value, uint32_t targets)
{
    const Sequence *items = value_is_sequence(value) ? value.as.sequence : NULL;
    bool fits = items != NULL && items->open && !items->lost && items->count <= targets;
    return fits ? items : NULL;
}

static void assign_items(Eval *eval, NodeId target, Value value)
{
    const Module *module = eval->module;
    const Sequence *items = eval_items(eval, NO_NODE, value);
    uint32_t targets = node_count(module, target, ROLE_ELT), at = 0;
    bool starred = false;
    for (NodeId item = node_first(module, target); item != NO_NODE;
         item = node_sibling(module, item)) {
        starred = starred || node_is(module, item, NODE_STARRED);
    }
    bool fits = items != NULL && (starred ? items->count + 1 >= targets : items->count == targets);
    const Sequence *first = items == NULL && !starred ? first_items(value, targets) : NULL;
    if (items == NULL && first == NULL) {
        fault_unpack(eval, target, value);
    }
    if (items != NULL && !fits && eval->drive != NULL) {
        eval->drive->node = target;
        drive_refuse(eval, EVAL_RAISED, PTS_VALUE_ERROR, 0xF00002, "%u values for %u names",
                     items->count, targets);
    }
    for (NodeId item = node_first(module, target); item != NO_NODE;
         item = node_sibling(module, item)) {
        if (!fits) {
            bool known = first != NULL && at < first->count;
            eval_assign(eval, item, known ? first->items[at] : value_unknown());
            at += known;
        } else if (node_is(module, item, NODE_STARRED)) {
            uint32_t count = items->count + 1 - targets;
            eval_assign(eval, item + 1, rest_of(eval, items, at, count));
            at += count;
        } else {
            eval_assign(eval, item, items->items[at++]);
        }
    }
}

/* list[key] = value; assignments to slices are not followed. */
static void assign_item(Eval *eval, NodeId index, Value list, Value key, Value value)
{
    eval_needs_value(eval, index, key, (Where){"an index of a list", "列表下标", true});
    Sequence *sequence = list.as.sequence;
    bool may = may_change(eval, list) && value_is_int(key);
    int64_t at = may ? key.as.integer + (key.as.integer < 0 ? sequence->count : 0) : -1;
    if (at >= 0 && at < sequence->count) {
        sequence->items[at] = eval_kept(eval, value);
    } else {
        value_lose(eval, list);
        value_lose(eval, value);
    }
}

/* t[:] = v and t[...] = v may give t the shape of v; anything else writes a part of it. */
static bool is_whole(const Eval *eval, NodeId index)
{
    bool whole = node_is(eval->module, index, NODE_SLICE) ||
                 (node_is(eval->module, index, NODE_CONSTANT) &&
                  node_at(eval->module, index)->op == CONSTANT_ELLIPSIS);
    return whole && node_at(eval->module, index)->subtree_end == index + 1;
}

static void assign_subscript(Eval *eval, NodeId target, Value value)
{
    Value owner = eval_expression(eval, target + 1);
    NodeId index = node_child(eval->module, target, ROLE_SLICE);
    if (eval->drive != NULL && owner.kind == VALUE_TENSOR) {
        drive_put(eval, target, owner, value);
        return;
    }
    if (eval->drive != NULL && owner.kind == VALUE_UNKNOWN) {
        drive_end(eval); /* it may be any tensor */
        return;
    }
    Value key = eval_expression(eval, index);
    eval->epoch += owner.kind == VALUE_UNKNOWN;
    if (owner.kind == VALUE_UNKNOWN && eval->drive == NULL &&
        node_is(eval->module, target + 1, NODE_ATTRIBUTE)) {
        eval_lose_global(eval, node_name(eval->module, target + 1)); /* of a module, perhaps */
    }
    if (owner.kind == VALUE_LIST) {
        assign_item(eval, index, owner, key, value);
    } else if (owner.kind == VALUE_DICT) {
        eval_needs_value(eval, index, key, (Where){"a dict key", "字典的键", true});
        may_change(eval, owner);
        dict_set(eval, owner, key, eval_kept(eval, value));
    } else if (owner.kind == VALUE_TENSOR && !is_whole(eval, index)) {
        value_lose(eval, value);
    } else if (owner.kind != VALUE_HOST) {
        value_lose(eval, owner); /* __setitem__ */
        value_lose(eval, value);
    }
}

/* `Pair.__new__.__defaults__ = …`, which gives a named tuple defaults in any version of Python;
 * false for other targets. */
static bool assign_defaults(Eval *eval, NodeId target, Value value)
{
    const Module *module = eval->module;
    NodeId made = target + 1;
    if (!str_is(node_name(module, target), "__defaults__") ||
        !node_is(module, made, NODE_ATTRIBUTE) || !str_is(node_name(module, made), "__new__")) {
        return false;
    }
    Value class = eval_expression(eval, made + 1);
    if (class.kind == VALUE_CLASS) {
        class_set_defaults(eval, class.as.class, value);
    }
    return class.kind == VALUE_CLASS;
}

static void assign_attribute(Eval *eval, NodeId target, Value value)
{
    if (assign_defaults(eval, target, value)) {
        return;
    }
    Value owner = eval_expression(eval, target + 1);
    Str name = node_name(eval->module, target);
    eval->epoch += owner.kind == VALUE_UNKNOWN;
    if (owner.kind == VALUE_INSTANCE) {
        instance_set(eval, owner, name, value);
    } else if (owner.kind == VALUE_CLASS) {
        class_set(eval, owner, name, value);
    } else if (owner.kind == VALUE_MODULE && owner.as.integer < eval->units.count) {
        Scope *globals = eval->units.items[owner.as.integer]->globals;
        scope_set(eval, globals, name, value_hidden(eval, value));
    } else if (owner.kind == VALUE_HOST && str_is(name, "data")) {
        host_set_data(owner);
    } else {
        if (owner.kind == VALUE_UNKNOWN && eval->drive == NULL) {
            eval_lose_global(eval, name); /* it may be a module */
        }
        value_lose(eval, owner);
        value_lose(eval, value);
    }
}

/* Before 9.2 a kernel cannot rebind the name of a tensor parameter. */
static bool is_refused(Eval *eval, NodeId target)
{
    const Module *module = eval->module;
    const Frame *frame = eval->frame;
    if (eval->drive == NULL || !frame->is_graph || eval_newer(eval) != NEWER_WRONG) {
        return false;
    }
    Str name = node_name(module, target);
    const Value *now = scope_get(frame->scope, name);
    NodeId list = function_arguments(module, frame->function);
    for (NodeId arg = node_child(module, list, ROLE_PARAM);
         now != NULL && now->kind == VALUE_TENSOR && arg != NO_NODE; arg = node_next(module, arg)) {
        if (str_equal(node_name(module, arg), name)) {
            const char *text = str_dup(eval->arena, name);
            eval->drive->node = target;
            drive_refuse(eval, EVAL_STATE, PTS_VALUE_ERROR, 0xF00002,
                         "Input tensor '%s' cannot be reassigned. Use %s[:] = … or %s.move(…) to "
                         "write into it.",
                         text, text, text);
            return true;
        }
    }
    return false;
}

void eval_assign(Eval *eval, NodeId target, Value value)
{
    const Module *module = eval->module;
    switch (node_kind(module, target)) {
    case NODE_NAME:
        if (is_refused(eval, target)) {
            return;
        }
        eval_bind(eval, node_name(module, target), value);
        facts_assigned(eval, target, value);
        return;
    case NODE_TUPLE:
    case NODE_LIST:
        assign_items(eval, target, value);
        return;
    case NODE_STARRED:
        eval_assign(eval, target + 1, value_unknown());
        return;
    case NODE_SUBSCRIPT:
        assign_subscript(eval, target, value);
        return;
    case NODE_ATTRIBUTE:
        assign_attribute(eval, target, value);
        return;
    default:
        return;
    }
}

void eval_assignment(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeId source = node_child(module, node, ROLE_VALUE);
    if (source == NO_NODE) {
        return; /* an annotation alone */
    }
    Value value = eval_expression(eval, source);
    bool shared = node_count(module, node, ROLE_TARGET) > 1;
    for (NodeId target = node_child(module, node, ROLE_TARGET); target != NO_NODE;
         target = node_next(module, target)) {
        eval_assign(eval, target, shared ? eval_kept(eval, value) : value);
    }
}

void eval_augmented(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeId target = node_child(module, node, ROLE_TARGET);
    ExprOperator op = (ExprOperator)eval_node(eval, node)->op;
    Value value = eval_expression(eval, node_child(module, node, ROLE_VALUE));
    Value old = eval_expression(eval, target);
    if (old.kind == VALUE_LIST && op == OPERATOR_ADD && list_extend(eval, old, value)) {
        return;
    }
    if (old.kind == VALUE_DICT && op == OPERATOR_BIT_OR && value.kind == VALUE_DICT &&
        !value.as.dict->lost && may_change(eval, old)) {
        for (uint32_t i = 0; i < value.as.dict->count && eval_step(eval); i++) {
            dict_set(eval, old, value.as.dict->keys[i], value.as.dict->values[i]);
        }
        return;
    }
    if (old.kind == VALUE_LIST || old.kind == VALUE_DICT || old.kind == VALUE_SET ||
        value_is_choice(old)) {
        value_lose(eval, old); /* in place: other names see it */
        return;
    }
    if (nodes_in(module, target, NODE_CALL).count > 0) {
        eval_lose_named(eval, target, 0); /* the owner is evaluated once in Python */
        return;
    }
    eval_assign(eval, target, eval_operator(eval, node, op, old, value));
}
