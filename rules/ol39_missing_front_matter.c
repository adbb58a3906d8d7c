/* OL39: SPEC.md, DESIGN.md or API_REPORT.md is missing, empty or has no front matter.
 *
 * Looks at whether the `---` block at the head is recognised and holds any value; which fields it
 * needs is OL40's. */
#include "rules/documents.h"

#include "operator/front_matter.h"

static void check_document(RuleRun *run, Str path)
{
    const Document *document = operator_document(run->op, path);
    if (report_missing_document(run, document)) {
        return;
    }
    if (document->text.length == 0) {
        report(run, STATUS_FAIL, at_document_top(document), "%.*s is empty or cannot be read",
               "%.*s 为空或无法读取", STR_ARG(path));
        return;
    }
    const FrontMatter *front = operator_front_matter(run->op, path);
    if (!front_matter_is_empty(front)) {
        return;
    }
    bool zh = run->lang == LANG_ZH;
    const char *why =
        zh ? front_matter_fault_text_zh(front->fault) : front_matter_fault_text(front->fault);
    if (why == NULL) {
        report(run, STATUS_FAIL, at_document_top(document), "%.*s has no front matter",
               "%.*s 没有 front matter", STR_ARG(path));
        return;
    }
    report(run, STATUS_FAIL, at_document_top(document), "%.*s has no front matter: line %u: %s",
           "%.*s 没有 front matter：第 %u 行：%s", STR_ARG(path),
           front->fault_line == 0 ? 1 : front->fault_line, why);
}

static void check(RuleRun *run)
{
    if (skip_not_strict(run)) {
        return;
    }
    check_document(run, STR("SPEC.md"));
    check_document(run, STR("DESIGN.md"));
    check_document(run, STR("API_REPORT.md"));
}

const Rule ol39 = {
    .id = "OL39",
    .name = "missing-front-matter",
    .order = 35,
    .severity = S1,
    .dimension = D2,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY),
    .fix = FIX_NONE,
    .hint = {"Begin the document with a --- ... --- block that holds its required fields; both "
             "lines are exactly three dashes.",
             "文档开头写 --- ... --- 块并填入必需字段；两行都恰为三个短横线。"},
    .check = check,
};
