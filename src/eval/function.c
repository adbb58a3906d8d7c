/* Functions of the program: definition, parameters, bodies. */
#include "eval/drive.h"
#include "eval/nested.h"

/* --- definition */

/* The scope that a function sees: the names of an enclosing class are not visible. */
static Scope *visible_scope(Scope *scope)
{
    while (scope->is_class && scope->parent != NULL) {
        scope = scope->parent;
    }
    return scope;
}

/* The default between this keyword-only parameter and the next one, or NO_NODE. */
static NodeId keyword_default(const Module *module, NodeId list, NodeId parameter)
{
    NodeId next = node_next(module, parameter);
    uint32_t from = node_at(module, parameter)->start;
    uint32_t to = next == NO_NODE ? UINT32_MAX : node_at(module, next)->start;
    for (NodeId value = node_child(module, list, ROLE_KW_DEFAULT); value != NO_NODE;
         value = node_next(module, value)) {
        uint32_t start = node_at(module, value)->start;
        if (start > from && start < to) {
            return value;
        }
    }
    return NO_NODE;
}

Value function_make(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    Function *function = ARENA_NEW(eval->arena, Function);
    NodeId parameters = function_arguments(module, node);
    function->node = node;
    function->unit = eval->unit;
    function->scope = visible_scope(eval->frame->scope);
    function->default_count = node_count(module, parameters, ROLE_DEFAULT);
    function->keyword_default_count = node_count(module, parameters, ROLE_KWONLYARG);
    function->defaults = ARENA_ARRAY(eval->arena, Value, function->default_count + 1);
    function->keyword_defaults =
        ARENA_ARRAY(eval->arena, Value, function->keyword_default_count + 1);
    uint32_t i = 0;
    for (NodeId value = node_child(module, parameters, ROLE_DEFAULT); value != NO_NODE;
         value = node_next(module, value)) {
        function->defaults[i++] = eval_kept(eval, eval_expression(eval, value));
    }
    i = 0;
    for (NodeId parameter = node_child(module, parameters, ROLE_KWONLYARG); parameter != NO_NODE;
         parameter = node_next(module, parameter)) {
        NodeId value = keyword_default(module, parameters, parameter);
        function->keyword_defaults[i++] =
            value == NO_NODE ? value_unknown() : eval_kept(eval, eval_expression(eval, value));
    }
    return (Value){.kind = VALUE_FUNCTION, .as.function = function};
}

/* What a decorator makes of a function. An unknown one may store it anywhere, so afterwards nothing
 * that the function can reach is known. */
typedef enum Decoration {
    DECORATION_OTHER, /* anything */
    DECORATION_OWN,   /* what a function of the program returns for it */
    DECORATION_SAME,  /* the function, with the same result */
    DECORATION_GRAPH,
    DECORATION_OPTIONS, /* pypto.options(…): the same, with settings of its own */
    DECORATION_MANAGER, /* contextlib.contextmanager */
    DECORATION_STATIC,
    DECORATION_CLASS,
    DECORATION_PROPERTY,
} Decoration;

/* The decorator of a kernel, which leaves its options as they are. */
static bool is_kernel_decorator(Eval *eval, NodeId decorator, NodeId callee)
{
    const Module *module = eval->module;
    bool jit = node_is(module, callee, NODE_ATTRIBUTE) && str_is(node_name(module, callee), "jit");
    return jit && is_kernel(eval->file, node_at(module, decorator)->parent);
}

