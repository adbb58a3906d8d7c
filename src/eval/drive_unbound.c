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

/* Are assignments, loops and nested functions all that binds names in the function? */
static bool binds_plainly(const Module *module, NodeId function)
{
    bool plain = node_is(module, function, NODE_FUNCTION_DEF);
    for (NodeId at = function + 1; plain && at < node_at(module, function)->subtree_end; at++) {
        NodeKind kind = node_kind(module, at);
        plain = kind != NODE_IMPORT && kind != NODE_IMPORT_FROM && kind != NODE_TRY &&
                kind != NODE_WITH && kind != NODE_MATCH && kind != NODE_DELETE &&
                kind != NODE_CLASS_DEF && kind != NODE_NONLOCAL && kind != NODE_NAMED_EXPR;
    }
    return plain;
}

/* Is there a function of that name in the function? */
static bool has_function(const Module *module, NodeId function, Str name)
{
    enum { MOST = 64 }; /* each read compares them all */
    NodeList list = nodes_in(module, function, NODE_FUNCTION_DEF);
    bool found = list.count > MOST;
    for (uint32_t i = 0; i < list.count && !found; i++) {
        found = str_equal(node_name(module, list.ids[i]), name);
    }
    return found;
}

/* Is the walk exact about this name: do only assignments and loops bind it, and does no outer scope
 * have another one that a version of the product might take instead? */
static bool is_exact(Eval *eval, const Scope *scope, Str name)
{
    DrivePlain *known = &eval->drive->plain;
    if (known->function != scope->node) { /* a function can have as many reads as lines */
        *known = (DrivePlain){scope->node, binds_plainly(eval->module, scope->node)};
    }
    bool plain = known->is_plain && !eval->dynamic_names && !eval_is_builtin(name) &&
                 !has_function(eval->module, scope->node, name);
    for (const Scope *outer = scope->parent; outer != NULL && plain; outer = outer->parent) {
        plain = scope_get(outer, name) == NULL;
    }
    return plain;
}

bool drive_is_unbound(const DriveFinding *finding)
{
    return finding->rule == EVAL_STATE && finding->error.code == 0xF00004;
}

bool drive_is_old_form(const Eval *eval, const DriveFinding *old, const DriveFinding *unbound)
{
    const Module *module = eval->module;
    if (!drive_is_unbound(unbound) || !node_is(module, unbound->node, NODE_NAME)) {
        return false;
    }
    /* The recorder's message begins with the name of the tensor. */
    Str name = node_name(module, unbound->node);
    const char *message = old->error.message;
    return old->error.code == 0xF74007 && str_starts(str_from(message), name) &&
           message[name.length] == ' ' &&
           node_line(module, old->node) == node_line(module, unbound->node);
}

/* Has the walk refused this name before? One finding is enough. */
static bool is_told(const Eval *eval, const char *message, NodeId node)
{
    const DriveFindings *findings = &eval->drive->findings;
    for (uint32_t i = 0; i < findings->count; i++) {
        const DriveFinding *one = &findings->items[i];
        if (drive_is_unbound(one) && one->node != node &&
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
    /* 9.1 stops while it records, even on a path that no iteration takes. */
    if (!old && !pts_surely_shows(drive->program, 0xF74007)) {
        scope_set(eval, scope, name, value_unknown()); /* not asked again on this path */
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
    drive_refused(eval, EVAL_STATE, &error);
    drive->node = before;
    if (!drive->ended) {
        scope_set(eval, scope, name, value_unknown());
    }
}

/* The first place in the function that binds the name; NO_NODE: there is none. */
static NodeId binding_of(const Module *module, NodeId function, Str name)
{
    NodeList names = nodes_in(module, function, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId at = names.ids[i];
        if (str_equal(node_name(module, at), name) && target_around(module, at) != NO_NODE &&
            node_function(module, at) == function) {
            return at;
        }
    }
    return NO_NODE;
}

void drive_unbound_hint(Eval *eval, EvalFinding *finding)
{
    const Module *module = eval->module;
    NodeId node = finding->node;
    if (!node_is(module, node, NODE_NAME)) {
        return; /* it is in a helper of another file */
    }
    Str name = node_name(module, node);
    NodeId at = binding_of(module, node_function(module, node), name);
    if (at == NO_NODE) {
        return;
    }
    bool later = at > node;
    eval_hint(eval, finding,
              later ? "Line %u binds %.*s, but only later."
                    : "Line %u binds %.*s on some paths only: bind it before the condition, or on "
                      "both of its sides.",
              later ? "第 %u 行才绑定 %.*s，晚于此处。"
                    : "第 %u 行只在部分路径上绑定 %.*s：请在条件之前绑定它，或在条件的两侧都绑定。",
              node_line(module, at), STR_ARG(name));
}
