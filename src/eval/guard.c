/* Guarded statements: `with` and `try`, and which of them mean that a launch may fail. */
#include "eval/drive.h"

/* --- with */

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

/* A manager that neither records nor swallows what its body raises: torch.no_grad() and such. */
static bool is_harmless_manager(Value callee)
{
    static const char *const names[] = {
        "torch.no_grad",           "torch.inference_mode",
        "torch.enable_grad",       "contextlib.nullcontext",
        "warnings.catch_warnings", "torch.set_grad_enabled",
        "torch.autocast",          "torch.autograd.set_detect_anomaly"};
    return callee.kind == VALUE_OUTSIDE && STR_IS_ANY(*callee.as.text, names);
}

/* Enters the managers of a statement in a kernel's helper; false when one may do anything. */
static bool enter_managers(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    for (NodeId item = node_child(module, node, ROLE_ITEM); item != NO_NODE && !eval->stopped;
         item = node_next(module, item)) {
        NodeId manager = node_child(module, item, ROLE_CONTEXT_EXPR);
        NodeId target = node_child(module, item, ROLE_OPTIONAL_VARS);
        if (!node_is(module, manager, NODE_CALL)) {
            return false;
        }
        Value callee = eval_expression(eval, call_func(module, manager));
        bool options = callee.kind == VALUE_API && strcmp(callee.as.fact->name, "options") == 0;
        if (!options && !is_harmless_manager(callee)) {
            return false;
        }
        Arguments arguments = eval_arguments(eval, manager);
        if (options) {
            eval->drive->node = manager;
            drive_options(eval, &arguments);
        }
        if (target != NO_NODE) {
            eval_assign(eval, target, value_unknown());
        }
    }
    return true;
}

/* `with` while a kernel is recorded: in a helper, as a kernel's own body cannot have it. */
static Flow drive_with(Eval *eval, NodeId node)
{
    Drive *drive = eval->drive;
    PtsError error;
    int depth = pts_scope_depth(drive->context);
    bool known = !eval->frame->is_graph && drive_may_record(eval) &&
                 pts_scope_push(drive->context, &error) && enter_managers(eval, node);
    Flow flow = known ? eval_body(eval, node, ROLE_BODY) : FLOW_NEXT;
    if (!known) {
        drive_end(eval);
    }
    pts_scope_unwind(drive->context, depth);
    return flow;
}

Flow eval_with(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    if (eval->drive != NULL) {
        return drive_with(eval, node);
    }
    bool expects = expects_failure(eval, node);
    eval->no_launch += expects;
    for (NodeId item = node_child(module, node, ROLE_ITEM); item != NO_NODE;
         item = node_next(module, item)) {
        Value manager = eval_expression(eval, node_child(module, item, ROLE_CONTEXT_EXPR));
        NodeId target = node_child(module, item, ROLE_OPTIONAL_VARS);
        if (manager.kind == VALUE_INSTANCE) {
            value_lose(eval, manager); /* __enter__ and __exit__ */
        }
        if (target != NO_NODE) {
            eval_assign(eval, target, value_unknown());
        }
    }
    /* A manager may swallow what its body raises. */
    uint32_t region = eval->region;
    eval->caught += expects;
    if (expects) {
        eval_enter(eval, false);
    }
    Flow flow = eval_body(eval, node, ROLE_BODY);
    if (expects) {
        scope_widen(eval, eval->frame->scope, node);
    }
    eval->region = region;
    eval->caught -= expects;
    eval->no_launch -= expects;
    return flow == FLOW_RAISE ? FLOW_NEXT : flow;
}

/* --- what is not walked */

Flow eval_opaque(Eval *eval, NodeId node)
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

/* --- try */

/* Does the block surely end in `raise`? */
static bool ends_in_raise(const Module *module, NodeId block)
{
    NodeId last = NO_NODE;
    for (NodeId node = node_child(module, block, ROLE_BODY); node != NO_NODE;
         node = node_next(module, node)) {
        last = node;
    }
    return node_is(module, last, NODE_RAISE);
}