static Decoration read_decorator(Eval *eval, NodeId decorator, Value *own)
{
    static const struct {
        const char *name;
        Decoration decoration;
    } table[] = {{"staticmethod", DECORATION_STATIC},
                 {"classmethod", DECORATION_CLASS},
                 {"property", DECORATION_PROPERTY},
                 {"torch.no_grad", DECORATION_SAME},
                 {"torch.inference_mode", DECORATION_SAME},
                 {"torch._dynamo.allow_in_graph", DECORATION_SAME},
                 {"torch.compiler.allow_in_graph", DECORATION_SAME},
                 {"functools.wraps", DECORATION_SAME},
                 {"functools.lru_cache", DECORATION_SAME},
                 {"functools.cache", DECORATION_SAME},
                 {"abc.abstractmethod", DECORATION_SAME},
                 {"typing.override", DECORATION_SAME},
                 {"torch.library.impl", DECORATION_SAME},
                 {"torch.library.impl_abstract", DECORATION_SAME},
                 {"torch.library.register_fake", DECORATION_SAME},
                 {"torch.library.register_kernel", DECORATION_SAME},
                 {"torch.library.custom_op", DECORATION_SAME},
                 {"contextlib.contextmanager", DECORATION_MANAGER}};
    bool call = node_is(eval->module, decorator, NODE_CALL);
    NodeId named = call ? call_func(eval->module, decorator) : decorator;
    Str text = node_dotted(eval->module, decorator, eval->arena);
    if (str_is(text, "pypto.frontend.function") || str_is(text, "frontend.function")) {
        return DECORATION_GRAPH;
    }
    Value value = eval_expression(eval, named);
    if (call && value.kind == VALUE_API && strcmp(value.as.fact->name, "options") == 0) {
        eval_expression(eval, decorator);
        return DECORATION_OPTIONS;
    }
    bool known = value.kind == VALUE_BUILTIN || value.kind == VALUE_OUTSIDE;
    for (size_t i = 0; known && i < sizeof table / sizeof *table; i++) {
        if (str_is(*value.as.text, table[i].name)) {
            return table[i].decoration;
        }
    }
    if (known && str_starts(*value.as.text, STR("pytest.mark."))) {
        return DECORATION_SAME;
    }
    bool ours = value.kind == VALUE_FUNCTION && eval->drive == NULL && !eval->frame->is_graph;
    *own = ours && call ? eval_expression(eval, decorator) : value;
    if (ours && own->kind == VALUE_FUNCTION) {
        return DECORATION_OWN;
    }
    value_lose(eval, value);
    if (call && !ours) {
        Arguments arguments = eval_arguments(eval, decorator);
        if (!is_kernel_decorator(eval, decorator, named)) {
            lose_arguments(eval, &arguments);
        }
    }
    return DECORATION_OTHER;
}

enum { MOST_OWN_DECORATORS = 4 };

typedef struct OwnDecorators {
    Value items[MOST_OWN_DECORATORS]; /* functions, the outermost first */
    NodeId nodes[MOST_OWN_DECORATORS];
    uint32_t count;
} OwnDecorators;

