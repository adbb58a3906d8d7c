/* OL62: torch arithmetic in an implementation file: the result would be right without the device
 * graph. Host code may only allocate, convert, lay out and reshape.
 *
 * Looks at all calls and matrix products of production code, i.e. not at main guards and demo
 * functions; of plain code only at what a function that launches a kernel returns in place of its
 * result. Method arithmetic and `@` are left alone in JIT graph code, where operands are
 * framework tensors. */
#include "base/search.h"
#include "rules/common.h"
#include "rules/host_tensors.h"
#include "rules/launch_results.h"
#include "rules/reach.h"

#include <stdlib.h>

/* A longer callee is shown by its last name only, in bytes. */
enum { MAX_CALLEE = 60 };

/* Sorted, for bsearch. */
static const char *const torch_allowed[] = {
    "arange",       "as_tensor",
    "broadcast_to", "cat",
    "chunk",        "current_device",
    "device",       "device_count",
    "empty",        "empty_like",
    "eye",          "flatten",
    "from_numpy",   "full",
    "full_like",    "get_default_dtype",
    "is_available", "manual_seed",
    "meshgrid",     "movedim",
    "no_grad",      "normal",
    "ones",         "ones_like",
    "pad",          "permute",
    "rand",         "rand_like",
    "randint",      "randn",
    "randn_like",   "repeat",
    "reshape",      "set_default_dtype",
    "set_device",   "set_grad_enabled",
    "split",        "squeeze",
    "stack",        "swapaxes",
    "swapdims",     "tensor",
    "tile",         "transpose",
    "tril",         "tril_indices",
    "triu",         "triu_indices",
    "unbind",       "unsqueeze",
    "zeros",        "zeros_like",
};
static const char *const method_arithmetic[] = {
    "abs",         "add",          "addbmm",  "addmm",   "amax",    "amin",        "argmax",
    "argmin",      "baddbmm",      "bmm",     "ceil",    "clamp",   "clamp_max",   "clamp_min",
    "cos",         "cross",        "cumprod", "cumsum",  "dist",    "div",         "dot",
    "einsum",      "erf",          "exp",     "expm1",   "floor",   "gather",      "gelu",
    "index_add",   "index_select", "log",     "log10",   "log1p",   "log2",        "log_softmax",
    "masked_fill", "matmul",       "maximum", "mean",    "median",  "minimum",     "mm",
    "mul",         "mv",           "neg",     "norm",    "outer",   "pow",         "prod",
    "reciprocal",  "relu",         "round",   "rsqrt",   "scatter", "scatter_add", "sigmoid",
    "sign",        "silu",         "sin",     "softmax", "sqrt",    "std",         "sub",
    "sum",         "tan",          "tanh",    "var",     "where",
};
static const char *const exempt_roots[] = {"kwargs", "math", "np", "numpy", "os", "self", "sys"};
static const char *const demo_functions[] = {"_demo", "_make_inputs", "_self_test",
                                             "_test", "_validate",    "main"};

#define COUNT(table)          (sizeof(table) / sizeof *(table))
#define IN_TABLE(name, table) in_table(name, table, COUNT(table))

typedef struct Range {
    NodeId start, end;
} Range;

typedef struct Host {
    RuleRun *run;
    const PyFile *file;
    VEC(Range) left_out; /* subtrees that are not production code, ascending */
    bool is_helper;      /* a module that the implementation imports: who calls what is not known */
    bool has_graph;
    HostTensors tensors;
    LaunchResults **results; /* of plain code, by place in file->functions; made on first use */
    Reach reach;
    bool *called_by_host; /* by place in file->functions */
} Host;

static int compare_name(const void *key, const void *entry)
{
    return str_compare(*(const Str *)key, str_from(*(const char *const *)entry));
}

static bool in_table(Str name, const char *const *table, size_t count)
{
    return bsearch(&name, table, count, sizeof *table, compare_name) != NULL;
}

/* --- production code */

/* `if __name__ <op> …`, whatever the operator. */
static bool is_main_guard(const Module *module, NodeId statement)
{
    NodeId test = node_child(module, statement, ROLE_TEST);
    return node_is(module, test, NODE_COMPARE) &&
           node_is_name(module, node_child(module, test, ROLE_LEFT), STR("__name__"));
}

