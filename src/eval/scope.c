/* Scopes: names and the values bound to them. */
#include "eval/drive_names.h"

Scope *scope_new(Eval *eval, Scope *parent, NodeId node)
{
    Scope *scope = ARENA_NEW(eval->arena, Scope);
    scope->parent = parent;
    scope->node = node;
    scope->birth = eval->clock;
    return scope;
}

void scope_set(Eval *eval, Scope *scope, Str name, Value value)
{
    if (name.length == 0) {
        return;
    }
    uint32_t number = map_find(&scope->names, name);
    if (number == MAP_NONE) {
        number = map_add(&scope->names, eval->arena, name);
    }
    while (scope->bindings.count <= number) {
        VEC_PUSH(eval->arena, &scope->bindings, (Binding){0});
    }
    scope->bindings.items[number] = (Binding){name, value};
}

Value *scope_get(const Scope *scope, Str name)
{
    uint32_t number = map_find(&scope->names, name);
    bool bound = number < scope->bindings.count && scope->bindings.items[number].name.length > 0;
    return bound ? &scope->bindings.items[number].value : NULL;
}

Bindings scope_copy(Eval *eval, const Scope *scope)
{
    Bindings copy = {.count = scope->bindings.count, .capacity = scope->bindings.count};
    if (copy.count > 0) {
        copy.items = ARENA_ARRAY(eval->arena, Binding, copy.count);
        memcpy(copy.items, scope->bindings.items, copy.count * sizeof *copy.items);
    }
    return copy;
}

/* Does reading the name raise if the side that was taken leaves it unbound? Then, wherever it can
 * be read, it has the value of the side that binds it. In a kernel, 9.2 takes something else. */
static bool raises_unbound(const Eval *eval, const Scope *scope, Str name)
{
    bool outside = !eval->reporting && eval->drive == NULL && !scope->is_class;
    return outside && scope->node != NO_NODE && !eval->dynamic_names && !eval->star_import &&
           !eval_is_builtin(name);
}

void scope_join(Eval *eval, Scope *scope, const Bindings *other)
{
    for (uint32_t i = 0; i < scope->names.keys.count; i++) {
        Binding none = {0};
        Binding own = i < scope->bindings.count ? scope->bindings.items[i] : none;
        Binding theirs = i < other->count ? other->items[i] : none;
        Str name = scope->names.keys.items[i];
        if (own.name.length > 0 && theirs.name.length > 0) {
            scope_set(eval, scope, name, value_join(eval, own.value, theirs.value));
        } else if (own.name.length + theirs.name.length > 0) {
            Value only = own.name.length > 0 ? own.value : theirs.value;
            bool known = raises_unbound(eval, scope, name);
            scope_set(eval, scope, name, known ? only : value_hidden(eval, only));
        }
    }
}

NodeId target_around(const Module *module, NodeId name)
{
    NodeId at = name;
    while (node_at(module, at)->role == ROLE_ELT || node_is(module, at, NODE_STARRED) ||
           node_is(module, node_at(module, at)->parent, NODE_STARRED)) {
        at = node_at(module, at)->parent;
    }
    Role role = (Role)node_at(module, at)->role;
    return role == ROLE_TARGET || role == ROLE_OPTIONAL_VARS ? at : NO_NODE;
}

/* --- which names a function binds */

/* The name that a node itself binds, or an empty one. */
static Str bound_name(const Module *module, NodeId id)
{
    NodeKind kind = node_kind(module, id);
    if (node_kind_binds(kind)) {
        return node_name(module, id);
    }
    if (kind == NODE_ALIAS) {
        return alias_bound_name(module, id);
    }
    if (kind != NODE_NAME) {
        return STR("");
    }
    return target_around(module, id) == NO_NODE ? STR("") : node_name(module, id);
}

static bool is_function(const Module *module, NodeId id)
{
    NodeKind kind = node_kind(module, id);
    return kind == NODE_FUNCTION_DEF || kind == NODE_ASYNC_FUNCTION_DEF || kind == NODE_LAMBDA ||
           kind == NODE_CLASS_DEF;
}

/* --- `global` and `nonlocal` */

