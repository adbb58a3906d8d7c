/* OL05: a kernel parameter without an annotation.
 *
 * The JIT front end takes an unannotated tensor for a non-tensor argument and refuses the launch.
 * Looks at the ordinary parameters of each kernel; any annotation will do. */
#include "lint/rule.h"

static void check_kernel(RuleRun *run, const PyFile *file, NodeId kernel)
{
    const Module *module = pyfile_module(file);
    NodeId arg = node_child(module, function_arguments(module, kernel), ROLE_PARAM);
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        if (parameter_annotation(module, arg) == NO_NODE) {
            Str name = node_name(module, arg), kernel_name = node_name(module, kernel);
            report(run, STATUS_FAIL, at_focus(file, kernel, arg),
                   "parameter '%.*s' of kernel '%.*s' in %.*s has no annotation",
                   "参数 '%.*s'（kernel '%.*s'，%.*s）没有类型注解", STR_ARG(name),
                   STR_ARG(kernel_name), STR_ARG(pyfile_path(file)));
        }
    }
}

static void check_file(RuleRun *run, const PyFile *file)
{
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        check_kernel(run, file, file->kernels.ids[i]);
    }
}

const Rule ol05 = {
    .id = "OL05",
    .name = "unannotated-kernel-parameter",
    .order = 5,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Annotate a tensor as 'pypto.Tensor([dims], pypto.DT_xxx)' and a scalar with its Python "
         "type ('rows: int'); a default value does not replace the annotation.",
         "张量请注解为 'pypto.Tensor([dims], pypto.DT_xxx)'，标量请注解其 Python 类型（'rows: "
         "int'）；默认值不能代替注解。"},
    .check_file = check_file,
};
