/* OL57: Python loops in graph code other than framework loops and `range` loops: they run while the
 * graph is built and copy their body into it.
 *
 * Looks at the bodies of the graph functions of files with a kernel: those that kernels reach, and
 * those that call pypto themselves; not at Layer K functions. Functions are those of graph N. */
#include "base/search.h"
#include "rules/common.h"
#include "rules/front_end.h"
#include "rules/reach.h"

/* How a function became graph code. */
typedef enum Cause { NOT_GRAPH, IS_KERNEL, IS_REACHED, CALLS_PYPTO } Cause;

typedef struct GraphFunction {
    Cause cause;
    NodeId call;           /* the call that reached it, or one of its calls of pypto */
    NodeId body, body_end; /* id range of its body statements */
} GraphFunction;

typedef VEC(NodeId) Ids;

typedef struct Graph {
    RuleRun *run;
    const PyFile *file;
    Ids pypto_calls;          /* ascending */
    GraphFunction *functions; /* by place in file->functions */
} Graph;

static void collect_pypto_calls(Graph *graph)
{
    NodeList calls = module_nodes(pyfile_module(graph->file), NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        if (pypto_call(graph->file, calls.ids[i]).length > 0) {
            VEC_PUSH(graph->run->arena, &graph->pypto_calls, calls.ids[i]);
        }
    }
}

/* The first call of pypto in the subtree of `root`, or NO_NODE. */
static NodeId pypto_call_in(const Graph *graph, NodeId root)
{
    uint32_t low;
    LOWER_BOUND(low, graph->pypto_calls.count, graph->pypto_calls.items[low] < root);
    if (low == graph->pypto_calls.count) {
        return NO_NODE;
    }
    NodeId call = graph->pypto_calls.items[low];
    return node_within(pyfile_module(graph->file), call, root) ? call : NO_NODE;
}

static void set_body(const Module *module, NodeId function, GraphFunction *graph_function)
{
    NodeId statement = node_child(module, function, ROLE_BODY);
    graph_function->body = statement;
    graph_function->body_end = statement;
    for (; statement != NO_NODE; statement = node_next(module, statement)) {
        graph_function->body_end = node_at(module, statement)->subtree_end;
    }
}

static void find_graph_functions(Graph *graph)
{
    const PyFile *file = graph->file;
    const Module *module = pyfile_module(file);
    Reach reach;
    reach_from(&reach, graph->run->arena, file, reach_kernels(file, graph->run->arena));
    graph->functions = ARENA_ARRAY(graph->run->arena, GraphFunction, file->functions.count);
    for (uint32_t i = 0; i < file->functions_n.count; i++) {
        NodeId function = file->functions_n.ids[i];
        uint32_t place = function_place(file, function);
        GraphFunction *entry = &graph->functions[place];
        if (is_layer_k_name(graph->run->op->name, node_name(module, function))) {
            continue;
        }
        if (reach.reached[place]) {
            entry->call = reach.by_call[place];
            entry->cause = entry->call == NO_NODE ? IS_KERNEL : IS_REACHED;
        } else {
            entry->call = pypto_call_in(graph, function);
            entry->cause = entry->call == NO_NODE ? NOT_GRAPH : CALLS_PYPTO;
        }
        if (entry->cause != NOT_GRAPH) {
            set_body(module, function, entry);
        }
    }
}

/* The innermost graph function whose body holds the node, or NO_NODE. */
static NodeId graph_function_around(const Graph *graph, NodeId id)
{
    const Module *module = pyfile_module(graph->file);
    NodeId function = node_function(module, id);
    for (; function != NO_NODE; function = node_function(module, function)) {
        const GraphFunction *entry = &graph->functions[function_place(graph->file, function)];
        if (entry->cause != NOT_GRAPH && id >= entry->body && id < entry->body_end) {
            return function;
        }
    }
    return NO_NODE;
}

/* "reached through the call of 'parts' on line 12" and the like, in the language of the run. */
static Str cause_text(const Graph *graph, NodeId function)
{
    const Module *module = pyfile_module(graph->file);
    const GraphFunction *entry = &graph->functions[function_place(graph->file, function)];
    Arena *arena = graph->run->arena;
    bool zh = graph->run->lang == LANG_ZH;
    if (entry->cause == IS_KERNEL) {
        return zh ? STR("它是 JIT kernel") : STR("it is a JIT kernel");
    }
    uint32_t line = node_line(module, entry->call);
    if (entry->cause == CALLS_PYPTO) {
        Str api = pypto_call(graph->file, entry->call);
        return str_format(arena,
                          zh ? "它调用了 pypto.%.*s，第 %u 行" : "it calls pypto.%.*s on line %u",
                          STR_ARG(api), line);
    }
    NodeId caller = node_function(module, entry->call);
    Str from = caller == NO_NODE ? STR("?") : node_name(module, caller);
    return str_format(arena, zh ? "由 '%.*s' 在第 %u 行调用" : "called by '%.*s' on line %u",
                      STR_ARG(from), line);
}

/* Is it a loop of plain code that every front end unrolls as intended? In a kernel a `for` over a
 * list or tuple, or over something that may be one; in a helper, which is plain Python in all
 * versions, any loop. */
