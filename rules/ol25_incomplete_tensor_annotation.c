/* OL25: a tensor annotation that does not state shape and dtype.
 *
 * Looks at the ordinary parameters of every kernel whose annotation is a tensor with arguments.
 * Only positional arguments count. No shape or an empty list as shape fails, a missing dtype is a
 * warning; each parameter is reported for the first of these only. */
#include "rules/common.h"

/* The parts of an annotation that a corrected example keeps: as written, else the usual ones. */
typedef struct Parts {
    Str tensor; /* "pypto.Tensor" */
    Str shape, dtype;
    char open, close;
} Parts;

static Parts annotation_parts(RuleRun *run, const PyFile *file, NodeId expression,
                              TensorAnnotation annotation)
{
    const Module *module = pyfile_module(file);
    bool bracket = annotation.form == ANNOTATION_BRACKET;
    NodeId tensor = node_child(module, expression, bracket ? ROLE_VALUE : ROLE_FUNC);
    Parts parts = {
        .tensor = excerpt(run, file, tensor),
        .shape = STR("[pypto.DYNAMIC, 128]"),
        .dtype = STR("pypto.DT_FP32"),
        .open = bracket ? '[' : '(',
        .close = bracket ? ']' : ')',
    };
    NodeId shape = annotation.shape, dtype = annotation.dtype;
    if (!bracket) {
        shape = shape == NO_NODE ? call_keyword_value(module, expression, "shape") : shape;
        dtype = dtype == NO_NODE ? call_keyword_value(module, expression, "dtype") : dtype;
    }
    bool empty = (node_is(module, shape, NODE_LIST) || node_is(module, shape, NODE_TUPLE)) &&
                 node_child(module, shape, ROLE_ELT) == NO_NODE;
    if (shape != NO_NODE && !empty && !node_is(module, shape, NODE_STARRED)) {
        parts.shape = excerpt(run, file, shape);
    }
    if (dtype != NO_NODE) {
        parts.dtype = excerpt(run, file, dtype);
    }
    return parts;
}

static void hint_example(RuleRun *run, const PyFile *file, Finding *finding, NodeId expression,
                         TensorAnnotation annotation)
{
    Parts parts = annotation_parts(run, file, expression, annotation);
    finding_hint(
        run, finding,
        "Write both positionally, for example %.*s%c%.*s, %.*s%c: pypto.DYNAMIC for dynamic "
        "axes, integers for static ones.",
        "两者都按位置参数写明，例如 %.*s%c%.*s, %.*s%c：动态轴写 pypto.DYNAMIC，静态轴写整数。",
        STR_ARG(parts.tensor), parts.open, STR_ARG(parts.shape), STR_ARG(parts.dtype), parts.close);
}

/* Tensor(shape=[…], dtype=…) as Tensor([…], …): the same, as the rule wants it. */
static void offer_positional(RuleRun *run, const PyFile *file, Finding *finding, NodeId expression,
                             TensorAnnotation annotation)
{
    const Module *module = pyfile_module(file);
    if (annotation.form == ANNOTATION_BRACKET || annotation.count > 1 ||
        node_count(module, expression, ROLE_KEYWORD) + annotation.count != 2) {
        return;
    }
    NodeId shape = annotation.count == 1 ? call_arg(module, expression, 0)
                                         : call_keyword_value(module, expression, "shape");
    NodeId dtype = call_keyword_value(module, expression, "dtype");
    bool list = node_is(module, shape, NODE_LIST) || node_is(module, shape, NODE_TUPLE);
    if (!list || node_child(module, shape, ROLE_ELT) == NO_NODE || dtype == NO_NODE ||
        node_is(module, dtype, NODE_STARRED)) {
        return;
    }
    Str callee = node_text(module, call_func(module, expression));
    const Node *node = node_at(module, expression);
    finding_edit(run, finding, FIX_SAFE, node->start, node->end,
                 str_format(run->arena, "%.*s(%.*s, %.*s)", STR_ARG(callee),
                            STR_ARG(node_text(module, shape)), STR_ARG(node_text(module, dtype))));
}

/* A dict display in the bracket form may carry the dtype. */
static bool may_carry_dtype(const PyFile *file, TensorAnnotation annotation)
{
    return annotation.form == ANNOTATION_BRACKET &&
           node_is(pyfile_module(file), annotation.shape, NODE_DICT);
}

static void check_parameter(RuleRun *run, const PyFile *file, NodeId kernel, NodeId arg)
{
    TensorAnnotation annotation = annotation_read(file, arg);
    if (!annotation_has_arguments(annotation)) {
        return;
    }
    const Module *module = pyfile_module(file);
    NodeId expression = parameter_annotation(module, arg);
    Str kernel_name = node_name(module, kernel), name = node_name(module, arg);
    bool empty = node_is(module, annotation.shape, NODE_LIST) &&
                 node_child(module, annotation.shape, ROLE_ELT) == NO_NODE;
    if (annotation.count > 1 && !empty) {
        return;
    }
    Finding *finding = NULL;
    if (annotation.count == 0) {
        finding =
            report(run, STATUS_FAIL, at_node(file, expression),
                   "parameter '%.*s' of kernel '%.*s': the annotation states neither shape nor "
                   "dtype positionally",
                   "参数 '%.*s'（kernel '%.*s'）：注解没有以位置参数写明 shape 和 dtype",
                   STR_ARG(name), STR_ARG(kernel_name));
    } else if (empty) {
        finding =
            report(run, STATUS_FAIL, at_node(file, expression),
                   "parameter '%.*s' of kernel '%.*s': the shape in the annotation is empty ([])",
                   "参数 '%.*s'（kernel '%.*s'）：注解中的 shape 为空（[]）", STR_ARG(name),
                   STR_ARG(kernel_name));
    } else if (!may_carry_dtype(file, annotation)) {
        finding = report(run, STATUS_WARN, at_node(file, expression),
                         "parameter '%.*s' of kernel '%.*s': the annotation states no dtype "
                         "positionally",
                         "参数 '%.*s'（kernel '%.*s'）：注解没有以位置参数写明 dtype",
                         STR_ARG(name), STR_ARG(kernel_name));
    }
    if (finding != NULL) {
        hint_example(run, file, finding, expression, annotation);
        offer_positional(run, file, finding, expression, annotation);
    }
}

static void check_kernel(RuleRun *run, const PyFile *file, NodeId kernel)
{
    const Module *module = pyfile_module(file);
    NodeId arg = node_child(module, function_arguments(module, kernel), ROLE_PARAM);
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        check_parameter(run, file, kernel, arg);
    }
}

const Rule ol25 = {
    .id = "OL25",
    .name = "incomplete-tensor-annotation",
    .order = 25,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_SAFE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Write pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32): pypto.DYNAMIC for dynamic axes, "
         "integers for static ones.",
         "写成 pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32)：动态轴写 "
         "pypto.DYNAMIC，静态轴写整数。"},
    .check_kernel = check_kernel,
};