/* False if a decorator makes something unknown of it. */
static bool take_decorators(Eval *eval, NodeId node, Function *function, OwnDecorators *own)
{
    own->count = 0;
    for (NodeId decorator = node_child(eval->module, node, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(eval->module, decorator)) {
        Value value = value_unknown();
        Decoration decoration = read_decorator(eval, decorator, &value);
        bool in_class = eval->frame->scope->is_class;
        if (decoration == DECORATION_OTHER || (decoration >= DECORATION_STATIC && !in_class)) {
            return false;
        }
        if (decoration == DECORATION_OWN) {
            if (own->count == MOST_OWN_DECORATORS) {
                return false;
            }
            own->items[own->count] = value;
            own->nodes[own->count++] = decorator;
        }
        function->is_graph = function->is_graph || decoration == DECORATION_GRAPH;
        function->is_scoped = function->is_scoped || decoration == DECORATION_OPTIONS;
        function->is_manager = function->is_manager || decoration == DECORATION_MANAGER;
        function->method = decoration == DECORATION_STATIC     ? METHOD_STATIC
                           : decoration == DECORATION_CLASS    ? METHOD_CLASS
                           : decoration == DECORATION_PROPERTY ? METHOD_PROPERTY
                                                               : function->method;
    }
    return true;
}

/* Applies the program's own decorators to the function, the innermost first. */
static Value decorate(Eval *eval, Value function, const OwnDecorators *own)
{
    for (uint32_t i = own->count; i > 0; i--) {
        Arguments arguments = {.call = own->nodes[i - 1],
                               .values = &function,
                               .nodes = (NodeId *)(uintptr_t)&own->nodes[i - 1],
                               .positional = 1};
        function = eval_call_with(eval, own->items[i - 1], &arguments);
    }
    return function;
}

/* `@size.setter`, `@size.deleter`: reading the property stays as it was. */
static bool extends_property(Eval *eval, NodeId node)
{
    const Module *module = eval->module;
    NodeId decorator = node_child(module, node, ROLE_DECORATOR);
    if (decorator == NO_NODE || !node_is(module, decorator, NODE_ATTRIBUTE) ||
        node_next(module, decorator) != NO_NODE || !eval->frame->scope->is_class) {
        return false;
    }
    Str part = node_name(module, decorator), name = node_name(module, node);
    const Value *now = scope_get(eval->frame->scope, name);
    NodeId of = node_child(module, decorator, ROLE_VALUE);
    return (str_is(part, "setter") || str_is(part, "deleter")) && node_is_name(module, of, name) &&
           now != NULL && now->kind == VALUE_FUNCTION &&
           now->as.function->method == METHOD_PROPERTY;
}

Flow eval_function_def(Eval *eval, NodeId node)
{
    Str name = node_name(eval->module, node);
    if (extends_property(eval, node)) {
        return FLOW_NEXT;
    }
    OwnDecorators decorators;
    if (is_kernel(eval->file, node)) {
        Function ignored = {0};
        take_decorators(eval, node, &ignored, &decorators); /* for tiles set by pypto.options */
        KernelSite site = {.node = node,
                           .scope = eval->frame->scope,
                           .assumed = eval->assumed > 0,
                           .unit = eval->unit,
                           .new_ir = (uint8_t)eval_new_ir(eval->module, node)};
        VEC_PUSH(eval->arena, &eval->kernels, site);
        Value kernel = {.kind = VALUE_KERNEL, .as.integer = eval->kernels.count - 1};
        eval_bind(eval, name, kernel);
        return FLOW_NEXT;
    }
    Value function = function_make(eval, node);
    Function *own = ARENA_NEW(eval->arena, Function);
    *own = *function.as.function;
    function.as.function = own;
    own->in_kernel = eval->frame->is_graph || eval->frame->in_kernel;
    bool known = take_decorators(eval, node, own, &decorators);
    eval_bind(eval, name, known ? decorate(eval, function, &decorators) : value_unknown());
    return FLOW_NEXT;
}

/* --- parameters */

/* The signature of a function in the form of ApiFact.parameters. */
static const char *own_parameters(Eval *eval, const Function *function)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, function->node);
    static const Role roles[] = {ROLE_PARAM, ROLE_VARARG, ROLE_KWONLYARG, ROLE_KWARG};
    uint32_t positional = node_count(module, list, ROLE_PARAM);
    uint32_t at = 0;
    Buf buf = {.arena = eval->arena};
    buf_add(&buf, STR(""));
    if (node_count(module, list, ROLE_POSONLYARG) > 0) {
        return NULL; /* rare: not checked */
    }
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        bool keyword_only = roles[r] == ROLE_KWONLYARG;
        const char *mark = roles[r] == ROLE_VARARG ? "*" : roles[r] == ROLE_KWARG ? "**" : "";
        if (keyword_only && node_count(module, list, ROLE_KWONLYARG) > 0 &&
            node_count(module, list, ROLE_VARARG) == 0) {
            buf_add(&buf, buf.length > 0 ? STR(" *") : STR("*"));
        }
        for (NodeId arg = node_child(module, list, roles[r]); arg != NO_NODE;
             arg = node_next(module, arg), at++) {
            bool optional = *mark == '\0' && at + function->default_count >= positional;
            optional = keyword_only ? keyword_default(module, list, arg) != NO_NODE : optional;
            buf_add(&buf, buf.length > 0 ? STR(" ") : STR(""));
            buf_add(&buf, str_from(mark));
            buf_add(&buf, node_name(module, arg));
            buf_add(&buf, optional ? STR("?") : STR(""));
        }
    }
    return buf_str(&buf).at;
}

static const Value *given_keyword(const Arguments *arguments, Str name)
{
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        if (str_equal(arguments->names[i], name)) {
            return &arguments->values[arguments->positional + i];
        }
    }
    return NULL;
}

