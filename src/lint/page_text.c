/* Rule pages in the language asked for. */
#include "lint/result.h"

/* Also the headings of the pages in docs/rules/zh/: tests/docs/check_chinese_pages.py reads them
 * here. */
static const struct {
    const char *en, *zh;
} headings[] = {
    {"## Why", "## 原因"},
    {"## Wrong", "## 错例"},
    {"## Right", "## 正例"},
    {"## How to fix", "## 如何修复"},
    {"## What is reported", "## 报告的内容"},
    {"## Differences from the Python linter", "## 与 Python 版的差异"},
};

Lang page_language(const RulePage *page, Lang lang)
{
    return lang == LANG_ZH && page->markdown_zh != NULL ? LANG_ZH : LANG_EN;
}

const char *page_markdown(const RulePage *page, Lang lang)
{
    return page_language(page, lang) == LANG_ZH ? page->markdown_zh : page->markdown;
}

Str page_heading_zh(Str line)
{
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (str_is(line, headings[i].en)) {
            return str_from(headings[i].zh);
        }
    }
    return line;
}
