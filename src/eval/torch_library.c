/* Operators that the file registers with torch.library: torch.ops.<namespace>.<name>(…) calls the
 * function that implements it on an NPU. Other kinds of devices, and namespaces of torch itself,
 * are left unknown. */
#include "eval/host.h"

/* What a file registers; read once, as a file may call many. */
typedef struct Operators {
    Map libraries;         /* names of the module that are bound to torch.library.Library … */
    Strs spaces;           /* … and the namespace of each; empty = not known */
    Map names;             /* "namespace::name" … */
    VEC(NodeId) functions; /* … and what implements it; NO_NODE = more than one does */
} Operators;

static void read_library(Eval *eval, Operators *operators, NodeId assign)
{
    const Module *module = eval->module;
    NodeId target = node_child(module, assign, ROLE_TARGET);
    NodeId value = node_child(module, assign, ROLE_VALUE);
    if (value == NO_NODE || !node_is(module, value, NODE_CALL) ||
        !str_ends(node_text(module, call_func(module, value)), STR("Library"))) {
        return;
    }
    NodeId name = call_arg(module, value, 0);
    Str space = {0};
    bool known = name != NO_NODE && node_string(module, name, eval->arena, &space);
    bool plain = !(str_is(space, "aten") || str_is(space, "npu") || str_is(space, "prims"));
    uint32_t number = map_add(&operators->libraries, eval->arena, node_text(module, target));
    if (number < operators->spaces.count) {
        operators->spaces.items[number] = (Str){0}; /* which of the two? */
    } else {
        VEC_PUSH(eval->arena, &operators->spaces, known && plain ? space : (Str){0});
    }
}

static bool is_npu(Eval *eval, NodeId key)
{
    Str text;
    return key != NO_NODE && node_string(eval->module, key, eval->arena, &text) &&
           (str_is(text, "NPU") || str_is(text, "npu") || str_is(text, "PrivateUse1"));
}

/* The "namespace::name" that a decorator implements for an NPU, as impl(library, "name", "NPU") or
 * custom_op("namespace::name"); else empty. */
static Str implemented(Eval *eval, const Operators *operators, NodeId decorator)
{
    const Module *module = eval->module;
    Str attribute = call_attribute(module, decorator), name = {0};
    Str callee = attribute.length > 0 ? attribute : node_text(module, call_func(module, decorator));
    NodeId first = call_arg(module, decorator, 0), second = call_arg(module, decorator, 1);
    if (first == NO_NODE) {
        return name;
    }
    if (str_is(callee, "custom_op")) {
        NodeId device = call_keyword_value(module, decorator, "device_types");
        bool whole = node_string(module, first, eval->arena, &name);
        return whole && (device == NO_NODE || is_npu(eval, device)) ? name : (Str){0};
    }
    NodeId key = call_arg(module, decorator, 2);
    key = key == NO_NODE ? call_keyword_value(module, decorator, "dispatch_key") : key;
    if (!str_is(callee, "impl") || second == NO_NODE || !is_npu(eval, key) ||
        !node_string(module, second, eval->arena, &name)) {
        return (Str){0};
    }
    uint32_t library = map_find(&operators->libraries, node_text(module, first));
    Str space = library == MAP_NONE ? (Str){0} : operators->spaces.items[library];
    return space.length == 0 ? (Str){0}
                             : str_format(eval->arena, "%.*s::%.*s", STR_ARG(space), STR_ARG(name));
}

static void read_function(Eval *eval, Operators *operators, NodeId function)
{
    const Module *module = eval->module;
    for (NodeId decorator = node_child(module, function, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        Str name = node_is(module, decorator, NODE_CALL) ? implemented(eval, operators, decorator)
                                                         : (Str){0};
        if (name.length == 0) {
            continue;
        }
        uint32_t number = map_add(&operators->names, eval->arena, name);
        if (number == operators->functions.count) {
            VEC_PUSH(eval->arena, &operators->functions, function);
        } else if (operators->functions.items[number] != function) {
            operators->functions.items[number] = NO_NODE;
        }
    }
}

static const Operators *operators_of(Eval *eval)
{
    Unit *unit = eval->units.items[eval->unit];
    if (unit->operators != NULL) {
        return unit->operators;
    }
    const Module *module = eval->module;
    Operators *operators = ARENA_NEW(eval->arena, Operators);
    NodeList assigns = module_nodes(module, NODE_ASSIGN);
    NodeList functions = module_nodes(module, NODE_FUNCTION_DEF);
    unit->operators = operators;
    for (uint32_t i = 0; i < assigns.count; i++) {
        read_library(eval, operators, assigns.ids[i]);
    }
    for (uint32_t i = 0; i < functions.count; i++) {
        if (node_is(module, node_at(module, functions.ids[i])->parent, NODE_MODULE)) {
            read_function(eval, operators, functions.ids[i]);
        }
    }
    return operators;
}

bool torch_library_call(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    size_t dot = str_find(name, STR("."), STR("torch.ops.").length);
    if (!str_starts(name, STR("torch.ops.")) || dot == SIZE_MAX) {
        return false;
    }
    size_t start = STR("torch.ops.").length;
    Str space = str_slice(name, start, dot);
    Str last = str_slice(name, dot + 1, name.length);
    size_t overload = str_find(last, STR("."), 0); /* .default */
    last = overload == SIZE_MAX ? last : str_slice(last, 0, overload);
    const Operators *operators = operators_of(eval);
    Str key = str_format(eval->arena, "%.*s::%.*s", STR_ARG(space), STR_ARG(last));
    uint32_t number = map_find(&operators->names, key);
    NodeId node = number == MAP_NONE ? NO_NODE : operators->functions.items[number];
    const Value *bound =
        node == NO_NODE ? NULL : scope_get(eval->globals, node_name(eval->module, node));
    if (bound == NULL || bound->kind != VALUE_FUNCTION) {
        return false;
    }
    *result = function_call(eval, arguments, bound->as.function);
    return true;
}
