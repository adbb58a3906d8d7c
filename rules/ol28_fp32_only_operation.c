/* OL28: a kernel that uses an FP32-only operation has a tensor parameter of another dtype.
 *
 * Looks at every kernel that calls pypto.sigmoid, softmax, sin or cos anywhere in its subtree, and
 * at its ordinary parameters whose tensor annotation has a second positional argument. No data
 * flow: the parameter need not be the operand, and a cast before the use is not seen. In plain code
 * it must be. */
#include "rules/common.h"
#include "rules/operands.h"

/* Sorted: the message lists them in this order. */
static const char *const operations[] = {"cos", "sigmoid", "sin", "softmax"};
enum { OPERATION_COUNT = sizeof operations / sizeof operations[0] };

/* Bit i is set when operations[i] is called in the kernel. */
static unsigned operations_used(const PyFile *file, NodeId kernel)
{
    unsigned used = 0;
    NodeList calls = nodes_in(pyfile_module(file), kernel, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Str name = pypto_call(file, calls.ids[i]);
        for (unsigned k = 0; name.length > 0 && k < OPERATION_COUNT; k++) {
            used |= str_is(name, operations[k]) ? 1u << k : 0;
        }
    }
    return used;
}

static Str operation_names(RuleRun *run, unsigned used)
{
    Buf buf = {.arena = run->arena};
    for (unsigned k = 0; k < OPERATION_COUNT; k++) {
        if ((used & 1u << k) != 0) {
            buf_addf(&buf, "%s%s", buf.length == 0 ? "" : ", ", operations[k]);
        }
    }
    return buf_str(&buf);
}

static void check_parameters(RuleRun *run, const PyFile *file, NodeId kernel)
{
    const Module *module = pyfile_module(file);
    unsigned used = operations_used(file, kernel);
    if (used == 0) {
        return;
    }
    NodeId arg = node_child(module, function_arguments(module, kernel), ROLE_PARAM);
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        TensorAnnotation annotation = annotation_read(file, arg);
        if (!annotation_has_arguments(annotation) || annotation.count < 2 ||
            expression_mentions(file, annotation.dtype, "DT_FP32", false)) {
            continue;
        }
        Str names = operation_names(run, used), dtype = excerpt(run, file, annotation.dtype);
        report(run, STATUS_WARN, at_focus(file, kernel, annotation.dtype),
               "kernel '%.*s' uses %.*s, which takes FP32 only, but parameter '%.*s' is %.*s",
               "kernel '%.*s' 使用了只支持 FP32 的 %.*s，而参数 '%.*s' 的 dtype 是 %.*s",
               STR_ARG(node_name(module, kernel)), STR_ARG(names), STR_ARG(node_name(module, arg)),
               STR_ARG(dtype));
    }
}

/* Plain code: the parameter must reach the operation as it is. */
static void check_operation(RuleRun *run, const PyFile *file, Operands *operands, NodeId call)
{
    const Module *module = pyfile_module(file);
    Str name = pypto_call(file, call);
    NodeId operand = call_arg(module, call, 0);
    NodeId arg = operand == NO_NODE ? NO_NODE : parameter_reaching(operands, operand);
    TensorAnnotation annotation =
        arg == NO_NODE ? (TensorAnnotation){0} : annotation_read(file, arg);
    if (!annotation_has_arguments(annotation) || annotation.count < 2 ||
        pypto_attribute(file, annotation.dtype).length == 0 ||
        expression_mentions(file, annotation.dtype, "DT_FP32", false) ||
        (expression_mentions(file, annotation.dtype, "DT_FP16", false) &&
         (str_is(name, "sin") || str_is(name, "cos")))) {
        return; /* it takes this one, or nobody knows */
    }
    Str dtype = excerpt(run, file, annotation.dtype);
    Finding *finding =
        report(run, STATUS_WARN, at_focus(file, call, operand),
               "pypto.%.*s takes FP32 only, but parameter '%.*s', which reaches it, is %.*s",
               "pypto.%.*s 只支持 FP32，而传入的参数 '%.*s' 的 dtype 是 %.*s", STR_ARG(name),
               STR_ARG(node_name(module, arg)), STR_ARG(dtype));
    finding_related(run, finding, at_node(file, arg), "its data type", "其数据类型");
}

static void check_plain(RuleRun *run, const PyFile *file, NodeId kernel)
{
    if (operations_used(file, kernel) == 0) {
        return;
    }
    Operands operands;
    operands_begin(&operands, run->arena, file, kernel);
    NodeList calls = nodes_in(pyfile_module(file), kernel, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        if (STR_IS_ANY(pypto_call(file, calls.ids[i]), operations)) {
            check_operation(run, file, &operands, calls.ids[i]);
        }
    }
}

static void check_kernel(RuleRun *run, const PyFile *file, NodeId kernel)
{
    if (run->op->plain) {
        check_plain(run, file, kernel);
    } else {
        check_parameters(run, file, kernel);
    }
}

const Rule ol28 = {
    .id = "OL28",
    .name = "fp32-only-operation",
    .order = 27,
    .severity = S2,
    .dimension = D1,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint = {"Cast to pypto.DT_FP32 before the operation and back afterwards; if the code already "
             "does, or the parameter is not an operand, ignore this finding.",
             "在该操作前用 pypto.cast 转为 "
             "pypto.DT_FP32，之后再转回；若已如此处理，或该参数并非操作数，则无需修改。"},
    .check_kernel = check_kernel,
};