/* Does a `global` or `nonlocal` statement list the name? The tree does not have these names. */
static bool names_it(const Module *module, NodeId statement, Str name)
{
    Str text = node_text(module, statement);
    for (size_t at = str_find(text, name, 0); at != SIZE_MAX; at = str_find(text, name, at + 1)) {
        char before = at == 0 ? ' ' : text.at[at - 1];
        char after = at + name.length == text.length ? ' ' : text.at[at + name.length];
        bool starts = strchr(" ,\t\\", before) != NULL;
        if (starts && strchr(" ,;\t\\\r\n#", after) != NULL) {
            return true;
        }
    }
    return false;
}

static bool declared(const Eval *eval, NodeId function, NodeKind kind, Str name)
{
    NodeList list = nodes_in(eval->module, function, kind);
    for (uint32_t i = 0; i < list.count; i++) {
        if (node_function(eval->module, list.ids[i]) == function &&
            names_it(eval->module, list.ids[i], name)) {
            return true;
        }
    }
    return false;
}

bool eval_is_global(Eval *eval, Str name)
{
    NodeList list = module_nodes(eval->module, NODE_GLOBAL);
    for (uint32_t i = 0; i < list.count; i++) {
        if (names_it(eval->module, list.ids[i], name)) {
            return true;
        }
    }
    return false;
}

static bool declared_below(const Module *module, NodeId root, Str name)
{
    static const NodeKind kinds[] = {NODE_GLOBAL, NODE_NONLOCAL};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        NodeList list = nodes_in(module, root, kinds[k]);
        for (uint32_t i = 0; i < list.count; i++) {
            if (names_it(module, list.ids[i], name)) {
                return true;
            }
        }
    }
    return false;
}

void scope_lose_declared(Eval *eval, NodeId root, Scope *from)
{
    const Module *module = eval->module;
    NodeList names = nodes_in(module, root, NODE_NAME);
    if (nodes_in(module, root, NODE_GLOBAL).count + nodes_in(module, root, NODE_NONLOCAL).count ==
        0) {
        return;
    }
    for (uint32_t i = 0; i < names.count; i++) {
        Str name = node_name(module, names.ids[i]);
        for (Scope *scope = from; scope != NULL && declared_below(module, root, name);
             scope = scope->parent) {
            Value *value = scope_get(scope, name);
            if (value != NULL) {
                *value = value_hidden(eval, *value);
            }
        }
    }
}

const Strs *eval_locals(Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    Strs *names = &eval->locals[function];
    if (names->items != NULL) {
        return names;
    }
    VEC_PUSH(eval->arena, names, STR("")); /* so that it counts as read */
    bool elsewhere = nodes_in(module, function, NODE_GLOBAL).count > 0 ||
                     nodes_in(module, function, NODE_NONLOCAL).count > 0;
    NodeId end = node_at(module, function)->subtree_end;
    for (NodeId id = function + 1; id < end;) {
        Str name = bound_name(module, id);
        bool other = elsewhere && name.length > 0 && function != 0 &&
                     (declared(eval, function, NODE_GLOBAL, name) ||
                      declared(eval, function, NODE_NONLOCAL, name));
        if (name.length > 0 && !other) {
            VEC_PUSH(eval->arena, names, name);
        }
        id = is_function(module, id) ? node_at(module, id)->subtree_end : id + 1;
    }
    strs_sort_unique(names);
    return names;
}

void scope_widen(Eval *eval, Scope *scope, NodeId root)
{
    const Module *module = eval->module;
    NodeId end = node_at(module, root)->subtree_end;
    for (NodeId id = root + 1; id < end; id++) {
        Str name = bound_name(module, id);
        const Value *old = name.length > 0 ? scope_get(scope, name) : NULL;
        if (name.length > 0) {
            scope_set(eval, scope, name, old == NULL ? value_unknown() : value_hidden(eval, *old));
        }
    }
}

/* --- binding and lookup */

/* `global name`: code that is not walked may write it as well, so its value becomes unknown. */
static void bind_global(Eval *eval, Str name, Value value)
{
    scope_set(eval, eval->globals, name, value_hidden(eval, value));
}

/* `nonlocal name`: its value stays known only if that of its scope is. */
static void bind_outer(Eval *eval, Str name, Value value)
{
    for (Scope *outer = eval->frame->scope->parent; outer != NULL; outer = outer->parent) {
        if (!outer->is_class && scope_get(outer, name) != NULL) {
            bool sure = outer->birth >= eval->region && eval->drive == NULL;
            scope_set(eval, outer, name, sure ? value : value_hidden(eval, value));
            return;
        }
    }
}