static void find_left_out(Host *host)
{
    const Module *module = pyfile_module(host->file);
    for (NodeId id = node_first(module, 0); id != NO_NODE; id = node_sibling(module, id)) {
        NodeKind kind = node_kind(module, id);
        bool is_function = kind == NODE_FUNCTION_DEF || kind == NODE_ASYNC_FUNCTION_DEF;
        if ((kind == NODE_IF && is_main_guard(module, id)) ||
            (is_function && IN_TABLE(node_name(module, id), demo_functions))) {
            Range range = {id, node_at(module, id)->subtree_end};
            VEC_PUSH(host->run->arena, &host->left_out, range);
        }
    }
}

static bool is_production(const Host *host, NodeId id)
{
    uint32_t low;
    LOWER_BOUND(low, host->left_out.count, host->left_out.items[low].end <= id);
    return low == host->left_out.count || id < host->left_out.items[low].start;
}

/* --- JIT graph code */

/* A kernel is graph code even where a later function has its name. */
static bool in_reached_function(const Host *host, NodeId id)
{
    const Module *module = pyfile_module(host->file);
    NodeId function = node_function(module, id);
    while (function != NO_NODE && !reach_has(&host->reach, function) &&
           !is_kernel(host->file, function)) {
        function = node_function(module, function);
    }
    return function != NO_NODE;
}

static void find_graph_code(Host *host)
{
    const PyFile *file = host->file;
    const Module *module = pyfile_module(file);
    host->has_graph = true;
    reach_from(&host->reach, host->run->arena, file, reach_kernels(file, host->run->arena));
    host->called_by_host = ARENA_ARRAY(host->run->arena, bool, file->functions.count + 1);
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId callee = reach_callee(&host->reach, calls.ids[i]);
        if (callee != NO_NODE && reach_has(&host->reach, callee) &&
            is_production(host, calls.ids[i]) && !in_reached_function(host, calls.ids[i])) {
            host->called_by_host[function_place(file, callee)] = true;
        }
    }
}

/* In the subtree of a kernel, or of a function that only kernels reach? */
static bool in_graph_code(Host *host, NodeId id)
{
    const Module *module = pyfile_module(host->file);
    if (host->file->kernels.count == 0) {
        return false;
    }
    if (!host->has_graph) {
        find_graph_code(host);
    }
    NodeId function = node_function(module, id);
    for (; function != NO_NODE; function = node_function(module, function)) {
        uint32_t place = function_place(host->file, function);
        if (is_kernel(host->file, function) ||
            (host->reach.reached[place] && !host->called_by_host[place] &&
             !is_layer_k_name(host->run->op->name, node_name(module, function)))) {
            return true;
        }
    }
    return false;
}

/* --- findings */

/* Name left after stripping attributes, or empty: calls, subscripts, operators and literals have
 * none. */
static Str root_of(const Module *module, NodeId expression)
{
    while (node_is(module, expression, NODE_ATTRIBUTE)) {
        expression = attribute_value(module, expression);
    }
    return node_is(module, expression, NODE_NAME) ? node_name(module, expression) : (Str){0};
}

/* Plain code may prepare, check and compare with torch as it likes. Wrong is only a function that
 * launches a kernel and returns something else. */
static bool is_plain_use(Host *host, NodeId id)
{
    NodeId function = node_function(pyfile_module(host->file), id);
    if (function == NO_NODE) {
        return true;
    }
    Arena *arena = host->run->arena;
    if (host->results == NULL) {
        host->results = ARENA_ARRAY(arena, LaunchResults *, host->file->functions.count);
    }
    LaunchResults **results = &host->results[function_place(host->file, function)];
    if (*results == NULL) {
        *results = ARENA_NEW(arena, LaunchResults);
        launch_results_read(*results, arena, host->file, function);
    }
    return !is_bypassing(*results, id);
}

