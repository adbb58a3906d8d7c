/* Findings and rules in HTML pages; see page_finding.h. */
#include "report/page_finding.h"

#include "base/ascii.h"
#include "report/page.h"
#include "report/report_common.h"

enum {
    CONTEXT = 2,      /* lines of source above and below the finding */
    MOST_LINE = 2000, /* bytes of a line that are shown */
    MOST_LINES = 40,  /* of a region, or of a change */
};

static void add_choice(Buf *out, const PageChoice *choice, Lang lang)
{
    buf_addf(out, "<label>%s <select data-key=\"%s\"><option value=\"\">%s</option>",
             text_in(lang, choice->label), choice->key, words(lang, "any", "全部"));
    for (size_t i = 0; i < choice->count; i++) {
        buf_addf(out, "<option>%s</option>", choice->values[i]);
    }
    buf_add(out, STR("</select></label>\n"));
}

void page_controls_add(Buf *out, const PageChoice *choices, size_t count, Lang lang)
{
    buf_addf(out,
             "<div class=\"controls\" data-filter hidden>\n<label>%s <input type=\"search\" "
             "placeholder=\"%s\"></label>\n",
             words(lang, "Search", "搜索"), words(lang, "rule, file or words", "规则、文件或文字"));
    for (size_t i = 0; i < count; i++) {
        add_choice(out, &choices[i], lang);
    }
    buf_addf(out,
             "<output aria-live=\"polite\"></output>\n<span class=\"soft\">%s</span>\n</div>\n",
             words(lang, "Keys: / search, j next, k previous", "按键：/ 搜索，j 下一个，k 上一个"));
}

static const char *status_class(Status status)
{
    return status == STATUS_FAIL ? "fail" : status == STATUS_WARN ? "warn" : "info";
}

static const char *fix_word(FixClass fix)
{
    return fix == FIX_SAFE ? "safe" : fix == FIX_SUGGEST ? "suggest" : "none";
}

/* Where to cut: not within a character. */
static size_t cut_at(Str line, size_t most)
{
    size_t end = line.length < most ? line.length : most;
    while (end > 0 && end < line.length && ((unsigned char)line.at[end] & 0xC0) == 0x80) {
        end--;
    }
    return end;
}

/* A line of source; the bytes from `start` to `end` are marked. */
static void add_line(Buf *out, uint32_t number, Str line, size_t start, size_t end, bool here)
{
    size_t shown = cut_at(line, MOST_LINE);
    start = start < shown ? start : shown;
    end = end < shown ? end : shown;
    buf_addf(out, "<span class=\"row%s\"><span class=\"number\">%u</span>", here ? " here" : "",
             number);
    page_code(out, str_slice(line, 0, start));
    if (end > start) {
        buf_add(out, STR("<mark>"));
        page_code(out, str_slice(line, start, end));
        buf_add(out, STR("</mark>"));
    }
    page_code(out, str_slice(line, end, shown));
    buf_add(out, shown < line.length ? STR("…</span>") : STR("</span>"));
}

static void add_source(Buf *out, const Finding *finding)
{
    const Source *source = finding->source;
    Region region = finding->region;
    if (source == NULL || region.line == 0 || region.line > source->line_count) {
        return;
    }
    uint32_t first = region.line > CONTEXT ? region.line - CONTEXT : 1;
    uint32_t end = region.end_line > region.line ? region.end_line : region.line;
    end = end - region.line > MOST_LINES ? region.line + MOST_LINES : end;
    uint32_t last = end + CONTEXT < source->line_count ? end + CONTEXT : source->line_count;
    buf_add(out, STR("<pre class=\"source\" tabindex=\"0\">"));
    for (uint32_t n = first; n <= last; n++) {
        Str line = source_line_text(source, n);
        bool here = n >= region.line && n <= end;
        size_t start = 0, marked = 0;
        if (n == region.line) {
            size_t begin = (size_t)(line.at - source->text.at);
            start = finding->start > begin ? finding->start - begin : 0;
            marked = region.end_line > region.line ? line.length : start;
            for (uint32_t k = region.column; k < region.end_column && marked < line.length; k++) {
                marked++;
                while (marked < line.length && ((unsigned char)line.at[marked] & 0xC0) == 0x80) {
                    marked++;
                }
            }
        }
        add_line(out, n, line, start, marked, here);
    }
    buf_add(out, STR("</pre>\n"));
}

static void add_changed_lines(Buf *out, Str text, const char *class, char sign)
{
    size_t at = 0;
    for (int n = 0; at < text.length && n < MOST_LINES; n++) {
        size_t end = str_find(text, STR("\n"), at);
        Str line = str_slice(text, at, end);
        buf_addf(out, "<span class=\"%s\">%c ", class, sign);
        page_code(out, str_slice(line, 0, cut_at(line, MOST_LINE)));
        buf_add(out, STR("</span>"));
        at = end == SIZE_MAX ? text.length : end + 1;
    }
    buf_add(out, at < text.length ? STR("…\n") : STR(""));
}

/* The lines that the fix touches, as they are and as they would be. The edits are in ascending
 * order and do not overlap. */