void eval_bind(Eval *eval, Str name, Value value)
{
    Scope *scope = eval->frame->scope;
    value =
        eval_kept(eval, value); /* a second walk of an iterator sees only what the first one left */
    if (scope != eval->globals && scope->node != NO_NODE && !scope->is_class) {
        if (declared(eval, scope->node, NODE_GLOBAL, name)) {
            bind_global(eval, name, value);
            return;
        }
        if (declared(eval, scope->node, NODE_NONLOCAL, name)) {
            bind_outer(eval, name, value);
            return;
        }
    }
    const Value *old = eval->caught > 0 ? scope_get(scope, name) : NULL;
    if (old != NULL) {
        value_lose(eval, *old); /* a handler may have seen it under this name */
    }
    if (eval->drive != NULL) {
        drive_bound(eval, name, &value);
    }
    bool rewritten = scope == eval->globals && eval_rewritten(eval, name, value);
    scope_set(eval, scope, name, rewritten ? value_hidden(eval, value) : value);
}

/* --- identities of unknown values */

/* Identities of unknown values, equal for equal texts. */
static uint32_t identity_of(Eval *eval, Str what)
{
    const uint32_t first = 1U << 16; /* smaller numbers are used for the parameters of a kernel */
    uint32_t number = map_find(&eval->identities, what);
    if (number == MAP_NONE) {
        number = map_add(&eval->identities, eval->arena, str_copy(eval->arena, what));
    }
    return first + number;
}

Value value_part(Eval *eval, Value owner, Str name)
{
    enum { MOST_IDENTITIES = 65536, LONGEST = 200 };
    Value value =
        value_is_choice(owner) ? value_choice_attribute(eval, owner, name) : value_unknown();
    if (value.kind == VALUE_UNKNOWN && owner.handle > 0 && name.length < LONGEST &&
        eval->identities.keys.count < MOST_IDENTITIES) {
        Str what = str_format(eval->arena, "%u@%u.%.*s", owner.handle, eval->epoch, STR_ARG(name));
        value.handle = identity_of(eval, what);
    }
    return value;
}

/* All names visible at this place, for suggestions. */
static Strs names_in_reach(Eval *eval, const Scope *from)
{
    Strs names = {0};
    for (const Scope *scope = from; scope != NULL; scope = scope->parent) {
        for (uint32_t i = 0; i < scope->bindings.count; i++) {
            if (scope->bindings.items[i].name.length > 0) {
                VEC_PUSH(eval->result, &names, scope->bindings.items[i].name);
            }
        }
    }
    strs_sort_unique(&names);
    return names;
}

/* The function that the node is in, decorators and annotations included; NO_NODE: in none. */
static NodeId function_around(const Module *module, NodeId node)
{
    while (node != NO_NODE && !node_is(module, node, NODE_FUNCTION_DEF)) {
        node = node_at(module, node)->parent;
    }
    return node;
}

/* The finding of the same name in the same function, or NULL. */
static EvalFinding *unbound_before(Eval *eval, NodeId function, Str name)
{
    for (uint32_t i = 0; i < eval->out.findings.count && function != NO_NODE; i++) {
        EvalFinding *one = &eval->out.findings.items[i];
        if (one->rule == EVAL_UNBOUND && one->unit == eval->report_unit &&
            str_equal(one->name, name) && function_around(eval->module, one->node) == function) {
            return one;
        }
    }
    return NULL;
}

static uint32_t uses_in(Eval *eval, NodeId function, Str name)
{
    uint32_t uses = 0;
    NodeList names =
        function == NO_NODE ? (NodeList){0} : nodes_in(eval->module, function, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        uses += str_equal(node_name(eval->module, names.ids[i]), name);
    }
    return uses;
}

/* One finding a name and function: the others have the same reason, and the same remedy. */
static void report_unbound(Eval *eval, NodeId node, Str name)
{
    bool silent = eval_newer(eval) != NEWER_WRONG;
    NodeId function = function_around(eval->module, node);
    EvalFinding *before = unbound_before(eval, function, name);
    if (before != NULL) {
        before->certain = before->certain || eval->assumed == 0;
        return;
    }
    EvalFinding *finding =
        eval_report(eval, EVAL_UNBOUND, node,
                    silent ? "name '%.*s' is bound nowhere (F00004; PyPTO 9.2 silently takes None)"
                           : "name '%.*s' is bound nowhere (F00004)",
                    silent ? "名称 '%.*s' 未在任何地方绑定（F00004；PyPTO 9.2 不报错，而是取 None）"
                           : "名称 '%.*s' 未在任何地方绑定（F00004）",
                    STR_ARG(name));
    if (finding == NULL) {
        return;
    }
    finding->name = name;
    finding->near = names_in_reach(eval, eval->frame->scope);
    uint32_t uses = uses_in(eval, function, name);
    if (uses > 1) {
        finding->en =
            str_format(eval->result, "%.*s; %u uses in this function", STR_ARG(finding->en), uses);
        finding->zh =
            str_format(eval->result, "%.*s；此函数中共 %u 处", STR_ARG(finding->zh), uses);
    }
}

