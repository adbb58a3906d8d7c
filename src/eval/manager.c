/* Context managers: `with` enters one after the other, and then walks its body.
 *
 * A function of the program with contextlib.contextmanager is walked like any other: the rest of
 * the `with`, that is, its further managers and its body, runs where the function yields. */
#include "eval/drive.h"

/* What runs at the `yield` of a manager. */
typedef struct Managed {
    NodeId with, item; /* the statement, and the item that the manager is for */
    Frame *frame;      /* of the statement */
    uint32_t unit;     /* its file */
    NodeId outer_call;
    Flow flow;    /* how its body ended */
    bool yielded; /* it ran */
    Value value;  /* without a `with`: what was yielded */
} Managed;

/* Is it a manager that neither records anything nor swallows errors, such as torch.no_grad()? */
static bool is_harmless_manager(Value callee)
{
    static const char *const names[] = {
        "torch.no_grad",           "torch.inference_mode",
        "torch.enable_grad",       "contextlib.nullcontext",
        "warnings.catch_warnings", "torch.set_grad_enabled",
        "torch.autocast",          "torch.autograd.set_detect_anomaly"};
    return callee.kind == VALUE_OUTSIDE && STR_IS_ANY(*callee.as.text, names);
}

/* Binds `as name` and continues after the item. */
static Flow enter_rest(Eval *eval, NodeId with, NodeId item, Value value)
{
    NodeId target = node_child(eval->module, item, ROLE_OPTIONAL_VARS);
    if (target != NO_NODE) {
        eval_assign(eval, target, value);
    }
    return eval_managers(eval, with, node_next(eval->module, item));
}

/* --- functions */

/* Does the function yield exactly once, whatever happens in it? Then the `with` can be walked
 * there. */
static bool yields_once(Eval *eval, const Function *function)
{
    uint32_t here = unit_switch(eval, function->unit);
    const Module *module = eval->module;
    NodeList yields = nodes_in(module, function->node, NODE_YIELD);
    bool once = yields.count == 1 && nodes_in(module, function->node, NODE_RETURN).count == 0 &&
                nodes_in(module, function->node, NODE_EXCEPT_HANDLER).count == 0 &&
                nodes_in(module, function->node, NODE_YIELD_FROM).count == 0;
    NodeId at = once ? node_at(module, yields.ids[0])->parent : function->node;
    for (; once && at != function->node; at = node_at(module, at)->parent) {
        once = node_is(module, at, NODE_WITH) || node_is(module, at, NODE_TRY) ||
               node_is(module, at, NODE_EXPR);
    }
    unit_switch(eval, here);
    return once;
}

static Flow enter_function(Eval *eval, NodeId with, NodeId item, const Function *function,
                           const Arguments *arguments)
{
    Managed managed = {.with = with,
                       .item = item,
                       .frame = eval->frame,
                       .unit = eval->unit,
                       .outer_call = eval->outer_call};
    eval->managing = &managed;
    function_call(eval, arguments, function);
    eval->managing = NULL;
    if (managed.yielded || eval->stopped) {
        return managed.flow;
    }
    if (eval->drive != NULL) {
        drive_end(eval); /* the arguments do not match, or calls are nested too deeply */
        return FLOW_NEXT;
    }
    return enter_rest(eval, with, item, value_unknown());
}

/* Is the `yield`, the only one, inside a `with`? */
static bool yields_in_with(Eval *eval, const Function *function)
{
    uint32_t here = unit_switch(eval, function->unit);
    const Module *module = eval->module;
    NodeId at = nodes_in(module, function->node, NODE_YIELD).ids[0];
    while (at != function->node && !node_is(module, at, NODE_WITH)) {
        at = node_at(module, at)->parent;
    }
    unit_switch(eval, here);
    return at != function->node;
}

Value eval_yielded(Eval *eval, const Function *function, const Arguments *arguments)
{
    if (!yields_once(eval, function) || yields_in_with(eval, function)) {
        lose_arguments(eval, arguments);
        value_lose(eval, (Value){.kind = VALUE_FUNCTION, .as.function = function});
        return value_unknown();
    }
    Managed managed = {.with = NO_NODE, .value = value_unknown()};
    eval->managing = &managed;
    function_call(eval, arguments, function);
    eval->managing = NULL;
    return managed.value;
}

