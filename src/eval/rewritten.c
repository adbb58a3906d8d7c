/* Names that a program binds in ways the walk does not follow: globals by `globals()`, `exec` or a
 * special method such as `__add__`, and attributes of other packages. Their values are unknown from
 * the beginning. */
#include "base/ascii.h"
#include "eval/state.h"

/* Which globals of a file are bound that way. */
typedef struct Rewritten {
    Map names;
    bool any; /* any global may be, except functions, classes and modules */
} Rewritten;

static void note(Eval *eval, Map *map, Str name)
{
    if (map_find(map, name) == MAP_NONE) {
        map_add(map, eval->arena, name);
    }
}

static bool is_of_name(char c)
{
    return is_word_char(c) || (unsigned char)c >= 0x80;
}

/* Does the call pass its arguments to a function that only reads them? */
static bool is_read_by(const Module *module, NodeId call)
{
    static const char *const readers[] = {"dict", "list", "len",  "set",  "sorted",
                                          "iter", "eval", "type", "print"};
    return node_is(module, call, NODE_CALL) &&
           node_is(module, call_func(module, call), NODE_NAME) &&
           STR_IS_ANY(node_name(module, call_func(module, call)), readers);
}

static void add_name(Eval *eval, const Module *module, NodeId key, Rewritten *rewritten)
{
    Str name;
    if (key != NO_NODE && node_string(module, key, eval->arena, &name)) {
        note(eval, &rewritten->names, name);
    } else {
        rewritten->any = true;
    }
}

/* `globals().update(…)` and other methods. */
static void add_method(Eval *eval, const Module *module, NodeId method, Rewritten *rewritten)
{
    static const char *const reading[] = {"get", "items", "keys", "values", "copy", "__contains__"};
    NodeId call = node_at(module, method)->parent;
    bool is_called = node_is(module, call, NODE_CALL) && call_func(module, call) == method;
    if (is_called && STR_IS_ANY(node_name(module, method), reading)) {
        return;
    }
    NodeId first = is_called ? node_child(module, call, ROLE_ARG) : NO_NODE;
    if (!is_called || !str_is(node_name(module, method), "update")) {
        add_name(eval, module, first, rewritten);
        return;
    }
    rewritten->any = rewritten->any || first != NO_NODE;
    for (NodeId keyword = node_child(module, call, ROLE_KEYWORD); keyword != NO_NODE;
         keyword = node_next(module, keyword)) {
        Str name = node_name(module, keyword);
        rewritten->any = rewritten->any || name.length == 0;
        if (name.length > 0) {
            note(eval, &rewritten->names, name);
        }
    }
}

static void add_dict(Eval *eval, const Module *module, NodeId call, Rewritten *rewritten)
{
    NodeId around = node_at(module, call)->parent;
    if (node_is(module, around, NODE_ATTRIBUTE)) {
        add_method(eval, module, around, rewritten);
    } else if (node_is(module, around, NODE_SUBSCRIPT) &&
               node_at(module, call)->role == ROLE_VALUE) {
        if (target_around(module, around) != NO_NODE) {
            add_name(eval, module, node_child(module, around, ROLE_SLICE), rewritten);
        }
    } else if (!node_is(module, around, NODE_COMPARE) && !is_read_by(module, around)) {
        rewritten->any = true;
    }
}

/* The words of the `global` statements in methods such as __add__, which are not walked. The tree
 * does not have the names. */
static void add_operators(Eval *eval, const Module *module, Rewritten *rewritten)
{
    static const char *const walked[] = {"__init__", "__post_init__", "__call__", "__enter__",
                                         "__exit__"};
    NodeList list = module_nodes(module, NODE_GLOBAL);
    for (uint32_t i = 0; i < list.count; i++) {
        NodeId function = node_function(module, list.ids[i]);
        Str method = function != NO_NODE && node_is(module, function, NODE_FUNCTION_DEF)
                         ? node_name(module, function)
                         : STR("");
        if (!str_starts(method, STR("__")) || STR_IS_ANY(method, walked)) {
            continue;
        }
        Str text = node_text(module, list.ids[i]);
        for (size_t at = 0, end; at < text.length; at = end + 1) {
            for (end = at; end < text.length && is_of_name(text.at[end]); end++) {
            }
            if (end > at) {
                note(eval, &rewritten->names, str_slice(text, at, end));
            }
        }
    }
}

