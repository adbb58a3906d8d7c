/* Common: what several rules share; see common.h. */
#include "rules/common.h"

#include "base/utf8.h"

#include "rules/documents.h"

/* More names make a message longer, not clearer. */
enum { MAX_NAMES = 8, MAX_QUOTED = 16, MAX_TEXT = 60 };

bool report_unparsable(RuleRun *run, const PyFile *file)
{
    const Parsed *parsed = &file->parsed;
    if (parsed->status != PARSE_ERROR) {
        return false;
    }
    if (parsed->errors.count == 0) {
        report(run, STATUS_FAIL, at_file(pyfile_path(file)), "the file cannot be parsed as Python",
               "该文件无法按 Python 解析");
        return true;
    }
    const SyntaxError *error = &parsed->errors.items[0];
    Str text =
        run->lang == LANG_ZH && error->message_zh.length > 0 ? error->message_zh : error->message;
    Finding *finding = report(run, STATUS_FAIL, at_range(file, error->start, error->end),
                              "the file cannot be parsed as Python: %.*s",
                              "该文件无法按 Python 解析：%.*s", STR_ARG(text));
    finding_hint(run, finding,
                 "Correct the syntax error first; until then the rule cannot check the file.",
                 "先改正语法错误；在此之前本规则无法检查该文件。");
    return true;
}

Str function_names(RuleRun *run, const PyFile *file, NodeList functions)
{
    const Module *module = pyfile_module(file);
    Buf buf = {.arena = run->arena};
    for (uint32_t i = 0; i < functions.count; i++) {
        if (i == MAX_NAMES) {
            buf_add(&buf, STR(", …"));
            break;
        }
        Str name = node_name(module, functions.ids[i]);
        buf_addf(&buf, "%s'%.*s'", i == 0 ? "" : ", ", STR_ARG(name));
    }
    return buf_str(&buf);
}

Str quoted_names(RuleRun *run, Strs names)
{
    Buf buf = {.arena = run->arena};
    if (names.count == 0) {
        return str_from(text_in(run->lang, (Text){"none", "无"}));
    }
    for (uint32_t i = 0; i < names.count; i++) {
        if (i == MAX_QUOTED) {
            buf_add(&buf, STR(", …"));
            break;
        }
        buf_addf(&buf, "%s'%.*s'", i == 0 ? "" : ", ", STR_ARG(names.items[i]));
    }
    return buf_str(&buf);
}

Str shorten(RuleRun *run, Str text)
{
    size_t at = 0;
    for (int i = 0; i < MAX_TEXT && at < text.length; i++) {
        utf8_next(text, &at);
    }
    return at == text.length ? text : str_format(run->arena, "%.*s…", (int)at, text.at);
}

bool is_torch_call(const Module *module, NodeId call, const char *const *names, size_t count)
{
    NodeId callee = node_is(module, call, NODE_CALL) ? call_func(module, call) : NO_NODE;
    return node_is(module, callee, NODE_ATTRIBUTE) &&
           node_is_name(module, attribute_value(module, callee), STR("torch")) &&
           str_is_any(node_name(module, callee), names, count);
}

const PyFile *test_file(RuleRun *run)
{
    Str name = run->op->name;
    return operator_python(run->op, artifact_file(run->op->arena, KIND_TEST, name));
}

bool skip_unparsed(RuleRun *run, const PyFile *file)
{
    Str path = pyfile_path(file);
    if (file->parsed.status == PARSE_ERROR) {
        rule_skip(run, "%.*s cannot be parsed", "%.*s 无法解析", STR_ARG(path));
        return true;
    }
    if (pyfile_module(file) == NULL) {
        rule_skip(run, "%.*s does not exist or is empty", "%.*s 不存在或为空", STR_ARG(path));
        return true;
    }
    return false;
}

bool skip_textless(RuleRun *run, const PyFile *file)
{
    Str path = pyfile_path(file);
    if (file->parsed.status == PARSE_ABSENT) {
        rule_skip(run, "%.*s does not exist or is empty", "%.*s 不存在或为空", STR_ARG(path));
        return true;
    }
    if (file->parsed.source.text.length == 0) {
        rule_skip(run, "%.*s cannot be read", "%.*s 无法读取", STR_ARG(path));
        return true;
    }
    return false;
}

bool skip_without_contract(RuleRun *run, Interfaces *interfaces)
{
    *interfaces = operator_interfaces(run->op);
    if (interfaces->root == NULL) {
        rule_skip(run, "%.*s", "%.*s",
                  STR_ARG(run->lang == LANG_ZH ? interfaces->reason_zh : interfaces->reason));
        return true;
    }
    if (run->op->scan.count == 0) {
        rule_skip(run, "no implementation file to check", "没有可检查的实现文件");
        return true;
    }
    return false;
}

bool report_schema(RuleRun *run, SchemaKind kind, const Document *document)
{
    const FrontMatter *front = operator_front_matter(run->op, document->path);
    SchemaErrors errors = schema_check(run->arena, kind, front);
    for (uint32_t i = 0; i < errors.count; i++) {
        const SchemaError *error = &errors.items[i];
        Str text = run->lang == LANG_ZH ? error->message_zh : error->message;
        Place place = document->readable ? at_document_line(document, error->line)
                                         : at_document_top(document);
        Finding *finding = report(run, STATUS_FAIL, place, "%.*s: %.*s", "%.*s：%.*s",
                                  STR_ARG(document->path), STR_ARG(text));
        finding_hint(run, finding, "Correct '%s' in the front matter of %.*s.",
                     "修正字段 '%s'，它在 %.*s 的 front matter 中。", error->key,
                     STR_ARG(document->path));
    }
    return errors.count > 0;
}

bool is_plain_name(Str name)
{
    bool plain = name.length > 0;
    for (size_t i = 0; i < name.length; i++) {
        char c = name.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        plain = plain && (letter || (i > 0 && c >= '0' && c <= '9'));
    }
    return plain;
}

bool is_workflow_file(RuleRun *run, const PyFile *file)
{
    const Operator *op = run->op;
    if (op->plain) {
        rule_skip(run, "a rule of the workflow, for operator directories",
                  "工作流的规则，只针对算子目录");
        return false;
    }
    return op->edited.length == 0 || str_equal(op->edited, pyfile_path(file));
}
