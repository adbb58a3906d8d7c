/* OL06: Python's min() or max() in a kernel.
 *
 * They compare while the graph is being built and so fail or freeze one branch into it. Looks at
 * calls of the bare names anywhere below a kernel. In plain code only those of tensors are
 * mistakes: numbers are compared while the graph is built, and the front end takes symbols; there
 * the functions that kernels reach are looked at, too. */
#include "lint/rule.h"
#include "rules/operands.h"
#include "rules/reach.h"
#include "rules/similar.h"

/* The parameter of the kernel that the expression names, or NO_NODE. */
static NodeId parameter_named(const Module *module, NodeId kernel, NodeId expression)
{
    return node_is(module, expression, NODE_NAME)
               ? function_parameter(module, kernel, node_name(module, expression))
               : NO_NODE;
}

/* Is it surely a tensor: a tensor parameter, a window of one, or the result of an operation? */
static bool is_tensor(const PyFile *file, NodeId kernel, NodeId expression)
{
    const Module *module = pyfile_module(file);
    while (node_is(module, expression, NODE_SUBSCRIPT)) {
        expression++; /* the value comes first */
    }
    NodeId arg = parameter_named(module, kernel, expression);
    return (arg != NO_NODE && annotation_is_tensor(annotation_read(file, arg))) ||
           api_makes_tensor(pypto_call(file, expression));
}

/* Is it surely a plain number: a literal, or a parameter that is annotated as one? */
static bool is_number(const PyFile *file, NodeId kernel, NodeId expression)
{
    const Module *module = pyfile_module(file);
    if (node_is(module, expression, NODE_UNARY_OP)) {
        expression++;
    }
    if (node_is(module, expression, NODE_CONSTANT)) {
        uint8_t kind = node_at(module, expression)->op;
        return kind == CONSTANT_INT || kind == CONSTANT_FLOAT;
    }
    NodeId arg = parameter_named(module, kernel, expression);
    NodeId annotation = arg == NO_NODE ? NO_NODE : parameter_annotation(module, arg);
    return (annotation != NO_NODE && (node_is_name(module, annotation, STR("int")) ||
                                      node_is_name(module, annotation, STR("float"))));
}

/* Python's own min and max of plain numbers are computed while the graph is built, as they should
 * be. The Python linter reports them. */
static bool is_plain(const RuleRun *run, const PyFile *file, NodeId kernel, NodeId call)
{
    const Module *module = pyfile_module(file);
    NodeId argument = call_arg(module, call, 0);
    bool plain = !run->op->upstream && argument != NO_NODE &&
                 node_child(module, call, ROLE_KEYWORD) == NO_NODE;
    for (uint32_t i = 0; plain && argument != NO_NODE; argument = call_arg(module, call, ++i)) {
        plain = is_number(file, kernel, argument);
    }
    return plain;
}

/* `max(x)` or `max(x, dim=…)` of a tensor is meant as a reduction. */
static bool is_reduction(const PyFile *file, NodeId kernel, NodeId call)
{
    const Module *module = pyfile_module(file);
    NodeId first = call_arg(module, call, 0);
    bool along = call_keyword(module, call, "dim") != NO_NODE ||
                 call_keyword(module, call, "axis") != NO_NODE;
    return first != NO_NODE && call_arg(module, call, 1) == NO_NODE &&
           (along || is_tensor(file, kernel, first));
}

/* Says what to write: a reduction, or the maximum of two tensors. */
static void advise(RuleRun *run, const PyFile *file, Finding *finding, NodeId kernel, NodeId call,
                   bool is_max)
{
    const Module *module = pyfile_module(file);
    const Node *callee = node_at(module, call_func(module, call));
    const Synonym *synonym = synonym_find(is_max ? STR("max") : STR("min"));
    const char *along = synonym->names[0], *pairwise = synonym->names[1];
    if (is_reduction(file, kernel, call)) {
        finding_hint(run, finding,
                     "The %s along an axis of a tensor is 'pypto.%s(x, dim, keepdim)'; "
                     "'pypto.%s(a, b)' compares two tensors element by element.",
                     "沿张量某一轴求%s用 'pypto.%s(x, dim, keepdim)'；'pypto.%s(a, b)' "
                     "是两个张量的逐元素比较。",
                     is_max ? "max" : "min", along, pairwise);
        if (call_keyword(module, call, "dim") != NO_NODE) {
            finding_edit(run, finding, FIX_SUGGEST, callee->start, callee->end,
                         str_format(run->arena, "pypto.%s", along));
        }
        return;
    }
    NodeId first = call_arg(module, call, 0), second = call_arg(module, call, 1);
    if (second == NO_NODE || call_arg(module, call, 2) != NO_NODE ||
        node_is(module, first, NODE_STARRED) || node_is(module, second, NODE_STARRED) ||
        node_child(module, call, ROLE_KEYWORD) != NO_NODE ||
        (!is_tensor(file, kernel, first) && !is_tensor(file, kernel, second))) {
        return;
    }
    finding_edit(run, finding, FIX_SUGGEST, callee->start, callee->end,
                 str_format(run->arena, "pypto.%s", pairwise));
}

