/* OL39: SPEC.md, DESIGN.md or API_REPORT.md is missing, empty or has no front matter.
 *
 * Looks at whether the `---` block at the head is recognised and contains any value; the fields
 * that it needs are checked by OL40. */
#include "rules/common.h"
#include "rules/documents.h"

#include "operator/front_matter.h"

static const char byte_order_mark[] = "\xEF\xBB\xBF";

/* The block with the two fields whose values are known; OL40 asks for the rest. */
static void add_block(RuleRun *run, Finding *finding, Str text)
{
    Str name = run->op->name;
    if (!is_plain_name(name) || str_starts(text, str_from(byte_order_mark))) {
        return;
    }
    size_t feed = str_find(text, STR("\n"), 0);
    bool carriage = feed != SIZE_MAX && feed > 0 && text.at[feed - 1] == '\r';
    const char *end = carriage ? "\r\n" : "\n";
    finding_edit(run, finding, FIX_SAFE, 0, 0,
                 str_format(run->arena, "---%sschema_version: 1%sop_name: %.*s%s---%s", end, end,
                            STR_ARG(name), end, end));
}

/* Makes the line `---` and nothing else. */
static void mend_line(RuleRun *run, Finding *finding, const Source *source, uint32_t line)
{
    if (line == 0 || line > source->line_count) {
        return;
    }
    Str text = source_line_text(source, line), word = str_trim(text);
    if (str_is(word, "---") || str_is(word, "...")) {
        uint32_t start = (uint32_t)(word.at - source->text.at);
        uint32_t end = (uint32_t)(text.at + text.length - source->text.at);
        while (end > start &&
               (source->text.at[end - 1] == '\r' || source->text.at[end - 1] == '\n')) {
            end--;
        }
        finding_edit(run, finding, FIX_SAFE, start, end, STR("---"));
    }
}

/* What is wrong with the lines around the fields is repaired; what is missing between them is
 * not. */
static void add_fix(RuleRun *run, Finding *finding, const Document *document,
                    const FrontMatter *front)
{
    const Source *source = &document->source;
    uint32_t length = (uint32_t)source->text.length;
    if (!document->readable) {
        return;
    }
    finding_take_source(finding, source);
    switch (front->fault) {
    case FRONT_MATTER_NO_BLOCK:
        add_block(run, finding, source->text);
        break;
    case FRONT_MATTER_BOM:
        if (str_starts(source->text, str_from(byte_order_mark))) {
            finding_edit(run, finding, FIX_SAFE, 0, sizeof byte_order_mark - 1, STR(""));
        }
        break;
    case FRONT_MATTER_OPEN_SPACE:
    case FRONT_MATTER_CLOSE_SPACE:
    case FRONT_MATTER_CLOSE_DOTS:
        mend_line(run, finding, source, front->fault_line);
        break;
    case FRONT_MATTER_CLOSE_LINE_FEED:
        finding_edit(run, finding, FIX_SAFE, length, length, STR("\n"));
        break;
    default:
        break;
    }
}

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
        Finding *finding =
            report(run, STATUS_FAIL, at_document_top(document), "%.*s has no front matter",
                   "%.*s 没有 front matter", STR_ARG(path));
        add_fix(run, finding, document, front);
        return;
    }
    Finding *finding =
        report(run, STATUS_FAIL, at_document_top(document), "%.*s has no front matter: line %u: %s",
               "%.*s 没有 front matter：第 %u 行：%s", STR_ARG(path),
               front->fault_line == 0 ? 1 : front->fault_line, why);
    add_fix(run, finding, document, front);
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
    .fix = FIX_SAFE,
    .hint = {"Begin the document with a --- ... --- block that holds its required fields; both "
             "lines are exactly three dashes.",
             "文档开头写 --- ... --- 块并填入必需字段；两行都恰为三个短横线。"},
    .check = check,
};
