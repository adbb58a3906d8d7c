/* Statements. */
#include "eval/drive.h"

/* --- assignment */

static void assign_items(Eval *eval, NodeId target, Value value)
{
    const Module *module = eval->module;
    const Sequence *items = eval_items(eval, NO_NODE, value);
    bool fits = items != NULL && node_count(module, target, ROLE_ELT) == items->count &&
                nodes_in(module, target, NODE_STARRED).count == 0;
    uint32_t i = 0;
    for (NodeId item = node_first(module, target); item != NO_NODE;
         item = node_sibling(module, item)) {
        eval_assign(eval, item, fits ? items->items[i++] : value_unknown());
    }
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
    if (owner.kind == VALUE_LIST) {
        eval_needs_value(eval, index, key, (Where){"an index of a list", "列表下标"});
        Sequence *sequence = owner.as.sequence;
        bool known = may_change(eval, owner) && value_is_int(key) && key.as.integer >= 0 &&
                     key.as.integer < sequence->count;
        if (known) {
            sequence->items[key.as.integer] = value;
        } else {
            value_lose(eval, owner);
        }
    } else if (owner.kind == VALUE_DICT) {
        eval_needs_value(eval, index, key, (Where){"a dict key", "字典的键"});
        if (may_change(eval, owner)) {
            dict_set(eval, owner, key, value);
        }
    }
}

void eval_assign(Eval *eval, NodeId target, Value value)
{
    const Module *module = eval->module;
    switch (node_kind(module, target)) {
    case NODE_NAME:
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
        eval_expression(eval, target + 1);
        return;
    default:
        return;
    }
}

static void assign(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeId source = node_child(module, node, ROLE_VALUE);
    if (source == NO_NODE) {
        return; /* an annotation alone */
    }
    Value value = eval_expression(eval, source);
    for (NodeId target = node_child(module, node, ROLE_TARGET); target != NO_NODE;
         target = node_next(module, target)) {
        eval_assign(eval, target, value);
    }
}

static void assign_augmented(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeId target = node_child(module, node, ROLE_TARGET);
    Value value = eval_expression(eval, node_child(module, node, ROLE_VALUE));
    Value old = eval_expression(eval, target);
    if (old.kind == VALUE_LIST && eval_node(eval, node)->op == OPERATOR_ADD &&
        list_extend(eval, old, value)) {
        return;
    }
    if (old.kind == VALUE_LIST || old.kind == VALUE_DICT) {
        value_lose(eval, old); /* in place: other names see it */
        return;
    }
    Value result = eval_operator(eval, node, (ExprOperator)eval_node(eval, node)->op, old, value);
    eval_assign(eval, target, result);
}

/* --- the rest */

static void import_names(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    bool from = node_is(module, node, NODE_IMPORT_FROM);
    Str source = from ? node_name(module, node) : STR("");
    for (NodeId alias = node_child(module, node, ROLE_NAME); alias != NO_NODE;
         alias = node_next(module, alias)) {
        Str name = node_name(module, alias);
        Str as = alias_asname(module, alias);
        Str bound = as.length > 0 ? as : str_slice(name, 0, str_find(name, STR("."), 0));
        Value value = host_module(eval, from, source, name, as);
        if (from && value.kind == VALUE_UNKNOWN && !str_is(name, "*") &&
            unit_import(eval, source, name, &value)) {
            eval_bind(eval, bound, value);
            continue;
        }
        if (!from &&
            (str_is(name, "pypto") || (as.length == 0 && str_starts(name, STR("pypto."))))) {
            value = (Value){.kind = VALUE_PACKAGE};
        } else if (from && str_is(source, "pypto") && eval_node(eval, node)->extra == 0) {
            const ApiFact *fact = api_fact_find(name);
            value = fact == NULL ? value
                                 : (Value){.kind = fact->kind == API_FACT_CONSTANT ? VALUE_MEMBER
                                                                                   : VALUE_API,
                                           .as.fact = fact};
        }
        eval->star_import = eval->star_import || str_is(name, "*");
        eval_bind(eval, bound, value);
    }
}

/* pytest.raises(…), assertRaises(…) and the like: what is launched there is meant to fail. */
static bool expects_failure(Eval *eval, NodeId with)
{
    const Module *module = eval->module;
    for (NodeId item = node_child(module, with, ROLE_ITEM); item != NO_NODE;
         item = node_next(module, item)) {
        NodeId manager = node_child(module, item, ROLE_CONTEXT_EXPR);
        bool call = node_is(module, manager, NODE_CALL);
        Str name = call ? call_attribute(module, manager) : STR("");
        name = call && name.length == 0 ? call_name(module, manager) : name;
        if (str_contains(name, STR("aise")) || str_contains(name, STR("suppress")) ||
            str_contains(name, STR("fail")) || str_contains(name, STR("expect"))) {
            return true;
        }
    }
    return false;
}