/* Can the handler catch what a launch raises? */
static bool catches_launch(const Module *module, NodeId handler)
{
    static const char *const others[] = {"ImportError", "ModuleNotFoundError", "StopIteration",
                                         "KeyboardInterrupt", "FileNotFoundError"};
    NodeId type = node_child(module, handler, ROLE_TYPE);
    return type == NO_NODE || !STR_IS_ANY(node_text(module, type), others);
}

typedef struct Handlers {
    bool all_raise; /* whatever is caught is raised again */
    bool swallow;   /* what a launch raises may be caught for good */
} Handlers;

static Handlers read_handlers(const Module *module, NodeId node)
{
    Handlers handlers = {.all_raise = true};
    for (NodeId handler = node_child(module, node, ROLE_HANDLER); handler != NO_NODE;
         handler = node_next(module, handler)) {
        bool raises = ends_in_raise(module, handler);
        handlers.all_raise = handlers.all_raise && raises;
        handlers.swallow = handlers.swallow || (!raises && catches_launch(module, handler));
    }
    return handlers;
}

static void lose_handlers(Eval *eval, NodeId node)
{
    for (NodeId handler = node_child(eval->module, node, ROLE_HANDLER); handler != NO_NODE;
         handler = node_next(eval->module, handler)) {
        eval_lose_named(eval, handler, 0);
    }
}

/* Handlers that are not walked, as they only run when the body stops anywhere. */
static void skip_handlers(Eval *eval, NodeId node, Flow *flow)
{
    const Module *module = eval->module;
    Frame *frame = eval->frame;
    bool returns = false, jumps = false;
    lose_handlers(eval, node);
    for (NodeId handler = node_child(module, node, ROLE_HANDLER); handler != NO_NODE;
         handler = node_next(module, handler)) {
        returns = returns || nodes_in(module, handler, NODE_RETURN).count > 0;
        jumps = jumps || nodes_in(module, handler, NODE_BREAK).count > 0 ||
                nodes_in(module, handler, NODE_CONTINUE).count > 0;
    }
    scope_widen(eval, frame->scope, node);
    if (returns || *flow == FLOW_RETURN) {
        frame->may_return = true;
        frame->result = frame->has_result ? value_hidden(eval, frame->result) : value_unknown();
        frame->has_result = true;
    }
    frame->may_jump = frame->may_jump || jumps || *flow == FLOW_BREAK || *flow == FLOW_CONTINUE;
    *flow = FLOW_NEXT;
}

Flow eval_try(Eval *eval, NodeId node)
{
    if (eval->drive != NULL || node_is(eval->module, node, NODE_TRY_STAR)) {
        return eval_opaque(eval, node);
    }
    Handlers handlers = read_handlers(eval->module, node);
    bool falls = !handlers.all_raise; /* what follows may come after any part of the body */
    bool silent = eval->reporting;    /* a mistake in it may be meant */
    uint32_t region = eval->region;
    eval->no_launch += handlers.swallow;
    eval->silent += silent;
    if (falls || eval->caught > 0) {
        lose_handlers(eval, node); /* with what the names are before the body, and after it */
    }
    eval->caught += falls;
    if (falls) {
        eval_enter(eval, false);
    }
    Flow flow = eval_body(eval, node, ROLE_BODY);
    flow = flow == FLOW_NEXT ? eval_body(eval, node, ROLE_ORELSE) : flow;
    eval->region = region;
    eval->caught -= falls;
    eval->silent -= silent;
    eval->no_launch -= handlers.swallow;
    if (falls) {
        skip_handlers(eval, node, &flow);
    } else if (eval->caught > 0) {
        lose_handlers(eval, node); /* they may run, and the walk goes on further out */
    }
    Flow last = eval_body(eval, node, ROLE_FINALBODY);
    return last == FLOW_NEXT ? flow : last;
}
