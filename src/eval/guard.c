/* `with` and `try`, and which of them show that a launch may fail. */
#include "eval/drive.h"

/* --- with */

static bool contains_any(Str text, const char *const *words, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = str_contains(text, str_from(words[i]));
    }
    return found;
}

bool eval_names_raises(Str text)
{
    static const char *const words[] = {"aises", "suppress"};
    return contains_any(text, words, sizeof words / sizeof *words);
}

/* By the name of a function that returns a context manager: is its body meant to fail? */
static bool names_failure(Str name)
{
    static const char *const words[] = {"aise", "suppress", "fail", "expect", "refuse", "reject"};
    return contains_any(name, words, sizeof words / sizeof *words);
}

/* pytest.raises(…), assertRaises(…) and the like: launches inside are meant to fail. */
static bool expects_failure(Eval *eval, NodeId with)
{
    const Module *module = eval->module;
    for (NodeId item = node_child(module, with, ROLE_ITEM); item != NO_NODE;
         item = node_next(module, item)) {
        NodeId manager = node_child(module, item, ROLE_CONTEXT_EXPR);
        bool call = node_is(module, manager, NODE_CALL);
        Str name = call ? call_attribute(module, manager) : STR("");
        name = call && name.length == 0 ? call_name(module, manager) : name;
        if (names_failure(name)) {
            return true;
        }
    }
    return false;
}

uint32_t eval_expect(Eval *eval)
{
    uint32_t region = eval->region;
    eval->no_launch++;
    eval->caught++; /* a manager may swallow what its body raises */
    eval_enter(eval, false);
    return region;
}

void eval_expected(Eval *eval, NodeId with, uint32_t region)
{
    scope_widen(eval, eval->frame->scope, with);
    eval->region = region;
    eval->caught--;
    eval->no_launch--;
}

Flow eval_with(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeId first = node_child(module, node, ROLE_ITEM);
    if (eval->drive != NULL && eval->frame->is_graph) {
        drive_end(eval); /* KS13 */
        return FLOW_NEXT;
    }
    if (eval->drive != NULL) {
        return eval_managers(eval, node, first);
    }
    bool expects = expects_failure(eval, node);
    uint32_t region = expects ? eval_expect(eval) : 0;
    Flow flow = eval_managers(eval, node, first);
    if (expects) {
        eval_expected(eval, node, region);
    }
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

/* Does the block end in `raise`? */
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
    bool all_raise; /* every handler raises again */
    bool swallow;   /* an error of a launch may be swallowed */
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

bool eval_swallows(const Eval *eval, const Function *function)
{
    const Module *module = eval->units.items[function->unit]->module;
    NodeList list = nodes_in(module, function->node, NODE_EXCEPT_HANDLER);
    bool swallows = false;
    for (uint32_t i = 0; i < list.count && !swallows; i++) {
        swallows = !ends_in_raise(module, list.ids[i]) && catches_launch(module, list.ids[i]);
    }
    return swallows;
}

static void lose_handlers(Eval *eval, NodeId node)
{
    for (NodeId handler = node_child(eval->module, node, ROLE_HANDLER); handler != NO_NODE;
         handler = node_next(eval->module, handler)) {
        eval_lose_named(eval, handler, 0);
    }
}

/* Handlers are not walked, because they run only if the body stops somewhere in it. */
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
    bool guards = node_child(eval->module, node, ROLE_HANDLER) != NO_NODE;
    if ((eval->drive != NULL && guards) || node_is(eval->module, node, NODE_TRY_STAR)) {
        return eval_opaque(eval, node);
    }
    if (eval->drive != NULL) {
        Flow body = eval_body(eval, node, ROLE_BODY);
        Flow end = eval_body(eval, node, ROLE_FINALBODY);
        return end == FLOW_NEXT ? body : end;
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
        lose_handlers(eval, node); /* they may run, and the walk continues further out */
    }
    Flow last = eval_body(eval, node, ROLE_FINALBODY);
    return last == FLOW_NEXT ? flow : last;
}
