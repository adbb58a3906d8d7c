/* Attributes and globals that code changes from outside: `del`, mock.patch, monkeypatch. What they
 * had before is not known any more, even where such a change ends. */
#include "eval/state.h"

void eval_delete_attribute(Eval *eval, Value owner)
{
    if (owner.kind == VALUE_CLASS) {
        owner.as.class->lost = true;
    } else {
        value_lose(eval, owner);
    }
}

/* The part of the name behind its last dot. */
static Str last_part(Str name)
{
    size_t dot;
    while ((dot = str_find(name, STR("."), 0)) != SIZE_MAX) {
        name = str_slice(name, dot + 1, name.length);
    }
    return name;
}

/* The global of that name in each file may be another value. */
static void lose_global(Eval *eval, Str name)
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

void eval_patched(Eval *eval, const Arguments *arguments)
{
    Str callee = node_is(eval->module, arguments->call, NODE_CALL)
                     ? node_text(eval->module, call_func(eval->module, arguments->call))
                     : STR("");
    bool patches = str_starts(callee, STR("patch")) || str_contains(callee, STR(".patch"));
    if (!patches && !str_ends(callee, STR("setattr")) && !str_ends(callee, STR("delattr"))) {
        return;
    }
    for (uint32_t i = 0; i < arguments->positional; i++) {
        Value value = arguments->values[i];
        if (value.kind == VALUE_CLASS) {
            value.as.class->lost = true;
        } else if (value.kind == VALUE_STR && i < 2) {
            lose_global(eval, last_part(*value.as.text)); /* "kernel_impl.TILE", or "TILE" */
        }
    }
}
