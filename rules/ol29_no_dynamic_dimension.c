/* OL29: no dimension of a file's primary kernels is dynamic, so every new size is compiled anew.
 *
 * Looks at the ordinary parameters of the primary kernels whose annotation is a tensor with
 * arguments. One dynamic dimension in one of them is enough for the file. */
#include "rules/common.h"

/* Tensor parameters of the kernel, counted until one has a dynamic dimension. */
static bool has_dynamic_parameter(const PyFile *file, NodeId kernel, uint32_t *tensors)
{
    const Module *module = pyfile_module(file);
    NodeId arg = node_child(module, function_arguments(module, kernel), ROLE_PARAM);
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        TensorAnnotation annotation = annotation_read(file, arg);
        if (!annotation_has_arguments(annotation)) {
            continue;
        }
        ++*tensors;
        if (annotation.shape != NO_NODE && is_dynamic_shape(file, annotation.shape)) {
            return true;
        }
    }
    return false;
}

/* Reports kernels without a dynamic dimension. Returns whether the file has a tensor parameter to
 * look at. */
static bool check_parsed(RuleRun *run, const PyFile *file)
{
    uint32_t tensors = 0;
    for (uint32_t i = 0; i < file->primary.count; i++) {
        if (has_dynamic_parameter(file, file->primary.ids[i], &tensors)) {
            return true;
        }
    }
    if (tensors > 0) {
        Str names = function_names(run, file, file->primary);
        report(run, STATUS_WARN, at_node(file, file->primary.ids[0]),
               "no dimension of kernel %.*s is dynamic (%u tensor parameters examined)",
               "kernel %.*s 没有任何动态维度（共检查 %u 个 tensor 参数）", STR_ARG(names), tensors);
    }
    return tensors > 0;
}

static void check(RuleRun *run)
{
    const PyFiles *scan = &run->op->scan;
    bool looked = false;
    for (uint32_t i = 0; i < scan->count; i++) {
        const PyFile *file = scan->items[i];
        if (pyfile_module(file) != NULL && check_parsed(run, file)) {
            looked = true;
        }
    }
    if (!looked) {
        rule_skip(run, "no kernel has a tensor parameter whose annotation states a shape",
                  "没有 kernel 的 tensor 参数在注解中写明 shape");
    }
}

const Rule ol29 = {
    .id = "OL29",
    .name = "no-dynamic-dimension",
    .order = 28,
    .severity = S2,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES,
    .hint = {"Mark the axes that vary at run time with pypto.DYNAMIC (or pypto.DYN) in the shape "
             "of the annotation.",
             "在注解的 shape 中，用 pypto.DYNAMIC（或 pypto.DYN）标出运行时会变化的轴。"},
    .check = check,
};