static bool is_plain_loop(const Graph *graph, const char *kind, NodeId kernel, NodeId iterator)
{
    static const NodeKind lists[] = {NODE_LIST,      NODE_TUPLE,     NODE_NAME,
                                     NODE_ATTRIBUTE, NODE_SUBSCRIPT, NODE_BIN_OP};
    bool list = false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        list = list || (strcmp(kind, "for") == 0 &&
                        node_is(pyfile_module(graph->file), iterator, lists[i]));
    }
    return graph->run->op->plain && (kernel == NO_NODE || list);
}

/* Is it a loop that only the front end of 9.2 runs: a `while`, a `for` over enumerate(), zip() …,
 * in plain code any loop that is left? */
static bool is_newer_loop(const Graph *graph, const char *kind, NodeId iterator)
{
    return strcmp(kind, "while") == 0 || graph->run->op->plain ||
           (strcmp(kind, "for") == 0 && node_is(pyfile_module(graph->file), iterator, NODE_CALL));
}

static void report_loop(const Graph *graph, NodeId loop, const char *kind, NodeId iterator)
{
    NodeId function = graph_function_around(graph, loop);
    if (function == NO_NODE) {
        return;
    }
    RuleRun *run = graph->run;
    Str name = node_name(pyfile_module(graph->file), function);
    Str over = excerpt(run, graph->file, iterator), cause = cause_text(graph, function);
    static const Text refused = {"; PyPTO before 9.2 refuses it", "；PyPTO 9.2 之前会拒绝"};
    bool is_refused = is_kernel(graph->file, function) && strcmp(kind, "while") == 0;
    NodeId kernel = kernel_around(graph->file, loop);
    if (is_plain_loop(graph, kind, kernel, iterator)) {
        return;
    }
    bool is_older = kernel != NO_NODE && is_newer_loop(graph, kind, iterator);
    Status status = is_older ? older_status(run, graph->file, kernel) : STATUS_FAIL;
    if (status == STATUS_PASS) {
        return;
    }
    is_refused = is_refused || status == STATUS_WARN;
    Finding *finding =
        report(run, status, at_node(graph->file, loop),
               "Python %s ('%.*s') in graph function '%.*s' (%.*s) runs while the graph is built%s",
               "Python %s（'%.*s'）出现在构图函数 '%.*s' 中（%.*s），会在构图时展开执行%s", kind,
               STR_ARG(over), STR_ARG(name), STR_ARG(cause),
               text_in(run->lang, is_refused ? refused : (Text){"", ""}));
    if (is_older) {
        older_finding(run, finding);
    }
}

static void check_loops(const Graph *graph)
{
    static const NodeKind for_kinds[] = {NODE_FOR, NODE_ASYNC_FOR};
    const PyFile *file = graph->file;
    const Module *module = pyfile_module(file);
    NodeList list = module_nodes(module, NODE_WHILE);
    for (uint32_t i = 0; i < list.count; i++) {
        report_loop(graph, list.ids[i], "while", node_child(module, list.ids[i], ROLE_TEST));
    }
    for (size_t k = 0; k < sizeof for_kinds / sizeof *for_kinds; k++) {
        list = module_nodes(module, for_kinds[k]);
        for (uint32_t i = 0; i < list.count; i++) {
            NodeId iterator = node_child(module, list.ids[i], ROLE_ITER);
            if (!is_graph_iterator(file, iterator) && !is_range_iterator(module, iterator)) {
                report_loop(graph, list.ids[i], "for", iterator);
            }
        }
    }
}

static void check_comprehensions(const Graph *graph)
{
    static const NodeKind kinds[] = {NODE_LIST_COMP, NODE_SET_COMP, NODE_DICT_COMP,
                                     NODE_GENERATOR_EXP};
    const Module *module = pyfile_module(graph->file);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        NodeList list = module_nodes(module, kinds[k]);
        for (uint32_t i = 0; i < list.count; i++) {
            if (pypto_call_in(graph, list.ids[i]) != NO_NODE) {
                NodeId generator = node_child(module, list.ids[i], ROLE_GENERATOR);
                report_loop(graph, list.ids[i], "comprehension",
                            node_child(module, generator, ROLE_ITER));
            }
        }
    }
}

static void check(RuleRun *run)
{
    bool has_kernel = false, broken = false;
    for (uint32_t i = 0; i < run->op->scan.count; i++) {
        const PyFile *file = run->op->scan.items[i];
        broken |= report_unparsable(run, file);
        if (pyfile_module(file) == NULL || file->kernels.count == 0) {
            continue;
        }
        has_kernel = true;
        Graph graph = {.run = run, .file = file};
        collect_pypto_calls(&graph);
        find_graph_functions(&graph);
        check_loops(&graph);
        check_comprehensions(&graph);
    }
    if (!has_kernel && !broken) {
        rule_skip(run, "no implementation file contains a JIT kernel", "实现文件中没有 JIT kernel");
    }
}

const Rule ol57 = {
    .id = "OL57",
    .name = "python-loop-in-graph",
    .order = 47,
    .severity = S0,
    .dimension = D1,
    .effort = E3,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES,
    .hint = {"Write `for i in pypto.loop(n):` (with submit_before_loop=True if iterations depend "
             "on each other), or a range loop for a small static unroll.",
             "改用 for i in pypto.loop(n):（若各次迭代相互依赖，加 submit_before_loop=True），"
             "或用 range 循环做小规模静态展开。"},
    .check = check,
};
