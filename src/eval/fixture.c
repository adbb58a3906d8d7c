/* Fixtures of pytest: values for the parameters of tests that no row gives. */
#include "eval/launch.h"

/* The fixture of that name at the top of the file. */
static NodeId find_fixture(const Eval *eval, Str name)
{
    const Module *module = eval->module;
    NodeList functions = module_nodes(module, NODE_FUNCTION_DEF);
    for (uint32_t i = 0; i < functions.count; i++) {
        NodeId id = functions.ids[i];
        if (str_equal(node_name(module, id), name) &&
            node_is(module, node_at(module, id)->parent, NODE_MODULE)) {
            for (NodeId decorator = node_child(module, id, ROLE_DECORATOR); decorator != NO_NODE;
                 decorator = node_next(module, decorator)) {
                if (str_contains(node_text(module, decorator), STR("fixture"))) {
                    return id;
                }
            }
        }
    }
    return NO_NODE;
}

static Value make(Eval *eval, Str name, int depth)
{
    enum { DEEPEST = 4, MOST_PARAMETERS = 8 };
    const Module *module = eval->module;
    NodeId node = depth < DEEPEST ? find_fixture(eval, name) : NO_NODE;
    NodeId list = node == NO_NODE ? NO_NODE : function_arguments(module, node);
    if (node == NO_NODE || node_count(module, list, ROLE_DEFAULT) > 0 ||
        node_count(module, list, ROLE_PARAM) > MOST_PARAMETERS || !eval_step(eval)) {
        return value_unknown();
    }
    Value values[MOST_PARAMETERS + 1];
    NodeId nodes[MOST_PARAMETERS + 1];
    Arguments arguments = {.call = node, .values = values, .nodes = nodes};
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg)) {
        nodes[arguments.positional] = node;
        values[arguments.positional++] = make(eval, node_name(module, arg), depth + 1);
    }
    Function *fixture = ARENA_NEW(eval->arena, Function); /* closures may keep it */
    *fixture = (Function){.node = node, .scope = eval->globals, .unit = eval->unit};
    bool yields = nodes_in(module, node, NODE_YIELD).count > 0;
    return yields ? eval_yielded(eval, fixture, &arguments)
                  : function_call(eval, &arguments, fixture);
}

Value fixture_value(Eval *eval, Str name)
{
    return make(eval, name, 0);
}
