/* Local names that are read on a path on which nothing has bound them. */
#include "eval/drive_names.h"

#include <stdio.h>

Value drive_unset(bool sure)
{
    return (Value){.kind = VALUE_UNKNOWN, .atom = true, .flag = !sure};
}

bool drive_is_unset(const Value *value)
{
    return value == NULL || (value->kind == VALUE_UNKNOWN && value->atom);
}

/* Can a nested function, or a comprehension, bind the name as well? */
static bool is_bound_from_inside(const Eval *eval, NodeId function, Str name)
{
    NodeList list = nodes_in(eval->module, function, NODE_NONLOCAL);
    for (uint32_t i = 0; i < list.count; i++) {
        if (str_find(node_text(eval->module, list.ids[i]), name, 0) != SIZE_MAX) {
            return true;
        }
    }
    return nodes_in(eval->module, function, NODE_NAMED_EXPR).count > 0;
}

/* Is the walk exact about this name: do only assignments and loops bind it, and does no outer scope
 * have another one that a version of the product might take instead? */
static bool is_exact(const Eval *eval, const Scope *scope, Str name)
{
    const Module *module = eval->module;
    NodeId function = scope->node;
    bool plain = node_is(module, function, NODE_FUNCTION_DEF) && !eval->dynamic_names &&
                 !eval_is_builtin(name) && !is_bound_from_inside(eval, function, name);
    for (const Scope *outer = scope->parent; outer != NULL && plain; outer = outer->parent) {
        plain = scope_get(outer, name) == NULL;
    }
    for (NodeId at = function + 1; at < node_at(module, function)->subtree_end && plain; at++) {
        NodeKind kind = node_kind(module, at);
        plain = kind != NODE_IMPORT && kind != NODE_IMPORT_FROM && kind != NODE_TRY &&
                kind != NODE_WITH && kind != NODE_MATCH && kind != NODE_DELETE &&
                kind != NODE_CLASS_DEF &&
                !(kind == NODE_FUNCTION_DEF && str_equal(node_name(module, at), name));
    }
    return plain;
}

/* Has the walk refused this name before? One finding is enough. */
static bool is_told(const Eval *eval, const char *message, NodeId node)
{
    const DriveFindings *findings = &eval->drive->findings;
    for (uint32_t i = 0; i < findings->count; i++) {
        const DriveFinding *one = &findings->items[i];
        if (one->rule == EVAL_UNBOUND && one->node != node &&
            strcmp(one->error.message, message) == 0) {
            return true;
        }
    }
    return false;
}

void drive_unbound(Eval *eval, Scope *scope, NodeId node, Str name)
{
    Drive *drive = eval->drive;
    const Value *value = scope_get(scope, name);
    bool old = drive_carry(eval) != CARRY_NEW;
    /* Not a frontend.function, whose names are those of 9.1 in both versions. */
    bool forgets = scope == drive->scope || !eval->frame->is_graph;
    bool sure = value == NULL || (!value->flag && forgets);
    bool merged = drive->many_paths && !old; /* recorded in another way, without paths */
    if (!sure || merged || drive->ended || eval->assumed > 0 || !is_exact(eval, scope, name)) {
        return;
    }
    PtsError error = {.kind = PTS_RUNTIME_ERROR, .code = 0xF00004};
    snprintf(error.message, sizeof error.message,
             old ? "cannot access local variable '%.*s', which no statement on this path binds"
                 : "cannot access local variable '%.*s', which no statement on this path binds; "
                   "PyPTO 9.2 silently takes memory that nothing has written",
             STR_ARG(name));
    if (is_told(eval, error.message, node) || !drive_may_record(eval)) {
        return;
    }
    NodeId before = drive->node;
    drive->node = node;
    drive->rebinds = drive->rebinds || !old;
    drive_refused(eval, EVAL_UNBOUND, &error);
    drive->node = before;
    if (!drive->ended) {
        scope_set(eval, scope, name, value_unknown());
    }
}

void drive_unbound_hint(Eval *eval, EvalFinding *finding)
{
    const Module *module = eval->module;
    NodeId node = finding->node, function = NO_NODE;
    if (!node_is(module, node, NODE_NAME)) {
        return; /* it is in a helper of another file */
    }
    function = node_function(module, node);
    Str name = node_name(module, node);
    NodeList names = nodes_in(module, function, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId at = names.ids[i];
        Role role = (Role)node_at(module, at)->role;
        if (str_equal(node_name(module, at), name) && (role == ROLE_TARGET || role == ROLE_ELT)) {
            bool later = at > node;
            eval_hint(
                eval, finding,
                later
                    ? "Line %u binds %.*s, but only later."
                    : "Line %u binds %.*s on some paths only: bind it before the condition, or on "
                      "both of its sides.",
                later
                    ? "第 %u 行才绑定 %.*s，晚于此处。"
                    : "第 %u 行只在部分路径上绑定 %.*s：请在条件之前绑定它，或在条件的两侧都绑定。",
                node_line(module, at), STR_ARG(name));
            return;
        }
    }
}
