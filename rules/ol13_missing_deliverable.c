/* OL13: an integrated deliverable of stage 5 is missing.
 *
 * Looks at the existence of the implementation, its end-to-end test and README.md. */
#include "lint/rule.h"

static void check_file_exists(RuleRun *run, Str path, const char *what, const char *what_zh)
{
    if (operator_has_file(run->op, path)) {
        return;
    }
    Finding *finding =
        report(run, STATUS_FAIL, at_file(path), "%.*s, %s, does not exist", "%.*s（%s）不存在",
               STR_ARG(path), run->lang == LANG_ZH ? what_zh : what);
    finding_hint(run, finding,
                 "Write %.*s, %s: an operator needs it from stage 5 (the implementation) on.",
                 "编写 %.*s（%s）：从阶段 5（实现）起算子必须有该文件。", STR_ARG(path),
                 run->lang == LANG_ZH ? what_zh : what);
}

static void check(RuleRun *run)
{
    Operator *op = run->op;
    check_file_exists(run, operator_artifact(op, KIND_IMPL), "the integrated kernel",
                      "集成后的内核");
    check_file_exists(run, operator_artifact(op, KIND_TEST), "the end-to-end test", "端到端测试");
    check_file_exists(run, STR("README.md"), "the usage guide", "使用说明");
}

const Rule ol13 = {
    .id = "OL13",
    .name = "missing-deliverable",
    .order = 14,
    .severity = S1,
    .dimension = D2,
    .effort = E2,
    .stages = STAGE(5),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .hint = {"Write the missing file: an operator needs it from stage 5 (the implementation) on.",
             "编写缺少的文件：从阶段 5（实现）起算子必须有该文件。"},
    .check = check,
};