Value eval_yield(Eval *eval, NodeId node)
{
    check_statement(eval, node);
    Frame *inner = eval->frame;
    Managed *managed = inner->managed;
    if (managed == NULL || managed->yielded) {
        return value_unknown();
    }
    NodeId source = node_first(eval->module, node);
    Value value = source == NO_NODE ? value_none() : eval_expression(eval, source);
    managed->yielded = true;
    if (managed->with == NO_NODE) {
        managed->value = value;
        inner->suspended = true;
        return value_unknown();
    }
    uint32_t unit = unit_switch(eval, managed->unit);
    NodeId outer_call = eval->outer_call;
    eval->outer_call = managed->outer_call;
    eval->frame = managed->frame;
    managed->flow = enter_rest(eval, managed->with, managed->item, value);
    eval->frame = inner;
    eval->outer_call = outer_call;
    unit_switch(eval, unit);
    if (managed->flow == FLOW_RAISE && eval->drive != NULL) {
        eval->drive->raised = true; /* and nothing after the `yield` runs */
        drive_end(eval);
    }
    return value_none();
}

/* --- objects */

static bool has_method(Value object, const char *name)
{
    const Value *found = object.kind == VALUE_INSTANCE && !object.as.instance->lost
                             ? class_find(object.as.instance->class, str_from(name))
                             : NULL;
    return found != NULL && found->kind == VALUE_FUNCTION &&
           found->as.function->method == METHOD_PLAIN;
}

/* May the object's __exit__ swallow an error of the body? It does so by returning a true value. */
static bool may_swallow(const Eval *eval, Value object)
{
    const Function *leave = class_find(object.as.instance->class, STR("__exit__"))->as.function;
    const Module *module = eval->units.items[leave->unit]->module;
    NodeList returns = nodes_in(module, leave->node, NODE_RETURN);
    bool may = false;
    for (uint32_t i = 0; i < returns.count && !may; i++) {
        NodeId value = node_child(module, returns.ids[i], ROLE_VALUE);
        uint8_t op = value == NO_NODE ? CONSTANT_NONE : node_at(module, value)->op;
        may = value != NO_NODE && !(node_is(module, value, NODE_CONSTANT) &&
                                    (op == CONSTANT_NONE || op == CONSTANT_FALSE));
    }
    return may;
}

/* A manager that may swallow the errors of its body: launches in it may be meant to fail. */
static Flow enter_swallowing(Eval *eval, NodeId with, NodeId item)
{
    uint32_t region = eval_expect(eval);
    Flow flow = enter_rest(eval, with, item, value_unknown());
    eval_expected(eval, with, region);
    return flow == FLOW_RAISE ? FLOW_NEXT : flow;
}

/* May the manager be what pytest.raises(…) returned, kept in a variable or a row of a test? */
static bool may_be_raises(Eval *eval, NodeId item, Value object)
{
    NodeId manager = node_child(eval->module, item, ROLE_CONTEXT_EXPR);
    if (object.kind == VALUE_INSTANCE || node_is(eval->module, manager, NODE_CALL)) {
        return false;
    }
    Unit *unit = eval->units.items[eval->unit];
    if (unit->names_raises == 0) {
        unit->names_raises = 1 + eval_names_raises(node_text(eval->module, 0));
    }
    return unit->names_raises == 2;
}

/* pytest.raises or the like, under any name. */
static bool is_raises(Value callee)
{
    static const char *const names[] = {"pytest.raises", "contextlib.suppress"};
    callee = callee.kind == VALUE_PARTIAL ? callee.as.partial->callee : callee;
    return callee.kind == VALUE_OUTSIDE && STR_IS_ANY(*callee.as.text, names);
}