static Flow walk_with(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    if (eval->drive != NULL) {
        drive_end(eval); /* it may be pypto.options(...) */
        return FLOW_NEXT;
    }
    bool expects = expects_failure(eval, node);
    eval->no_launch += expects;
    for (NodeId item = node_child(module, node, ROLE_ITEM); item != NO_NODE;
         item = node_next(module, item)) {
        eval_expression(eval, node_child(module, item, ROLE_CONTEXT_EXPR));
        NodeId target = node_child(module, item, ROLE_OPTIONAL_VARS);
        if (target != NO_NODE) {
            eval_assign(eval, target, value_unknown());
        }
    }
    /* A manager may swallow what its body raises. */
    Flow flow = eval_body(eval, node, ROLE_BODY);
    eval->no_launch -= expects;
    return flow == FLOW_RAISE ? FLOW_NEXT : flow;
}

/* What is not walked may change every list that it can name, by way of own functions, too. */
void eval_lose_named(Eval *eval, NodeId root, int depth)
{
    enum { MAX_FUNCTIONS = 3 };
    NodeList names = nodes_in(eval->module, root, NODE_NAME);
    for (uint32_t i = 0; i < names.count && eval_step(eval); i++) {
        Str name = node_name(eval->module, names.ids[i]);
        for (Scope *scope = eval->frame->scope; scope != NULL; scope = scope->parent) {
            const Value *value = scope_get(scope, name);
            if (value != NULL && value->kind == VALUE_FUNCTION && depth < MAX_FUNCTIONS) {
                uint32_t home = unit_switch(eval, value->as.function->unit);
                eval_lose_named(eval, value->as.function->node, depth + 1);
                unit_switch(eval, home);
            } else if (value != NULL) {
                value_lose(eval, *value);
            }
        }
    }
}

/* The body may stop anywhere, so nothing that it stores is known, and a mistake in it may be
 * meant. */
static Flow walk_opaque(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Frame *frame = eval->frame;
    if (eval->drive != NULL) {
        drive_end(eval);
    }
    eval_lose_named(eval, node, 0);
    scope_widen(eval, frame->scope, node);
    frame->may_return = frame->may_return || nodes_in(module, node, NODE_RETURN).count > 0;
    frame->may_jump = frame->may_jump || nodes_in(module, node, NODE_BREAK).count > 0 ||
                      nodes_in(module, node, NODE_CONTINUE).count > 0;
    return FLOW_NEXT;
}

static void walk_return(Eval *eval, NodeId node)
{
    NodeId source = node_first(eval->module, node);
    Value value = source == NO_NODE ? value_none() : eval_expression(eval, source);
    Frame *frame = eval->frame;
    frame->result = frame->has_result ? value_join(frame->result, value) : value;
    frame->has_result = true;
}

static Flow walk_assert(Eval *eval, NodeId node)
{
    NodeId test = node_child(eval->module, node, ROLE_TEST);
    Value value = eval_expression(eval, test);
    eval_needs_value(eval, test, value, (Where){"an 'assert'", "assert "});
    if (value_truth(value) != TRUTH_FALSE) {
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
        } else if (node_is(eval->module, target, NODE_NAME)) {
            eval_bind(eval, node_name(eval->module, target), value_unknown());
        }
    }
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
        return walk_with(eval, node);
    case NODE_TRY:
    case NODE_TRY_STAR:
        return walk_opaque(eval, node);
    case NODE_CLASS_DEF:
        eval_lose_named(eval, node, 0);
        eval_bind(eval, node_name(eval->module, node), value_unknown());
        return FLOW_NEXT;
    case NODE_ASYNC_FUNCTION_DEF:
        eval_bind(eval, node_name(eval->module, node), value_unknown());
        return FLOW_NEXT;
    default: /* match, async statements, type aliases */
        return walk_opaque(eval, node);
    }
}

static Flow walk_statement(Eval *eval, NodeId node)
{
    check_statement(eval, node);
    switch (node_kind(eval->module, node)) {
    case NODE_EXPR:
        eval_expression(eval, node_first(eval->module, node));
        return FLOW_NEXT;
    case NODE_ASSIGN:
    case NODE_ANN_ASSIGN:
        assign(eval, node);
        return FLOW_NEXT;
    case NODE_AUG_ASSIGN:
        assign_augmented(eval, node);
        return FLOW_NEXT;
    case NODE_RETURN:
        walk_return(eval, node);
        return FLOW_RETURN;
    case NODE_RAISE:
        if (!eval->frame->is_graph) { /* in a kernel's own body it is KS13 */
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
        import_names(eval, node);
        return FLOW_NEXT;
    case NODE_PASS:
    case NODE_GLOBAL:
    case NODE_NONLOCAL:
        return FLOW_NEXT;
    default:
        return walk_compound(eval, node);
    }
}

/* After a statement that may have left the body, everything happens on one side only. */
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
         node != NO_NODE && flow == FLOW_NEXT && eval_step(eval);
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
