/* JUnit: XML for the test tabs of CI systems. One testsuite an operator; one testcase for each rule
 * that passed or was skipped, and one for each finding, since most readers show one failure a case.
 *
 * A finding is a failure exactly when it makes the exit status 1; others are cases that passed with
 * their text as output, so that the tab and the job agree. */
#include "report/report_common.h"
#include "report/xml.h"

static bool is_failure(const RunResult *result, const Finding *finding)
{
    return finding->status == STATUS_FAIL && !result->fail_never &&
           finding->rule->severity <= result->fail_on;
}

/* "OL48 tile-not-constant: Title"; with its place for a finding. */
static void add_case(Buf *out, const OperatorResult *op, const Rule *rule, Str place,
                     const ReportOptions *options, Lang lang)
{
    buf_add(out, STR("    <testcase"));
    xml_attribute(out, "classname",
                  op->loose ? STR("pypto-lint")
                            : path_from(out->arena, options->working_dir, op->op_dir));
    Str label = rule_label(out->arena, rule);
    Str title = rule_title(rule, lang);
    xml_attribute(out, "name",
                  str_format(out->arena, "%.*s: %.*s%s%.*s", STR_ARG(label), STR_ARG(title),
                             place.length > 0 ? ": " : "", STR_ARG(place)));
}

static void add_finding(Buf *out, const RunResult *result, const OperatorResult *op,
                        const Finding *finding, const ReportOptions *options)
{
    Arena *arena = out->arena;
    Lang lang = result->lang;
    Str path = path_from(arena, options->working_dir, full_path(arena, op, finding->file));
    Buf place = {.arena = arena};
    buf_add(&place, path);
    if (finding->region.line > 0) {
        buf_addf(&place, ":%u:%u", finding->region.line, finding->region.column);
    }
    add_case(out, op, finding->rule, buf_str(&place), options, lang);
    xml_attribute(out, "file", path);
    if (finding->region.line > 0) {
        buf_addf(out, " line=\"%u\"", finding->region.line);
    }
    buf_add(out, STR(">\n"));
    bool failure = is_failure(result, finding);
    if (failure) {
        buf_add(out, STR("      <failure"));
        xml_attribute(out, "message", finding->message);
        buf_addf(out, " type=\"%s\">", severity_name(finding->rule->severity));
    } else {
        buf_add(out, STR("      <system-out>"));
    }
    xml_add(out, buf_str(&place));
    Str label = rule_label(arena, finding->rule);
    buf_addf(out, ": %s %s %.*s: ", status_name(finding->status),
             severity_name(finding->rule->severity), STR_ARG(label));
    xml_add(out, finding->message);
    Str hint = finding_fix_hint(finding, lang);
    if (hint.length > 0) {
        buf_add(out, str_from(words(lang, "\nhelp: ", "\n帮助：")));
        xml_add(out, hint);
    }
    buf_addf(out, "%s\n    </testcase>\n", failure ? "</failure>" : "</system-out>");
}

static void add_rule(Buf *out, const OperatorResult *op, const RuleResult *rule,
                     const ReportOptions *options, Lang lang)
{
    if (rule->status == STATUS_PASS) {
        add_case(out, op, rule->rule, STR(""), options, lang);
        buf_add(out, STR("/>\n"));
    } else if (rule->status == STATUS_SKIP) {
        add_case(out, op, rule->rule, STR(""), options, lang);
        buf_add(out, STR(">\n      <skipped"));
        xml_attribute(out, "message", rule->reason);
        buf_add(out, STR("/>\n    </testcase>\n"));
    }
}

typedef struct Sums {
    uint32_t tests, failures, errors, skipped;
    double milliseconds;
} Sums;

static void add_sums(Buf *out, Sums sums)
{
    buf_addf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.4f\"",
             sums.tests, sums.failures, sums.errors, sums.skipped, sums.milliseconds / 1e3);
}

static Sums operator_sums(const RunResult *result, const OperatorResult *op)
{
    Counts counts = result_counts(op);
    Sums sums = {.tests = counts.pass + counts.skip + op->findings.count,
                 .skipped = counts.skip,
                 .milliseconds = op->duration_ms};
    for (uint32_t i = 0; i < op->findings.count; i++) {
        sums.failures += is_failure(result, op->findings.items[i]);
    }
    return sums;
}

static void add_operator(Buf *out, const RunResult *result, const OperatorResult *op,
                         const ReportOptions *options)
{
    buf_add(out, STR("  <testsuite"));
    xml_attribute(out, "name", op->loose ? STR("pypto-lint") : op->op_name);
    add_sums(out, operator_sums(result, op));
    buf_add(out, STR(">\n"));
    for (uint32_t i = 0; i < op->rules.count; i++) {
        add_rule(out, op, &op->rules.items[i], options, result->lang);
    }
    for (uint32_t i = 0; i < op->findings.count; i++) {
        add_finding(out, result, op, op->findings.items[i], options);
    }
    buf_add(out, STR("  </testsuite>\n"));
}

/* What could not be checked is an error; remarks are output of the suite. */
static void add_notices(Buf *out, const RunResult *result, uint32_t errors)
{
    buf_add(out, STR("  <testsuite name=\"pypto-lint notices\""));
    add_sums(out, (Sums){.tests = errors, .errors = errors});
    buf_add(out, STR(">\n"));
    Buf remarks = {.arena = out->arena};
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        if (notice->is_error) {
            buf_add(out, STR("    <testcase classname=\"pypto-lint\""));
            xml_attribute(out, "name", notice->file.length > 0 ? notice->file : STR("pypto-lint"));
            buf_add(out, STR(">\n      <error"));
            xml_attribute(out, "message", notice->message);
            buf_add(out, STR("/>\n    </testcase>\n"));
        } else {
            buf_add(&remarks, str_from(words(result->lang, "notice: ", "提示：")));
            xml_add(&remarks, notice->file);
            buf_add(&remarks, notice->file.length > 0 ? STR(": ") : STR(""));
            xml_add(&remarks, notice->message);
            buf_add_char(&remarks, '\n');
        }
    }
    if (remarks.length > 0) {
        buf_addf(out, "    <system-out>%s    </system-out>\n", remarks.at);
    }
    buf_add(out, STR("  </testsuite>\n"));
}

bool report_junit(Buf *out, const RunResult *result, const ReportOptions *options)
{
    Sums all = {0};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        Sums sums = operator_sums(result, result->operators.items[i]);
        all.tests += sums.tests;
        all.failures += sums.failures;
        all.skipped += sums.skipped;
        all.milliseconds += sums.milliseconds;
    }
    for (uint32_t i = 0; i < result->notices.count; i++) {
        all.errors += result->notices.items[i].is_error;
    }
    all.tests += all.errors;
    buf_add(out,
            STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pypto-lint\""));
    add_sums(out, all);
    buf_add(out, STR(">\n"));
    for (uint32_t i = 0; i < result->operators.count; i++) {
        add_operator(out, result, result->operators.items[i], options);
    }
    if (result->notices.count > 0) {
        add_notices(out, result, all.errors);
    }
    buf_add(out, STR("</testsuites>\n"));
    return true;
}
