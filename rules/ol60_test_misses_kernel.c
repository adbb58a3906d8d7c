/* OL60: a test imports a function of the implementation and calls it, but no kernel is reached: the
 * test would pass without the kernel ever running.
 *
 * Looks at test_<op>.py and the module tests, and follows calls in the implementation files of the
 * scan set over graph M. Only `from <stem> import …` with a bare-name call counts. */
#include "base/search.h"
#include "operator/scan_set.h"
#include "rules/bindings.h"
#include "rules/common.h"

#include <stdlib.h>

/* Functions walked for the evidence of a finding: one more than a message lists. */
enum { MAX_REACHED = 9 };

/* An implementation file by its stem. */
typedef struct Stem {
    Str stem;
    const PyFile *file;
    Bindings functions, kernels; /* graph M and the kernels by name; filled on first use */
    bool *reaches;               /* by place in `functions`: does it reach a kernel? */
    bool indexed;
} Stem;

/* A call between two functions of a stem, by their places. */
typedef struct Edge {
    uint32_t callee, caller;
} Edge;
typedef VEC(Edge) Edges;

/* A local name of a test file that was imported from a stem. */
typedef struct Import {
    Str name;
    Stem *stem;
    NodeId call; /* first call of the name in source order, or NO_NODE */
} Import;
typedef VEC(Import) Imports;

typedef struct Check {
    RuleRun *run;
    PyFiles files; /* the implementations */
    Stem *stems;
    uint32_t stem_count;
    bool any_call;
} Check;

static int compare_imports(const void *left, const void *right)
{
    const Import *a = left, *b = right;
    int order = str_compare(a->name, b->name);
    return order != 0 ? order : (a->stem > b->stem) - (a->stem < b->stem);
}

/* On equal stems the later file stands for the stem. */
static Stem *find_stem(const Check *check, Str name)
{
    for (uint32_t i = check->stem_count; i-- > 0;) {
        if (str_equal(check->stems[i].stem, name)) {
            return &check->stems[i];
        }
    }
    return NULL;
}

static void collect_stems(Check *check)
{
    const PyFiles *scan = &check->files;
    check->stems = ARENA_ARRAY(check->run->arena, Stem, scan->count);
    check->stem_count = scan->count;
    for (uint32_t i = 0; i < scan->count; i++) {
        Str name = path_basename(pyfile_path(scan->items[i]));
        bool is_python = str_ends(name, STR(".py"));
        check->stems[i].stem = str_slice(name, 0, name.length - (is_python ? 3 : 0));
        check->stems[i].file = scan->items[i];
    }
}

/* --- the test file */

static void collect_imports(const Check *check, const Module *module, Imports *imports)
{
    NodeList list = module_nodes(module, NODE_IMPORT_FROM);
    for (uint32_t i = 0; i < list.count; i++) {
        Stem *stem = find_stem(check, node_name(module, list.ids[i]));
        NodeId alias = stem == NULL ? NO_NODE : node_child(module, list.ids[i], ROLE_NAME);
        for (; alias != NO_NODE; alias = node_next(module, alias)) {
            Str as_name = alias_asname(module, alias);
            Import import = {.name = as_name.length > 0 ? as_name : node_name(module, alias),
                             .stem = stem,
                             .call = NO_NODE};
            VEC_PUSH(check->run->arena, imports, import);
        }
    }
    if (imports->count > 1) {
        qsort(imports->items, imports->count, sizeof *imports->items, compare_imports);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < imports->count; i++) {
        if (kept == 0 || compare_imports(&imports->items[kept - 1], &imports->items[i]) != 0) {
            imports->items[kept++] = imports->items[i];
        }
    }
    imports->count = kept;
}

/* Index of the first import whose name is not less than this one, or `imports->count`. */
static uint32_t find_import(const Imports *imports, Str name)
{
    uint32_t low;
    LOWER_BOUND(low, imports->count, str_compare(imports->items[low].name, name) < 0);
    return low;
}

static void find_calls(const Module *module, Imports *imports)
{
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId call = calls.ids[i];
        Str name = call_name(module, call);
        uint32_t at = name.length == 0 ? imports->count : find_import(imports, name);
        for (; at < imports->count && str_equal(imports->items[at].name, name); at++) {
            Import *import = &imports->items[at];
            if (import->call == NO_NODE ||
                node_at(module, call)->start < node_at(module, import->call)->start) {
                import->call = call;
            }
        }
    }
}

/* --- the implementation file */

static int compare_edges(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    return (a->callee > b->callee) - (a->callee < b->callee);
}

