/* Scopes: names and what they are bound to. */
#include "eval/drive.h"

Scope *scope_new(Eval *eval, Scope *parent, NodeId node)
{
    Scope *scope = ARENA_NEW(eval->arena, Scope);
    scope->parent = parent;
    scope->node = node;
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

void scope_join(Eval *eval, Scope *scope, const Bindings *other)
{
    for (uint32_t i = 0; i < scope->names.keys.count; i++) {
        Binding none = {0};
        Binding own = i < scope->bindings.count ? scope->bindings.items[i] : none;
        Binding theirs = i < other->count ? other->items[i] : none;
        bool both = own.name.length > 0 && theirs.name.length > 0;
        if (own.name.length + theirs.name.length > 0) {
            scope_set(eval, scope, scope->names.keys.items[i],
                      both ? value_join(own.value, theirs.value) : value_unknown());
        }
    }
}

/* --- which names a function binds */

/* The name that a node binds by itself, or an empty one. */
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
    NodeId at = id;
    while (node_at(module, at)->role == ROLE_ELT || node_is(module, at, NODE_STARRED) ||
           node_is(module, node_at(module, at)->parent, NODE_STARRED)) {
        at = node_at(module, at)->parent;
    }
    Role role = (Role)node_at(module, at)->role;
    return role == ROLE_TARGET || role == ROLE_OPTIONAL_VARS ? node_name(module, id) : STR("");
}

static bool is_function(const Module *module, NodeId id)
{
    NodeKind kind = node_kind(module, id);
    return kind == NODE_FUNCTION_DEF || kind == NODE_ASYNC_FUNCTION_DEF || kind == NODE_LAMBDA ||
           kind == NODE_CLASS_DEF;
}

const Strs *eval_locals(Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    Strs *names = &eval->locals[function];
    if (names->items != NULL) {
        return names;
    }
    VEC_PUSH(eval->arena, names, STR("")); /* so that it counts as read */
    NodeId end = node_at(module, function)->subtree_end;
    for (NodeId id = function + 1; id < end;) {
        if (is_function(module, id)) {
            VEC_PUSH(eval->arena, names, bound_name(module, id));
            id = node_at(module, id)->subtree_end;
            continue;
        }
        Str name = bound_name(module, id);
        if (name.length > 0) {
            VEC_PUSH(eval->arena, names, name);
        }
        id++;
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
        if (name.length > 0) {
            scope_set(eval, scope, name, value_unknown());
        }
    }
}

/* --- binding and lookup */

static bool declared(const Eval *eval, NodeId function, NodeKind kind, Str name)
{
    NodeList list = nodes_in(eval->module, function, kind);
    for (uint32_t i = 0; i < list.count; i++) {
        const Source *source = eval->module->source;
        const Node *node = node_at(eval->module, list.ids[i]);
        if (str_contains(str_slice(source->text, node->start, node->end), name)) {
            return true; /* perhaps a longer name: then it is unknown, no more */
        }
    }
    return false;
}

void eval_bind(Eval *eval, Str name, Value value)
{
    Scope *scope = eval->frame->scope;
    if (scope != eval->globals && scope->node != NO_NODE &&
        (declared(eval, scope->node, NODE_GLOBAL, name) ||
         declared(eval, scope->node, NODE_NONLOCAL, name))) {
        for (Scope *outer = scope->parent; outer != NULL; outer = outer->parent) {
            Value *found = scope_get(outer, name);
            if (found != NULL) {
                *found = value_unknown();
            }
        }
        value = value_unknown();
    }
    if (value.kind == VALUE_TUPLE && value.atom) {
        value = value_unknown(); /* an iterator: a second walk sees what the first one left */
    }
    if (eval->drive != NULL) {
        drive_bound(eval, name, &value);
    }
    scope_set(eval, scope, name, value);
}

static const char builtins[] =
    "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup "
    "BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError "
    "ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError "
    "DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception "
    "ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning "
    "GeneratorExit IOError ImportError ImportWarning IndentationError IndexError "
    "InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError "
    "ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError "
    "OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError "
    "PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError "
    "RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError "
    "SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError "
    "UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning "
    "ValueError Warning ZeroDivisionError _ __annotations__ __builtins__ __build_class__ "
    "__cached__ __class__ __debug__ __dict__ __doc__ __file__ __import__ __loader__ __name__ "
    "__package__ __path__ __spec__ abs aiter all anext any ascii bin bool breakpoint "
    "bytearray bytes callable chr classmethod compile complex credits delattr dict dir divmod "
    "enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help "
    "hex id input int isinstance issubclass iter len license list locals map max memoryview "
    "min next object oct open ord pow print property quit range repr reversed round set "
    "setattr slice sorted staticmethod str sum super tuple type vars zip";

static bool is_builtin_name(Str name)
{
    return str_is_word(name, builtins) || str_starts(name, STR("copyri")); /* that of site */
}

/* All names that a reader at this place could see, for a suggestion. */
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

static void report_unbound(Eval *eval, NodeId node, Str name)
{
    bool silent = eval_newer(eval) != NEWER_WRONG;
    EvalFinding *finding =
        eval_report(eval, EVAL_UNBOUND, node,
                    silent ? "name '%.*s' is bound nowhere (F00004; PyPTO 9.2 silently takes None)"
                           : "name '%.*s' is bound nowhere (F00004)",
                    silent ? "名称 '%.*s' 未在任何地方绑定（F00004；PyPTO 9.2 不报错，而是取 None）"
                           : "名称 '%.*s' 未在任何地方绑定（F00004）",
                    STR_ARG(name));
    if (finding != NULL) {
        finding->name = name;
        finding->near = names_in_reach(eval, eval->frame->scope);
    }
}

Value eval_lookup(Eval *eval, NodeId node, Str name)
{
    bool bound_somewhere = eval->star_import || eval->dynamic_names;
    for (Scope *scope = eval->frame->scope; scope != NULL; scope = scope->parent) {
        const Value *value = scope_get(scope, name);
        if (value != NULL) {
            return *value;
        }
        if (scope->node != NO_NODE && strs_sorted_have(eval_locals(eval, scope->node), name)) {
            if (scope->parent != NULL) {
                return value_unknown(); /* local, but not bound on this way: no finding */
            }
            bound_somewhere = true;
        }
    }
    if (is_builtin_name(name)) {
        Value builtin = value_text(eval->arena, name);
        builtin.kind = VALUE_BUILTIN;
        return bound_somewhere && !eval->star_import ? value_unknown() : builtin;
    }
    NodeList globals = module_nodes(eval->module, NODE_GLOBAL);
    if (!bound_somewhere && globals.count == 0) {
        report_unbound(eval, node, name);
    }
    return value_unknown();
}