/* Binds `*rest` and `**options`. */
static void bind_rest(Eval *eval, const Arguments *arguments, NodeId list, Scope *scope)
{
    const Module *module = eval->module;
    uint32_t positional =
        node_count(module, list, ROLE_POSONLYARG) + node_count(module, list, ROLE_PARAM);
    NodeId rest = node_child(module, list, ROLE_VARARG);
    NodeId options = node_child(module, list, ROLE_KWARG);
    if (rest != NO_NODE) {
        Value tuple = value_sequence(eval->arena, VALUE_TUPLE, arguments->positional);
        for (uint32_t i = positional; i < arguments->positional; i++) {
            sequence_add(eval->arena, tuple.as.sequence, eval_kept(eval, arguments->values[i]));
        }
        scope_set(eval, scope, node_name(module, rest), tuple);
    }
    if (options == NO_NODE) {
        return;
    }
    Value dict = dict_new(eval);
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        bool named = false;
        for (NodeId arg = list + 1; arg < eval_node(eval, list)->subtree_end; arg++) {
            named = named || (node_is(module, arg, NODE_ARG) && arg != options &&
                              str_equal(node_name(module, arg), arguments->names[i]));
        }
        if (!named) {
            dict_set(eval, dict, value_text(eval->arena, arguments->names[i]),
                     eval_kept(eval, arguments->values[arguments->positional + i]));
        }
    }
    scope_set(eval, scope, node_name(module, options), dict);
}

static void bind_positional(Eval *eval, const Arguments *arguments, const Function *function,
                            Scope *scope)
{
    static const Role roles[] = {ROLE_POSONLYARG, ROLE_PARAM};
    const Module *module = eval->module;
    NodeId list = function_arguments(module, function->node);
    uint32_t count =
        node_count(module, list, ROLE_POSONLYARG) + node_count(module, list, ROLE_PARAM);
    uint32_t at = 0, defaults = function->default_count;
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        for (NodeId arg = node_child(module, list, roles[r]); arg != NO_NODE;
             arg = node_next(module, arg), at++) {
            const Value *named =
                roles[r] == ROLE_PARAM ? given_keyword(arguments, node_name(module, arg)) : NULL;
            Value value = named != NULL                ? *named
                          : at < arguments->positional ? arguments->values[at]
                          : at + defaults >= count     ? function->defaults[at + defaults - count]
                                                       : value_unknown();
            scope_set(eval, scope, node_name(module, arg), eval_kept(eval, value));
        }
    }
}

static void bind_parameters(Eval *eval, const Arguments *arguments, const Function *function,
                            Scope *scope)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, function->node);
    uint32_t at = 0;
    for (NodeId arg = list + 1; arg < eval_node(eval, list)->subtree_end; arg++) {
        if (node_is(module, arg, NODE_ARG)) {
            scope_set(eval, scope, node_name(module, arg), value_unknown());
        }
    }
    if (arguments->open) {
        lose_arguments(eval, arguments);
        return;
    }
    bind_positional(eval, arguments, function, scope);
    for (NodeId arg = node_child(module, list, ROLE_KWONLYARG); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        const Value *named = given_keyword(arguments, node_name(module, arg));
        scope_set(eval, scope, node_name(module, arg),
                  eval_kept(eval, named != NULL ? *named : function->keyword_defaults[at]));
    }
    bind_rest(eval, arguments, list, scope);
}

/* --- the body */

static bool is_generator(const Module *module, NodeId function)
{
    return nodes_in(module, function, NODE_YIELD).count > 0 ||
           nodes_in(module, function, NODE_YIELD_FROM).count > 0 ||
           nodes_in(module, function, NODE_AWAIT).count > 0;
}

void lose_arguments(Eval *eval, const Arguments *arguments)
{
    eval->epoch++;
    for (uint32_t i = 0; i < arguments->positional + arguments->keywords; i++) {
        value_lose(eval, arguments->values[i]);
    }
    if (eval->drive == NULL) {
        eval_patched(eval, arguments);
    }
}