static void report_arithmetic(Host *host, Status status, NodeId id, Place place, Str code)
{
    RuleRun *run = host->run;
    const Module *module = pyfile_module(host->file);
    if (run->op->plain && is_plain_use(host, id)) {
        return;
    }
    bool zh = run->lang == LANG_ZH;
    NodeId function = node_function(module, id);
    Str where = zh ? STR("模块顶层") : STR("module-level code");
    if (function != NO_NODE) {
        Str name = node_name(module, function);
        bool wrapper = is_layer_k_name(run->op->name, name) || str_ends(name, STR("_wrapper"));
        const char *kind = wrapper ? "host wrapper" : zh ? "函数" : "function";
        where = str_format(run->arena, "%s '%.*s'", kind, STR_ARG(name));
    }
    report(run, host->is_helper ? STATUS_WARN : status, place,
           "torch arithmetic on the host: %.*s in %.*s", "host 侧的 torch 计算：%.*s，位于 %.*s",
           STR_ARG(code), STR_ARG(where));
}

static bool is_arithmetic(Host *host, NodeId call, NodeId callee)
{
    const Module *module = pyfile_module(host->file);
    Str attribute = node_name(module, callee);
    Str root = root_of(module, attribute_value(module, callee));
    if (str_is(root, "torch")) {
        return !IN_TABLE(attribute, torch_allowed);
    }
    if (str_is(root, "F") || str_is(root, "functional")) {
        return true;
    }
    if (!IN_TABLE(attribute, method_arithmetic)) {
        return false;
    }
    if (root.length > 0 && (IN_TABLE(root, exempt_roots) || is_pypto_alias(host->file, root))) {
        return false;
    }
    return !in_graph_code(host, call);
}

static void check_call(Host *host, NodeId call)
{
    const Module *module = pyfile_module(host->file);
    NodeId callee = call_func(module, call);
    if (!node_is(module, callee, NODE_ATTRIBUTE) || !is_production(host, call) ||
        !is_arithmetic(host, call, callee)) {
        return;
    }
    const Node *node = node_at(module, callee);
    Str code = node->end - node->start <= MAX_CALLEE
                   ? excerpt(host->run, host->file, callee)
                   : str_format(host->run->arena, "….%.*s", STR_ARG(node_name(module, callee)));
    code = str_format(host->run->arena, "%.*s(...)", STR_ARG(code));
    report_arithmetic(host, STATUS_FAIL, call,
                      at_focus_range(host->file, call, node->extra, node->end), code);
}

static bool is_tensor_arithmetic(ExprOperator op)
{
    return op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT || op == OPERATOR_DIV ||
           op == OPERATOR_POW;
}

/* `pypto.add(…)`: an expression of a graph, which torch does not compute. */
static bool is_graph_expression(const Host *host, NodeId side)
{
    return node_is(pyfile_module(host->file), side, NODE_CALL) &&
           pypto_call(host->file, side).length > 0;
}

/* FAIL for two tensors, or a tensor and a floating-point literal: that is the operator's work. WARN
 * for a tensor and anything else, and for tensors named like lengths or positions: that may be the
 * host's work. */
static void check_operation(Host *host, NodeId operation, Role first, Role second)
{
    const Module *module = pyfile_module(host->file);
    ExprOperator op = (ExprOperator)node_at(module, operation)->op;
    if (!is_tensor_arithmetic(op) || !is_production(host, operation)) {
        return;
    }
    NodeId sides[] = {node_child(module, operation, first), node_child(module, operation, second)};
    HostTensor left = host_tensor(&host->tensors, sides[0]);
    HostTensor right = host_tensor(&host->tensors, sides[1]);
    bool known = (left != HOST_UNKNOWN && node_is(module, sides[0], NODE_BIN_OP)) ||
                 (right != HOST_UNKNOWN && node_is(module, sides[1], NODE_BIN_OP));
    if ((left == HOST_UNKNOWN && right == HOST_UNKNOWN) ||
        known || /* the inner operation is reported */
        is_graph_expression(host, sides[0]) || is_graph_expression(host, sides[1]) ||
        in_graph_code(host, operation)) {
        return;
    }
    bool both = left == HOST_TENSOR && right == HOST_TENSOR;
    NodeId other = left == HOST_TENSOR ? sides[1] : sides[0];
    bool real = (left == HOST_TENSOR || right == HOST_TENSOR) &&
                node_is(module, other, NODE_CONSTANT) &&
                node_at(module, other)->op == CONSTANT_FLOAT;
    report_arithmetic(host, both || real ? STATUS_FAIL : STATUS_WARN, operation,
                      at_node(host->file, operation), str_from(operator_sign(op)));
}

