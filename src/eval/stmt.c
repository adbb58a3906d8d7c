/* Walks statements. */
#include "eval/drive.h"

/* --- what is not walked */

/* Is the attribute assigned to, deleted or called? */
static bool is_changed(const Module *module, NodeId attribute)
{
    NodeId at = attribute;
    while (node_at(module, at)->role == ROLE_ELT || node_is(module, at, NODE_STARRED) ||
           node_is(module, node_at(module, at)->parent, NODE_STARRED)) {
        at = node_at(module, at)->parent;
    }
    Role role = (Role)node_at(module, at)->role;
    return role == ROLE_TARGET || role == ROLE_OPTIONAL_VARS || role == ROLE_FUNC ||
           node_is(module, node_at(module, at)->parent, NODE_DELETE);
}

/* The value that a mention of a name can reach: for `config.tile.rows`, which only reads, just
 * rows. */
static Value mentioned(Eval *eval, NodeId name, Value value)
{
    const Module *module = eval->module;
    for (NodeId at = node_at(module, name)->parent;
         node_is(module, at, NODE_ATTRIBUTE) && value.kind == VALUE_INSTANCE;
         at = node_at(module, at)->parent) {
        const Value *own = scope_get(value.as.instance->names, node_name(module, at));
        if (own == NULL || is_changed(module, at)) {
            break;
        }
        value = *own;
    }
    return value;
}

static void lose_named(Eval *eval, NodeId root, Scope *from, int depth)
{
    NodeList names = nodes_in(eval->module, root, NODE_NAME);
    scope_lose_declared(eval, root, from);
    for (uint32_t i = 0; i < names.count && eval_step(eval); i++) {
        Str name = node_name(eval->module, names.ids[i]);
        for (Scope *scope = from; scope != NULL; scope = scope->parent) {
            const Value *value = scope_get(scope, name);
            NodeId attribute = node_at(eval->module, names.ids[i])->parent;
            if (value != NULL && value->kind == VALUE_CLASS &&
                node_is(eval->module, attribute, NODE_ATTRIBUTE) &&
                target_around(eval->module, attribute) != NO_NODE) {
                value->as.class->lost = true;
            } else if (value != NULL && value->kind == VALUE_FUNCTION) {
                eval_lose_function(eval, value->as.function, depth + 1);
            } else if (value != NULL) {
                value_lose(eval, mentioned(eval, names.ids[i], *value));
            }
        }
    }
}

void eval_lose_function(Eval *eval, const Function *function, int depth)
{
    enum { MAX_FUNCTIONS = 3 };
    if (depth <= MAX_FUNCTIONS) {
        uint32_t home = unit_switch(eval, function->unit);
        lose_named(eval, function->node, function->scope, depth);
        unit_switch(eval, home);
    }
}

void eval_lose_named(Eval *eval, NodeId root, int depth)
{
    lose_named(eval, root, eval->frame->scope, depth);
}

static void walk_return(Eval *eval, NodeId node)
{
    NodeId source = node_first(eval->module, node);
    Value value = source == NO_NODE ? value_none() : eval_expression(eval, source);
    Frame *frame = eval->frame;
    frame->result = frame->has_result ? value_join(eval, frame->result, value) : value;
    frame->has_result = true;
}

static Flow walk_assert(Eval *eval, NodeId node)
{
    NodeId test = node_child(eval->module, node, ROLE_TEST);
    Value value = eval_expression(eval, test);
    eval_needs_value(eval, test, value, (Where){"an 'assert'", "assert ", false});
    if (value_truth(value) != TRUTH_FALSE) {
        if (value_truth(value) == TRUTH_UNKNOWN) {
            eval_narrow(eval, test, true);
        }
        return FLOW_NEXT;
    }
    advice_raised(eval, node, test);
    return FLOW_RAISE;
}

static void delete_names(Eval *eval, NodeId node)
{
    for (NodeId target = node_first(eval->module, node); target != NO_NODE;
         target = node_sibling(eval->module, target)) {
        if (node_is(eval->module, target, NODE_SUBSCRIPT)) {
            value_lose(eval, eval_expression(eval, target + 1));
        } else if (node_is(eval->module, target, NODE_ATTRIBUTE)) {
            eval_delete_attribute(eval, eval_expression(eval, target + 1));
        } else if (node_is(eval->module, target, NODE_NAME)) {
            eval_bind(eval, node_name(eval->module, target), value_unknown());
        }
    }
}

