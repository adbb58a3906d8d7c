/* OL26: a tensor parameter after a parameter that is not a tensor.
 *
 * The launcher passes tensors positionally in front, so such a tensor lands in the wrong slot.
 * Looks at the ordinary parameters of every kernel in order; parameters without annotation are left
 * out. */
#include "rules/common.h"

static void check_kernel(RuleRun *run, const PyFile *file, NodeId kernel)
{
    const Module *module = pyfile_module(file);
    NodeId scalar = NO_NODE;
    NodeId arg = node_child(module, function_arguments(module, kernel), ROLE_PARAM);
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        TensorAnnotation annotation = annotation_read(file, arg);
        if (annotation.form == ANNOTATION_OTHER && scalar == NO_NODE) {
            scalar = arg;
        }
        if (scalar == NO_NODE || !annotation_is_tensor(annotation)) {
            continue;
        }
        Finding *finding = report(
            run, STATUS_FAIL, at_focus(file, kernel, arg),
            "tensor parameter '%.*s' of kernel '%.*s' comes after '%.*s', which is not a tensor",
            "tensor 参数 '%.*s'（kernel '%.*s'）排在非 tensor 参数 '%.*s' 之后",
            STR_ARG(node_name(module, arg)), STR_ARG(node_name(module, kernel)),
            STR_ARG(node_name(module, scalar)));
        finding_related(run, finding, at_node(file, scalar), "first parameter that is not a tensor",
                        "第一个非 tensor 参数");
    }
}

static void check_file(RuleRun *run, const PyFile *file)
{
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        check_kernel(run, file, file->kernels.ids[i]);
    }
}

const Rule ol26 = {
    .id = "OL26",
    .name = "tensor-after-scalar",
    .order = 26,
    .severity = S1,
    .dimension = D1,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint = {"Move all tensor parameters before the others and adapt the call in the wrapper.",
             "把所有 tensor 参数移到其他参数之前，并同步修改 wrapper 中的调用。"},
    .check_file = check_file,
};