static void look_at(RuleRun *run, const PyFile *file, bool is_helper)
{
    const Module *module = pyfile_module(file);
    Host host = {.run = run, .file = file, .is_helper = is_helper};
    host.tensors = (HostTensors){.arena = run->arena, .module = module};
    find_left_out(&host);
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        check_call(&host, calls.ids[i]);
    }
    NodeList operations = module_nodes(module, NODE_BIN_OP);
    for (uint32_t i = 0; i < operations.count; i++) {
        NodeId operation = operations.ids[i];
        if (node_at(module, operation)->op == OPERATOR_MAT_MULT &&
            is_production(&host, operation) && !in_graph_code(&host, operation)) {
            report_arithmetic(&host, STATUS_FAIL, operation, at_node(file, operation), STR("@"));
        } else {
            check_operation(&host, operation, ROLE_LEFT, ROLE_RIGHT);
        }
    }
    operations = module_nodes(module, NODE_AUG_ASSIGN);
    for (uint32_t i = 0; i < operations.count; i++) {
        check_operation(&host, operations.ids[i], ROLE_TARGET, ROLE_VALUE);
    }
}

/* --- helper modules */

enum { MAX_HELPERS = 32 };

static bool is_scanned(const Operator *op, Str path)
{
    for (uint32_t i = 0; i < op->scan.count; i++) {
        if (str_equal(pyfile_path(op->scan.items[i]), path)) {
            return true;
        }
    }
    return false;
}

/* Adds the file of a module of the operator that is neither a reference nor a test. */
static void add_helper(RuleRun *run, Str name, Strs *paths)
{
    static const char *const folders[] = {"", "modules/"};
    bool other = name.length == 0 || str_ends(name, STR("_golden")) ||
                 str_starts(name, STR("test_")) || str_contains(name, STR("."));
    for (size_t i = 0; !other && i < sizeof folders / sizeof *folders; i++) {
        Str path = str_format(run->arena, "%s%.*s.py", folders[i], STR_ARG(name));
        bool known = is_scanned(run->op, path);
        for (uint32_t k = 0; k < paths->count; k++) {
            known = known || str_equal(paths->items[k], path);
        }
        if (!known && paths->count < MAX_HELPERS && operator_has_file(run->op, path)) {
            VEC_PUSH(run->arena, paths, path);
        }
    }
}

static void add_imports(RuleRun *run, const PyFile *file, Strs *paths)
{
    const Module *module = pyfile_module(file);
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    for (uint32_t i = 0; i < aliases.count; i++) {
        Str name = alias_module(module, aliases.ids[i]);
        add_helper(run, name.length > 0 ? name : node_name(module, aliases.ids[i]), paths);
    }
}

/* Modules of the operator that the implementation imports, and those that they import. */
static void check_helpers(RuleRun *run)
{
    Strs paths = {0};
    for (uint32_t i = 0; i < run->op->scan.count; i++) {
        if (pyfile_module(run->op->scan.items[i]) != NULL) {
            add_imports(run, run->op->scan.items[i], &paths);
        }
    }
    for (uint32_t i = 0; i < paths.count; i++) {
        const PyFile *file = operator_python(run->op, paths.items[i]);
        if (pyfile_module(file) != NULL) {
            add_imports(run, file, &paths);
            look_at(run, file, true);
        }
    }
}

/* Helpers are looked at with the first file that parsed. */
static void check_file(RuleRun *run, const PyFile *file)
{
    look_at(run, file, false);
    const PyFile *first = NULL;
    for (uint32_t i = 0; i < run->op->scan.count && first == NULL; i++) {
        const PyFile *candidate = run->op->scan.items[i];
        first = pyfile_module(candidate) != NULL ? candidate : NULL;
    }
    if (file == first && !run->op->loose && run->op->edited.length == 0) {
        check_helpers(run);
    }
}

const Rule ol62 = {
    .id = "OL62",
    .name = "host-arithmetic",
    .order = 52,
    .severity = S0,
    .dimension = D5,
    .effort = E3,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES,
    .hint =
        {"Do the computation with pypto operations inside the kernel; keep only layout, "
         "allocation, casts and reshapes in torch on the host.",
         "在 kernel 内用 pypto 操作完成计算；host 侧的 torch 只做布局、分配、类型转换和 reshape。"},
    .check_file = check_file,
};
