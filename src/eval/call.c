/* Calls: evaluating the arguments and dispatching by the kind of callee. */
#include "eval/drive.h"
#include "eval/fault.h"

/* --- arguments */

/* At most so many items of one `*list` are used. */
enum { STAR_ITEMS = 32 };

static uint32_t stars_room(Eval *eval, NodeId call)
{
    uint32_t room = 0;
    for (NodeId arg = node_child(eval->module, call, ROLE_ARG); arg != NO_NODE;
         arg = node_next(eval->module, arg)) {
        room += node_is(eval->module, arg, NODE_STARRED) ? STAR_ITEMS : 0;
    }
    for (NodeId arg = node_child(eval->module, call, ROLE_KEYWORD); arg != NO_NODE;
         arg = node_next(eval->module, arg)) {
        room += node_name(eval->module, arg).length == 0 ? STAR_ITEMS : 0;
    }
    return room;
}

static void add_keyword(Arguments *arguments, NodeId node, Str name, Value value)
{
    uint32_t at = arguments->positional + arguments->keywords;
    arguments->nodes[at] = node;
    arguments->names[arguments->keywords++] = name;
    arguments->values[at] = value;
}

/* `**options`: each entry is a keyword; an unknown dict leaves the call open. */
static void add_keywords(Arguments *arguments, NodeId node, Value value)
{
    bool known =
        value.kind == VALUE_DICT && !value.as.dict->lost && value.as.dict->count <= STAR_ITEMS;
    for (uint32_t i = 0; known && i < value.as.dict->count; i++) {
        known = value.as.dict->keys[i].kind == VALUE_STR;
    }
    arguments->open = arguments->open || !known;
    for (uint32_t i = 0; known && i < value.as.dict->count; i++) {
        add_keyword(arguments, node, *value.as.dict->keys[i].as.text, value.as.dict->values[i]);
    }
}

/* `*items`: each item is an argument; an unknown number of them leaves the call open. */
static void add_star(Eval *eval, Arguments *arguments, NodeId star)
{
    Value value = eval_expression(eval, star + 1);
    bool fresh = node_is(eval->module, star + 1, NODE_GENERATOR_EXP) ||
                 node_is(eval->module, star + 1, NODE_CALL);
    bool once = value_is_sequence(value) && value.atom && !fresh; /* an iterator, read before? */
    const Sequence *items = once || arguments->open ? NULL : eval_items(eval, NO_NODE, value);
    if (items == NULL || items->count > STAR_ITEMS) {
        arguments->open = true;
        value_lose(eval, value);
        return;
    }
    for (uint32_t i = 0; i < items->count; i++) {
        arguments->nodes[arguments->positional] = star;
        arguments->values[arguments->positional++] = items->items[i];
    }
}

Arguments eval_arguments(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Arguments arguments = {.call = node};
    uint32_t count = 0;
    for (NodeId child = node_first(module, node); child != NO_NODE;
         child = node_sibling(module, child)) {
        count++;
    }
    count += stars_room(eval, node);
    arguments.values = ARENA_ARRAY(eval->arena, Value, count);
    arguments.nodes = ARENA_ARRAY(eval->arena, NodeId, count);
    arguments.names = ARENA_ARRAY(eval->arena, Str, count);
    for (NodeId arg = node_child(module, node, ROLE_ARG); arg != NO_NODE;
         arg = node_next(module, arg)) {
        if (node_is(module, arg, NODE_STARRED)) {
            add_star(eval, &arguments, arg);
            continue;
        }
        Value value = eval_expression(eval, arg);
        arguments.nodes[arguments.positional] = arg;
        arguments.values[arguments.positional++] = value;
    }
    for (NodeId keyword = node_child(module, node, ROLE_KEYWORD); keyword != NO_NODE;
         keyword = node_next(module, keyword)) {
        Value value = eval_expression(eval, keyword + 1);
        if (node_name(module, keyword).length == 0) {
            add_keywords(&arguments, keyword, value);
        } else {
            add_keyword(&arguments, keyword, node_name(module, keyword), value);
        }
    }
    return arguments;
}

/* --- the callee */

/* Nobody knows what the callee does to what it gets. Only jit(function, OPTIONS) is known to leave
 * its options as they are. */
static void lose_to_unknown(Eval *eval, const Arguments *arguments)
{
    static const char *const makers[] = {"pypto.frontend.jit", "pypto.jit"};
    NodeId call = arguments->call;
    bool is_call = call != NO_NODE && node_is(eval->module, call, NODE_CALL);
    Str callee = is_call ? node_text(eval->module, call_func(eval->module, call)) : STR("");
    if (!STR_IS_ANY(callee, makers)) {
        lose_arguments(eval, arguments);
        return;
    }
    for (uint32_t i = 0; i < arguments->positional; i++) {
        value_lose(eval, arguments->values[i]);
    }
}

Value eval_call_with(Eval *eval, Value callee, const Arguments *arguments)
{
    switch ((ValueKind)callee.kind) {
    case VALUE_FUNCTION:
        return function_call(eval, arguments, callee.as.function);
    case VALUE_BUILTIN:
        return call_builtin(eval, arguments, *callee.as.text);
    case VALUE_METHOD:
        return call_method(eval, arguments, callee.as.method);
    case VALUE_API:
        return call_api(eval, arguments, callee.as.fact);
    case VALUE_CLASS:
        return class_call(eval, arguments, callee.as.class);
    case VALUE_INSTANCE:
        return instance_call(eval, arguments, callee);
    case VALUE_OUTSIDE:
        return host_call(eval, arguments, callee);
    case VALUE_PARTIAL:
        return partial_call(eval, arguments, callee.as.partial);
    case VALUE_KERNEL:
        if (eval->drive != NULL) {
            drive_end(eval); /* a kernel in a kernel */
        }
        return launch_call(eval, arguments, callee);
    default:
        fault_call(eval, arguments->call, callee);
        if (eval->drive != NULL) {
            drive_end(eval); /* it may record, write and set anything */
        }
        lose_to_unknown(eval, arguments);
        return value_unknown();
    }
}

Value eval_call(Eval *eval, NodeId node)
{
    Value callee = eval_expression(eval, call_func(eval->module, node));
    Arguments arguments = eval_arguments(eval, node);
    Value result = eval_call_with(eval, callee, &arguments);
    facts_called(eval, node, result);
    return result;
}
