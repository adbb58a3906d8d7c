/* The page of `verify --html`; see verify_page.h. It needs no script: the maps of differences are
 * drawings in the page. */
#include "harness/report/verify_page.h"

#include "document/json.h"
#include "harness/judge/verify_advice.h"
#include "harness/report/verify_page_case.h"
#include "harness/report/warning_text.h"
#include "report/page.h"
#include "report/report_common.h"

enum { FAR_RELATIVE = 1000000 }; /* a larger difference only says that the reference is near 0 */

static const char *status_class(const char *status)
{
    bool good = status != NULL && strcmp(status, "PASS") == 0;
    bool bad = status != NULL && (strcmp(status, "FAIL") == 0 || strcmp(status, "ERROR") == 0);
    return good ? "pass" : bad ? "fail" : "warn";
}

static void add_status(VerifyPage *page, const char *status)
{
    buf_addf(page->out, "<span class=\"tag %s\">", status_class(status));
    xml_add(page->out, str_from(status == NULL ? "–" : status));
    buf_add(page->out, STR("</span>"));
}

static bool has_failed(const json_t *check)
{
    const json_t *modes = json_object_get(check, "per_mode_status");
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const char *status = json_string_value(json_object_get(modes, mode_name((Mode)mode)));
        if (status != NULL && strcmp(status_class(status), "fail") == 0) {
            return true;
        }
    }
    return false;
}

/* ---- above */

static void add_verdict(VerifyPage *page)
{
    Buf *out = page->out;
    const char *status = json_string_value(json_object_get(page->root, "status"));
    buf_addf(out, "<p class=\"verdict %s text\">", status_class(status));
    add_status(page, status);
    buf_addf(out, page_say(page, " %llu of %llu cases passed. ", " %llu / %llu 个用例通过。"),
             (unsigned long long)json_count_at(page->root, "cases_passed"),
             (unsigned long long)json_count_at(page->root, "cases_total"));
    page_text_add(page, page->root, "impl_file");
    buf_add(out, STR("</p>\n"));
    const json_t *unavailable =
        json_object_get(json_object_get(page->root, "environment"), "unavailable");
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const char *name = mode_name((Mode)mode);
        if (json_object_get(unavailable, name) != NULL) {
            buf_addf(out, "<p class=\"verdict warn text\"><span class=\"tag warn\">%s</span> %s: ",
                     page_say(page, "Not checked", "未检查"), name);
            page_text_add(page, json_object_get(unavailable, name), "reason");
            buf_add(out, STR("</p>\n"));
        }
    }
}

/* The line that makes the case wrong; NULL when none was found. */
static const Blame *line_of_case(const VerifyPage *page, const char *id)
{
    const Verification *verification = page->verification;
    for (uint32_t i = 0; id != NULL && i < verification->cases.count; i++) {
        const CaseModes *modes = &verification->results[i];
        const Blame *blame = &modes->by_mode[MODE_SIM].blame;
        if (str_is(modes->source->id, id) && blame->status == BLAME_FOUND) {
            return blame;
        }
    }
    return NULL;
}

static void add_instruction(VerifyPage *page, const char *title, Str text)
{
    if (text.length > 0) {
        buf_addf(page->out, "<dt>%s</dt><dd><strong>", title);
        xml_add(page->out, text);
        buf_add(page->out, STR("</strong></dd>\n"));
    }
}

/* The line alone where blame is sure of it: advice on failures of the kind could contradict it.
 * Both where the line is suspected only. */
static void add_advice(VerifyPage *page, const Blame *blame)
{
    Arena *arena = page->out->arena;
    const char *title = page_say(page, "what to do", "怎么办");
    if (blame == NULL || !blame->is_sure) {
        add_instruction(
            page, title,
            verify_advice_on_kind(arena, &page->verification->judgement.first, page->lang));
        title = page_say(page, "which line", "哪一行");
    }
    if (blame != NULL) {
        Buf text = {.arena = arena};
        blame_add(&text, blame, page->lang);
        add_instruction(page, title, buf_str(&text));
    }
}

