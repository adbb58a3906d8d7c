/* Pages of rules for people; see explain_page.h. */
#include "cli/explain_page.h"

#include "lint/config.h"
#include "operator/text.h"

/* --- one page */

/* A page without a Chinese body: what there is in Chinese, then the English body. */
static void add_half_chinese(Buf *out, const RulePage *page)
{
    const Rule *rule = rule_find(str_from(page->id));
    Str line;
    bool fenced = false;
    buf_addf(out, "# %s %s：%s\n\n", page->id, page->name, page->title_zh);
    if (rule != NULL && rule->hint.zh != NULL) {
        buf_addf(out, "%s\n\n", rule->hint.zh);
    }
    buf_add(out, STR("以下正文为英文；示例代码与语言无关。\n\n"));
    Str body = str_from(page->markdown);
    for (size_t at = 0; text_next_line(body, &at, &line);) {
        fenced = fenced != str_starts(line, STR("```"));
        if (!fenced && str_starts(line, STR("# "))) {
            continue; /* the title, which is there in Chinese */
        }
        buf_add(out, fenced ? line : page_heading_zh(line));
        buf_add_char(out, '\n');
    }
}

void explain_page_add(Buf *out, const RulePage *page, Lang lang)
{
    bool effort = *page->effort != '\0';
    const char *format = lang == LANG_ZH
                             ? "%s %s · %s · %s%s%s · 阶段 %s · %s · 修复：%s · 自 %s 起\n\n"
                             : "%s %s · %s · %s%s%s · stages %s · %s · fix: %s · since %s\n\n";
    buf_addf(out, format, page->id, page->name, page->severity, page->dimension,
             effort ? " · " : "", page->effort, page->stages, page->target, page->fix, page->since);
    if (lang != page_language(page, lang)) {
        add_half_chinese(out, page);
    } else {
        buf_add(out, str_from(page_markdown(page, lang)));
    }
}

/* --- lists */

static const Rule *rule_at(uint32_t index)
{
    return index == 0 ? &rule_ol00 : rule_registry[index - 1];
}

static void add_line(Buf *out, const Rule *rule, Lang lang)
{
    const RulePage *page = rule_page(rule->id);
    const char *title = page == NULL ? "" : lang == LANG_ZH ? page->title_zh : page->title;
    buf_addf(out, "%s %s: %s\n", rule->id, rule->name, title);
}

bool explain_prefix_add(Buf *out, Str prefix, Lang lang)
{
    bool found = false;
    for (uint32_t i = 0; i <= rule_registry_count; i++) {
        if (!str_is(prefix, "ALL") && selector_matches(prefix, rule_at(i))) {
            buf_add(out, !found && out->length > 0 ? STR("\n") : STR(""));
            add_line(out, rule_at(i), lang);
            found = true;
        }
    }
    return found;
}

static bool has_all(const char *const *texts, size_t count, const Strs *words)
{
    for (uint32_t i = 0; i < words->count; i++) {
        bool found = false;
        for (size_t k = 0; k < count && !found; k++) {
            found = text_contains_folded(str_from(texts[k]), words->items[i]);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

bool explain_search_add(Buf *out, const Strs *words, Lang lang)
{
    enum { HEAD = 3, ALL = 5 };
    bool any = false;
    for (int in_page = 0; in_page < 2; in_page++) {
        for (uint32_t i = 0; i <= rule_registry_count; i++) {
            const RulePage *page = rule_page(rule_at(i)->id);
            if (page == NULL) {
                continue;
            }
            const char *texts[ALL] = {page->name, page->title, page->title_zh, page->markdown,
                                      page_markdown(page, LANG_ZH)};
            bool head = has_all(texts, HEAD, words);
            if (in_page == 0 ? head : !head && has_all(texts, ALL, words)) {
                buf_add(out, !any && out->length > 0 ? STR("\n") : STR(""));
                add_line(out, rule_at(i), lang);
                any = true;
            }
        }
    }
    return any;
}
