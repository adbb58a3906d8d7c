/* OL06: Python's min() or max() in a kernel.
 *
 * They compare while the graph is being built and so fail or freeze one branch into it. Looks at
 * calls of the bare names anywhere below a kernel. */
#include "lint/rule.h"
#include "rules/similar.h"

/* The parameter of the kernel that the expression names, or NO_NODE. */
static NodeId parameter_named(const Module *module, NodeId kernel, NodeId expression)
{
    return node_is(module, expression, NODE_NAME)
               ? function_parameter(module, kernel, node_name(module, expression))
               : NO_NODE;
}

/* Does pypto.<name>(…) give a tensor? Those that people put into min and max; others may give a
 * symbolic scalar. */
static bool api_makes_tensor(Str name)
{
    static const char *const makers[] = {"add",  "sub",  "mul",   "div",     "exp",  "abs",
                                         "view", "cast", "sqrt",  "rsqrt",   "neg",  "matmul",
                                         "amax", "amin", "zeros", "reshape", "full", "ones"};
    return STR_IS_ANY(name, makers);
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

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Str name = call_name(module, calls.ids[i]);
        bool is_max = str_is(name, "max");
        if (!is_max && !str_is(name, "min")) {
            continue;
        }
        NodeId kernel = kernel_around(file, calls.ids[i]);
        if (kernel == NO_NODE || is_plain(run, file, kernel, calls.ids[i])) {
            continue;
        }
        Str kernel_name = node_name(module, kernel), text = excerpt(run, file, calls.ids[i]);
        Finding *finding =
            report(run, STATUS_FAIL, at_node(file, calls.ids[i]),
                   "Python builtin %.*s() in kernel '%.*s' of %.*s: '%.*s'",
                   "调用了 Python 内建函数 %.*s()（kernel '%.*s'，%.*s）：'%.*s'", STR_ARG(name),
                   STR_ARG(kernel_name), STR_ARG(pyfile_path(file)), STR_ARG(text));
        advise(run, file, finding, kernel, calls.ids[i], is_max);
    }
}

const Rule ol06 = {
    .id = "OL06",
    .order = 6,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
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