/* Nobody knows what entering and leaving the object does. */
static Flow enter_unknown(Eval *eval, NodeId with, NodeId item, Value object, bool swallows)
{
    if (eval->drive != NULL) {
        drive_end(eval);
        return FLOW_NEXT;
    }
    static const char *const methods[] = {"__enter__", "__exit__"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const Value *method = object.kind == VALUE_INSTANCE
                                  ? class_find(object.as.instance->class, str_from(methods[i]))
                                  : NULL;
        value_lose(eval, method == NULL ? value_none() : *method);
    }
    value_lose(eval, object);
    return swallows || may_be_raises(eval, item, object)
               ? enter_swallowing(eval, with, item)
               : enter_rest(eval, with, item, value_unknown());
}

/* Enters an object of a class of the program. */
static Flow enter_object(Eval *eval, NodeId with, NodeId item, Value object)
{
    bool known = has_method(object, "__enter__") && has_method(object, "__exit__");
    bool swallows = known && may_swallow(eval, object);
    if (!known || swallows) {
        return enter_unknown(eval, with, item, object, swallows);
    }
    NodeId node = node_child(eval->module, item, ROLE_CONTEXT_EXPR);
    Value none[] = {value_none(), value_none(), value_none()};
    NodeId nodes[] = {node, node, node};
    Arguments arguments = {.call = node, .values = none, .nodes = nodes};
    Value entered = instance_method(eval, &arguments, object, STR("__enter__"));
    Flow flow = enter_rest(eval, with, item, entered);
    arguments.positional = 3;
    if (flow != FLOW_RAISE || eval->drive == NULL) {
        instance_method(eval, &arguments, object, STR("__exit__"));
    }
    return flow;
}

/* --- all of them */

/* pypto.options(…) in a scope of its own, which ends with the statement. */
static Flow enter_options(Eval *eval, NodeId with, NodeId item, const Arguments *arguments)
{
    Drive *drive = eval->drive;
    PtsError error;
    int depth = pts_scope_depth(drive->context);
    if (!drive_may_record(eval) || !pts_scope_push(drive->context, &error)) {
        drive_end(eval);
        return FLOW_NEXT;
    }
    drive->node = arguments->call;
    drive_options(eval, arguments);
    Flow flow = enter_rest(eval, with, item, value_unknown());
    pts_scope_unwind(drive->context, depth);
    return flow;
}

static Flow enter_call(Eval *eval, NodeId with, NodeId item, NodeId call)
{
    Value callee = eval_expression(eval, call_func(eval->module, call));
    Arguments arguments = eval_arguments(eval, call);
    bool own = callee.kind == VALUE_FUNCTION && callee.as.function->is_manager;
    if (own && yields_once(eval, callee.as.function)) {
        return enter_function(eval, with, item, callee.as.function, &arguments);
    }
    if (eval->drive != NULL && callee.kind == VALUE_API &&
        strcmp(callee.as.fact->name, "options") == 0) {
        return enter_options(eval, with, item, &arguments);
    }
    if (eval->drive != NULL && is_harmless_manager(callee)) {
        return enter_rest(eval, with, item, value_unknown());
    }
    Value object = eval_call_with(eval, callee, &arguments);
    bool swallows = is_raises(callee) || (own && eval_swallows(eval, callee.as.function));
    return swallows && eval->drive == NULL ? enter_swallowing(eval, with, item)
                                           : enter_object(eval, with, item, object);
}

Flow eval_managers(Eval *eval, NodeId with, NodeId item)
{
    if (item == NO_NODE) {
        return eval_body(eval, with, ROLE_BODY);
    }
    if (!eval_step(eval)) {
        return FLOW_NEXT;
    }
    NodeId manager = node_child(eval->module, item, ROLE_CONTEXT_EXPR);
    eval->nesting++;
    Flow flow = FLOW_NEXT;
    if (eval->nesting >= EVAL_NESTING) {
        facts_limit(eval, EVAL_LIMIT_NESTING);
        eval->stopped = true;
    } else if (node_is(eval->module, manager, NODE_CALL)) {
        flow = enter_call(eval, with, item, manager);
    } else {
        flow = enter_object(eval, with, item, eval_expression(eval, manager));
    }
    eval->nesting--;
    return flow;
}
