/* Documents: what the rules about documents and the state file share; see documents.h. */
#include "rules/documents.h"

#include "rules/common.h"

#include "base/utf8.h"

#include <stdlib.h>

bool report_missing_document(RuleRun *run, const Document *document)
{
    if (document->exists) {
        return false;
    }
    Finding *finding = report(run, STATUS_FAIL, at_file(document->path), "%.*s does not exist",
                              "%.*s 不存在", STR_ARG(document->path));
    finding_hint(run, finding,
                 "Write %.*s; stage %d is not complete without it ('pypto-lint explain %s' shows "
                 "what it must contain).",
                 "编写 %.*s；缺少它阶段 %d 不算完成（'pypto-lint explain %s' 说明其必需内容）。",
                 STR_ARG(document->path), run->op->stage, run->rule->id);
    return true;
}

static bool has_title(const Headings *headings, const char *const *titles)
{
    for (int i = 0; i < CHAPTER_TITLES && titles[i] != NULL; i++) {
        if (headings_find(headings, str_from(titles[i])) != NULL) {
            return true;
        }
    }
    return false;
}

bool has_chapter(const RuleRun *run, const Headings *headings, const Chapter *chapter)
{
    return has_title(headings, chapter->titles) ||
           (!run->op->upstream && has_title(headings, chapter->english));
}

static void report_chapter(RuleRun *run, Str path, const Chapter *chapter)
{
    const char *title = chapter->titles[0];
    const char *other = chapter->titles[1];
    const char *english = chapter->english[0] == NULL ? title : chapter->english[0];
    Finding *finding =
        other == NULL
            ? report(run, STATUS_FAIL, at_file(path), "%.*s: no heading contains \"%s\"",
                     "%.*s：没有标题包含 \"%s\"", STR_ARG(path), title)
            : report(run, STATUS_FAIL, at_file(path), "%.*s: no heading contains \"%s\" or \"%s\"",
                     "%.*s：没有标题包含 \"%s\" 或 \"%s\"", STR_ARG(path), title, other);
    finding_hint(run, finding,
                 "Add a chapter whose heading contains \"%s\" (\"%s\" is accepted too).",
                 "添加标题含 \"%s\" 的章节（也接受 \"%s\"）。", title,
                 english == title && other != NULL ? other : english);
}

void check_chapters(RuleRun *run, Str path, const Chapter *chapters, uint32_t count)
{
    const Document *document = operator_document(run->op, path);
    if (report_missing_document(run, document)) {
        return;
    }
    const FrontMatter *front = operator_front_matter(run->op, path);
    Headings headings = markdown_headings(run->arena, front->body, front->body_line);
    for (uint32_t i = 0; i < count; i++) {
        if (!has_chapter(run, &headings, &chapters[i])) {
            report_chapter(run, document->path, &chapters[i]);
        }
    }
}

Place at_document_top(const Document *document)
{
    if (document->exists && !document->readable) {
        return (Place){.file = document->path, .source = &document->source};
    }
    return at_document_line(document, document->exists ? 1 : 0);
}

/* Offset of the end of the line that `at` is in, before its line break. */
static uint32_t line_end(Str text, uint32_t at)
{
    while (at < text.length && text.at[at] != '\n' && text.at[at] != '\r') {
        at++;
    }
    return at;
}

/* "key: value" becomes "key: [value]", for a plain value on the line of its key. */
static void wrap_in_list(RuleRun *run, Finding *finding, const Document *document,
                         const SchemaError *error)
{
    const Source *source = &document->source;
    if (error->line == 0 || error->line > source->line_count) {
        return;
    }
    Str line = str_trim(source_line_text(source, error->line));
    Str key = str_format(run->arena, "%s: ", error->key);
    Str value = str_trim(str_slice(line, key.length, line.length));
    if (str_starts(line, key) && is_plain_name(value)) {
        uint32_t start = (uint32_t)(value.at - source->text.at);
        finding_edit(run, finding, FIX_SUGGEST, start, start + (uint32_t)value.length,
                     str_format(run->arena, "[%.*s]", STR_ARG(value)));
    }
}

void fix_front_matter(RuleRun *run, Finding *finding, const Document *document,
                      const FrontMatter *front, const SchemaError *error)
{
    Str name = run->op->name, value = STR("");
    if (strcmp(error->key, "schema_version") == 0) {
        value = STR("1");
    } else if (strcmp(error->key, "op_name") == 0 && is_plain_name(name)) {
        value = name;
    }
    Str text = document->source.text;
    bool begins = str_starts(text, STR("---")) && line_end(text, 0) == 3;
    if (!document->readable || front_matter_is_empty(front) || front->yaml_error.length > 0 ||
        !begins) {
        return;
    }
    if (error->fault == SCHEMA_NOT_LIST) {
        wrap_in_list(run, finding, document, error);
    } else if (error->fault == SCHEMA_MISSING && error->value == NULL && value.length > 0) {
        finding_take_source(finding, &document->source);
        finding_edit(run, finding, FIX_SAFE, 3, 3,
                     str_format(run->arena, "\n%s: %.*s", error->key, STR_ARG(value)));
    }
}

bool skip_not_strict(RuleRun *run)
{
    const char *strict = getenv("PYPTO_OP_LINT_STRICT");
    if (strict == NULL || strcmp(strict, "1") == 0) {
        return false;
    }
    rule_skip(run, "switched off: PYPTO_OP_LINT_STRICT is set and not 1",
              "已关闭：PYPTO_OP_LINT_STRICT 已设置且不为 1");
    return true;
}

/* --- the state file */

Place at_state_line(RuleRun *run, uint32_t line)
{
    const Document *document = operator_document(run->op, STR(STATE_PATH));
    return at_document_line(document, line <= document->source.line_count ? line : 0);
}

/* From the token that the parser rejects to the end of its line. */
static Place at_json_error(RuleRun *run, const OperatorState *state)
{
    Place place = at_state_line(run, state->json_line);
    if (place.source == NULL) {
        return place;
    }
    Str text = place.source->text;
    size_t at = place.start;
    for (uint32_t i = 1; i < state->json_column && at < place.end; i++) {
        utf8_next(text, &at);
    }
    place.start = (uint32_t)at;
    return place;
}

bool report_broken_state(RuleRun *run, const OperatorState *state)
{
    if (!state->exists) {
        report(run, STATUS_FAIL, at_file(STR(STATE_PATH)), STATE_PATH " does not exist",
               STATE_PATH " 不存在");
        return true;
    }
    if (!state->json_valid) {
        report(run, STATUS_FAIL, at_json_error(run, state), STATE_PATH " is not valid JSON: %.*s",
               STATE_PATH " 不是有效的 JSON：%.*s", STR_ARG(state->json_error));
        return true;
    }
    if (state->root != STATE_OBJECT) {
        report(run, STATUS_FAIL, at_file(STR(STATE_PATH)),
               STATE_PATH ": the root is %s, not an object", STATE_PATH " 的根是%s，不是对象",
               run->lang == LANG_ZH ? state_kind_name_zh(state->root)
                                    : state_kind_name(state->root));
        return true;
    }
    return false;
}
