/* Operators that the file registers with torch.library: torch.ops.<namespace>.<name>(…) calls the
 * function that implements it. */
#include "eval/host.h"

/* Is it impl(library, "name", "NPU") or custom_op("namespace::name")? Implementations for fake
 * tensors compute shapes only. */
static bool implements(const Module *module, NodeId decorator, Str name)
{
    Str attribute = call_attribute(module, decorator);
    Str callee = attribute.length > 0 ? attribute : node_text(module, call_func(module, decorator));
    Str text = node_text(module, decorator);
    bool makes = str_is(callee, "impl") || str_is(callee, "custom_op");
    if (!makes || str_contains(text, STR("Meta"))) {
        return false;
    }
    size_t at = str_find(text, name, 0);
    size_t end = at == SIZE_MAX ? 0 : at + name.length;
    bool ends = end > 0 && end < text.length && (text.at[end] == '"' || text.at[end] == '\'');
    bool begins = ends && at > 0 &&
                  (text.at[at - 1] == '"' || text.at[at - 1] == '\'' || text.at[at - 1] == ':');
    return begins;
}

static NodeId find_implementation(const Module *module, Str name)
{
    NodeList functions = module_nodes(module, NODE_FUNCTION_DEF);
    NodeId found = NO_NODE;
    for (uint32_t i = 0; i < functions.count; i++) {
        NodeId id = functions.ids[i];
        bool top = node_is(module, node_at(module, id)->parent, NODE_MODULE);
        for (NodeId decorator = top ? node_child(module, id, ROLE_DECORATOR) : NO_NODE;
             decorator != NO_NODE; decorator = node_next(module, decorator)) {
            if (node_is(module, decorator, NODE_CALL) && implements(module, decorator, name)) {
                if (found != NO_NODE && found != id) {
                    return NO_NODE; /* one for each kind of device */
                }
                found = id;
            }
        }
    }
    return found;
}

bool torch_library_call(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    size_t dot = str_find(name, STR("."), STR("torch.ops.").length);
    if (!str_starts(name, STR("torch.ops.")) || dot == SIZE_MAX) {
        return false;
    }
    Str last = str_slice(name, dot + 1, name.length);
    size_t overload = str_find(last, STR("."), 0); /* .default */
    last = overload == SIZE_MAX ? last : str_slice(last, 0, overload);
    NodeId node = find_implementation(eval->module, last);
    const Value *bound =
        node == NO_NODE ? NULL : scope_get(eval->globals, node_name(eval->module, node));
    if (bound == NULL || bound->kind != VALUE_FUNCTION) {
        return false;
    }
    *result = function_call(eval, arguments, bound->as.function);
    return true;
}
