/* Checkstyle: the XML that most CI systems and reviewdog read. Findings are grouped by file, in the
 * order of the run; a finding about a whole file has no line. Notices are not in it: the form has
 * no place for them. */
#include "report/report_common.h"
#include "report/xml.h"

static const char *severity_word(const Finding *finding)
{
    Level level = finding_level(finding);
    return level == LEVEL_NOTE ? "info" : level_name(level);
}

static void add_error(Buf *out, const Finding *finding, Lang lang)
{
    Str hint = finding_fix_hint(finding, lang);
    Str between = str_from(hint.length > 0 ? words(lang, "; help: ", "；帮助：") : "");
    buf_add(out, STR("    <error"));
    if (finding->region.line > 0) {
        buf_addf(out, " line=\"%u\" column=\"%u\"", finding->region.line, finding->region.column);
    }
    buf_addf(out, " severity=\"%s\"", severity_word(finding));
    xml_attribute(out, "message",
                  str_format(out->arena, "%.*s: %.*s%.*s%.*s",
                             STR_ARG(rule_label(out->arena, finding->rule)),
                             STR_ARG(finding->message), STR_ARG(between), STR_ARG(hint)));
    xml_attribute(out, "source", str_format(out->arena, "pypto-lint.%s", finding->rule->id));
    buf_add(out, STR("/>\n"));
}

bool report_checkstyle(Buf *out, const RunResult *result, const ReportOptions *options)
{
    buf_add(out,
            STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"8.0\">\n"));
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            const Finding *finding = op->findings.items[k];
            bool first = k == 0 || !str_equal(finding->file, op->findings.items[k - 1]->file);
            if (first) {
                Str path = full_path(out->arena, op, finding->file);
                buf_add(out, k == 0 ? STR("  <file") : STR("  </file>\n  <file"));
                xml_attribute(out, "name", path_from(out->arena, options->working_dir, path));
                buf_add(out, STR(">\n"));
            }
            add_error(out, finding, result->lang);
        }
        buf_add(out, op->findings.count > 0 ? STR("  </file>\n") : STR(""));
    }
    buf_add(out, STR("</checkstyle>\n"));
    return true;
}
