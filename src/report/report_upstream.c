/* Upstream: the JSON of the Python linter, for callers that were written for it
 * (docs/agents/gates.md). One element for a rule without findings, else one for each finding, worst
 * first. */
#include "document/json.h"
#include "report/report.h"

static void add_member(Buf *out, const char *key, Str value)
{
    buf_addf(out, ",\n      \"%s\": ", key);
    json_add_string(out, value);
}

static void add_number(Buf *out, const char *key, uint32_t value)
{
    buf_addf(out, ",\n      \"%s\": %u", key, value);
}

/* --- elements */

static void add_head(Buf *out, const Rule *rule, Status status, Str message, Str file,
                     uint32_t line, bool *first)
{
    buf_addf(out, "%s\n    {\n      \"rule_id\": \"%s\"", *first ? "" : ",", rule->id);
    *first = false;
    add_member(out, "severity", str_from(severity_name(rule->severity)));
    add_member(out, "dimension", str_from(dimension_name(rule->dimension)));
    add_member(out, "fix_effort", str_from(effort_name(rule->effort)));
    add_member(out, "status", str_from(status_name(status)));
    add_member(out, "message", message);
    add_member(out, "file", file);
    add_number(out, "line", line);
}

static void add_finding(Buf *out, const Finding *finding, bool *first)
{
    Region region = finding->region;
    add_head(out, finding->rule, finding->status, finding->message, finding->file, region.line,
             first);
    add_number(out, "column", region.column);
    add_number(out, "end_line", region.end_line);
    add_number(out, "end_column", region.end_column);
    add_member(out, "hint", finding->hint);
    buf_add(out, STR("\n    }"));
}

static void add_rule(Buf *out, const OperatorResult *op, const RuleResult *result, Lang lang,
                     bool *first)
{
    bool any = false;
    for (int status = STATUS_FAIL; status >= STATUS_INFO; status--) {
        for (uint32_t i = 0; i < op->findings.count; i++) {
            const Finding *finding = op->findings.items[i];
            if (finding->rule == result->rule && finding->status == (Status)status) {
                add_finding(out, finding, first);
                any = true;
            }
        }
    }
    if (!any) {
        Str passed = str_from(text_in(lang, (Text){"passed", "通过"}));
        Str message = result->status == STATUS_SKIP ? result->reason : passed;
        add_head(out, result->rule, result->status, message, STR(""), 0, first);
        buf_add(out, STR("\n    }"));
    }
}

bool report_upstream(Buf *out, const RunResult *result, const ReportOptions *options)
{
    (void)options;
    static const OperatorResult nothing = {0};
    const OperatorResult *op = result->operators.count > 0 ? result->operators.items[0] : &nothing;
    unsigned counts[STATUS_FAIL + 1] = {0};
    bool blocking = false;
    for (uint32_t i = 0; i < op->rules.count; i++) {
        const RuleResult *rule = &op->rules.items[i];
        counts[rule->status]++;
        blocking = blocking || (rule->status == STATUS_FAIL && rule->rule->severity <= S1);
    }
    buf_addf(out, "{\n  \"passed\": %s,\n  \"findings\": [",
             counts[STATUS_FAIL] == 0 ? "true" : "false");
    bool first = true;
    for (uint32_t i = 0; i < op->rules.count; i++) {
        add_rule(out, op, &op->rules.items[i], result->lang, &first);
    }
    buf_addf(out,
             "%s],\n  \"summary\": {\n    \"pass\": %u,\n    \"warn\": %u,\n    \"info\": %u,\n"
             "    \"fail\": %u,\n    \"skip\": %u,\n    \"has_error_fail\": %s\n  }\n}\n",
             first ? "" : "\n  ", counts[STATUS_PASS], counts[STATUS_WARN], counts[STATUS_INFO],
             counts[STATUS_FAIL], counts[STATUS_SKIP], blocking ? "true" : "false");
    return true;
}
