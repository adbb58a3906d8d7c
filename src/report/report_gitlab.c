/* GitLab: the Code Quality report, which merge requests show: a JSON array with one object a
 * finding.
 *
 * Nothing here takes arena memory while the JSON tree is alive: the arena's failures jump over the
 * code that would free it. */
#include "lint/fingerprint.h"
#include "report/json_text.h"
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
        buf_addf(&description, "%s: ", finding->rule->id);
        terminal_add(&description, finding->message);
        Issue issue = {finding, paths[i], buf_str(&description), prints[i]};
        VEC_PUSH(arena, issues, issue);
    }
}

/* False when memory for it could not be had. */
static bool member(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static json_t *issue_value(const Issue *issue)
{
    char print[40];
    snprintf(print, sizeof print, "%016llx-%u", (unsigned long long)issue->print.hash,
             issue->print.occurrence);
    uint32_t line = issue->finding->region.line;
    json_t *object = json_object();
    json_t *location = json_object();
    json_t *lines = json_object();
    /* The format has no findings about whole files. */
    bool good = member(lines, "begin", json_integer(line == 0 ? 1 : line));
    good = member(location, "path", json_text(issue->path)) && good;
    good = member(location, "lines", lines) && good;
    good = member(object, "description", json_text(issue->description)) && good;
    good = member(object, "check_name", json_string(issue->finding->rule->id)) && good;
    good = member(object, "fingerprint", json_string(print)) && good;
    good = member(object, "severity", json_string(severity_of(issue->finding))) && good;
    good = member(object, "location", location) && good;
    if (!good) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *issues_value(const Issues *issues)
{
    json_t *array = json_array();
    bool good = array != NULL;
    for (uint32_t i = 0; good && i < issues->count; i++) {
        good = json_array_append_new(array, issue_value(&issues->items[i])) == 0;
    }
    if (!good) {
        json_decref(array);
        return NULL;
    }
    return array;
}

bool report_gitlab(Buf *out, const RunResult *result, const ReportOptions *options)
{
    Issues issues = {0};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        add_issues(&issues, out->arena, result->operators.items[i], options);
    }
    return json_add_tree(out, issues_value(&issues), JSON_INDENT(2));
}
