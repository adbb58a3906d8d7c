/* Comprehensions and generator expressions: entry by entry over known items, otherwise a single
 * time for their effects. */
#include "eval/state.h"

/* One entry, into a list, a set that is still a list, or a dict. */
static void add_entry(Eval *eval, NodeId node, Value out)
{
    const Module *module = eval->module;
    if (out.kind == VALUE_DICT) {
        Value key = eval_expression(eval, node_child(module, node, ROLE_KEY));
        Value item = eval_expression(eval, node_child(module, node, ROLE_VALUE));
        dict_set(eval, out, key, eval_kept(eval, item));
        return;
    }
    Value item = eval_expression(eval, node_child(module, node, ROLE_ELT));
    sequence_add(eval->arena, out.as.sequence, eval_kept(eval, item));
}

static bool fits(Value out)
{
    return out.kind == VALUE_DICT ? !out.as.dict->lost : out.as.sequence->count <= EVAL_ITEMS;
}

/* Walks from this `for` on, for an unknown number of iterations: afterwards neither what they
 * change nor what the entries contain is known. */
static void walk_any_number(Eval *eval, NodeId node, NodeId generator)
{
    const Module *module = eval->module;
    static const Role entries[] = {ROLE_ELT, ROLE_KEY, ROLE_VALUE};
    uint32_t region = eval_enter(eval, true);
    eval->silent++;
    for (bool first = true; generator != NO_NODE; first = false) {
        Value iterable = first ? value_unknown()
                               : eval_expression(eval, node_child(module, generator, ROLE_ITER));
        value_hidden_items(eval, iterable);
        eval_assign(eval, node_child(module, generator, ROLE_TARGET), value_unknown());
        for (NodeId test = node_child(module, generator, ROLE_IF); test != NO_NODE;
             test = node_next(module, test)) {
            eval_expression(eval, test);
        }
        generator = node_next(module, generator);
    }
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        NodeId entry = node_child(module, node, entries[i]);
        if (entry != NO_NODE) {
            value_hidden(eval, eval_expression(eval, entry));
        }
    }
    eval->silent--;
    eval_leave(eval, region, true);
}

/* Walks one `for` of a comprehension and what is inside; true when all items are known. */
static bool comprehend(Eval *eval, NodeId node, NodeId generator, Value out)
{
    const Module *module = eval->module;
    if (!eval_step(eval)) {
        return false;
    }
    if (generator == NO_NODE) {
        add_entry(eval, node, out);
        return fits(out);
    }
    NodeId iter = node_child(module, generator, ROLE_ITER);
    NodeId target = node_child(module, generator, ROLE_TARGET);
    Value iterable = eval_expression(eval, iter);
    const Sequence *items = eval_items(eval, iter, iterable);
    uint32_t count = items == NULL ? 0 : items->count;
    if (items == NULL || count > EVAL_ITEMS) {
        value_hidden_items(eval, iterable);
        walk_any_number(eval, node, generator);
        return false;
    }
    for (uint32_t i = 0; i < count && i < items->count; i++) {
        eval_assign(eval, target, items->items[i]);
        bool passes = true;
        for (NodeId test = node_child(module, generator, ROLE_IF); test != NO_NODE && passes;
             test = node_next(module, test)) {
            Truth truth = value_truth(eval_expression(eval, test));
            if (truth == TRUTH_UNKNOWN) {
                value_hidden_items(eval, iterable);
                walk_any_number(eval, node, generator);
                return false;
            }
            passes = truth == TRUTH_TRUE;
        }
        if (passes && !comprehend(eval, node, node_next(module, generator), out)) {
            return false;
        }
    }
    return items->count == count; /* else it grew while it was walked */
}

static Value unknown_comprehension(Eval *eval, NodeId node)
{
    scope_widen(eval, eval->frame->scope, node); /* a walrus in it binds outside */
    eval_lose_named(eval, node, 0);
    return value_unknown();
}

bool eval_runs_at_once(Eval *eval, NodeId node)
{
    static const char *const takers[] = {"tuple", "list", "set", "dict",
                                         "sum",   "max",  "min", "sorted"};
    const Module *module = eval->module;
    NodeId parent = node_at(module, node)->parent;
    if (node_is(module, parent, NODE_ASSIGN)) {
        NodeId target = node_child(module, parent, ROLE_TARGET);
        return node_next(module, target) == NO_NODE &&
               (node_is(module, target, NODE_TUPLE) || node_is(module, target, NODE_LIST));
    }
    if (!node_is(module, parent, NODE_CALL) || node_count(module, parent, ROLE_ARG) != 1) {
        return node_is(module, parent, NODE_STARRED);
    }
    NodeId callee = call_func(module, parent);
    Value value =
        node_is(module, callee, NODE_NAME) ? eval_expression(eval, callee) : value_unknown();
    return value.kind == VALUE_BUILTIN && STR_IS_ANY(*value.as.text, takers);
}

Value eval_comprehension(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeKind kind = node_kind(module, node);
    NodeId generator = node_child(module, node, ROLE_GENERATOR);
    Frame *frame = eval->frame;
    Scope *outer = frame->scope;
    bool calls = kind == NODE_GENERATOR_EXP && nodes_in(module, node, NODE_CALL).count > 0 &&
                 !eval_runs_at_once(eval, node);
    if (generator == NO_NODE || outer->is_class ||
        nodes_in(module, node, NODE_NAMED_EXPR).count > 0) {
        return unknown_comprehension(eval, node);
    }
    Value result =
        kind == NODE_DICT_COMP ? dict_new(eval) : value_sequence(eval->arena, VALUE_LIST, 0);
    if (kind != NODE_DICT_COMP) {
        result.as.sequence->birth = eval->clock;
    }
    frame->scope = scope_new(eval, outer, NO_NODE);
    bool known = comprehend(eval, node, generator, result);
    frame->scope = outer;
    if (calls) {
        eval_lose_named(eval, node, 0);
    }
    if (!known || (calls && eval->drive != NULL)) {
        return value_unknown();
    }
    if (kind == NODE_GENERATOR_EXP) {
        result.kind = VALUE_TUPLE;
        result.flag = result.atom = true; /* it can be walked once */
    }
    return kind == NODE_SET_COMP ? set_of(eval, result.as.sequence) : result;
}