/* Is it pytest.skip(…), sys.exit(…) or the like, after which nothing runs? */
static bool leaves_test(Eval *eval, NodeId node)
{
    static const char *const names[] = {"pytest.skip", "pytest.fail", "pytest.xfail",
                                        "pytest.exit", "sys.exit",    "os._exit"};
    return node_is(eval->module, node, NODE_CALL) &&
           STR_IS_ANY(node_dotted(eval->module, call_func(eval->module, node), eval->arena), names);
}

static Flow walk_compound(Eval *eval, NodeId node)
{
    switch (node_kind(eval->module, node)) {
    case NODE_FUNCTION_DEF:
        return eval_function_def(eval, node);
    case NODE_IF:
        return eval_if(eval, node);
    case NODE_FOR:
        return eval_for(eval, node);
    case NODE_WHILE:
        return eval_while(eval, node);
    case NODE_WITH:
        return eval_with(eval, node);
    case NODE_TRY:
    case NODE_TRY_STAR:
        return eval_try(eval, node);
    case NODE_CLASS_DEF:
        return eval_class_def(eval, node);
    case NODE_ASYNC_FUNCTION_DEF:
        eval_bind(eval, node_name(eval->module, node), value_unknown());
        return FLOW_NEXT;
    default: /* match, async statements, type aliases */
        return eval_opaque(eval, node);
    }
}

static Flow walk_statement(Eval *eval, NodeId node)
{
    check_statement(eval, node);
    switch (node_kind(eval->module, node)) {
    case NODE_EXPR:
        eval_expression(eval, node_first(eval->module, node));
        return leaves_test(eval, node_first(eval->module, node)) ? FLOW_RAISE : FLOW_NEXT;
    case NODE_ASSIGN:
    case NODE_ANN_ASSIGN:
        eval_assignment(eval, node);
        return FLOW_NEXT;
    case NODE_AUG_ASSIGN:
        eval_augmented(eval, node);
        return FLOW_NEXT;
    case NODE_RETURN:
        walk_return(eval, node);
        return FLOW_RETURN;
    case NODE_RAISE:
        if (!eval_has_finding(eval, EVAL_STATEMENT, node)) {
            advice_raised(eval, node, NO_NODE);
        }
        return FLOW_RAISE;
    case NODE_BREAK:
        return FLOW_BREAK;
    case NODE_CONTINUE:
        return FLOW_CONTINUE;
    case NODE_ASSERT:
        return walk_assert(eval, node);
    case NODE_DELETE:
        delete_names(eval, node);
        return FLOW_NEXT;
    case NODE_IMPORT:
    case NODE_IMPORT_FROM:
        eval_import(eval, node);
        return FLOW_NEXT;
    case NODE_PASS:
    case NODE_GLOBAL:
    case NODE_NONLOCAL:
        return FLOW_NEXT;
    default:
        return walk_compound(eval, node);
    }
}

/* After a statement that may have left the body, the rest counts as a branch that may not run. */
Flow eval_body(Eval *eval, NodeId parent, Role role)
{
    Frame *frame = eval->frame;
    uint32_t sides = 0, region = eval->region;
    Flow flow = FLOW_NEXT;
    eval->nesting++;
    if (eval->nesting >= EVAL_NESTING) {
        facts_limit(eval, EVAL_LIMIT_NESTING);
        eval->stopped = true;
    }
    for (NodeId node = node_child(eval->module, parent, role);
         node != NO_NODE && flow == FLOW_NEXT && !frame->suspended && eval_step(eval);
         node = node_next(eval->module, node)) {
        bool left = frame->may_return || frame->may_jump;
        flow = walk_statement(eval, node);
        if (!left && (frame->may_return || frame->may_jump)) {
            sides++;
            eval_enter(eval, true);
        }
    }
    eval->region = region;
    eval->assumed -= sides;
    eval->nesting--;
    return flow;
}
