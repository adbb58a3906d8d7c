/* Text: the report for people at a terminal, with source excerpts, hints and a summary. */
#include "report/excerpt.h"
#include "report/report_kernels.h"
#include "report/terminal.h"

/* One "= word: text" line under an excerpt. */
static void open_remark(Buf *out, const Finding *finding, const Paint *paint, const char *word)
{
    buf_addf(out, "%s%*s =%s %s%s%s", paint->frame, excerpt_gutter(finding), "", paint->off,
             paint->help, word, paint->off);
}

static void add_related(Buf *out, const OperatorResult *op, const Finding *finding,
                        const Paint *paint, Lang lang)
{
    for (uint32_t i = 0; i < finding->related.count; i++) {
        const Related *related = &finding->related.items[i];
        open_remark(out, finding, paint, words(lang, "see: ", "参见："));
        place_add(out, full_path(out->arena, op, related->file), related->region);
        if (related->message.length > 0) {
            buf_add(out, STR(": "));
            terminal_add(out, related->message);
        }
        buf_add_char(out, '\n');
    }
}

static void add_finding(Buf *out, const OperatorResult *op, const Finding *finding,
                        const Paint *paint, Lang lang)
{
    buf_add(out, str_from(paint->path));
    place_add(out, full_path(out->arena, op, finding->file), finding->region);
    Str label = rule_label(out->arena, finding->rule);
    buf_addf(out, "%s: %s%s%s %s %.*s: ", paint->off, paint_status(paint, finding->status),
             status_name(finding->status), paint->off, severity_name(finding->rule->severity),
             STR_ARG(label));
    buf_add(out, rule_title(finding->rule, lang));
    buf_add(out, STR("\n  "));
    terminal_add_start(out, finding->message);
    buf_add_char(out, '\n');
    excerpt_add(out, finding, paint, lang);
    Str hint = finding_fix_hint(finding, lang);
    if (hint.length > 0) {
        open_remark(out, finding, paint, words(lang, "help: ", "帮助："));
        terminal_add(out, hint);
        buf_add_char(out, '\n');
    }
    add_related(out, op, finding, paint, lang);
    buf_add_char(out, '\n');
}

static void add_passed(Buf *out, const OperatorResult *op, const Paint *paint, Lang lang)
{
    buf_add(out, str_from(paint->path));
    if (op->loose) {
        buf_add(out,
                str_from(words(lang, "files outside operator directories", "算子目录之外的文件")));
    } else {
        path_add(out, op->op_dir);
        buf_addf(out, words(lang, ", stage %d", "，阶段 %d"), op->stage);
        if (op->phase.length > 0) {
            buf_add(out, STR(", "));
            terminal_add(out, op->phase);
        }
    }
    buf_addf(out, "%s\n", paint->off);
    for (uint32_t i = 0; i < op->rules.count; i++) {
        const RuleResult *rule = &op->rules.items[i];
        if (rule->status != STATUS_PASS && rule->status != STATUS_SKIP) {
            continue;
        }
        Str label = rule_label(out->arena, rule->rule);
        buf_addf(out, "  %s %s %.*s: ", status_name(rule->status),
                 severity_name(rule->rule->severity), STR_ARG(label));
        buf_add(out, rule_title(rule->rule, lang));
        if (rule->status == STATUS_SKIP && rule->reason.length > 0) {
            buf_add(out, STR(": "));
            terminal_add(out, rule->reason);
        }
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
}

static void add_summary(Buf *out, const RunResult *result)
{
    Lang lang = result->lang;
    Totals totals = run_totals(result);
    if (totals.findings == 0 && run_is_incomplete(result)) {
        buf_add(out, str_from(words(lang, "No findings, but not everything could be checked",
                                    "没有发现问题，但有内容无法检查")));
    } else if (totals.findings == 0 && totals.rules == 0) {
        buf_add(out, str_from(words(lang, "Nothing was checked", "未做任何检查")));
    } else if (totals.findings == 0) {
        buf_add(out, str_from(words(lang, "No findings", "没有发现问题")));
    } else {
        count_add(out, lang, totals.findings, "finding", "个问题");
        buf_addf(out, words(lang, ": %u FAIL, %u WARN, %u INFO", "：%u FAIL，%u WARN，%u INFO"),
                 totals.counts.fail, totals.counts.warn, totals.counts.info);
    }
    const char *comma = words(lang, ", ", "，");
    buf_add(out, str_from(words(lang, " (", "（")));
    if (totals.operators > 0) {
        count_add(out, lang, totals.operators, "operator", "个算子");
        buf_add(out, str_from(comma));
    }
    count_add(out, lang, totals.files, "file", "个文件");
    buf_addf(out, words(lang, "; rules: %u passed, %u skipped)\n", "；规则：%u 通过，%u 跳过）\n"),
             totals.counts.pass, totals.counts.skip);
}

bool report_text(Buf *out, const RunResult *result, const ReportOptions *options)
{
    Paint paint = paint_new(options->color);
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            add_finding(out, op, op->findings.items[k], &paint, result->lang);
        }
    }
    for (uint32_t i = 0; options->show_passed && i < result->operators.count; i++) {
        add_passed(out, result->operators.items[i], &paint, result->lang);
    }
    kernel_types_add(out, result);
    notices_add(out, result, options->quiet);
    if (options->statistics) {
        statistics_add(out, result);
        kernel_statistics_add(out, result);
    }
    if (!options->quiet) {
        add_summary(out, result);
        tally_add(out, result);
        verdict_add(out, result);
        beyond_add(out, result);
    }
    return true;
}
