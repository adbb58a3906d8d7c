/* Entry points: where the walk of host code begins, mainly tests. */
#include "eval/launch.h"
#include "eval/made_kernel.h"

/* By the name of a function: the first and the last place that calls it. */
typedef struct Callers {
    NodeId first, last;
} Callers;
struct CalledNames {
    Map names;
    VEC(Callers) callers; /* by number of the name */
};

static const struct CalledNames *called_names(Eval *eval)
{
    Unit *unit = eval->units.items[eval->unit];
    if (unit->called != NULL) {
        return unit->called;
    }
    const Module *module = eval->module;
    struct CalledNames *called = ARENA_NEW(eval->arena, struct CalledNames);
    NodeList names = module_nodes(module, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId id = names.ids[i];
        if (node_at(module, id)->role != ROLE_FUNC) {
            continue;
        }
        uint32_t number = map_find(&called->names, node_name(module, id));
        if (number == MAP_NONE) {
            number = map_add(&called->names, eval->arena, node_name(module, id));
            VEC_PUSH(eval->arena, &called->callers, ((Callers){id, id}));
        }
        Callers *callers = &called->callers.items[number];
        callers->first = id < callers->first ? id : callers->first;
        callers->last = id > callers->last ? id : callers->last;
    }
    unit->called = called;
    return called;
}

/* Does anything outside of the function call its name? The nodes of a function follow each other,
 * so if any call is outside, the first or the last one is. */
static bool is_called(Eval *eval, NodeId function)
{
    const struct CalledNames *called = called_names(eval);
    uint32_t number = map_find(&called->names, node_name(eval->module, function));
    if (number == MAP_NONE) {
        return false;
    }
    Callers callers = called->callers.items[number];
    return !node_within(eval->module, callers.first, function) ||
           !node_within(eval->module, callers.last, function);
}

/* --- rows of parameters */

enum { MOST_ROWS = 4, MOST_NAMES = 16 };

/* Values for the parameters of a test: one row from each parametrize. */
typedef struct Row {
    Str names[MOST_NAMES];
    Value values[MOST_NAMES];
    uint32_t count;
} Row;

typedef struct Rows {
    Row rows[MOST_ROWS];
    uint32_t count;
} Rows;

/* "m, n" or ["m", "n"]; false when the names are not known. */
static bool read_names(Eval *eval, Value value, Row *row)
{
    Value text = value.kind == VALUE_STR ? value : value_unknown();
    const Sequence *items = text.kind == VALUE_STR ? NULL : eval_items(eval, NO_NODE, value);
    Str rest = text.kind == VALUE_STR ? *text.as.text : STR("");
    while (rest.length > 0 && row->count < MOST_NAMES) {
        size_t comma = str_find(rest, STR(","), 0);
        Str name = str_trim(str_slice(rest, 0, comma));
        if (name.length > 0) {
            row->names[row->count++] = name;
        }
        rest = comma == SIZE_MAX ? STR("") : str_slice(rest, comma + 1, rest.length);
    }
    for (uint32_t i = 0; items != NULL && i < items->count; i++) {
        if (items->items[i].kind != VALUE_STR || row->count == MOST_NAMES) {
            return false;
        }
        row->names[row->count++] = *items->items[i].as.text;
    }
    return row->count > 0 && rest.length == 0;
}

/* The values of one row; false when it has another number of them. */
static bool read_row(Eval *eval, Value value, Row *row)
{
    const Sequence *items = row->count == 1 ? NULL : eval_items(eval, NO_NODE, value);
    for (uint32_t i = 0; i < row->count; i++) {
        row->values[i] = row->count == 1 ? value : items == NULL ? value_unknown() : value_none();
        if (items != NULL) {
            if (items->count != row->count) {
                return false;
            }
            row->values[i] = items->items[i];
        }
    }
    return true;
}

/* Combines each row so far with each new one; keeps the first MOST_ROWS. */
static void combine(Rows *rows, const Rows *more)
{
    Rows made = {.count = 0};
    for (uint32_t i = 0; i < rows->count; i++) {
        for (uint32_t k = 0; k < more->count && made.count < MOST_ROWS; k++) {
            Row row = rows->rows[i];
            for (uint32_t n = 0; n < more->rows[k].count && row.count < MOST_NAMES; n++) {
                row.names[row.count] = more->rows[k].names[n];
                row.values[row.count++] = more->rows[k].values[n];
            }
            made.rows[made.count++] = row;
        }
    }
    *rows = made.count > 0 ? made : *rows;
}

/* Is the row a pytest.param(…) with marks that say it fails or is skipped? */
static bool is_marked_row(const Eval *eval, NodeId list, uint32_t number)
{
    bool display =
        node_is(eval->module, list, NODE_LIST) || node_is(eval->module, list, NODE_TUPLE);
    NodeId row = display ? node_nth(eval->module, list, ROLE_ELT, number) : NO_NODE;
    return node_is(eval->module, row, NODE_CALL) &&
           call_keyword(eval->module, row, "marks") != NO_NODE;
}

