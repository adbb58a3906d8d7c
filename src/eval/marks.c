/* Marks of tests: which run, and which are meant to fail. */
#include "eval/launch.h"

/* What the name is assigned among the statements below `root`; an empty text if it is not. */
static Str assigned_text(const Module *module, NodeId root, Str name)
{
    for (NodeId node = node_child(module, root, ROLE_BODY); node != NO_NODE;
         node = node_next(module, node)) {
        NodeId target =
            node_is(module, node, NODE_ASSIGN) ? node_child(module, node, ROLE_TARGET) : NO_NODE;
        if (node_is(module, target, NODE_NAME) && str_equal(node_name(module, target), name)) {
            return node_text(module, node_child(module, node, ROLE_VALUE));
        }
    }
    return STR("");
}

/* `pytestmark = pytest.mark.skip` of a class or a file. */
static bool is_marked_by(const Eval *eval, NodeId root, const char *mark)
{
    Str text = assigned_text(eval->module, root, STR("pytestmark"));
    return str_contains(text, str_format(eval->arena, "mark.%s", mark));
}

bool entry_is_marked(const Eval *eval, NodeId function, const char *mark)
{
    const Module *module = eval->module;
    NodeId parent = node_at(module, function)->parent;
    for (NodeId decorator = node_child(module, function, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        bool named = node_is(module, decorator, NODE_NAME);
        Str text = named ? assigned_text(module, 0, node_name(module, decorator)) : STR("");
        text = text.length == 0 ? node_text(module, decorator) : text;
        bool rows = str_contains(text, STR("parametrize")); /* marks of single rows */
        if (!rows && str_contains(text, str_from(mark))) {
            return true;
        }
    }
    if (node_is(module, function, NODE_CLASS_DEF) && is_marked_by(eval, function, mark)) {
        return true;
    }
    return node_is(module, parent, NODE_CLASS_DEF) ? entry_is_marked(eval, parent, mark)
                                                   : is_marked_by(eval, 0, mark);
}

bool entry_may_fail(const Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    if (str_contains(node_text(module, function), STR("mark.xfail"))) {
        return true;
    }
    for (NodeId decorator = node_child(module, function, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        NodeId callee =
            node_is(module, decorator, NODE_CALL) ? call_func(module, decorator) : decorator;
        const Value *own = node_is(module, callee, NODE_NAME)
                               ? scope_get(eval->globals, node_name(module, callee))
                               : NULL;
        if (own != NULL && own->kind == VALUE_FUNCTION && own->as.function->unit == eval->unit) {
            NodeId node = own->as.function->node;
            if (str_contains(node_text(module, node), STR("aises")) ||
                nodes_in(module, node, NODE_EXCEPT_HANDLER).count > 0) {
                return true;
            }
        }
    }
    return false;
}

bool entry_is_collected(const Module *module, NodeId class)
{
    bool named = str_starts(node_name(module, class), STR("Test")) ||
                 node_child(module, class, ROLE_BASE) != NO_NODE;
    return named && !str_is(assigned_text(module, class, STR("__test__")), "False");
}
