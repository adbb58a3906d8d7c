/* Fixtures of pytest: values for the parameters of tests that no row gives. Which fixture pytest
 * takes, and what runs before a test, depends on more than a file shows: in doubt nothing is known.
 */
#include "eval/launch.h"

enum { MOST_PARAMETERS = 64, MOST_MADE = 64 };

/* The functions of a file that are fixtures. */
typedef struct Fixtures {
    Map names;
    VEC(NodeId) nodes; /* by number of the name; NO_NODE: not sure which one it is */
    VEC(NodeId) all;
    bool open;     /* others may run, or have other names: autouse=, usefixtures, name= */
    bool of_class; /* some are methods, which may change the test's object */
    bool rows;     /* a parametrize is not a decorator, so it may give values to any test */
} Fixtures;

/* What the fixtures of one test have returned. Each runs once for a test. */
typedef struct Made {
    Eval *eval;
    Fixtures *fixtures;
    NodeId test;
    uint32_t count;
    Str names[MOST_MADE];
    Value values[MOST_MADE];
} Made;

/* --- the fixtures of a file */

static bool is_fixture(const Module *module, NodeId function)
{
    for (NodeId decorator = node_child(module, function, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        if (str_contains(node_text(module, decorator), STR("fixture")) &&
            !str_contains(node_text(module, decorator), STR("usefixtures"))) {
            return true;
        }
    }
    return false;
}

/* Is it `@pytest.fixture` or a call of it, and the only decorator? */
static bool is_plain(const Module *module, NodeId function)
{
    NodeId decorator = node_child(module, function, ROLE_DECORATOR);
    NodeId callee =
        node_is(module, decorator, NODE_CALL) ? call_func(module, decorator) : decorator;
    Str text = node_text(module, callee);
    return node_next(module, decorator) == NO_NODE &&
           node_is(module, node_at(module, function)->parent, NODE_MODULE) &&
           (str_is(text, "pytest.fixture") || str_is(text, "fixture"));
}

static void add_fixture(Eval *eval, Fixtures *fixtures, NodeId function)
{
    const Module *module = eval->module;
    Str name = node_name(module, function);
    uint32_t number = map_find(&fixtures->names, name);
    NodeId node = is_plain(module, function) ? function : NO_NODE;
    NodeId decorator = node_child(module, function, ROLE_DECORATOR);
    Str text = node_text(module, decorator);
    if (number == MAP_NONE) {
        map_add(&fixtures->names, eval->arena, name);
        VEC_PUSH(eval->arena, &fixtures->nodes, node);
    } else {
        fixtures->nodes.items[number] = NO_NODE; /* defined twice */
    }
    VEC_PUSH(eval->arena, &fixtures->all, function);
    fixtures->open = fixtures->open || str_contains(text, STR("autouse")) ||
                     str_contains(text, STR("name")) || str_contains(text, STR("**"));
    NodeId parent = node_at(module, function)->parent;
    fixtures->of_class = fixtures->of_class || node_is(module, parent, NODE_CLASS_DEF);
}

/* Is the node, an attribute or a name, the callee of a decorator? */
static bool is_decorator(const Module *module, NodeId node)
{
    NodeId parent = node_at(module, node)->parent;
    return node_at(module, node)->role == ROLE_FUNC &&
           node_at(module, parent)->role == ROLE_DECORATOR;
}

/* Names of pytest that change which values tests get. */
static void read_names(const Module *module, Fixtures *fixtures, NodeKind kind)
{
    NodeList nodes = module_nodes(module, kind);
    for (uint32_t i = 0; i < nodes.count; i++) {
        Str name = node_name(module, nodes.ids[i]);
        fixtures->open = fixtures->open || str_is(name, "usefixtures");
        fixtures->rows =
            fixtures->rows || (str_is(name, "parametrize") && !is_decorator(module, nodes.ids[i]));
    }
}

static void lose(Eval *eval, NodeId function)
{
    Function *fixture = ARENA_NEW(eval->arena, Function);
    *fixture = (Function){.node = function, .scope = eval->globals, .unit = eval->unit};
    value_lose(eval, (Value){.kind = VALUE_FUNCTION, .as.function = fixture});
}

static Fixtures *fixtures_of(Eval *eval)
{
    static const NodeKind kinds[] = {NODE_FUNCTION_DEF, NODE_ASYNC_FUNCTION_DEF};
    const Module *module = eval->module;
    Unit *unit = eval->units.items[eval->unit];
    if (unit->fixtures != NULL) {
        return unit->fixtures;
    }
    Fixtures *fixtures = unit->fixtures = ARENA_NEW(eval->arena, Fixtures);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        NodeList functions = module_nodes(module, kinds[k]);
        for (uint32_t i = 0; i < functions.count; i++) {
            NodeId id = functions.ids[i];
            fixtures->rows =
                fixtures->rows || str_is(node_name(module, id), "pytest_generate_tests");
            if (is_fixture(module, id)) {
                add_fixture(eval, fixtures, id);
            }
        }
    }
    read_names(module, fixtures, NODE_ATTRIBUTE);
    read_names(module, fixtures, NODE_NAME);
    for (uint32_t i = 0; fixtures->open && i < fixtures->all.count; i++) {
        lose(eval, fixtures->all.items[i]);
    }
    return fixtures;
}

/* --- parameters with rows */

static bool is_plain_names(const Module *module, NodeId names)
{
    bool list = node_is(module, names, NODE_LIST) || node_is(module, names, NODE_TUPLE);
    for (NodeId item = list ? node_first(module, names) : NO_NODE; item != NO_NODE;
         item = node_sibling(module, item)) {
        if (!node_is(module, item, NODE_CONSTANT)) {
            return false;
        }
    }
    return list || node_is(module, names, NODE_CONSTANT);
}