/* Looks at the calls of one function: marks it if it calls a kernel, else notes its edges. */
static void scan_calls(Check *check, Stem *stem, uint32_t caller, Edges *edges)
{
    const Module *module = pyfile_module(stem->file);
    NodeList calls = nodes_in(module, stem->functions.items[caller].node, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Str name = call_name(module, calls.ids[i]);
        if (name.length == 0) {
            continue;
        }
        if (bindings_last(&stem->kernels, name, UINT32_MAX) != NULL) {
            stem->reaches[caller] = true;
            return;
        }
        const Binding *callee = bindings_last(&stem->functions, name, UINT32_MAX);
        if (callee != NULL) {
            Edge edge = {(uint32_t)(callee - stem->functions.items), caller};
            VEC_PUSH(check->run->arena, edges, edge);
        }
    }
}

/* The first edge that leads to `callee` or a later function. */
static uint32_t first_edge(const Edges *edges, uint32_t callee)
{
    uint32_t low;
    LOWER_BOUND(low, edges->count, edges->items[low].callee < callee);
    return low;
}

/* Marks every function that reaches a kernel: from those that call one, backwards over the
 * edges. */
static void mark_reaching(Check *check, Stem *stem)
{
    Arena *arena = check->run->arena;
    uint32_t total = stem->functions.count, count = 0;
    Edges edges = {0};
    uint32_t *queue = ARENA_ARRAY(arena, uint32_t, total + 1);
    stem->reaches = ARENA_ARRAY(arena, bool, total + 1);
    for (uint32_t i = 0; i < total; i++) {
        scan_calls(check, stem, i, &edges);
        if (stem->reaches[i]) {
            queue[count++] = i;
        }
    }
    if (edges.count > 1) {
        qsort(edges.items, edges.count, sizeof *edges.items, compare_edges);
    }
    for (uint32_t at = 0; at < count; at++) {
        uint32_t edge = first_edge(&edges, queue[at]);
        for (; edge < edges.count && edges.items[edge].callee == queue[at]; edge++) {
            uint32_t caller = edges.items[edge].caller;
            if (!stem->reaches[caller]) {
                stem->reaches[caller] = true;
                queue[count++] = caller;
            }
        }
    }
}

static void index_stem(Check *check, Stem *stem)
{
    if (stem->indexed) {
        return;
    }
    const Module *module = pyfile_module(stem->file);
    stem->indexed = true;
    bindings_add_functions(&stem->functions, check->run->arena, module, stem->file->functions_m);
    bindings_sort(&stem->functions);
    bindings_add_functions(&stem->kernels, check->run->arena, module, stem->file->kernels);
    bindings_sort(&stem->kernels);
    mark_reaching(check, stem);
}

/* The first functions that `start` reaches, start first; for the message only. */
static NodeList some_reached(const Check *check, const Stem *stem, const Binding *start)
{
    const Module *module = pyfile_module(stem->file);
    NodeId *queue = ARENA_ARRAY(check->run->arena, NodeId, MAX_REACHED);
    uint32_t count = 1;
    queue[0] = start->node;
    for (uint32_t at = 0; at < count; at++) {
        NodeList calls = nodes_in(module, queue[at], NODE_CALL);
        for (uint32_t i = 0; i < calls.count && count < MAX_REACHED; i++) {
            Str name = call_name(module, calls.ids[i]);
            const Binding *callee =
                name.length == 0 ? NULL : bindings_last(&stem->functions, name, UINT32_MAX);
            bool seen = callee == NULL;
            for (uint32_t k = 0; k < count && !seen; k++) {
                seen = queue[k] == callee->node;
            }
            if (!seen) {
                queue[count++] = callee->node;
            }
        }
    }
    return (NodeList){queue, count};
}

static void report_no_kernel(RuleRun *run, const PyFile *test, const Import *import)
{
    Str path = pyfile_path(import->stem->file);
    Finding *finding = report(
        run, STATUS_FAIL, at_node(test, import->call),
        "the test calls '%.*s' of %.*s (%.*s), which has no @pypto.frontend.jit kernel at all: the "
        "test cannot reach a kernel (flash_kda failure)",
        "测试调用的 '%.*s' 来自 %.*s（%.*s），该文件没有任何 @pypto.frontend.jit kernel，"
        "测试不可能触发 kernel（flash_kda 类问题）",
        STR_ARG(import->name), STR_ARG(import->stem->stem), STR_ARG(path));
    finding_hint(
        run, finding,
        "Write the computation as a function decorated with @pypto.frontend.jit in %.*s "
        "and let '%.*s' call it; if the file has the kernel under another decorator, "
        "correct that.",
        "在 %.*s 中用 @pypto.frontend.jit 装饰的函数实现计算，并让 '%.*s' 调用它；如果文件中的 "
        "kernel 用了别的装饰器，请改正。",
        STR_ARG(path), STR_ARG(import->name));
    finding_related(run, finding, at_first_line(import->stem->file), "the file without a kernel",
                    "没有 kernel 的文件");
}