static void report_call(RuleRun *run, const PyFile *file, NodeId function, NodeId call)
{
    const Module *module = pyfile_module(file);
    Str name = call_name(module, call);
    Str kernel_name = node_name(module, function), text = excerpt(run, file, call);
    bool kernel = is_kernel(file, function), zh = run->lang == LANG_ZH;
    const char *kind = kernel ? "kernel" : zh ? "函数" : "function";
    Finding *finding = report(
        run, STATUS_FAIL, at_node(file, call), "Python builtin %.*s() in %s '%.*s' of %.*s: '%.*s'",
        "调用了 Python 内建函数 %.*s()（%s '%.*s'，%.*s）：'%.*s'", STR_ARG(name), kind,
        STR_ARG(kernel_name), STR_ARG(pyfile_path(file)), STR_ARG(text));
    advise(run, file, finding, function, call, str_is(name, "max"));
}

static bool is_min_max(const Module *module, NodeId call)
{
    Str name = call_name(module, call);
    return str_is(name, "max") || str_is(name, "min");
}

/* --- plain code */

/* Functions of plain code that are looked into, and calls of min and max in each. */
enum { MAX_FUNCTIONS = 256, MAX_CALLS = 1024 };

/* A function of plain code, with the call that reached it; `caller.file` is NULL before it is asked
 * for. */
typedef struct Helper {
    RuleRun *run;
    NodeId by_call; /* NO_NODE: a kernel */
    Operands own, caller;
} Helper;

/* Is it a parameter for which the call that reached the function brings a tensor? */
static bool is_handed_in(Helper *helper, NodeId arg)
{
    const PyFile *file = helper->own.file;
    const Module *module = pyfile_module(file);
    NodeId around = helper->by_call == NO_NODE ? NO_NODE : node_function(module, helper->by_call);
    if (around == NO_NODE || !node_is(module, arg, NODE_NAME) ||
        bindings_first(&helper->own.bound, node_name(module, arg)) < helper->own.bound.count) {
        return false;
    }
    uint32_t place = 0;
    NodeId parameters = function_arguments(module, helper->own.function);
    NodeId id = node_child(module, parameters, ROLE_PARAM);
    while (id != NO_NODE && !str_equal(node_name(module, id), node_name(module, arg))) {
        id = node_next(module, id);
        place++;
    }
    NodeId given = id == NO_NODE ? NO_NODE : call_arg(module, helper->by_call, place);
    for (uint32_t i = 0; given != NO_NODE && i < place; i++) {
        if (node_is(module, call_arg(module, helper->by_call, i), NODE_STARRED)) {
            return false;
        }
    }
    if (helper->caller.file == NULL) {
        operands_begin(&helper->caller, helper->run->arena, file, around);
    }
    return given != NO_NODE && is_surely_tensor(&helper->caller, given);
}

static bool has_tensor(Helper *helper, const Module *module, NodeId call)
{
    for (NodeId arg = node_child(module, call, ROLE_ARG); arg != NO_NODE;
         arg = node_next(module, arg)) {
        if (is_surely_tensor(&helper->own, arg) || is_handed_in(helper, arg)) {
            return true;
        }
    }
    return false;
}

static void check_function(RuleRun *run, const PyFile *file, NodeId function, NodeId by_call)
{
    const Module *module = pyfile_module(file);
    NodeList calls = nodes_in(module, function, NODE_CALL);
    Helper helper = {.run = run, .by_call = by_call};
    for (uint32_t i = 0, seen = 0; i < calls.count && seen < MAX_CALLS; i++) {
        NodeId call = calls.ids[i];
        if (!is_min_max(module, call) || node_function(module, call) != function) {
            continue;
        }
        seen++;
        if (helper.own.file == NULL) {
            operands_begin(&helper.own, run->arena, file, function);
        }
        if (has_tensor(&helper, module, call)) {
            report_call(run, file, function, call);
        }
    }
}

static void check_plain(RuleRun *run, const PyFile *file)
{
    Reach reach;
    reach_from(&reach, run->arena, file, reach_kernels(file, run->arena));
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->functions.count && count < MAX_FUNCTIONS; i++) {
        if (reach.reached[i]) {
            count++;
            check_function(run, file, file->functions.ids[i], reach.by_call[i]);
        }
    }
}

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    if (run->op->plain) {
        check_plain(run, file);
        return;
    }
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId kernel =
            is_min_max(module, calls.ids[i]) ? kernel_around(file, calls.ids[i]) : NO_NODE;
        if (kernel != NO_NODE && !is_plain(run, file, kernel, calls.ids[i])) {
            report_call(run, file, kernel, calls.ids[i]);
        }
    }
}

const Rule ol06 = {
    .id = "OL06",
    .name = "python-min-max-in-kernel",
    .order = 6,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_SUGGEST,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Two tensors: 'pypto.maximum' / 'pypto.minimum'. Along an axis of one: 'pypto.amax' / "
         "'pypto.amin'. Symbolic scalars: 's.max(v)', 's.min(v)', "
         "'pypto.max', 'pypto.min'. Compile-time integers: compute them outside the kernel.",
         "两个张量：用 'pypto.maximum' / 'pypto.minimum'；沿一个张量的某一轴：用 'pypto.amax' / "
         "'pypto.amin'；符号标量：用 's.max(v)'、's.min(v)'、"
         "'pypto.max'、'pypto.min'；编译期整数：在 kernel 之外计算。"},
    .check_file = check_file,
};
