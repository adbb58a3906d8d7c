/* OL09: SPEC.md is missing, does not name the operator, lacks one of its chapters or says too
 * little in one, or its front matter is incomplete.
 *
 * Looks at SPEC.md only: headings and section texts of the body, and the front matter by its
 * schema. */
#include "operator/markdown.h"
#include "operator/schema.h"
#include "operator/text.h"
#include "rules/documents.h"

enum { CHAPTERS = 3 };

static const Chapter chapters[CHAPTERS] = {
    {{"数学公式"}, {"Formula"}},
    {{"输入输出规格"}, {"Inputs and outputs"}},
    {{"精度要求"}, {"Precision"}},
};

typedef struct Spec {
    RuleRun *run;
    const Document *document;
    const FrontMatter *front;
} Spec;

static bool contains_any(Str text, const char *const *parts, size_t count, bool any_case)
{
    for (size_t i = 0; i < count; i++) {
        Str part = str_from(parts[i]);
        if (any_case ? text_contains_folded(text, part) : str_contains(text, part)) {
            return true;
        }
    }
    return false;
}

/* The heading of the section, for a message. */
static Str shown_title(const Spec *spec, const Section *section, const char *wanted)
{
    Arena *arena = spec->run->arena;
    if (section->line == 0) {
        return str_format(arena, "\"%s\"", wanted);
    }
    return str_format(arena, "\"%.*s\"", STR_ARG(section->title));
}

/* The last of the `count` parts is English, which the Python linter does not know. */
static Section section_of(const Spec *spec, const char *const *parts, size_t count)
{
    count -= spec->run->op->upstream ? 1 : 0;
    return markdown_first_section(spec->front->body, spec->front->body_line, parts, count);
}

/* Is the missing section reported as a missing chapter already? Then a second finding about its
 * text is left out, except on the Python linter's command line, whose verdicts stay. `chapter`:
 * index into `chapters`. */
static bool is_reported(const Spec *spec, const Section *section, int chapter)
{
    Headings headings =
        markdown_headings(spec->run->arena, spec->front->body, spec->front->body_line);
    return section->line == 0 && !spec->run->op->upstream &&
           !has_chapter(spec->run, &headings, &chapters[chapter]);
}

static void hint_formula(const Spec *spec, Finding *finding)
{
    finding_hint(spec->run, finding,
                 "Write the formula into the chapter \"数学公式\" (\"Formula\"), for example "
                 "$$ y = ... $$.",
                 "在 \"数学公式\" 章节写出公式，例如 $$ y = ... $$。");
}

static void check_formula(const Spec *spec)
{
    static const char *const parts[] = {"数学", "算法", "基础信息", "Formula"};
    static const char *const signs[] = {"$$", "=", "\\begin{equation}", "round", "clamp"};
    Section section = section_of(spec, parts, 4);
    Place place = at_document_line(spec->document, section.line);
    Str title = shown_title(spec, &section, chapters[0].titles[0]);
    if (is_reported(spec, &section, 0)) {
        return;
    }
    if (section.text.length == 0) {
        hint_formula(spec, report(spec->run, STATUS_FAIL, place,
                                  "SPEC.md: the section %.*s with the formula is %s",
                                  "SPEC.md：数学公式章节 %.*s %s", STR_ARG(title),
                                  spec->run->lang == LANG_ZH
                                      ? (section.line == 0 ? "缺失" : "为空")
                                      : (section.line == 0 ? "missing" : "empty")));
    } else if (!contains_any(section.text, signs, sizeof signs / sizeof *signs, false)) {
        hint_formula(spec, report(spec->run, STATUS_FAIL, place,
                                  "SPEC.md: the section %.*s holds no formula (none of $$, =, "
                                  "\\begin{equation}, round, clamp)",
                                  "SPEC.md：数学章节 %.*s 中没有公式（不含 $$、=、"
                                  "\\begin{equation}、round、clamp 中任何一个）",
                                  STR_ARG(title)));
    }
}

static void check_inputs(const Spec *spec)
{
    static const char *const parts[] = {"输入输出规格", "数据规格", "Inputs and outputs"};
    Section section = section_of(spec, parts, 3);
    bool dtype = text_contains_folded(section.text, STR("dtype"));
    bool shape = text_contains_folded(section.text, STR("shape"));
    if ((dtype && shape) || is_reported(spec, &section, 1)) {
        return;
    }
    Place place = at_document_line(spec->document, section.line);
    Str title = shown_title(spec, &section, chapters[1].titles[0]);
    Finding *finding =
        report(spec->run, STATUS_FAIL, place,
               "SPEC.md: the section %.*s with inputs and outputs does not mention %s%s%s",
               "SPEC.md：输入输出章节 %.*s 未提到 %s%s%s", STR_ARG(title), dtype ? "" : "dtype",
               dtype || shape               ? ""
               : spec->run->lang == LANG_ZH ? " 和 "
                                            : " and ",
               shape ? "" : "shape");
    finding_hint(spec->run, finding,
                 "Give shape and dtype of every input and output in the chapter "
                 "\"输入输出规格\" (\"Inputs and outputs\"), with these two words.",
                 "在 \"输入输出规格\" 章节写明每个输入输出的 shape 和 dtype（须出现这两个词）。");
}