static void add_change(Buf *out, const Finding *finding, Lang lang)
{
    const Source *source = finding->source;
    if (source == NULL || finding->edits.count == 0) {
        return;
    }
    Str text = source->text;
    size_t begin = finding->edits.items[0].start;
    size_t end = finding->edits.items[finding->edits.count - 1].end;
    while (begin > 0 && text.at[begin - 1] != '\n') {
        begin--;
    }
    size_t line_end = str_find(text, STR("\n"), end);
    end = line_end == SIZE_MAX ? text.length : line_end;
    Buf after = {.arena = out->arena};
    size_t at = begin;
    for (uint32_t i = 0; i < finding->edits.count; i++) {
        const Edit *edit = &finding->edits.items[i];
        buf_add(&after, str_slice(text, at, edit->start));
        buf_add(&after, edit->text);
        at = edit->end;
    }
    buf_add(&after, str_slice(text, at, end > at ? end : at));
    buf_addf(out, "<details><summary>%s</summary><pre class=\"change\" tabindex=\"0\">",
             finding->fix == FIX_SAFE
                 ? words(lang, "Fix (applied by --fix)", "修复（--fix 会应用）")
                 : words(lang, "Suggested change (--fix --suggestions)",
                         "建议的修改（--fix --suggestions）"));
    add_changed_lines(out, str_slice(text, begin, end), "removed", '-');
    add_changed_lines(out, buf_str(&after), "added", '+');
    buf_add(out, STR("</pre></details>\n"));
}

static void add_related(Buf *out, const Finding *finding, Lang lang)
{
    for (uint32_t i = 0; i < finding->related.count; i++) {
        const Related *related = &finding->related.items[i];
        buf_addf(out, "<p class=\"text soft\">%s", words(lang, "See ", "参见 "));
        Buf place = {.arena = out->arena};
        place_add(&place, related->file, related->region);
        buf_add(out, STR("<span class=\"place\">"));
        xml_add(out, buf_str(&place));
        buf_add(out, STR("</span> "));
        xml_add(out, related->message);
        buf_add(out, STR("</p>\n"));
    }
}

void page_finding_add(Buf *out, const OperatorResult *op, const Finding *finding, Lang lang)
{
    const Rule *rule = finding->rule;
    const char *class = status_class(finding->status);
    buf_addf(out,
             "<article class=\"card\" tabindex=\"-1\" data-item data-severity=\"%s\" "
             "data-status=\"%s\" data-fix=\"%s\">\n<h3><span class=\"tag %s\">%s</span> %s ",
             severity_name(rule->severity), status_name(finding->status),
             fix_word(finding->edits.count > 0 ? finding->fix : FIX_NONE), class,
             status_name(finding->status), severity_name(rule->severity));
    if (page_of_rule(rule->id) != NULL) {
        buf_addf(out, "<a href=\"#rule-%s\">", rule->id);
    }
    xml_add(out, rule_label(out->arena, rule));
    buf_add(out, page_of_rule(rule->id) != NULL ? STR("</a> ") : STR(" "));
    xml_add(out, rule_title(rule, lang));
    buf_add(out, STR("</h3>\n<p class=\"text\"><span class=\"place\">"));
    Buf place = {.arena = out->arena};
    place_add(&place, full_path(out->arena, op, finding->file), finding->region);
    xml_add(out, buf_str(&place));
    buf_add(out, STR("</span><br>"));
    xml_add(out, finding->message);
    buf_add(out, STR("</p>\n"));
    add_source(out, finding);
    Str hint = finding_fix_hint(finding, lang);
    if (hint.length > 0) {
        buf_addf(out, "<p class=\"text\"><strong>%s</strong> ",
                 words(lang, "Write instead:", "应改为："));
        xml_add(out, hint);
        buf_add(out, STR("</p>\n"));
    }
    add_related(out, finding, lang);
    add_change(out, finding, lang);
    buf_add(out, STR("</article>\n"));
}

static void add_item(Buf *out, const Rule *rule)
{
    buf_addf(out,
             " data-item data-severity=\"%s\" data-dimension=\"%s\" data-fix=\"%s\" data-stage=\"",
             severity_name(rule->severity), dimension_name(rule->dimension), fix_word(rule->fix));
    for (unsigned n = 1; n <= 7; n++) {
        if ((rule->stages & STAGE(n)) != 0) {
            buf_addf(out, "%u ", n);
        }
    }
    buf_add_char(out, '"');
}

void page_rule_add(Buf *out, const Rule *rule, Lang lang, bool item)
{
    const RuleHtml *html = page_of_rule(rule->id);
    if (html == NULL) {
        return;
    }
    bool chinese = lang == LANG_ZH && html->zh != NULL;
    buf_addf(out, "<details class=\"card\" id=\"rule-%s\" tabindex=\"-1\"", rule->id);
    if (item) {
        add_item(out, rule);
    }
    buf_addf(out, "><summary><strong>%s</strong> %s <span class=\"code\">%s</span> ", rule->id,
             severity_name(rule->severity), rule->name);
    xml_add(out, rule_title(rule, lang));
    buf_addf(out, "</summary>\n<div lang=\"%s\">", chinese ? "zh-CN" : "en");
    buf_add(out, str_from(chinese ? html->zh : html->en));
    buf_add(out, STR("</div></details>\n"));
}
