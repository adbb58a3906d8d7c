/* OL40: a field that the front matter of SPEC.md, DESIGN.md or API_REPORT.md needs is missing or of
 * the wrong type.
 *
 * Looks at the three documents by their schemas; a document without front matter lacks all
 * fields. */
#include "operator/schema.h"
#include "rules/documents.h"

static void report_error(RuleRun *run, const Document *document, const FrontMatter *front,
                         const SchemaError *error)
{
    Str message = run->lang == LANG_ZH ? error->message_zh : error->message;
    Place place =
        document->readable ? at_document_line(document, error->line) : at_document_top(document);
    Finding *finding = report(run, STATUS_FAIL, place, "%.*s: %.*s", "%.*s：%.*s",
                              STR_ARG(document->path), STR_ARG(message));
    fix_front_matter(run, finding, document, front, error);
    switch (error->fault) {
    case SCHEMA_MISSING:
        finding_hint(run, finding, "Add the field '%s' with a value to the front matter of %.*s.",
                     "在 front matter 中补充字段 '%s' 及其值（%.*s）。", error->key,
                     STR_ARG(document->path));
        break;
    case SCHEMA_NOT_LIST:
        finding_hint(run, finding, "Write '%s' as a list, as in %s: [...].",
                     "把 '%s' 写成列表，例如 %s: [...]。", error->key, error->key);
        break;
    case SCHEMA_NOT_MAPPING:
        finding_hint(run, finding, "Write '%s' as a mapping, as in %s: {atol: 0.002, rtol: 0.002}.",
                     "把 '%s' 写成映射，例如 %s: {atol: 0.002, rtol: 0.002}。", error->key,
                     error->key);
        break;
    case SCHEMA_NO_TOLERANCE_MODE:
        finding_hint(run, finding,
                     "Give '%s' all keys of one mode: atol and rtol, or mare_matrix, mere_matrix "
                     "and rmse_matrix.",
                     "为 '%s' 写全一种模式的键：atol 和 rtol，或 mare_matrix、mere_matrix 和 "
                     "rmse_matrix。",
                     error->key);
        break;
    }
}

static void check_document(RuleRun *run, SchemaKind kind)
{
    Str path = str_from(schema_document(kind));
    const Document *document = operator_document(run->op, path);
    if (report_missing_document(run, document)) {
        return;
    }
    if (document->text.length == 0) {
        report(run, STATUS_FAIL, at_document_top(document),
               "%.*s is empty or cannot be read: it has no front matter",
               "%.*s 为空或无法读取：没有 front matter", STR_ARG(path));
        return;
    }
    SchemaErrors errors = schema_check(run->arena, kind, operator_front_matter(run->op, path));
    for (uint32_t i = 0; i < errors.count; i++) {
        report_error(run, document, operator_front_matter(run->op, path), &errors.items[i]);
    }
}

static void check(RuleRun *run)
{
    if (skip_not_strict(run)) {
        return;
    }
    check_document(run, SCHEMA_SPEC);
    check_document(run, SCHEMA_DESIGN);
    check_document(run, SCHEMA_API_REPORT);
}

const Rule ol40 = {
    .id = "OL40",
    .name = "invalid-front-matter",
    .order = 36,
    .severity = S1,
    .dimension = D2,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY),
    .fix = FIX_SAFE,
    .hint = {"Add the missing field to the front matter, or give it the right type.",
             "在 front matter 中补充缺少的字段，或改正其类型。"},
    .check = check,
};
