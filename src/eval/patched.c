/* Attributes and globals that code changes from outside: `del`, mock.patch, monkeypatch. From then
 * on their values are unknown, even after the change is undone. */
#include "eval/state.h"

void eval_delete_attribute(Eval *eval, Value owner)
{
    if (owner.kind == VALUE_CLASS) {
        owner.as.class->lost = true;
    } else {
        value_lose(eval, owner);
    }
}

void eval_lose_global(Eval *eval, Str name)
{
    for (uint32_t i = 0; i < eval->units.count; i++) {
        Scope *globals = eval->units.items[i]->globals;
        const Value *found = scope_get(globals, name);
        if (found != NULL && found->kind == VALUE_CLASS) {
            found->as.class->lost = true;
        }
        if (found != NULL) {
            scope_set(eval, globals, name, value_unknown());
        }
    }
}

bool eval_is_patching(const Module *module, NodeId call)
{
    NodeId part = node_is(module, call, NODE_CALL) ? call_func(module, call) : NO_NODE;
    bool named = part != NO_NODE &&
                 (node_is(module, part, NODE_ATTRIBUTE) || node_is(module, part, NODE_NAME));
    bool found = named && (str_ends(node_name(module, part), STR("setattr")) ||
                           str_ends(node_name(module, part), STR("delattr")));
    for (; named && !found && node_is(module, part, NODE_ATTRIBUTE);
         part = attribute_value(module, part)) {
        found = str_starts(node_name(module, part), STR("patch"));
    }
    return found || (named && node_is(module, part, NODE_NAME) &&
                     str_starts(node_name(module, part), STR("patch")));
}

void eval_patched(Eval *eval, const Arguments *arguments)
{
    if (!eval_is_patching(eval->module, arguments->call)) {
        return;
    }
    for (uint32_t i = 0; i < arguments->positional; i++) {
        Value value = arguments->values[i];
        if (value.kind == VALUE_CLASS) {
            value.as.class->lost = true;
        } else if (value.kind == VALUE_STR && i < 2) {
            eval_lose_global(eval,
                             unit_last_part(*value.as.text)); /* "kernel_impl.TILE", or "TILE" */
        }
    }
}