static void check_import(Check *check, const PyFile *test, const Import *import)
{
    RuleRun *run = check->run;
    Stem *stem = import->stem;
    const Module *module = pyfile_module(stem->file);
    if (module == NULL) {
        return;
    }
    if (stem->file->kernels.count == 0) {
        report_no_kernel(run, test, import);
        return;
    }
    index_stem(check, stem);
    const Binding *function = bindings_last(&stem->functions, import->name, UINT32_MAX);
    if (function == NULL || bindings_last(&stem->kernels, import->name, UINT32_MAX) != NULL) {
        return;
    }
    if (stem->reaches[function - stem->functions.items]) {
        return;
    }
    NodeList reached = some_reached(check, stem, function);
    Str path = pyfile_path(stem->file),
        kernels = function_names(run, stem->file, stem->file->kernels);
    Str functions = function_names(run, stem->file, reached);
    Finding *finding = report(
        run, STATUS_FAIL, at_node(test, import->call),
        "the test calls '%.*s' of %.*s (%.*s), which reaches no kernel of the file (%.*s), only "
        "%.*s: the test passes without the kernel running (flash_kda failure)",
        "测试调用的 '%.*s' 来自 %.*s（%.*s），它不会触发该文件的任何 kernel（%.*s），"
        "只到达 %.*s：kernel 未运行测试也会通过（flash_kda 类问题）",
        STR_ARG(import->name), STR_ARG(stem->stem), STR_ARG(path), STR_ARG(kernels),
        STR_ARG(functions));
    finding_related(run, finding, at_node(stem->file, function->node), "defined here",
                    "定义在此处");
}

static void check_test(Check *check, Str path)
{
    const PyFile *test = operator_python(check->run->op, path);
    const Module *module = pyfile_module(test);
    if (module == NULL) {
        return;
    }
    Imports imports = {0};
    collect_imports(check, module, &imports);
    if (imports.count == 0) {
        return;
    }
    find_calls(module, &imports);
    for (uint32_t i = 0; i < imports.count; i++) {
        if (imports.items[i].call != NO_NODE) {
            check->any_call = true;
            check_import(check, test, &imports.items[i]);
        }
    }
}

static bool is_about_a_test(const Operator *op)
{
    return op->scope == SCOPE_FILE && str_starts(path_basename(op->file), STR(TEST_START));
}

static bool is_target(const Operator *op, Str test)
{
    return !is_about_a_test(op) || str_equal(op->file, test);
}

static void check(RuleRun *run)
{
    Operator *op = run->op;
    Str test = operator_artifact(op, KIND_TEST);
    Str prefix = artifact_name(op->arena, KIND_TEST, artifact_base(op->arena, op->name, STR("")));
    Strs modules = operator_modules(op, prefix, STR(".py"));
    bool has_test = operator_has_file(op, test);
    if (!has_test && modules.count == 0) {
        rule_skip(run, "no test file found (%.*s)", "未发现测试文件（%.*s）", STR_ARG(test));
        return;
    }
    Check state = {.run = run};
    /* The kernel of a test that is checked by itself lies in another file. */
    state.files = is_about_a_test(op) ? operator_implementations(op) : op->scan;
    if (state.files.count == 0) {
        rule_skip(run, "no implementation file to follow the test's calls in",
                  "没有可供追踪的实现文件");
        return;
    }
    collect_stems(&state);
    if (has_test && is_target(op, test)) {
        check_test(&state, test);
    }
    for (uint32_t i = 0; i < modules.count; i++) {
        if (is_target(op, modules.items[i])) {
            check_test(&state, modules.items[i]);
        }
    }
    if (!state.any_call) {
        rule_skip(run, "no test imports a name from an implementation file and calls it",
                  "没有测试文件从实现文件导入并调用函数");
    }
}

const Rule ol60 = {
    .id = "OL60",
    .name = "kernel-bypass-in-test",
    .order = 57,
    .severity = S0,
    .dimension = D4,
    .effort = EFFORT_UNSET,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_TEST,
    .fix = FIX_NONE,
    .needs = NEEDS_OPERATOR,
    .hint = {"Let the test import and call the wrapper, the function of the implementation that "
             "calls the @pypto.frontend.jit kernel (by custom <op>_wrapper), or make the called "
             "function launch the kernel.",
             "让测试导入并调用 wrapper，即实现文件中调用 @pypto.frontend.jit kernel "
             "的函数（通常名为 <op>_wrapper），或让被调用的函数真正启动 kernel。"},
    .check = check,
};