/* Reports a local name of a plain function that is read before any statement that binds it: the
 * first time the name has no value. Kernels, and other versions, take names of outer scopes or None
 * instead. */
static void report_too_early(Eval *eval, const Scope *scope, NodeId node, Str name)
{
    const Module *module = eval->module;
    NodeId function = scope->node;
    bool plain = scope == eval->frame->scope && !eval->frame->is_graph && eval->assumed == 0 &&
                 node_is(module, function, NODE_FUNCTION_DEF) &&
                 node_function(module, node) == function;
    for (const Scope *outer = scope->parent; outer != NULL && plain; outer = outer->parent) {
        plain = scope_get(outer, name) == NULL;
    }
    for (NodeId at = function + 1; at < node_at(module, function)->subtree_end && plain; at++) {
        bool named = node_is(module, at, NODE_NAME) && str_equal(node_name(module, at), name);
        Role role = (Role)node_at(module, at)->role;
        bool binds =
            named && (role == ROLE_TARGET || role == ROLE_ELT || role == ROLE_OPTIONAL_VARS);
        bool other =
            node_is(module, at, NODE_IMPORT) || node_is(module, at, NODE_IMPORT_FROM) ||
            node_is(module, at, NODE_EXCEPT_HANDLER) || node_is(module, at, NODE_MATCH) ||
            node_is(module, at, NODE_NAMED_EXPR) || node_is(module, at, NODE_DELETE) ||
            (node_is(module, at, NODE_FUNCTION_DEF) && str_equal(node_name(module, at), name));
        plain = !other && !(binds && at < node);
    }
    if (plain) {
        eval_report(eval, EVAL_UNBOUND, node,
                    "local name '%.*s' is used before anything is assigned to it (F00004)",
                    "局部名称 '%.*s' 在赋值之前被使用（F00004）", STR_ARG(name));
    }
}

/* Is it a local name of the scope's function? Nearly all that are not are `pypto`. */
static bool is_local(Eval *eval, Scope *scope, Str name)
{
    if (scope->node == NO_NODE || scope->is_class || str_equal(scope->not_local, name)) {
        return false;
    }
    bool local = strs_sorted_have(eval_locals(eval, scope->node), name);
    scope->not_local = local ? scope->not_local : name;
    return local;
}

Value eval_lookup(Eval *eval, NodeId node, Str name)
{
    bool bound_somewhere = eval->star_import || eval->dynamic_names;
    bool changed = eval->units.items[eval->unit]->changes_builtins; /* len, range and the like */
    for (Scope *scope = eval->frame->scope; scope != NULL; scope = scope->parent) {
        const Value *value = scope_get(scope, name);
        bool inner = scope != eval->frame->scope;
        if (inner && scope->is_class) {
            continue;
        }
        if (value != NULL && drive_is_unset(value)) {
            if (!inner && eval->drive != NULL) {
                drive_unbound(eval, scope, node, name);
            }
            return value_unknown();
        }
        if (value != NULL) {
            bool changes = inner && scope == eval->globals && eval_is_global(eval, name);
            return changes ? value_unknown() : *value;
        }
        if (is_local(eval, scope, name)) {
            if (scope->parent != NULL) {
                report_too_early(eval, scope, node, name);
                if (!inner && eval->drive != NULL) {
                    drive_unbound(eval, scope, node, name);
                }
                return value_unknown(); /* local, but perhaps not bound on this path */
            }
            bound_somewhere = changed = true;
        }
    }
    if (eval_is_builtin(name)) {
        Value builtin = value_text(eval->arena, name);
        builtin.kind = VALUE_BUILTIN;
        return changed ? value_unknown() : builtin;
    }
    if (!bound_somewhere && !eval_is_global(eval, name)) {
        report_unbound(eval, node, name);
    }
    return value_unknown();
}
