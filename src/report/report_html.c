/* HTML: a page for people, self-contained. It says everything without its script, which only adds
 * the filters and keys. */
#include "report/page.h"
#include "report/page_finding.h"
#include "report/report_common.h"

/* The class that colours what a status or a verdict says. */
static const char *run_class(const RunResult *result, const Totals *totals)
{
    if (result->exit_status != 0) {
        return "fail";
    }
    bool doubts = totals->findings > 0 || run_is_incomplete(result) || totals->rules == 0;
    return doubts ? "warn" : "pass";
}

static void add_verdict(Buf *out, const RunResult *result)
{
    Totals totals = run_totals(result);
    Lang lang = result->lang;
    buf_addf(out, "<p class=\"verdict %s\">", run_class(result, &totals));
    if (totals.findings > 0) {
        buf_addf(out, words(lang, "%u FAIL, %u WARN, %u INFO", "%u FAIL，%u WARN，%u INFO"),
                 totals.counts.fail, totals.counts.warn, totals.counts.info);
        if (totals.fixable + totals.suggested > 0) {
            buf_add(out, str_from(words(lang, "; ", "；")));
            fixable_add(out, lang, &totals);
        }
    } else if (run_is_incomplete(result)) {
        buf_add(out, str_from(words(lang, "No findings, but not everything could be checked",
                                    "没有发现问题，但有内容无法检查")));
    } else {
        buf_add(out, str_from(totals.rules == 0 ? words(lang, "Nothing was checked", "未做任何检查")
                                                : words(lang, "No findings", "没有发现问题")));
    }
    buf_addf(out,
             words(lang, ". %u files; rules: %u passed, %u skipped.</p>\n",
                   "。%u 个文件；规则：%u 通过，%u 跳过。</p>\n"),
             totals.files, totals.counts.pass, totals.counts.skip);
    if (result->verdict.length > 0) {
        buf_add(out, STR("<p class=\"verdict warn\">"));
        xml_add(out, result->verdict);
        buf_add(out, STR("</p>\n"));
    }
}

static void add_notice(Buf *out, const Notice *notice, Lang lang)
{
    const char *class = notice->is_error ? "fail" : "info";
    buf_addf(out, "<p class=\"verdict %s text\"><span class=\"tag %s\">%s</span> ", class, class,
             notice->is_error ? words(lang, "Not checked", "未检查") : words(lang, "Note", "提示"));
    if (notice->file.length > 0) {
        xml_add(out, notice->file);
        buf_add(out, STR(": "));
    }
    xml_add(out, notice->message);
    buf_add(out, STR("</p>\n"));
}

/* What could not be checked stands above the findings: readers must see that first. Remarks are
 * folded. */
static void add_notices(Buf *out, const RunResult *result)
{
    uint32_t notes = 0;
    for (uint32_t i = 0; i < result->notices.count; i++) {
        if (result->notices.items[i].is_error) {
            add_notice(out, &result->notices.items[i], result->lang);
        } else {
            notes++;
        }
    }
    if (notes == 0) {
        return;
    }
    buf_addf(out,
             words(result->lang, "<details><summary>Notes: %u</summary>\n",
                   "<details><summary>%u 条提示</summary>\n"),
             notes);
    for (uint32_t i = 0; i < result->notices.count; i++) {
        if (!result->notices.items[i].is_error) {
            add_notice(out, &result->notices.items[i], result->lang);
        }
    }
    buf_add(out, STR("</details>\n"));
}

static void add_controls(Buf *out, Lang lang)
{
    static const char *const severities[] = {"S0", "S1", "S2", "S3"};
    static const char *const statuses[] = {"FAIL", "WARN", "INFO"};
    static const char *const fixes[] = {"safe", "suggest", "none"};
    const PageChoice choices[] = {
        {"severity", {"Severity", "级别"}, severities, 4},
        {"status", {"Status", "状态"}, statuses, 3},
        {"fix", {"Fix", "修复"}, fixes, 3},
    };
    page_controls_add(out, choices, 3, lang);
}

static void add_findings(Buf *out, const RunResult *result, const OperatorResult *op,
                         const ReportOptions *options)
{
    Str open_file = STR("");
    for (uint32_t i = 0; i < op->findings.count; i++) {
        const Finding *finding = op->findings.items[i];
        if (i == 0 || !str_equal(finding->file, open_file)) {
            buf_add(out, i == 0 ? STR("<section data-group>\n<h2>")
                                : STR("</section>\n<section data-group>\n<h2>"));
            xml_add(out, path_from(out->arena, options->working_dir,
                                   full_path(out->arena, op, finding->file)));
            buf_add(out, STR("</h2>\n"));
            open_file = finding->file;
        }
        page_finding_add(out, op, finding, result->lang);
    }
    buf_add(out, op->findings.count > 0 ? STR("</section>\n") : STR(""));
}

/* The pages of the rules that found something, each once, in the order of the catalogue. */
static void add_rules(Buf *out, const RunResult *result)
{
    const Rule *found[RULE_ORDERS] = {NULL};
    bool any = false;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            found[op->findings.items[k]->rule->order] = op->findings.items[k]->rule;
            any = true;
        }
    }
    if (any) {
        buf_addf(out, "<h2>%s</h2>\n", words(result->lang, "Rules", "规则"));
    }
    for (uint32_t i = 0; i < RULE_ORDERS; i++) {
        if (found[i] != NULL) {
            page_rule_add(out, found[i], result->lang, false);
        }
    }
}

bool report_html(Buf *out, const RunResult *result, const ReportOptions *options)
{
    PageHead head = {.title =
                         str_from(words(result->lang, "pypto-lint: check", "pypto-lint：检查结果")),
                     .lang = result->lang == LANG_ZH ? "zh-CN" : "en",
                     .script = "filter.js"};
    page_begin(out, &head);
    add_verdict(out, result);
    add_notices(out, result);
    Totals totals = run_totals(result);
    if (totals.findings > 0) {
        add_controls(out, result->lang);
    }
    for (uint32_t i = 0; i < result->operators.count; i++) {
        add_findings(out, result, result->operators.items[i], options);
    }
    add_rules(out, result);
    buf_add(out, STR("<p class=\"soft\">pypto-lint "));
    xml_add(out, options->version);
    buf_add(out, STR("</p>\n"));
    page_end(out, &head);
    return true;
}
