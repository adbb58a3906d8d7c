/* GitLab: the Code Quality report, which merge requests show: a JSON array with one object a
 * finding.
 *
 * Nothing here takes arena memory while the JSON tree is alive: the arena's failures jump over the
 * code that would free it. */
#include "document/json.h"
#include "lint/fingerprint.h"
#include "report/report_common.h"
#include "report/terminal.h"

#include <stdio.h>

/* What is needed of one finding, made before the tree. */
typedef struct Issue {
    const Finding *finding;
    Str path, description;
    Fingerprint print;
} Issue;
typedef VEC(Issue) Issues;

static const char *severity_of(const Finding *finding)
{
    static const char *const fail[] = {
        [S0] = "blocker", [S1] = "critical", [S2] = "major", [S3] = "minor"};
    static const char *const warn[] = {
        [S0] = "major", [S1] = "major", [S2] = "minor", [S3] = "info"};
    Severity severity = finding->rule->severity;
    return finding->status == STATUS_FAIL   ? fail[severity]
           : finding->status == STATUS_WARN ? warn[severity]
                                            : "info";
}

static void add_issues(Issues *issues, Arena *arena, const OperatorResult *op,
                       const ReportOptions *options)
{
    const Findings *findings = &op->findings;
    Str *paths = ARENA_ARRAY(arena, Str, findings->count + 1);
    for (uint32_t i = 0; i < findings->count; i++) {
        Str path = full_path(arena, op, findings->items[i]->file);
        paths[i] = path_from(arena, options->working_dir, path);
    }
    const Fingerprint *prints = fingerprints_make(arena, findings, paths);
    for (uint32_t i = 0; i < findings->count; i++) {
        const Finding *finding = findings->items[i];
        Buf description = {.arena = arena};
        Str label = rule_label(arena, finding->rule);
        buf_addf(&description, "%.*s: ", STR_ARG(label));
        terminal_add(&description, finding->message);
        Issue issue = {finding, paths[i], buf_str(&description), prints[i]};
        VEC_PUSH(arena, issues, issue);
    }
}

static json_t *issue_value(JsonTree *tree, const Issue *issue)
{
    char print[40];
    snprintf(print, sizeof print, "%016llx-%u", (unsigned long long)issue->print.hash,
             issue->print.occurrence);
    uint32_t line = issue->finding->region.line;
    json_t *object = json_object();
    json_t *location = json_object();
    json_t *lines = json_object();
    /* The format has no findings about whole files. */
    json_put(tree, lines, "begin", json_integer(line == 0 ? 1 : line));
    json_put(tree, location, "path", json_text(issue->path));
    json_put(tree, location, "lines", lines);
    json_put(tree, object, "description", json_text(issue->description));
    json_put(tree, object, "check_name", json_string(issue->finding->rule->id));
    json_put(tree, object, "fingerprint", json_string(print));
    json_put(tree, object, "severity", json_string(severity_of(issue->finding)));
    json_put(tree, object, "location", location);
    return object;
}

bool report_gitlab(Buf *out, const RunResult *result, const ReportOptions *options)
{
    Issues issues = {0};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        add_issues(&issues, out->arena, result->operators.items[i], options);
    }
    JsonTree tree = {0};
    json_t *array = json_array();
    for (uint32_t i = 0; i < issues.count; i++) {
        json_append(&tree, array, issue_value(&tree, &issues.items[i]));
    }
    return json_add_built(out, &tree, array, JSON_INDENT(2));
}