/* --- attributes of other packages */

static void add_member(Eval *eval, const Module *module, NodeId text)
{
    Str name;
    if (text != NO_NODE && node_string(module, text, eval->arena, &name)) {
        note(eval, &eval->replaced.names, unit_last_part(name));
    }
}

/* `setattr(torch, "zeros", …)`, `mock.patch("torch.zeros")`, `patch.multiple(torch, zeros=…)`. */
static void add_patches(Eval *eval, const Module *module)
{
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId call = calls.ids[i];
        if (!eval_is_patching(module, call)) {
            continue;
        }
        add_member(eval, module, call_arg(module, call, 0));
        add_member(eval, module, call_arg(module, call, 1));
        for (NodeId keyword = node_child(module, call, ROLE_KEYWORD); keyword != NO_NODE;
             keyword = node_next(module, keyword)) {
            note(eval, &eval->replaced.names, node_name(module, keyword));
        }
    }
}

/* `torch.Tensor.half = …` */
static void add_assigned(Eval *eval, const Module *module)
{
    NodeList list = module_nodes(module, NODE_ATTRIBUTE);
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    Map imported = {0};
    for (uint32_t i = 0; i < aliases.count; i++) {
        note(eval, &imported, alias_bound_name(module, aliases.ids[i]));
    }
    for (uint32_t i = 0; i < list.count; i++) {
        NodeId root = list.ids[i];
        bool stored = target_around(module, root) != NO_NODE;
        while (stored && node_is(module, root, NODE_ATTRIBUTE)) {
            root = attribute_value(module, root);
        }
        if (stored && node_is(module, root, NODE_NAME) &&
            map_find(&imported, node_name(module, root)) != MAP_NONE) {
            note(eval, &eval->replaced.names, node_name(module, list.ids[i]));
        }
    }
}

static const Rewritten *rewritten_of(Eval *eval, Unit *unit)
{
    static const char *const dicts[] = {"globals", "locals", "vars"};
    if (unit->rewritten != NULL) {
        return unit->rewritten;
    }
    const Module *module = unit->module;
    Rewritten *rewritten = ARENA_NEW(eval->arena, Rewritten);
    NodeList calls = module_nodes(module, NODE_CALL);
    add_operators(eval, module, rewritten);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId call = calls.ids[i], callee = call_func(module, call);
        Str name = node_is(module, callee, NODE_NAME) ? node_name(module, callee) : STR("");
        if (STR_IS_ANY(name, dicts) && node_child(module, call, ROLE_ARG) == NO_NODE &&
            (str_is(name, "globals") || node_function(module, call) == NO_NODE)) {
            add_dict(eval, module, call, rewritten);
        }
        rewritten->any = rewritten->any || str_is(name, "exec");
    }
    unit->rewritten = rewritten;
    return rewritten;
}

bool eval_rewritten(Eval *eval, Str name, Value value)
{
    const Rewritten *rewritten = rewritten_of(eval, eval->units.items[eval->unit]);
    static const ValueKind lasting[] = {VALUE_FUNCTION, VALUE_CLASS, VALUE_KERNEL, VALUE_OUTSIDE,
                                        VALUE_MODULE,   VALUE_API,   VALUE_BUILTIN};
    bool lasts = false;
    for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++) {
        lasts = lasts || (ValueKind)value.kind == lasting[i];
    }
    return (rewritten->any && !lasts) || map_find(&rewritten->names, name) != MAP_NONE;
}

bool eval_is_replaced(Eval *eval, Str name)
{
    for (; eval->replaced.searched < eval->units.count; eval->replaced.searched++) {
        const Module *module = eval->units.items[eval->replaced.searched]->module;
        add_assigned(eval, module);
        add_patches(eval, module);
    }
    return map_find(&eval->replaced.names, name) != MAP_NONE;
}
