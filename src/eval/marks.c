/* Marks of tests: which run, and which are meant to fail. A file may have thousands of tests, so
 * what applies to all of them, or to all tests of a class, is read once. */
#include "eval/launch.h"

/* A name that a statement of the module assigns. */
typedef struct MarkName {
    NodeId value;   /* of the first assignment */
    unsigned marks; /* in the value, if `is_read` */
    bool is_read;
} MarkName;

struct Marks {
    unsigned of_file; /* `pytestmark` */
    Map names;
    VEC(MarkName) assigned; /* by number of the name */
    TestClass class;        /* the last result of entry_class */
};

/* The marks that a text names. `mark`: only those written as pytest.mark.… */
static unsigned marks_in(Str text, bool mark)
{
    static const struct {
        const char *name;
        Mark mark;
    } all[] = {{"mark.skip", MARK_SKIP},
               {"mark.xfail", MARK_XFAIL},
               {"mark.expectedFailure", MARK_EXPECTED_FAILURE},
               {"mark.fixture", MARK_FIXTURE}};
    unsigned marks = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *name = all[i].name + (mark ? 0 : sizeof "mark." - 1);
        marks |= str_contains(text, str_from(name)) ? all[i].mark : 0;
    }
    return marks;
}

/* The name that a statement assigns; empty for other statements and targets. */
static Str assigned_name(const Module *module, NodeId node)
{
    NodeId target =
        node_is(module, node, NODE_ASSIGN) ? node_child(module, node, ROLE_TARGET) : NO_NODE;
    return node_is(module, target, NODE_NAME) ? node_name(module, target) : STR("");
}

/* What the first assignment to the name gives it, in a statement from `first` on; empty: none. */
static Str assigned_text(const Module *module, NodeId first, const char *name)
{
    NodeId node = first;
    while (node != NO_NODE && !str_is(assigned_name(module, node), name)) {
        node = node_next(module, node);
    }
    return node == NO_NODE ? STR("") : node_text(module, node_child(module, node, ROLE_VALUE));
}

static struct Marks *marks_of(Eval *eval)
{
    Unit *unit = eval->units.items[eval->unit];
    if (unit->marks != NULL) {
        return unit->marks;
    }
    const Module *module = eval->module;
    struct Marks *marks = unit->marks = ARENA_NEW(eval->arena, struct Marks);
    for (NodeId node = node_child(module, 0, ROLE_BODY); node != NO_NODE;
         node = node_next(module, node)) {
        Str name = assigned_name(module, node);
        if (name.length > 0 && map_find(&marks->names, name) == MAP_NONE) {
            map_add(&marks->names, eval->arena, name);
            MarkName one = {.value = node_child(module, node, ROLE_VALUE)};
            VEC_PUSH(eval->arena, &marks->assigned, one);
        }
    }
    uint32_t number = map_find(&marks->names, STR("pytestmark"));
    marks->of_file = number == MAP_NONE
                         ? 0
                         : marks_in(node_text(module, marks->assigned.items[number].value), true);
    return marks;
}

static unsigned marks_of_decorator(Eval *eval, NodeId decorator)
{
    const Module *module = eval->module;
    struct Marks *marks = marks_of(eval);
    uint32_t number = node_is(module, decorator, NODE_NAME)
                          ? map_find(&marks->names, node_name(module, decorator))
                          : MAP_NONE;
    MarkName own = {.value = decorator};
    MarkName *named = number == MAP_NONE ? &own : &marks->assigned.items[number];
    if (!named->is_read) {
        Str text = node_text(module, named->value);
        bool rows = str_contains(text, STR("parametrize")); /* marks of single rows */
        named->marks = rows ? 0 : marks_in(text, false);
        named->is_read = true;
    }
    return named->marks;
}

static unsigned marks_of_decorators(Eval *eval, NodeId first)
{
    unsigned marks = 0;
    for (NodeId node = first; node != NO_NODE; node = node_next(eval->module, node)) {
        marks |= marks_of_decorator(eval, node);
    }
    return marks;
}

const TestClass *entry_class(Eval *eval, NodeId class)
{
    const Module *module = eval->module;
    TestClass *kept = &marks_of(eval)->class;
    if (kept->node == class) {
        return kept;
    }
    bool inherits = node_child(module, class, ROLE_BASE) != NO_NODE;
    bool named = inherits || str_starts(node_name(module, class), STR("Test"));
    NodeId body = node_child(module, class, ROLE_BODY);
    NodeId decorator = node_child(module, class, ROLE_DECORATOR);
    *kept = (TestClass){.node = class,
                        .decorator = decorator,
                        .marks = marks_of_decorators(eval, decorator) |
                                 marks_in(assigned_text(module, body, "pytestmark"), true),
                        .inherits = inherits,
                        .collected =
                            named && !str_is(assigned_text(module, body, "__test__"), "False")};
    return kept;
}

unsigned entry_marks(Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    NodeId parent = node_at(module, function)->parent;
    unsigned marks = marks_of_decorators(eval, node_child(module, function, ROLE_DECORATOR));
    if (node_is(module, parent, NODE_CLASS_DEF)) {
        marks |= entry_class(eval, parent)->marks;
    }
    return marks | marks_of(eval)->of_file;
}

/* May a decorator of the file expect the test to raise? */
static bool decorator_expects(const Eval *eval, const Function *decorator)
{
    return nodes_in(eval->module, decorator->node, NODE_EXCEPT_HANDLER).count > 0 ||
           eval_names_raises(node_text(eval->module, decorator->node));
}

bool entry_may_fail(const Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    bool may = str_contains(node_text(module, function), STR("mark.xfail"));
    for (NodeId decorator = node_child(module, function, ROLE_DECORATOR);
         decorator != NO_NODE && !may; decorator = node_next(module, decorator)) {
        NodeId callee =
            node_is(module, decorator, NODE_CALL) ? call_func(module, decorator) : decorator;
        const Value *own = node_is(module, callee, NODE_NAME)
                               ? scope_get(eval->globals, node_name(module, callee))
                               : NULL;
        may = own != NULL && own->kind == VALUE_FUNCTION && own->as.function->unit == eval->unit &&
              decorator_expects(eval, own->as.function);
    }
    return may;
}
