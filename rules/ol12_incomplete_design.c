/* OL12: DESIGN.md is missing, or lacks one of its three groups of chapters.
 *
 * Looks at the headings of DESIGN.md; two of the groups accept two titles. */
#include "rules/documents.h"

static void check(RuleRun *run)
{
    static const Chapter chapters[] = {
        {{"计算图", "API 映射"}, {"Compute graph", "API mapping"}},
        {{"Tiling", "数据切分"}, {NULL}},
        {{"验证方案"}, {"Verification"}},
    };
    check_chapters(run, STR("DESIGN.md"), chapters, sizeof chapters / sizeof *chapters);
}

const Rule ol12 = {
    .id = "OL12",
    .name = "incomplete-design",
    .order = 13,
    .severity = S1,
    .dimension = D2,
    .effort = E2,
    .stages = STAGE(3) | STAGE(4),
    .target = TARGET_GATE,
    .sets = IN(SET_DESIGN_GATE),
    .fix = FIX_NONE,
    .hint = {"Add the chapters \"计算图\" (\"Compute graph\", \"API 映射\"), \"Tiling\" "
             "(\"数据切分\") and \"验证方案\" (\"Verification\") to DESIGN.md.",
             "在 DESIGN.md 中补充章节 \"计算图\"（或 \"API 映射\"）、\"Tiling\"（或 "
             "\"数据切分\"）和 \"验证方案\"。"},
    .check = check,
};