/* May this decorator of a test or its class give a value to the parameter? */
static bool decorator_gives(const Module *module, NodeId decorator, Str name)
{
    Str text = node_text(module, decorator);
    if (!str_contains(text, STR("parametrize"))) {
        return !str_starts(text, STR("pytest.")) && !str_starts(text, STR("torch.")) &&
               !str_starts(text, STR("unittest."));
    }
    NodeId indirect = call_keyword_value(module, decorator, "indirect");
    if (indirect != NO_NODE && str_is(node_text(module, indirect), "True")) {
        return false; /* the row is for the fixture */
    }
    NodeId names = call_arg(module, decorator, 0);
    names = names == NO_NODE ? call_keyword_value(module, decorator, "argnames") : names;
    return names == NO_NODE || !is_plain_names(module, names) ||
           str_contains(node_text(module, names), name);
}

static bool decorators_give(Eval *eval, NodeId first, Str name)
{
    bool given = false;
    for (NodeId node = first; node != NO_NODE && !given; node = node_next(eval->module, node)) {
        given = !eval_step(eval) || decorator_gives(eval->module, node, name);
    }
    return given;
}

static bool is_given(Eval *eval, NodeId test, Str name)
{
    const Module *module = eval->module;
    NodeId parent = node_at(module, test)->parent;
    return decorators_give(eval, node_child(module, test, ROLE_DECORATOR), name) ||
           (node_is(module, parent, NODE_CLASS_DEF) &&
            decorators_give(eval, entry_class(eval, parent)->decorator, name));
}

/* --- values */

static Value make(Made *made, Str name, int depth);

static Value run(Made *made, NodeId node, int depth)
{
    enum { MOST_OF_ITS_OWN = 8 };
    Eval *eval = made->eval;
    const Module *module = eval->module;
    NodeId list = function_arguments(module, node);
    if (node_count(module, list, ROLE_DEFAULT) > 0 ||
        node_count(module, list, ROLE_PARAM) > MOST_OF_ITS_OWN) {
        lose(eval, node);
        return value_unknown();
    }
    Value values[MOST_OF_ITS_OWN + 1];
    NodeId nodes[MOST_OF_ITS_OWN + 1];
    Arguments arguments = {.call = node, .values = values, .nodes = nodes};
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg)) {
        nodes[arguments.positional] = node;
        values[arguments.positional++] = make(made, node_name(module, arg), depth + 1);
    }
    Function *fixture = ARENA_NEW(eval->arena, Function); /* closures may keep it */
    *fixture = (Function){.node = node, .scope = eval->globals, .unit = eval->unit};
    bool yields = nodes_in(module, node, NODE_YIELD).count > 0;
    Value value =
        yields ? eval_yielded(eval, fixture, &arguments) : function_call(eval, &arguments, fixture);
    NodeId decorator = node_child(module, node, ROLE_DECORATOR);
    if (node_is(module, decorator, NODE_CALL)) {
        value_lose(eval, value); /* with a wider scope, other tests may have changed it */
    }
    return eval_kept(eval, value);
}

static Value make(Made *made, Str name, int depth)
{
    enum { DEEPEST = 4 };
    Eval *eval = made->eval;
    for (uint32_t i = 0; i < made->count; i++) {
        if (str_equal(made->names[i], name)) {
            return made->values[i];
        }
    }
    uint32_t number = map_find(&made->fixtures->names, name);
    NodeId node = number == MAP_NONE ? NO_NODE : made->fixtures->nodes.items[number];
    if (node == NO_NODE || made->count == MOST_MADE || is_given(eval, made->test, name) ||
        !eval_step(eval)) {
        return value_unknown();
    }
    uint32_t place = made->count++;
    made->names[place] = name;
    made->values[place] = value_unknown(); /* also while it is being made */
    if (depth >= DEEPEST) {
        lose(eval, node);
    } else {
        made->values[place] = run(made, node, depth);
    }
    return made->values[place];
}

/* Does pytest surely take the fixtures of this file for the test? A class may inherit some. */
static bool is_plain_test(Eval *eval, const Fixtures *fixtures, NodeId test)
{
    const Module *module = eval->module;
    NodeId parent = node_at(module, test)->parent;
    return !fixtures->open && !fixtures->rows && str_starts(node_name(module, test), STR("test")) &&
           !(node_is(module, parent, NODE_CLASS_DEF) && entry_class(eval, parent)->inherits);
}

void fixtures_bind(Eval *eval, NodeId test)
{
    const Module *module = eval->module;
    NodeId list = function_arguments(module, test);
    Made made = {.eval = eval, .fixtures = fixtures_of(eval), .test = test};
    bool method = node_is(module, node_at(module, test)->parent, NODE_CLASS_DEF);
    NodeId self = node_child(module, list, ROLE_PARAM);
    if (method && self != NO_NODE && (made.fixtures->of_class || made.fixtures->open)) {
        Value *object = scope_get(eval->frame->scope, node_name(module, self));
        *object = value_hidden(eval, *object);
    }
    uint32_t count = node_count(module, list, ROLE_PARAM), at = 0;
    uint32_t defaults = node_count(module, list, ROLE_DEFAULT);
    uint32_t wanted = count > defaults ? count - defaults : 0;
    if (count > MOST_PARAMETERS || !is_plain_test(eval, made.fixtures, test)) {
        return;
    }
    for (NodeId arg = self; arg != NO_NODE && at < wanted; arg = node_next(module, arg), at++) {
        Value value = method && at == 0 ? value_unknown() : make(&made, node_name(module, arg), 0);
        if (value.kind != VALUE_UNKNOWN) {
            scope_set(eval, eval->frame->scope, node_name(module, arg), value);
        }
    }
}