static void check_precision(const Spec *spec)
{
    static const char *const parts[] = {"精度", "Precision"};
    static const char *const metrics[] = {"atol", "rtol", "mare"};
    Section section = section_of(spec, parts, 2);
    if (contains_any(section.text, metrics, sizeof metrics / sizeof *metrics, true) ||
        is_reported(spec, &section, 2)) {
        return;
    }
    Str title = shown_title(spec, &section, chapters[2].titles[0]);
    Finding *finding =
        report(spec->run, STATUS_FAIL, at_document_line(spec->document, section.line),
               "SPEC.md: the section %.*s states no precision (none of atol, rtol, "
               "mare)",
               "SPEC.md：精度章节 %.*s 未给出精度指标（不含 atol、rtol、mare "
               "中任何一个）",
               STR_ARG(title));
    finding_hint(spec->run, finding,
                 "State the tolerance in the first chapter whose heading contains \"精度\" "
                 "(\"Precision\"): atol and rtol, or mare.",
                 "在第一个标题含 \"精度\" 的章节写明容差：atol 与 rtol，或 mare。");
}

static void check_front_matter(const Spec *spec)
{
    RuleRun *run = spec->run;
    if (front_matter_is_empty(spec->front)) {
        bool zh = run->lang == LANG_ZH;
        const char *why = zh ? front_matter_fault_text_zh(spec->front->fault)
                             : front_matter_fault_text(spec->front->fault);
        Finding *finding =
            report(run, STATUS_FAIL, at_document_line(spec->document, 0),
                   "SPEC.md has no front matter%s%s", "SPEC.md 没有 front matter%s%s",
                   why == NULL ? "" : (zh ? "：" : ": "), why == NULL ? "" : why);
        finding_hint(run, finding,
                     "Begin the file with a --- ... --- block that holds schema_version, op_name, "
                     "supported_dtypes, p0_shapes and tolerance.",
                     "文件开头写 --- ... --- 块，包含 schema_version、op_name、supported_dtypes、"
                     "p0_shapes 和 tolerance。");
        return;
    }
    SchemaErrors errors = schema_check(run->arena, SCHEMA_SPEC, spec->front);
    for (uint32_t i = 0; i < errors.count; i++) {
        const SchemaError *error = &errors.items[i];
        Str message = run->lang == LANG_ZH ? error->message_zh : error->message;
        Finding *finding = report(run, STATUS_FAIL, at_document_line(spec->document, error->line),
                                  "SPEC.md: %.*s", "SPEC.md：%.*s", STR_ARG(message));
        finding_hint(run, finding, "Add or correct the field '%s' in the front matter of SPEC.md.",
                     "在 SPEC.md 的 front matter 中补充或更正字段 '%s'。", error->key);
        fix_front_matter(run, finding, spec->document, spec->front, error);
    }
}

/* How many of the chapters have no heading; reports each. */
static int check_headings(const Spec *spec)
{
    RuleRun *run = spec->run;
    Headings headings = markdown_headings(run->arena, spec->front->body, spec->front->body_line);
    int missing = 0;
    for (int i = 0; i < CHAPTERS; i++) {
        if (has_chapter(run, &headings, &chapters[i])) {
            continue;
        }
        const char *title = chapters[i].titles[0];
        missing++;
        Finding *finding =
            report(run, STATUS_FAIL, at_document_line(spec->document, 0),
                   "SPEC.md: no heading contains \"%s\"", "SPEC.md：没有标题包含 \"%s\"", title);
        finding_hint(run, finding, "Add a chapter whose heading contains \"%s\" or \"%s\".",
                     "添加标题含 \"%s\" 或 \"%s\" 的章节。", title, chapters[i].english[0]);
    }
    return missing;
}

/* A document without any of its chapters was not written from the template: every finding says so,
 * since readers of one finding should not repair piece by piece. */
static void add_summary(RuleRun *run)
{
    for (uint32_t i = 0; i < run->findings.count; i++) {
        Finding *finding = run->findings.items[i];
        finding->message =
            run->lang == LANG_ZH
                ? str_format(run->arena, "%.*s（SPEC.md 共 %u 个问题；缺少全部章节：%s、%s、%s）",
                             STR_ARG(finding->message), run->findings.count, chapters[0].titles[0],
                             chapters[1].titles[0], chapters[2].titles[0])
                : str_format(run->arena,
                             "%.*s (SPEC.md has %u problems; it lacks all of %s, %s, %s)",
                             STR_ARG(finding->message), run->findings.count, chapters[0].titles[0],
                             chapters[1].titles[0], chapters[2].titles[0]);
    }
}

static void check(RuleRun *run)
{
    Spec spec = {.run = run, .document = operator_document(run->op, STR("SPEC.md"))};
    if (report_missing_document(run, spec.document)) {
        return;
    }
    spec.front = operator_front_matter(run->op, STR("SPEC.md"));
    if (!str_contains(spec.document->text, run->op->name)) {
        Finding *finding = report(run, STATUS_FAIL, at_document_line(spec.document, 0),
                                  "SPEC.md does not mention the operator name '%.*s'",
                                  "SPEC.md 未提到算子名 '%.*s'", STR_ARG(run->op->name));
        finding_hint(run, finding, "Name the operator '%.*s' in SPEC.md, at least as op_name.",
                     "在 SPEC.md 中写出算子名 '%.*s'，至少写在 op_name。", STR_ARG(run->op->name));
    }
    int missing = check_headings(&spec);
    check_formula(&spec);
    check_inputs(&spec);
    check_precision(&spec);
    check_front_matter(&spec);
    if (missing == CHAPTERS) {
        add_summary(run);
    }
}

const Rule ol09 = {
    .id = "OL09",
    .name = "incomplete-spec",
    .order = 10,
    .severity = S1,
    .dimension = D2,
    .effort = E2,
    .stages = STAGE(1),
    .target = TARGET_GATE,
    .sets = IN(SET_SPEC),
    .fix = FIX_SAFE,
    .hint = {"Add the named chapter or front matter field to SPEC.md.",
             "在 SPEC.md 中补充所述章节（标题含中文关键词）或 front matter 字段。"},
    .check = check,
};