static void read_parametrize(Eval *eval, NodeId decorator, Rows *rows)
{
    const Module *module = eval->module;
    NodeId names = call_arg(module, decorator, 0), list = call_arg(module, decorator, 1);
    names = names == NO_NODE ? call_keyword_value(module, decorator, "argnames") : names;
    list = list == NO_NODE ? call_keyword_value(module, decorator, "argvalues") : list;
    Row form = {.count = 0};
    Rows more = {.count = 0};
    bool indirect = call_keyword(module, decorator, "indirect") != NO_NODE; /* for fixtures */
    if (names == NO_NODE || list == NO_NODE || indirect ||
        !read_names(eval, eval_expression(eval, names), &form)) {
        return;
    }
    Value value = eval_expression(eval, list);
    const Sequence *items = eval_items(eval, NO_NODE, value);
    for (uint32_t i = 0; items != NULL && i < items->count && more.count < MOST_ROWS; i++) {
        Row row = form;
        if (!is_marked_row(eval, list, i) && read_row(eval, items->items[i], &row)) {
            more.rows[more.count++] = row;
        }
    }
    combine(rows, &more);
}

static Rows read_rows(Eval *eval, NodeId function)
{
    const Module *module = eval->module;
    Rows rows = {.count = 1};
    Frame frame = {.scope = eval->globals};
    eval->frame = &frame;
    for (NodeId decorator = node_child(module, function, ROLE_DECORATOR); decorator != NO_NODE;
         decorator = node_next(module, decorator)) {
        bool call = node_is(module, decorator, NODE_CALL);
        if (call && str_is(call_attribute(module, decorator), "parametrize")) {
            read_parametrize(eval, decorator, &rows);
        }
    }
    eval->frame = NULL;
    return rows;
}

/* --- walks */

static void begin(Eval *eval)
{
    eval->stopped = false;
    eval->steps = EVAL_STEPS_KERNEL;
    eval->caught = 0;
    eval->assumed = 0;
    eval->region = ++eval->clock;
}

/* The object of a test method after its setup methods; unknown when the class is not known. */
static Value test_object(Eval *eval, NodeId class)
{
    static const char *const setups[] = {"setUpClass", "setup_class", "setUp", "setup_method"};
    const Value *found = scope_get(eval->globals, node_name(eval->module, class));
    if (found == NULL || found->kind != VALUE_CLASS) {
        return value_unknown();
    }
    Arguments none = {.call = class};
    Value object = class_call(eval, &none, found->as.class);
    uint32_t region = eval->region;
    eval->region = 0; /* its changes, mainly to the class, apply to each of the tests */
    for (size_t i = 0; i < sizeof setups / sizeof *setups && object.kind == VALUE_INSTANCE; i++) {
        const Value *setup = class_find(found->as.class, str_from(setups[i]));
        NodeId list = setup != NULL && setup->kind == VALUE_FUNCTION
                          ? function_arguments(eval->module, setup->as.function->node)
                          : NO_NODE;
        if (list != NO_NODE && node_count(eval->module, list, ROLE_PARAM) == 1) {
            instance_method(eval, &none, object, str_from(setups[i]));
        }
    }
    eval->region = region;
    return object;
}

/* Binds the parameters of a test that have defaults. None stands for a value that a direct run
 * gives. */
static void bind_defaults(Eval *eval, NodeId list)
{
    const Module *module = eval->module;
    uint32_t count = node_count(module, list, ROLE_PARAM);
    uint32_t defaults = node_count(module, list, ROLE_DEFAULT), at = 0;
    for (NodeId arg = node_child(module, list, ROLE_PARAM); arg != NO_NODE;
         arg = node_next(module, arg), at++) {
        if (at + defaults < count) {
            continue;
        }
        Value value =
            eval_expression(eval, node_nth(module, list, ROLE_DEFAULT, at + defaults - count));
        if (value.kind != VALUE_NONE) {
            scope_set(eval, eval->frame->scope, node_name(module, arg), eval_kept(eval, value));
        }
    }
}

static void walk_row(Eval *eval, NodeId function, const Row *row, bool possible)
{
    const Module *module = eval->module;
    NodeId parent = node_at(module, function)->parent;
    bool tiles_set = eval->tiles_set;
    begin(eval);
    Frame frame = {.scope = scope_new(eval, eval->globals, function), .function = function};
    eval->frame = &frame;
    NodeId list = function_arguments(module, function);
    for (NodeId arg = list + 1; arg < eval_node(eval, list)->subtree_end; arg++) {
        if (node_is(module, arg, NODE_ARG)) {
            scope_set(eval, frame.scope, node_name(module, arg), value_unknown());
        }
    }
    if (str_starts(node_name(module, function), STR("test")) && !is_called(eval, function)) {
        bind_defaults(eval, list);
    }
    for (uint32_t i = 0; i < row->count; i++) {
        scope_set(eval, frame.scope, row->names[i], row->values[i]);
    }
    NodeId first = node_child(module, list, ROLE_PARAM);
    if (node_is(module, parent, NODE_CLASS_DEF) && first != NO_NODE) {
        scope_set(eval, frame.scope, node_name(module, first), test_object(eval, parent));
    }
    eval->assumed = possible;
    eval->entry = eval->unit;
    fixtures_bind(eval, function);
    eval->hosting = str_starts(node_name(module, function), STR("test"));
    eval_body(eval, function, ROLE_BODY);
    eval->hosting = false;
    eval->tiles_set = tiles_set;
    eval->entry = 0;
    eval->assumed = 0;
    eval->frame = NULL;
}