/* The number of the case in the list of checks, for a link; SIZE_MAX when it is not there. */
static size_t number_of(const VerifyPage *page, const char *id)
{
    const json_t *checks = json_object_get(page->root, "checks");
    for (size_t i = 0; id != NULL && i < json_array_size(checks); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(checks, i), "id"));
        if (name != NULL && strcmp(name, id) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static void add_first_failure(VerifyPage *page)
{
    const json_t *first = json_object_get(page->root, "first_failure");
    if (!json_is_object(first)) {
        return;
    }
    Buf *out = page->out;
    const char *id = json_string_value(json_object_get(first, "case_id"));
    size_t number = number_of(page, id);
    buf_addf(out, "<h2>%s</h2>\n<dl>\n<dt>%s</dt><dd>", page_say(page, "First failure", "首个失败"),
             page_say(page, "case", "用例"));
    if (number != SIZE_MAX) {
        buf_addf(out, "<a href=\"#case-%zu\">", number);
    }
    page_text_add(page, first, "case_id");
    buf_addf(out, "%s</dd>\n<dt>%s</dt><dd>", number != SIZE_MAX ? "</a>" : "",
             page_say(page, "what", "现象"));
    xml_add(out, first_summary_text(out->arena, page->lang, &page->verification->judgement.first));
    buf_addf(out, "</dd>\n<dt>%s</dt><dd>", page_say(page, "category", "类别"));
    page_text_add(page, first, "verdict_category");
    buf_add(out, STR("</dd>\n"));
    uint64_t boundary = json_count_at(first, "failing_module_boundary");
    if (boundary > 0) {
        buf_addf(out, "<dt>%s</dt><dd>M%llu</dd>\n", page_say(page, "module boundary", "模块边界"),
                 (unsigned long long)boundary);
    }
    const CasePatterns *patterns = &page->verification->judgement.patterns;
    for (uint32_t i = 0; i < patterns->count; i++) {
        Buf text = {.arena = out->arena};
        case_pattern_add(&text, &patterns->items[i], page->lang);
        buf_addf(out, "<dt>%s</dt><dd>", page_say(page, "pattern", "规律"));
        xml_add(out, buf_str(&text));
        buf_add(out, STR("</dd>\n"));
    }
    const Blame *blame = line_of_case(page, id);
    add_advice(page, blame);
    buf_add(out, STR("</dl>\n"));
    if (blame != NULL) {
        page_place_add(page, blame->place, true);
        page->shown = blame->place;
    }
}

/* ---- the matrix */

static void add_matrix(VerifyPage *page)
{
    Buf *out = page->out;
    const json_t *checks = json_object_get(page->root, "checks");
    buf_addf(out, "<h2>%s</h2>\n<div class=\"scroll\"><table>\n<tr><th>%s</th><th>%s</th>",
             page_say(page, "Cases", "用例"), page_say(page, "case", "用例"),
             page_say(page, "level", "级别"));
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        buf_addf(out, "<th>%s</th>", mode_name((Mode)mode));
    }
    buf_addf(out, "<th class=\"number\">%s</th><th class=\"number\">%s</th></tr>\n",
             page_say(page, "largest difference", "最大差异"),
             page_say(page, "largest relative", "最大相对差异"));
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *check = json_array_get(checks, i);
        buf_addf(out, "<tr><td class=\"text\">%s", has_failed(check) ? "" : "<span>");
        if (has_failed(check)) {
            buf_addf(out, "<a href=\"#case-%zu\">", i);
        }
        page_text_add(page, check, "id");
        buf_add(out, has_failed(check) ? STR("</a></td><td>") : STR("</span></td><td>"));
        page_text_add(page, check, "level");
        const json_t *modes = json_object_get(check, "per_mode_status");
        for (int mode = 0; mode < MODE_COUNT; mode++) {
            buf_add(out, STR("</td><td>"));
            add_status(page, json_string_value(json_object_get(modes, mode_name((Mode)mode))));
        }
        static const char *const metrics[] = {"max_abs_diff", "max_rel_diff"};
        for (size_t k = 0; k < 2; k++) {
            const json_t *metric = json_object_get(check, metrics[k]);
            buf_add(out, STR("</td><td class=\"number\">"));
            if (json_is_number(metric) && k == 1 && json_number_value(metric) > FAR_RELATIVE) {
                buf_addf(out, "&gt; %g", (double)FAR_RELATIVE);
            } else if (json_is_number(metric)) {
                buf_addf(out, "%.3g", json_number_value(metric));
            } else {
                buf_add(out, STR("–"));
            }
        }
        buf_add(out, STR("</td></tr>\n"));
    }
    buf_add(out, STR("</table></div>\n"));
}

static void add_cases(VerifyPage *page)
{
    const json_t *checks = json_object_get(page->root, "checks");
    bool any = false;
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *check = json_array_get(checks, i);
        if (!has_failed(check)) {
            continue;
        }
        if (!any) {
            buf_addf(page->out, "<h2>%s</h2>\n", page_say(page, "Failing cases", "失败的用例"));
            page_legend_add(page);
            any = true;
        }
        page_case_add(page, check, i);
    }
}

static void add_content(void *argument)
{
    VerifyPage *page = argument;
    add_verdict(page);
    add_first_failure(page);
    add_matrix(page);
    add_cases(page);
    buf_addf(page->out, "<p class=\"soft\">%s</p>\n",
             page_say(page,
                      "The page holds differences and places, no values of inputs or references.",
                      "本页只含差异及其位置，不含输入或参考的数值。"));
}

bool verify_page_add(Buf *out, const Verification *verification)
{
    JsonFault fault;
    VerifyPage page = {.out = out,
                       .verification = verification,
                       .lang = verification->asked.lang,
                       .root = json_read(out->arena, verification->report, 0, &fault)};
    if (page.root == NULL) {
        return false;
    }
    PageHead head = {
        .title = str_format(out->arena, "pypto-lint verify %.*s", STR_ARG(verification->op_name)),
        .lang = page.lang == LANG_ZH ? "zh-CN" : "en"};
    page_begin(out, &head);
    json_take(out->arena, page.root, add_content, &page);
    page_end(out, &head);
    return true;
}
