/* Does a loop carry anything from one iteration to the next? Most of a kernel's loops are straight
 * lines of calls of pypto whose results get new names. What such a body finds at its start does not
 * depend on the iteration, so it need not be walked once more to find that out. */
#include "eval/state.h"

typedef struct Body {
    Eval *eval;
    const Module *module;
    Map bound;     /* names that the body binds, in the order of their first binding */
    uint32_t done; /* how many of them are bound before the place that is looked at */
    Str package;   /* the last name that was found to stand for pypto */
} Body;

/* The name of `name = value` with one target, else empty. */
static Str assigned_name(const Module *module, NodeId statement)
{
    NodeId target = node_child(module, statement, ROLE_TARGET);
    bool plain = node_is(module, statement, NODE_ASSIGN) && node_is(module, target, NODE_NAME) &&
                 node_next(module, target) == NO_NODE;
    return plain ? node_name(module, target) : STR("");
}

static bool is_package(Body *body, Str name)
{
    if (str_equal(body->package, name)) {
        return true;
    }
    for (const Scope *scope = body->eval->frame->scope; scope != NULL; scope = scope->parent) {
        const Value *value = scope_get(scope, name);
        if (value != NULL && value->kind != VALUE_PACKAGE) {
            return false;
        }
        body->package = value != NULL ? name : body->package;
        if (value != NULL) {
            return true;
        }
    }
    return false;
}

/* Is it `pypto.NAME` or `pypto.NAME.NAME`, which changes no list or dict? */
static bool is_api(Body *body, NodeId callee)
{
    NodeId root = callee;
    while (node_is(body->module, root, NODE_ATTRIBUTE)) {
        root = attribute_value(body->module, root);
    }
    return root != callee && node_is(body->module, root, NODE_NAME) &&
           is_package(body, node_name(body->module, root));
}

/* Has the expression no effect but calls of pypto, and does it read no name that the body binds
 * only later? */
static bool is_straight(Body *body, NodeId expression)
{
    const Module *module = body->module;
    NodeId end = node_at(module, expression)->subtree_end;
    for (NodeId id = expression; id < end; id++) {
        uint32_t number;
        switch (node_kind(module, id)) {
        case NODE_NAME:
            number = map_find(&body->bound, node_name(module, id));
            if (number != MAP_NONE && number >= body->done) {
                return false;
            }
            break;
        case NODE_CALL:
            if (!is_api(body, call_func(module, id))) {
                return false;
            }
            break;
        case NODE_ATTRIBUTE:
        case NODE_BIN_OP:
        case NODE_CONSTANT:
        case NODE_KEYWORD:
        case NODE_LIST:
        case NODE_SUBSCRIPT:
        case NODE_TUPLE:
        case NODE_UNARY_OP:
            break;
        default:
            return false;
        }
    }
    return true;
}

bool eval_carries_nothing(Eval *eval, NodeId loop)
{
    Body body = {.eval = eval, .module = eval->module};
    const Module *module = eval->module;
    NodeId first = node_child(module, loop, ROLE_BODY);
    for (NodeId id = first; id != NO_NODE; id = node_next(module, id)) {
        Str name = assigned_name(module, id);
        if (name.length == 0 && !node_is(module, id, NODE_EXPR)) {
            return false;
        }
        if (name.length > 0) {
            map_add(&body.bound, eval->arena, name);
        }
    }
    for (NodeId id = first; id != NO_NODE; id = node_next(module, id)) {
        Str name = assigned_name(module, id);
        if (!is_straight(&body, node_child(module, id, ROLE_VALUE))) {
            return false;
        }
        body.done += name.length > 0 && map_find(&body.bound, name) == body.done;
    }
    return true;
}
