/* PythonFacts: functions and calls. */
#include "operator/python_facts.h"

NodeId top_level_function(const PyFile *file, Str name)
{
    const Module *module = pyfile_module(file);
    if (module == NULL) {
        return NO_NODE;
    }
    for (NodeId id = node_child(module, 0, ROLE_BODY); id != NO_NODE; id = node_next(module, id)) {
        if (node_is(module, id, NODE_FUNCTION_DEF) && str_equal(node_name(module, id), name)) {
            return id;
        }
    }
    return NO_NODE;
}

int required_parameters(const Module *module, NodeId function)
{
    NodeId arguments = function_arguments(module, function);
    if (arguments == NO_NODE) {
        return 0;
    }
    int required = (int)node_count(module, arguments, ROLE_PARAM) -
                   (int)node_count(module, arguments, ROLE_DEFAULT);
    NodeId first = node_child(module, arguments, ROLE_PARAM);
    bool bound = first != NO_NODE && (str_is(node_name(module, first), "self") ||
                                      str_is(node_name(module, first), "cls"));
    return bound && required > 0 ? required - 1 : required;
}

bool callee_mentions(const PyFile *file, NodeId call, const char *text, bool fold)
{
    return expression_mentions(file, call_func(pyfile_module(file), call), text, fold);
}

Strs parameter_names(const Module *module, Arena *arena, NodeId function)
{
    static const Role roles[] = {ROLE_POSONLYARG, ROLE_PARAM, ROLE_KWONLYARG};
    Strs names = {0};
    NodeId arguments = function_arguments(module, function);
    for (size_t i = 0; arguments != NO_NODE && i < sizeof roles / sizeof *roles; i++) {
        for (NodeId id = node_child(module, arguments, roles[i]); id != NO_NODE;
             id = node_next(module, id)) {
            Str name = node_name(module, id);
            VEC_PUSH(arena, &names, name);
        }
    }
    return names;
}