/* `possible`: the function is skipped for now, so its launches are only assumed. */
static void walk_entry(Eval *eval, NodeId function, bool possible)
{
    begin(eval);
    Rows rows = read_rows(eval, function);
    for (uint32_t i = 0; i < rows.count; i++) {
        walk_row(eval, function, &rows.rows[i], possible);
    }
}

/* Walks a function unless it is meant to fail or pytest calls it for a test. */
static void walk_unmarked(Eval *eval, NodeId function)
{
    unsigned marks = entry_marks(eval, function);
    if ((marks & (MARK_XFAIL | MARK_EXPECTED_FAILURE | MARK_FIXTURE)) == 0 &&
        !entry_may_fail(eval, function)) {
        walk_entry(eval, function, (marks & MARK_SKIP) != 0); /* somebody may remove that mark */
    }
}

/* Walks the tests of a file, and unless `tests_only` its functions that nothing calls. */
static void walk_functions(Eval *eval, bool tests_only)
{
    const Module *module = eval->module;
    NodeList functions = module_nodes(module, NODE_FUNCTION_DEF);
    for (uint32_t i = 0; i < functions.count; i++) {
        NodeId id = functions.ids[i];
        NodeId parent = node_at(module, id)->parent;
        bool test = str_starts(node_name(module, id), STR("test"));
        bool method = node_is(module, parent, NODE_CLASS_DEF) && test &&
                      node_is(module, node_at(module, parent)->parent, NODE_MODULE) &&
                      entry_class(eval, parent)->collected;
        bool top = node_is(module, parent, NODE_MODULE) || method;
        if (top && !is_kernel(eval->file, id) && !is_made_kernel(eval, id) &&
            (test || (!tests_only && !is_called(eval, id)))) {
            walk_unmarked(eval, id);
        }
    }
}

/* Walks `if __name__ == "__main__":`, which the walk of the module as an import skips. */
static void walk_main(Eval *eval)
{
    const Module *module = eval->module;
    for (NodeId node = node_child(module, 0, ROLE_BODY); node != NO_NODE;
         node = node_next(module, node)) {
        NodeId test =
            node_is(module, node, NODE_IF) ? node_child(module, node, ROLE_TEST) : NO_NODE;
        if (node_is(module, test, NODE_COMPARE) &&
            str_contains(node_text(module, test), STR("__main__"))) {
            begin(eval);
            Frame frame = {.scope = eval->globals};
            eval->frame = &frame;
            eval->entry = eval->unit;
            eval_body(eval, node, ROLE_BODY);
            eval->entry = 0;
            eval->frame = NULL;
        }
    }
}

static bool every_kernel_is_launched(const Eval *eval)
{
    for (uint32_t i = 0; i < eval->kernels.count; i++) {
        bool launched = eval->kernels.items[i].unit != 0;
        for (uint32_t k = 0; k < eval->launches->items.count && !launched; k++) {
            launched = eval->launches->items.items[k].site == i;
        }
        if (!launched) {
            return false;
        }
    }
    return true;
}

/* Walks the module statements of a test file and goes there. Returns the file that was left. */
static uint32_t enter_test(Eval *eval, const PyFile *file, Str name)
{
    uint32_t number = unit_add(eval, file, name);
    begin(eval);
    eval->entry = number;
    unit_walk(eval, number);
    eval->entry = 0;
    return unit_switch(eval, number);
}

/* Walks the test files of the file: their module statements, their test functions and, if a kernel
 * is not launched by them, what a direct run does. Only then a file that was skimmed is read
 * wholly. */
static void walk_tests(Eval *eval)
{
    const EvalFinder *finder = eval->finder;
    for (uint32_t i = 0; finder != NULL && i < finder->test_count; i++) {
        Str name = finder->tests[i];
        const PyFile *file = finder->find_test == NULL ? finder->find(finder->context, name)
                                                       : finder->find_test(finder->context, name);
        if (file == NULL || pyfile_module(file) == NULL) {
            continue;
        }
        uint32_t home = enter_test(eval, file, name);
        walk_functions(eval, false);
        bool launched = every_kernel_is_launched(eval);
        if (!launched && file->parsed.skimmed == SKIMMED_CODE) {
            file = finder->find(finder->context, name);
            if (file != NULL && pyfile_module(file) != NULL) {
                enter_test(eval, file, name);
            }
        }
        if (!launched) {
            walk_main(eval);
        }
        unit_switch(eval, home);
    }
}

void launch_walk_entries(Eval *eval)
{
    walk_tests(eval);
    walk_functions(eval, every_kernel_is_launched(eval));
}
