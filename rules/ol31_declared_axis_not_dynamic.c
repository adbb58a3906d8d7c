/* OL31: DESIGN.md declares dynamic axes, but the primary kernels of a file have none in their
 * annotations; or the front matter that should declare them is not usable.
 *
 * Looks at the front matter of DESIGN.md and at the ordinary parameters of the primary kernels of
 * each implementation file. One dynamic dimension in one of them is enough for the file. */
#include "operator/schema.h"
#include "rules/common.h"

/* Annotations shown in a message. */
enum { MAX_SHOWN = 4 };

static const char design_path[] = "DESIGN.md";

/* Does one parameter of the kernel have a dynamic dimension? Notes the shapes looked at. */
static bool has_dynamic_parameter(RuleRun *run, const PyFile *file, NodeId kernel, Strs *shapes)
{
    const Module *module = pyfile_module(file);
    NodeId arg = node_child(module, function_arguments(module, kernel), ROLE_PARAM);
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        TensorAnnotation annotation = annotation_read(file, arg);
        if (!annotation_has_arguments(annotation) || annotation.shape == NO_NODE) {
            continue;
        }
        if (is_dynamic_shape(file, annotation.shape)) {
            return true;
        }
        if (shapes->count < MAX_SHOWN) {
            Str name = node_name(module, arg), shape = excerpt(run, file, annotation.shape);
            VEC_PUSH(run->arena, shapes,
                     str_format(run->arena, "%.*s: %.*s", STR_ARG(name), STR_ARG(shape)));
        }
    }
    return false;
}

static void check_primary(RuleRun *run, const PyFile *file, const Value *axes)
{
    Strs shapes = {0};
    for (uint32_t i = 0; i < file->primary.count; i++) {
        if (has_dynamic_parameter(run, file, file->primary.ids[i], &shapes)) {
            return;
        }
    }
    Str path = pyfile_path(file), declared = value_show(run->arena, axes, 60);
    Str names = function_names(run, file, file->primary), seen = quoted_names(run, shapes);
    report(run, STATUS_FAIL, at_node(file, file->primary.ids[0]),
           "DESIGN.md declares dynamic_axes %.*s, but no tensor parameter of kernel %.*s in %.*s "
           "has a dynamic dimension (shapes: %.*s)",
           "DESIGN.md 声明了 dynamic_axes %.*s，但 kernel %.*s（%.*s）的 tensor 参数注解都没有"
           "动态维度（shape：%.*s）",
           STR_ARG(declared), STR_ARG(names), STR_ARG(path), STR_ARG(seen));
}

static void check_schema(RuleRun *run, const Document *design, const FrontMatter *front)
{
    SchemaErrors errors = schema_check(run->arena, SCHEMA_DESIGN, front);
    for (uint32_t i = 0; i < errors.count; i++) {
        const SchemaError *error = &errors.items[i];
        Str text = run->lang == LANG_ZH ? error->message_zh : error->message;
        Finding *finding = report(run, STATUS_FAIL, at_document_line(design, error->line),
                                  "%s: %.*s", "%s：%.*s", design_path, STR_ARG(text));
        finding_hint(run, finding,
                     "Give DESIGN.md a front matter with schema_version, op_name and dynamic_axes "
                     "(a list; [] for an operator without dynamic axes).",
                     "为 DESIGN.md 补全 front matter：schema_version、op_name 和 dynamic_axes"
                     "（列表；没有动态轴时写 []）。");
    }
}

static void check(RuleRun *run)
{
    const Document *design = operator_document(run->op, str_from(design_path));
    if (!design->exists) {
        rule_skip(run, "DESIGN.md does not exist", "DESIGN.md 不存在");
        return;
    }
    const FrontMatter *front = operator_front_matter(run->op, str_from(design_path));
    check_schema(run, design, front);
    const Value *axes = value_get(front->metadata, "dynamic_axes");
    if (!value_is(axes, VALUE_LIST) || axes->count == 0) {
        return;
    }
    const PyFiles *scan = &run->op->scan;
    bool kernel = false;
    for (uint32_t i = 0; i < scan->count; i++) {
        const PyFile *file = scan->items[i];
        report_unparsable(run, file);
        if (pyfile_module(file) != NULL && file->primary.count > 0) {
            kernel = true;
            check_primary(run, file, axes);
        }
    }
    if (!kernel && run->findings.count == 0) {
        rule_skip(run, "no implementation file with a @pypto.frontend.jit kernel to check",
                  "没有含 @pypto.frontend.jit kernel 的实现文件");
    }
}

const Rule ol31 = {
    .id = "OL31",
    .name = "declared-axis-not-dynamic",
    .order = 30,
    .severity = S1,
    .dimension = D5,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY),
    .fix = FIX_NONE,
    .hint = {"Put pypto.DYNAMIC at the declared axis in the shape of the kernel's tensor "
             "annotations, or correct dynamic_axes in DESIGN.md.",
             "在 kernel 张量注解的 shape 中把声明的轴写成 pypto.DYNAMIC，或更正 DESIGN.md 的 "
             "dynamic_axes。"},
    .check = check,
};
