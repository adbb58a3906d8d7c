/* Rdjson: reviewdog's diagnostic format. Its columns count bytes of UTF-8, from 1, ends are
 * exclusive.
 *
 * Nothing here takes arena memory while the JSON tree is alive, its own texts aside, which the tree
 * of the caller holds: see report_json.c. */
#include "document/json.h"
#include "report/report_common.h"
#include "report/terminal.h"

#include "base/utf8.h"

typedef struct Diagnostic {
    const Finding *finding;
    Str path, message, url;
    Str *related_paths;
} Diagnostic;
typedef VEC(Diagnostic) Diagnostics;

/* A column in bytes, of one in code points. */
static uint32_t byte_column(const Source *source, uint32_t line, uint32_t column)
{
    if (source == NULL || line == 0 || line > source->line_count) {
        return column;
    }
    size_t start = source->line_starts[line - 1];
    start = start < source->text_start ? source->text_start : start;
    size_t at = start;
    for (uint32_t i = 1; i < column && at < source->text.length; i++) {
        utf8_next(source->text, &at);
    }
    return (uint32_t)(at - start) + 1;
}

static json_t *position_value(JsonTree *tree, const Source *source, uint32_t line, uint32_t column)
{
    json_t *object = json_object();
    json_put(tree, object, "line", json_integer(line));
    json_put(tree, object, "column", json_integer(byte_column(source, line, column)));
    return object;
}

static json_t *range_value(JsonTree *tree, const Source *source, Region region)
{
    json_t *range = json_object();
    json_put(tree, range, "start", position_value(tree, source, region.line, region.column));
    json_put(tree, range, "end", position_value(tree, source, region.end_line, region.end_column));
    return range;
}

/* Of a file whose text is not at hand: our columns cannot be converted into theirs. */
static json_t *line_range_value(JsonTree *tree, uint32_t line)
{
    json_t *range = json_object();
    json_t *start = json_object();
    json_put(tree, start, "line", json_integer(line));
    json_put(tree, range, "start", start);
    return range;
}

static json_t *location_value(JsonTree *tree, Str path, const Source *source, Region region)
{
    json_t *location = json_object();
    json_put(tree, location, "path", json_text(path));
    if (region.line > 0) {
        json_put(tree, location, "range", range_value(tree, source, region));
    }
    return location;
}

/* The suggestion of a fix with one edit. Reviewers take suggestions one by one, so an edit that
 * needs others must not be offered. */
static json_t *suggestions_value(JsonTree *tree, const Finding *finding)
{
    json_t *list = json_array();
    json_t *suggestion = json_object();
    json_put(tree, suggestion, "range",
             range_value(tree, finding->source, finding->edits.items[0].region));
    json_put(tree, suggestion, "text", json_text(finding->edits.items[0].text));
    json_append(tree, list, suggestion);
    return list;
}

static json_t *diagnostic_value(JsonTree *tree, const Diagnostic *diagnostic)
{
    static const char *const severities[] = {
        [LEVEL_NOTE] = "INFO", [LEVEL_WARNING] = "WARNING", [LEVEL_ERROR] = "ERROR"};
    const Finding *finding = diagnostic->finding;
    json_t *object = json_object();
    json_t *code = json_object();
    json_put(tree, object, "message", json_text(diagnostic->message));
    json_put(tree, object, "location",
             location_value(tree, diagnostic->path, finding->source, finding->region));
    json_put(tree, object, "severity", json_string(severities[finding_level(finding)]));
    json_put(tree, code, "value", json_string(finding->rule->id));
    if (diagnostic->url.length > 0) {
        json_put(tree, code, "url", json_text(diagnostic->url));
    }
    json_put(tree, object, "code", code);
    if (finding->edits.count == 1) {
        json_put(tree, object, "suggestions", suggestions_value(tree, finding));
    }
    if (finding->related.count > 0) {
        json_t *related = json_array();
        for (uint32_t i = 0; i < finding->related.count; i++) {
            const Related *one = &finding->related.items[i];
            json_t *value = json_object();
            json_put(tree, value, "message", json_text(one->message));
            json_t *location =
                location_value(tree, diagnostic->related_paths[i], NULL, (Region){0});
            if (one->region.line > 0) {
                json_put(tree, location, "range", line_range_value(tree, one->region.line));
            }
            json_put(tree, value, "location", location);
            json_append(tree, related, value);
        }
        json_put(tree, object, "related_locations", related);
    }
    return object;
}

static Diagnostic diagnose(Arena *arena, const OperatorResult *op, const Finding *finding,
                           const ReportOptions *options, Lang lang)
{
    Diagnostic diagnostic = {.finding = finding, .url = STR("")};
    Buf message = {.arena = arena};
    Str hint = finding_fix_hint(finding, lang);
    Str label = rule_label(arena, finding->rule);
    buf_addf(&message, "%.*s: ", STR_ARG(label));
    terminal_add(&message, finding->message);
    if (hint.length > 0) {
        buf_add(&message, str_from(words(lang, "\nhelp: ", "\n帮助：")));
        terminal_add(&message, hint);
    }
    diagnostic.message = buf_str(&message);
    diagnostic.path = path_from(arena, options->working_dir, full_path(arena, op, finding->file));
    diagnostic.related_paths = ARENA_ARRAY(arena, Str, finding->related.count + 1);
    for (uint32_t i = 0; i < finding->related.count; i++) {
        diagnostic.related_paths[i] = path_from(
            arena, options->working_dir, full_path(arena, op, finding->related.items[i].file));
    }
    if (options->rules_uri.length > 0) {
        diagnostic.url =
            str_format(arena, "%.*s%s.md", STR_ARG(options->rules_uri), finding->rule->id);
    }
    return diagnostic;
}

bool report_rdjson(Buf *out, const RunResult *result, const ReportOptions *options)
{
    Diagnostics diagnostics = {0};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            Diagnostic diagnostic =
                diagnose(out->arena, op, op->findings.items[k], options, result->lang);
            VEC_PUSH(out->arena, &diagnostics, diagnostic);
        }
    }
    JsonTree tree = {0};
    json_t *root = json_object();
    json_t *source = json_object();
    json_t *list = json_array();
    json_put(&tree, source, "name", json_string("pypto-lint"));
    if (options->home_uri.length > 0) {
        json_put(&tree, source, "url", json_text(options->home_uri));
    }
    json_put(&tree, root, "source", source);
    for (uint32_t i = 0; i < diagnostics.count; i++) {
        json_append(&tree, list, diagnostic_value(&tree, &diagnostics.items[i]));
    }
    json_put(&tree, root, "diagnostics", list);
    return json_add_built(out, &tree, root, JSON_INDENT(2));
}
