/* Agent: one line a finding with everything needed to repair it, for programs that read text.
 *
 * The words `fix:` and `clean:` are the same in every language: they are part of the form. */
#include "report/report_common.h"
#include "report/terminal.h"

static void add_finding(Buf *out, const OperatorResult *op, const Finding *finding, Lang lang)
{
    place_add(out, full_path(out->arena, op, finding->file), finding->region);
    Str label = rule_label(out->arena, finding->rule);
    buf_addf(out, " %.*s %s %s ", STR_ARG(label), severity_name(finding->rule->severity),
             status_name(finding->status));
    terminal_add(out, finding->message);
    Str hint = finding_fix_hint(finding, lang);
    if (hint.length > 0) {
        buf_add(out, STR(" | fix: "));
        terminal_add(out, hint);
    }
    for (uint32_t i = 0; i < finding->related.count; i++) {
        const Related *related = &finding->related.items[i];
        buf_add(out, STR(" | see: "));
        place_add(out, full_path(out->arena, op, related->file), related->region);
        if (related->message.length > 0) {
            buf_add_char(out, ' ');
            terminal_add(out, related->message);
        }
    }
    buf_add_char(out, '\n');
}

bool report_agent(Buf *out, const RunResult *result, const ReportOptions *options)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            add_finding(out, op, op->findings.items[k], result->lang);
        }
    }
    notices_add(out, result, options->quiet);
    if (options->quiet) {
        return true;
    }
    tally_add(out, result);
    Totals totals = run_totals(result);
    /* What could not be checked must not pass for clean. */
    if (totals.findings == 0 && totals.rules > 0 && !run_is_incomplete(result)) {
        buf_addf(
            out,
            words(result->lang, "clean: %u rules, %u files\n", "clean: %u 条规则，%u 个文件\n"),
            totals.rules, totals.files);
    }
    if (totals.findings == 0 && totals.rules == 0 && !run_is_incomplete(result)) {
        buf_add(out, str_from(words(result->lang, "nothing checked: no rule applies here\n",
                                    "未检查：没有适用的规则\n")));
    }
    verdict_add(out, result);
    beyond_add(out, result);
    return true;
}
