/* JSON: the report for programs; docs/ci/output-formats.md has its members.
 *
 * Nothing here takes arena memory while the JSON tree is alive: the arena's failures jump over the
 * code that would free it. */
#include "document/json.h"
#include "report/report_kernels.h"
#include "report/terminal.h"

#include <stdlib.h>

enum { SCHEMA_VERSION = 1 };

static void text_member(JsonTree *tree, json_t *object, const char *key, Str text)
{
    json_put(tree, object, key, json_text(text));
}

/* For people: a reader of JSON undoes its escapes. */
static void message_member(JsonTree *tree, json_t *object, const char *key, Str text)
{
    text_member(tree, object, key, terminal_text(tree->arena, text));
}

static void name_member(JsonTree *tree, json_t *object, const char *key, const char *name)
{
    json_put(tree, object, key, json_string(name));
}

static void rule_name_member(JsonTree *tree, json_t *object, const Rule *rule)
{
    if (rule->name != NULL) {
        name_member(tree, object, "name", rule->name);
    }
}

static void number_member(JsonTree *tree, json_t *object, const char *key, uint32_t number)
{
    json_put(tree, object, key, json_integer(number));
}

static void region_members(JsonTree *tree, json_t *object, Region region)
{
    number_member(tree, object, "line", region.line);
    number_member(tree, object, "column", region.column);
    number_member(tree, object, "end_line", region.end_line);
    number_member(tree, object, "end_column", region.end_column);
}

static json_t *rule_value(JsonTree *tree, const RuleResult *result)
{
    json_t *object = json_object();
    name_member(tree, object, "id", result->rule->id);
    rule_name_member(tree, object, result->rule);
    name_member(tree, object, "severity", severity_name(result->rule->severity));
    name_member(tree, object, "status", status_name(result->status));
    if (result->status == STATUS_SKIP) {
        message_member(tree, object, "reason", result->reason);
    }
    return object;
}

static json_t *related_value(JsonTree *tree, const Related *related)
{
    json_t *object = json_object();
    message_member(tree, object, "message", related->message);
    text_member(tree, object, "file", related->file);
    region_members(tree, object, related->region);
    return object;
}

static json_t *fix_value(JsonTree *tree, const Finding *finding)
{
    json_t *object = json_object();
    name_member(tree, object, "class", finding->fix == FIX_SAFE ? "safe" : "suggest");
    json_t *edits = json_array();
    for (uint32_t i = 0; i < finding->edits.count; i++) {
        const Edit *edit = &finding->edits.items[i];
        json_t *value = json_object();
        region_members(tree, value, edit->region);
        text_member(tree, value, "text", edit->text);
        json_append(tree, edits, value);
    }
    json_put(tree, object, "edits", edits);
    return object;
}

static json_t *finding_value(JsonTree *tree, const Finding *finding, Lang lang)
{
    const Rule *rule = finding->rule;
    json_t *object = json_object();
    name_member(tree, object, "rule", rule->id);
    rule_name_member(tree, object, rule);
    name_member(tree, object, "severity", severity_name(rule->severity));
    name_member(tree, object, "dimension", dimension_name(rule->dimension));
    name_member(tree, object, "status", status_name(finding->status));
    message_member(tree, object, "message", finding->message);
    message_member(tree, object, "hint", finding_fix_hint(finding, lang));
    text_member(tree, object, "file", finding->file);
    region_members(tree, object, finding->region);
    bool fixable = finding->edits.count > 0 && finding->fix == FIX_SAFE;
    json_put(tree, object, "fixable", json_boolean(fixable));
    if (finding->edits.count > 0) {
        json_put(tree, object, "fix", fix_value(tree, finding));
    }
    if (finding->related.count > 0) {
        json_t *related = json_array();
        for (uint32_t i = 0; i < finding->related.count; i++) {
            json_append(tree, related, related_value(tree, &finding->related.items[i]));
        }
        json_put(tree, object, "related", related);
    }
    return object;
}

static double tenths(double value)
{
    return (double)(uint64_t)(value * 10 + 0.5) / 10;
}

static json_t *summary_value(JsonTree *tree, const OperatorResult *op)
{
    Counts counts = result_counts(op);
    json_t *object = json_object();
    number_member(tree, object, "fail", counts.fail);
    number_member(tree, object, "warn", counts.warn);
    number_member(tree, object, "info", counts.info);
    number_member(tree, object, "pass", counts.pass);
    number_member(tree, object, "skip", counts.skip);
    number_member(tree, object, "files", op->files);
    json_put(tree, object, "duration_ms", json_real(tenths(op->duration_ms)));
    return object;
}

/* What every object of the report begins with. */
static json_t *head_value(JsonTree *tree, const ReportOptions *options)
{
    json_t *object = json_object();
    json_t *tool = json_object();
    name_member(tree, tool, "name", "pypto-lint");
    text_member(tree, tool, "version", options->version);
    json_put(tree, object, "schema_version", json_integer(SCHEMA_VERSION));
    json_put(tree, object, "tool", tool);
    return object;
}

static json_t *operator_value(JsonTree *tree, const OperatorResult *op,
                              const ReportOptions *options, Lang lang)
{
    json_t *object = head_value(tree, options);
    text_member(tree, object, "op_name", op->op_name);
    text_member(tree, object, "op_dir", op->op_dir);
    json_put(tree, object, "stage", json_integer(op->stage));
    json_put(tree, object, "phase", op->phase.length > 0 ? json_text(op->phase) : json_null());
    json_t *rules = json_array();
    for (uint32_t i = 0; i < op->rules.count; i++) {
        json_append(tree, rules, rule_value(tree, &op->rules.items[i]));
    }
    json_put(tree, object, "rules", rules);
    json_t *findings = json_array();
    for (uint32_t i = 0; i < op->findings.count; i++) {
        json_append(tree, findings, finding_value(tree, op->findings.items[i], lang));
    }
    json_put(tree, object, "findings", findings);
    kernel_json_add(tree, object, op->semantics, lang, options->statistics);
    json_put(tree, object, "summary", summary_value(tree, op));
    return object;
}

static json_t *run_value(JsonTree *tree, const RunResult *result, const ReportOptions *options)
{
    json_t *root;
    if (result->operators.count == 1) {
        root = operator_value(tree, result->operators.items[0], options, result->lang);
    } else {
        root = head_value(tree, options);
        json_t *runs = json_array();
        for (uint32_t i = 0; i < result->operators.count; i++) {
            json_append(tree, runs,
                        operator_value(tree, result->operators.items[i], options, result->lang));
        }
        json_put(tree, root, "runs", runs);
    }
    if (result->notices.count > 0) {
        json_t *notices = json_array();
        for (uint32_t i = 0; i < result->notices.count; i++) {
            const Notice *notice = &result->notices.items[i];
            json_t *value = json_object();
            name_member(tree, value, "level", notice->is_error ? "error" : "notice");
            message_member(tree, value, "message", notice->message);
            text_member(tree, value, "file", notice->file);
            json_append(tree, notices, value);
        }
        json_put(tree, root, "notices", notices);
    }
    return root;
}

bool report_json(Buf *out, const RunResult *result, const ReportOptions *options)
{
    JsonTree tree = {.arena = out->arena};
    json_t *root = run_value(&tree, result, options);
    /* 15 digits give one decimal back as it was rounded. */
    return json_add_built(out, &tree, root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
}
