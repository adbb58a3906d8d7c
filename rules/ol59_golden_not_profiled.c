/* OL59: the golden was not profiled: GOLDEN_PERF_REPORT.md is missing or has no table of operators.
 *
 * Looks for the literal table header in the text of the report. */
#include "rules/documents.h"

#define TABLE_HEADER "| op | count | mean_duration | total |"

static void check(RuleRun *run)
{
    const Document *document = operator_document(run->op, STR("GOLDEN_PERF_REPORT.md"));
    if (!document->exists) {
        report(run, STATUS_FAIL, at_file(document->path), "%.*s does not exist", "%.*s 不存在",
               STR_ARG(document->path));
        return;
    }
    if (!str_contains(document->text, STR(TABLE_HEADER))) {
        report(run, STATUS_FAIL, at_document_line(document, 0),
               "%.*s lacks the table header \"" TABLE_HEADER "\"",
               "%.*s 缺少表头 \"" TABLE_HEADER "\"", STR_ARG(document->path));
    }
}

const Rule ol59 = {
    .id = "OL59",
    .name = "golden-not-profiled",
    .order = 56,
    .severity = S1,
    .dimension = D2,
    .effort = E1,
    .stages = STAGE(2),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .hint = {"Measure how long the torch operations of the golden take and write "
             "GOLDEN_PERF_REPORT.md with a row for each under \"" TABLE_HEADER
             "\"; the profiling script of the PyPTO workflow generates the file.",
             "测量 golden 中各 torch 算子的耗时，写入 GOLDEN_PERF_REPORT.md，每个算子一行，表头为 "
             "\"" TABLE_HEADER "\"；PyPTO 工作流的性能采集脚本会生成该文件。"},
    .check = check,
};
