/* OL34: a P0 shape of SPEC.md that the test does not exercise.
 *
 * Looks at `p0_shapes` in the front matter of SPEC.md, which must be complete, and at the shapes
 * that `test_<op>.py` writes as literals or passes to calls that make tensors. */
#include "operator/extract.h"
#include "operator/schema.h"
#include "rules/common.h"

static void report_no_shape(RuleRun *run, const Document *spec, const FrontMatter *front)
{
    Str value = value_show(run->arena, value_get(front->metadata, "p0_shapes"), 60);
    bool tuple = has_tuple_of_sizes(value);
    uint32_t line = front_matter_line(front, "p0_shapes");
    Finding *finding =
        report(run, STATUS_FAIL, at_document_line(spec, line),
               "SPEC.md: p0_shapes declares no shape: %.*s; expected a list of integer lists such "
               "as [[1024, 128], [1024, 256]], or of mappings such as [{x: [4, 2560]}]; a mapping "
               "of scalars is not a shape%s",
               "SPEC.md：p0_shapes 没有声明任何 shape：%.*s；期望格式：整数列表的列表，如 "
               "[[1024, 128], [1024, 256]]，或映射的列表，如 [{x: [4, 2560]}]；标量映射不是 "
               "shape%s",
               STR_ARG(value),
               run->lang == LANG_ZH ? (tuple ? "；" TUPLE_ADVICE_ZH : "")
               : tuple              ? "; " TUPLE_ADVICE
                                    : "");
    finding_hint(run, finding, "Write p0_shapes as a list of integer lists: [[1024, 128]].",
                 "将 p0_shapes 写成整数列表的列表：[[1024, 128]]。");
}

static void report_uncovered(RuleRun *run, const PyFile *test, const Document *spec, Shape shape)
{
    Str path = pyfile_path(test), shown = shape_show(run->arena, shape);
    Finding *finding =
        report(run, STATUS_WARN, at_file(path),
               "test file %.*s does not exercise the P0 shape %.*s of SPEC.md",
               "测试文件 %.*s 未覆盖 SPEC.md 的 P0 shape %.*s", STR_ARG(path), STR_ARG(shown));
    finding_hint(
        run, finding,
        "Add the shape to the test as a literal list or tuple: %.*s. The test calls the wrapper "
        "with its primary_inputs only; debugging goes through **kwargs or a file below _debug/.",
        "在测试中以字面量列表或元组写出该 shape：%.*s。测试只用 primary_inputs 调用 "
        "wrapper；调试走 **kwargs 或 _debug/ 下的文件。",
        STR_ARG(shown));
    finding_related(run, finding, at_document_line(spec, shape.line), "the shape is declared here",
                    "此处声明该 shape");
}

static void check(RuleRun *run)
{
    const Document *spec = operator_document(run->op, STR("SPEC.md"));
    if (!spec->exists) {
        rule_skip(run, "SPEC.md does not exist", "SPEC.md 不存在");
        return;
    }
    const PyFile *test = test_file(run);
    if (report_schema(run, SCHEMA_SPEC, spec) || skip_unparsed(run, test)) {
        return;
    }
    const FrontMatter *front = operator_front_matter(run->op, spec->path);
    P0Shapes declared = p0_shapes_read(run->arena, value_get(front->metadata, "p0_shapes"));
    if (declared.shapes.shapes.count == 0) {
        if (declared.short_shapes == 0) {
            report_no_shape(run, spec, front);
        }
        return;
    }
    ShapeSet covered = covered_shapes(run->arena, test);
    for (uint32_t i = 0; i < declared.shapes.shapes.count; i++) {
        Shape shape = declared.shapes.shapes.items[i];
        if (!shape_set_has(&covered, shape)) {
            report_uncovered(run, test, spec, shape);
        }
    }
}

const Rule ol34 = {
    .id = "OL34",
    .name = "untested-p0-shape",
    .order = 33,
    .severity = S1,
    .dimension = D5,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY),
    .fix = FIX_NONE,
    .hint =
        {"Add the shape to the test as a literal list or tuple. The test calls the wrapper with its "
         "primary_inputs only; debugging goes through **kwargs or a file below _debug/.",
         "在测试中以字面量列表或元组写出该 shape。测试只用 primary_inputs 调用 "
         "wrapper；调试走 **kwargs 或 _debug/ 下的文件。"},
    .check = check,
};
