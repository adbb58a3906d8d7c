/* OL10: API_REPORT.md is missing, or lacks one of its three chapters.
 *
 * Looks at the headings of API_REPORT.md; its front matter belongs to OL39 and OL40. */
#include "rules/documents.h"

static void check(RuleRun *run)
{
    static const Chapter chapters[] = {
        {{"API 映射"}, {"API mapping"}}, {{"约束"}, {"Constraints"}}, {{"Tiling"}, {NULL}}};
    check_chapters(run, STR("API_REPORT.md"), chapters, sizeof chapters / sizeof *chapters);
}

const Rule ol10 = {
    .id = "OL10",
    .name = "incomplete-api-report",
    .order = 11,
    .severity = S1,
    .dimension = D2,
    .effort = E2,
    .stages = STAGE(1),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .hint = {"Add the chapters \"API 映射\" (\"API mapping\"), \"约束\" (\"Constraints\") and "
             "\"Tiling\" to API_REPORT.md.",
             "在 API_REPORT.md 中补充章节 \"API 映射\"（注意空格）、\"约束\" 和 \"Tiling\"。"},
    .check = check,
};
