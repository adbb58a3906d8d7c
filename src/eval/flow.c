/* Control flow: statements whose bodies may run once, often, or not at all. */
#include "eval/drive.h"

/* --- undecided branches */

static Flow join_flows(Frame *frame, Flow a, Flow b)
{
    if (a == b) {
        return a;
    }
    Flow both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        frame->may_return = frame->may_return || both[i] == FLOW_RETURN;
        frame->may_jump = frame->may_jump || both[i] == FLOW_BREAK || both[i] == FLOW_CONTINUE;
    }
    return a == FLOW_RAISE ? b : b == FLOW_RAISE ? a : FLOW_NEXT;
}

/* Walks both branches from the same state; afterwards only what they agree on is known. */
static Flow walk_both(Eval *eval, NodeId node, bool recorded)
{
    Frame *frame = eval->frame;
    Scope *scope = frame->scope;
    Bindings before = scope_copy(eval, scope);
    uint32_t region = eval_enter(eval, !recorded);
    Flow first = eval_body(eval, node, ROLE_BODY);
    Bindings after = scope->bindings;
    scope->bindings = before;
    NodeId test = node_child(eval->module, node, ROLE_TEST); /* a `for` with `else` has none */
    if (test != NO_NODE && (first == FLOW_RAISE || first == FLOW_RETURN)) {
        eval_narrow(eval, test, false);
    }
    Flow second = eval_body(eval, node, ROLE_ORELSE);
    eval_leave(eval, region, !recorded);
    bool first_ends = first != FLOW_NEXT;
    bool second_ends = second != FLOW_NEXT;
    if (second_ends && !first_ends) {
        scope->bindings = after;
    } else if (first_ends == second_ends) {
        scope_join(eval, scope, &after);
    }
    return join_flows(frame, first, second);
}

static bool is_cond_call(Eval *eval, NodeId test)
{
    return node_is(eval->module, test, NODE_CALL) && str_is(pypto_call(eval->file, test), "cond");
}

Flow eval_if(Eval *eval, NodeId node)
{
    NodeId test = node_child(eval->module, node, ROLE_TEST);
    Value value = eval_expression(eval, test);
    if (value.kind == VALUE_SYMBOL && eval->drive != NULL) {
        return drive_if(eval, node, value);
    }
    if (value.kind == VALUE_SYMBOL) {
        bool allowed = eval->frame->is_graph || is_cond_call(eval, test);
        Newer newer = eval_newer(eval); /* the front end of 9.2 records it */
        if (!allowed && newer != NEWER_FINE) {
            eval->assumed += newer == NEWER_DOUBTFUL;
            eval_needs_value(eval, test, value,
                             (Where){"before PyPTO 9.2 an 'if' outside of a kernel's own body",
                                     "PyPTO 9.2 之前，kernel 函数体之外的 if ", false});
            eval->assumed -= newer == NEWER_DOUBTFUL;
        }
        NodeId around = eval->frame->condition;
        eval->frame->condition = is_cond_call(eval, test) ? around : node;
        Flow flow = walk_both(eval, node, true);
        eval->frame->condition = around;
        return flow;
    }
    if (value.kind == VALUE_TENSOR) {
        eval_needs_value(eval, test, value, (Where){"an 'if'", "if ", false});
        return walk_both(eval, node, false);
    }
    Truth truth = value_truth(value);
    if (truth == TRUTH_UNKNOWN && eval->drive != NULL && !eval->drive->ended) {
        truth = drive_assume(eval, test, value) ? TRUTH_TRUE : TRUTH_FALSE;
        eval_narrow(eval, test, truth == TRUTH_TRUE);
    }
    if (truth == TRUTH_UNKNOWN) {
        return walk_both(eval, node, false);
    }
    check_side_not_taken(eval, node, truth == TRUTH_TRUE ? ROLE_ORELSE : ROLE_BODY);
    return eval_body(eval, node, truth == TRUTH_TRUE ? ROLE_BODY : ROLE_ORELSE);
}

/* --- loops */

/* A body that runs an unknown number of times. What it binds or changes is unknown even at its
 * start, so a silent walk finds that out first. */
static void walk_unknown_loop(Eval *eval, NodeId node, Value item, bool recorded)
{
    const Module *module = eval->module;
    Frame *frame = eval->frame;
    NodeId target = node_child(module, node, ROLE_TARGET);
    bool may_jump = frame->may_jump;
    scope_widen(eval, frame->scope, node);
    uint32_t region = eval_enter(eval, !recorded);
    bool once = eval->silent > 0 || eval_carries_nothing(eval, node);
    for (int walk = once ? 1 : 0; walk < 2; walk++) {
        eval->silent += walk == 0;
        if (target != NO_NODE) {
            eval_assign(eval, target, item);
        }
        Flow flow = eval_body(eval, node, ROLE_BODY);
        frame->may_return = frame->may_return || flow == FLOW_RETURN;
        eval->silent -= walk == 0;
        if (walk == 0) {
            scope_widen(eval, frame->scope, node);
        }
    }
    eval_leave(eval, region, !recorded);
    if (!recorded) {
        scope_widen(eval, frame->scope, node);
    }
    frame->may_jump = may_jump;
    if (node_child(module, node, ROLE_ORELSE) != NO_NODE) {
        scope_widen(eval, frame->scope, node);
        walk_both(eval, node, false);
    }
}

