/* OL05: a kernel parameter without an annotation.
 *
 * The JIT front end takes an unannotated tensor for a non-tensor argument and refuses the launch.
 * Looks at the ordinary parameters of each kernel; any annotation will do.
 * In plain code a scalar may lack one. */
#include "lint/rule.h"

/* Plain code: is the name surely a tensor's, by what the kernel does with it? `name[a:b]`,
 * `name[…] = …`, `name.shape`, `name.move(…)`, and what view, cast and matmul take. */
static bool is_used_as_tensor(const PyFile *file, NodeId kernel, Str name)
{
    static const char *const members[] = {"shape", "dtype", "move", "assemble"};
    static const char *const takers[] = {"view",    "cast",    "matmul",    "exp",
                                         "reshape", "sigmoid", "transpose", "softmax"};
    const Module *module = pyfile_module(file);
    NodeList names = nodes_in(module, kernel, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId id = names.ids[i], parent = node_at(module, id)->parent;
        Role role = (Role)node_at(module, id)->role;
        if (!str_equal(node_name(module, id), name)) {
            continue;
        }
        if (role == ROLE_TARGET) {
            return false; /* it may be something else from there on */
        }
        bool window = node_is(module, parent, NODE_SUBSCRIPT) && role == ROLE_VALUE;
        if ((window && (node_at(module, parent)->role == ROLE_TARGET ||
                        node_is(module, node_child(module, parent, ROLE_SLICE), NODE_SLICE))) ||
            (node_is(module, parent, NODE_ATTRIBUTE) &&
             STR_IS_ANY(node_name(module, parent), members)) ||
            (node_is(module, parent, NODE_CALL) && call_arg(module, parent, 0) == id &&
             STR_IS_ANY(pypto_call(file, parent), takers))) {
            return true;
        }
    }
    return false;
}

/* Parameters of a kernel of plain code that are looked at. */
enum { MAX_PLAIN = 256 };

static void check_kernel(RuleRun *run, const PyFile *file, NodeId kernel)
{
    const Module *module = pyfile_module(file);
    NodeId arg = node_child(module, function_arguments(module, kernel), ROLE_PARAM);
    for (int place = 0; arg != NO_NODE; arg = node_next(module, arg), place++) {
        if (run->op->plain && place == MAX_PLAIN) {
            return;
        }
        if (parameter_annotation(module, arg) == NO_NODE &&
            (!run->op->plain || is_used_as_tensor(file, kernel, node_name(module, arg)))) {
            Str name = node_name(module, arg), kernel_name = node_name(module, kernel);
            report(run, STATUS_FAIL, at_focus(file, kernel, arg),
                   "parameter '%.*s' of kernel '%.*s' in %.*s has no annotation",
                   "参数 '%.*s'（kernel '%.*s'，%.*s）没有类型注解", STR_ARG(name),
                   STR_ARG(kernel_name), STR_ARG(pyfile_path(file)));
        }
    }
}

const Rule ol05 = {
    .id = "OL05",
    .name = "unannotated-kernel-parameter",
    .order = 5,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Annotate a tensor as 'pypto.Tensor([dims], pypto.DT_xxx)' and a scalar with its Python "
         "type ('rows: int'); a default value does not replace the annotation.",
         "张量请注解为 'pypto.Tensor([dims], pypto.DT_xxx)'，标量请注解其 Python 类型（'rows: "
         "int'）；默认值不能代替注解。"},
    .check_kernel = check_kernel,
};