/* Walks the body of a function, in its own file, with the arguments bound. */
static Value walk_function(Eval *eval, const Arguments *arguments, const Function *function)
{
    Scope *scope = scope_new(eval, function->scope, function->node);
    bind_parameters(eval, arguments, function, scope);
    Frame frame = {.scope = scope,
                   .is_graph = function->is_graph,
                   .in_kernel = function->in_kernel,
                   .function = function->node,
                   .owner = function->owner,
                   .managed = eval->managing};
    Frame *outer = eval->frame;
    eval->managing = NULL;
    eval->frame = &frame;
    Value result;
    if (node_is(eval->module, function->node, NODE_LAMBDA)) {
        result = eval_expression(eval, node_child(eval->module, function->node, ROLE_BODY));
    } else {
        Flow flow = eval_body(eval, function->node, ROLE_BODY);
        bool falls = flow == FLOW_NEXT;
        result = !frame.has_result ? value_none() : frame.result;
        bool open =
            (falls && frame.has_result) || (frame.may_return && (!frame.has_result || falls));
        result = open ? value_hidden(eval, result) : result;
    }
    eval->frame = outer;
    return eval->stopped ? value_unknown() : result;
}

/* While a kernel is recorded, a frontend.function has its own settings, and so has a function with
 * pypto.options, whose tiles are not read. */
static Value walk_scoped(Eval *eval, const Arguments *arguments, const Function *function)
{
    Drive *drive = eval->drive;
    PtsError error;
    bool scoped = function->is_graph || function->is_scoped;
    if (drive == NULL || !scoped || !drive_may_record(eval)) {
        return walk_function(eval, arguments, function);
    }
    int depth = pts_scope_depth(drive->context);
    if (!pts_scope_push(drive->context, &error)) {
        drive_end(eval);
    }
    if (function->is_scoped) {
        drive_lose_tiles(eval);
    }
    Value result = walk_function(eval, arguments, function);
    pts_scope_unwind(drive->context, depth);
    return result;
}

Value function_call(Eval *eval, const Arguments *arguments, const Function *function)
{
    NodeId outer_call = eval->outer_call;
    NodeId node = eval->drive == NULL ? NO_NODE : eval->drive->node;
    if (eval->unit == 0 && function->unit != 0) {
        eval->outer_call = arguments->call;
    }
    uint32_t home = unit_switch(eval, function->unit);
    bool is_lambda = node_is(eval->module, function->node, NODE_LAMBDA);
    Str name = is_lambda ? STR("lambda") : node_name(eval->module, function->node);
    const char *parameters = own_parameters(eval, function);
    bool generates = eval->managing == NULL && is_generator(eval->module, function->node);
    unit_switch(eval, home);
    Value result = value_unknown();
    bool fits = check_signature(eval, arguments, name, parameters);
    bool nested = fits && eval->drive != NULL && function->is_graph && !arguments->open;
    if (nested && !nested_fits(eval, arguments, function)) {
        lose_arguments(eval, arguments);
    } else if (fits && eval->calls < EVAL_CALLS && !generates) {
        unit_switch(eval, function->unit);
        eval->calls++;
        if (eval->drive != NULL && home != function->unit) {
            eval->drive->node = function->node;
        }
        result = walk_scoped(eval, arguments, function);
        eval->calls--;
        unit_switch(eval, home);
    } else {
        if (eval->drive != NULL) {
            drive_end(eval);
        }
        lose_arguments(eval, arguments);
        value_lose(eval, (Value){.kind = VALUE_FUNCTION, .as.function = function});
    }
    if (eval->drive != NULL && home != function->unit) {
        eval->drive->node = node;
    }
    eval->outer_call = outer_call;
    return result;
}

Arguments arguments_with(Eval *eval, const Arguments *arguments, Value first)
{
    Arguments with = *arguments;
    uint32_t count = arguments->positional + arguments->keywords;
    with.values = ARENA_ARRAY(eval->arena, Value, count + 2);
    with.nodes = ARENA_ARRAY(eval->arena, NodeId, count + 2);
    with.values[0] = first;
    with.nodes[0] = arguments->call;
    if (count > 0) {
        memcpy(with.values + 1, arguments->values, count * sizeof *with.values);
        memcpy(with.nodes + 1, arguments->nodes, count * sizeof *with.nodes);
    }
    with.positional++;
    return with;
}