typedef enum Turn {
    TURN_ON,     /* another one may follow */
    TURN_OVER,   /* the loop has ended, with `*flow` */
    TURN_UNSURE, /* an undecided branch may have left it */
} Turn;

static Turn walk_turn(Eval *eval, NodeId node, Flow *flow)
{
    Frame *frame = eval->frame;
    bool may_jump = frame->may_jump;
    frame->may_jump = false;
    *flow = eval_body(eval, node, ROLE_BODY);
    bool unsure = frame->may_jump || (frame->may_return && *flow == FLOW_NEXT);
    frame->may_jump = may_jump;
    bool over = *flow == FLOW_BREAK || *flow == FLOW_RETURN || *flow == FLOW_RAISE;
    *flow = *flow == FLOW_BREAK ? FLOW_NEXT : *flow;
    return unsure ? TURN_UNSURE : over ? TURN_OVER : TURN_ON;
}

/* Iteration by iteration. Once an undecided branch may have left the loop, the rest is unknown. */
static Flow walk_items(Eval *eval, NodeId node, const Sequence *items)
{
    NodeId target = node_child(eval->module, node, ROLE_TARGET);
    uint32_t count = items->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!eval_step(eval)) {
            return FLOW_NEXT;
        }
        eval_assign(eval, target, items->items[i]);
        Flow flow;
        Turn turn = walk_turn(eval, node, &flow);
        if (turn == TURN_UNSURE || items->count != count) {
            for (uint32_t k = 0; k < items->count; k++) {
                value_lose(eval, items->items[k]);
            }
            walk_unknown_loop(eval, node, value_unknown(), false);
            return FLOW_NEXT;
        }
        if (turn == TURN_OVER) {
            return flow;
        }
    }
    return eval_body(eval, node, ROLE_ORELSE);
}

/* The older front end takes no iterators in a kernel's own body: enumerate, zip, dict.items(). */
static void check_iterable(Eval *eval, NodeId iter, Value iterable)
{
    bool refused = (iterable.kind == VALUE_TUPLE && iterable.atom) || iterable.kind == VALUE_DICT;
    if (refused && eval->frame->is_graph && eval_newer(eval) == NEWER_WRONG) {
        eval_report(eval, EVAL_STATEMENT, iter,
                    "a for in a kernel takes a range, a list, a tuple or a pypto.loop before PyPTO "
                    "9.2: write list(…) around other iterables (F00001)",
                    "PyPTO 9.2 之前，内核中的 for 只接受 range、列表、元组和 pypto.loop："
                    "其他可迭代对象请写成 list(…)（F00001）");
    }
}

Flow eval_for(Eval *eval, NodeId node)
{
    NodeId iter = node_child(eval->module, node, ROLE_ITER);
    Value iterable = eval_expression(eval, iter);
    check_iterable(eval, iter, iterable);
    if (iterable.kind == VALUE_LOOP && eval->drive != NULL) {
        return drive_for(eval, node, iterable);
    }
    if (iterable.kind == VALUE_LOOP) {
        advice_loop_options(eval, iterable.as.loop);
        Value item = eval_atom(eval);
        if (iterable.flag) {
            Value pair = value_sequence(eval->arena, VALUE_TUPLE, 2);
            sequence_add(eval->arena, pair.as.sequence, item);
            sequence_add(eval->arena, pair.as.sequence, value_number());
            item = pair;
        }
        walk_unknown_loop(eval, node, item, true);
        return FLOW_NEXT;
    }
    const Sequence *items = eval_items(eval, iter, iterable);
    if (items == NULL || items->count > EVAL_UNROLLED) {
        value_hidden_items(eval, iterable);
        walk_unknown_loop(eval, node, value_unknown(), false);
        return FLOW_NEXT;
    }
    return walk_items(eval, node, items);
}

Flow eval_while(Eval *eval, NodeId node)
{
    NodeId test = node_child(eval->module, node, ROLE_TEST);
    for (uint32_t i = 0; i < EVAL_UNROLLED && eval_step(eval); i++) {
        Value value = eval_expression(eval, test);
        eval_needs_value(eval, test, value, (Where){"a 'while'", "while ", false});
        Truth truth = value_truth(value);
        if (truth == TRUTH_FALSE) {
            return eval_body(eval, node, ROLE_ORELSE);
        }
        if (truth == TRUTH_UNKNOWN) {
            break;
        }
        Flow flow;
        Turn turn = walk_turn(eval, node, &flow);
        if (turn == TURN_UNSURE) {
            break;
        }
        if (turn == TURN_OVER) {
            return flow;
        }
    }
    walk_unknown_loop(eval, node, value_unknown(), false);
    return FLOW_NEXT;
}
