/* Torch cast; see torch_cast.h. */
#include "rules/torch_cast.h"

#include "rules/similar.h"

enum { LONGEST_OPERAND = 40 };

/* "pypto.DT_FP32" for float32, or an empty Str. */
static Str constant_of(Arena *arena, Str name)
{
    const Synonym *synonym = synonym_find(name);
    Str constant = str_starts(name, STR("DT_")) ? name
                   : synonym == NULL            ? STR("")
                                                : str_from(synonym->names[0]);
    return str_starts(constant, STR("DT_")) ? str_format(arena, "pypto.%.*s", STR_ARG(constant))
                                            : STR("");
}

/* The data type that an argument names, or an empty Str. */
static Str argument_type(Arena *arena, const Module *module, NodeId argument)
{
    if (!node_is(module, argument, NODE_NAME) && !node_is(module, argument, NODE_ATTRIBUTE)) {
        return STR("");
    }
    Str name = node_name(module, argument), constant = constant_of(arena, name);
    bool says_type = str_ends(name, STR("dtype"));
    return constant.length > 0 || !says_type ? constant : node_text(module, argument);
}

static Str call_type(Arena *arena, const Module *module, NodeId call)
{
    NodeId keyword = call_keyword_value(module, call, "dtype");
    Str type = keyword == NO_NODE ? STR("") : argument_type(arena, module, keyword);
    NodeId argument = node_child(module, call, ROLE_ARG);
    for (; type.length == 0 && argument != NO_NODE; argument = node_next(module, argument)) {
        type = argument_type(arena, module, argument);
    }
    return type;
}

Str torch_cast(Arena *arena, const Module *module, NodeId attribute)
{
    static const char *const converting[] = {"to", "type", "astype"};
    NodeId call = node_at(module, attribute)->parent;
    if (!node_is(module, call, NODE_CALL) || call_func(module, call) != attribute) {
        return STR("");
    }
    Str name = node_name(module, attribute);
    Str type =
        STR_IS_ANY(name, converting) ? call_type(arena, module, call) : constant_of(arena, name);
    if (type.length == 0) {
        return STR("");
    }
    Str operand = node_text(module, attribute_value(module, attribute));
    bool plain = operand.length <= LONGEST_OPERAND && !str_contains(operand, STR("\n")) &&
                 !str_contains(operand, STR("|"));
    return str_format(arena, "pypto.cast(%.*s, %.*s)", STR_ARG(plain ? operand : STR("x")),
                      STR_ARG(type));
}
