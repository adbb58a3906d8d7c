/* Marks of tests: which run, and which are meant to fail. */
#include "eval/launch.h"

/* What the statements below a node assign to names, read once for all functions of a file or
 * class. */
typedef struct Assigned {
    const Module *module;
    NodeId root;
    Map names;
    VEC(NodeId) values; /* by the numbers of `names`: of the first assignment */
} Assigned;

static const Assigned *assigned_below(Eval *eval, NodeId root)
{
    const Module *module = eval->module;
    Assigned **kept = root == 0 ? &eval->assigned_in_file : &eval->assigned_in_class;
    if (*kept != NULL && (*kept)->module == module && (*kept)->root == root) {
        return *kept;
    }
    Assigned *made = *kept = ARENA_NEW(eval->arena, Assigned);
    made->module = module;
    made->root = root;
    for (NodeId node = node_child(module, root, ROLE_BODY); node != NO_NODE;
         node = node_next(module, node)) {
        NodeId target =
            node_is(module, node, NODE_ASSIGN) ? node_child(module, node, ROLE_TARGET) : NO_NODE;
        if (node_is(module, target, NODE_NAME) &&
            map_find(&made->names, node_name(module, target)) == MAP_NONE) {
            map_add(&made->names, eval->arena, node_name(module, target));
            VEC_PUSH(eval->arena, &made->values, node_child(module, node, ROLE_VALUE));
        }
    }
    return made;
}

/* What the name is assigned among the statements below `root`; an empty text if it is not. */
static Str assigned_text(Eval *eval, NodeId root, Str name)
{
    const Assigned *assigned = assigned_below(eval, root);
    uint32_t number = map_find(&assigned->names, name);
    return number == MAP_NONE ? STR("") : node_text(eval->module, assigned->values.items[number]);
}

/* `pytestmark = pytest.mark.skip` of a class or a file. */
static bool is_marked_by(Eval *eval, NodeId root, const char *mark)
{
    Str text = assigned_text(eval, root, STR("pytestmark"));
    return str_contains(text, str_format(eval->arena, "mark.%s", mark));
}

bool entry_is_marked(Eval *eval, NodeId function, const char *mark)
{
    const Module *module = eval->module;
    NodeId parent = node_at(module, function)->parent;
    for (NodeId decorator = node_child(module, function, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        bool named = node_is(module, decorator, NODE_NAME);
        Str text = named ? assigned_text(eval, 0, node_name(module, decorator)) : STR("");
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

bool entry_is_collected(Eval *eval, NodeId class)
{
    const Module *module = eval->module;
    bool named = str_starts(node_name(module, class), STR("Test")) ||
                 node_child(module, class, ROLE_BASE) != NO_NODE;
    return named && !str_is(assigned_text(eval, class, STR("__test__")), "False");
}
