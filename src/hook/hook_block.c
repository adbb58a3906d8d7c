/* Hook block; see hook_block.h. Every line that holds text from a linted file begins with two
 * spaces and a bracket, and the text cannot end it: no control character gets through. */
#include "hook/hook_block.h"

#include "report/terminal.h"

#include <stdlib.h>

/* The first lines. The Python linter's are Chinese in every language; agents know them by heart. */
#define EDIT_HEADER HOOK_PREFIX " 产物写入后即时门禁未通过（S0/S1）："
#define STOP_HEADER HOOK_PREFIX " 交付门禁未通过"

/* Left for what follows the finding lines. */
enum { TAIL_ROOM = 6000 };

static const char *in(const HookReport *report, const char *en, const char *zh)
{
    return text_in(report->lang, (Text){en, zh});
}

void hook_report_add(HookReport *report, const OperatorResult *result, Str prefix)
{
    for (uint32_t i = 0; i < result->rules.count; i++) {
        for (uint32_t j = 0; j < result->findings.count; j++) {
            const Finding *finding = result->findings.items[j];
            if (finding->rule != result->rules.items[i].rule) {
                continue;
            }
            Str file = finding->file;
            if (prefix.length > 0 && file.length > 0) {
                file = str_format(report->arena, "%.*s%.*s", STR_ARG(prefix), STR_ARG(file));
            }
            ShownFinding shown = {finding, file};
            VEC_PUSH(report->arena, &report->findings, shown);
        }
    }
}

void hook_report_unchecked(HookReport *report, Str file, Str reason, bool elsewhere)
{
    UncheckedPlace place = {file, reason, elsewhere};
    VEC_PUSH(report->arena, &report->unchecked, place);
}

bool finding_blocks(const Finding *finding)
{
    return finding->status == STATUS_FAIL && finding->rule->severity <= S1;
}

bool hook_report_blocks(const HookReport *report)
{
    for (uint32_t i = 0; i < report->findings.count; i++) {
        if (finding_blocks(report->findings.items[i].finding)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < report->unchecked.count; i++) {
        if (!report->unchecked.items[i].elsewhere) {
            return true;
        }
    }
    return false;
}

/* --- lines */

static void add_finding(Buf *out, const ShownFinding *shown)
{
    const Finding *finding = shown->finding;
    buf_addf(out, "  [%s][%s]", finding->rule->id, severity_name(finding->rule->severity));
    if (shown->file.length > 0) {
        buf_add_char(out, ' ');
        terminal_add(out, shown->file);
        if (finding->region.line > 0) {
            buf_addf(out, ":%u", finding->region.line);
        }
    }
    buf_add_char(out, ' ');
    terminal_add(out, finding->message);
    buf_add_char(out, '\n');
}

typedef enum Wanted {
    WANT_ALL,
    WANT_BLOCKING,
    WANT_OTHERS, /* those that do not block */
} Wanted;

static bool is_wanted(const Finding *finding, Status status, Wanted wanted)
{
    return finding->status == status &&
           (wanted == WANT_ALL || finding_blocks(finding) == (wanted == WANT_BLOCKING));
}

/* Appends these findings; when limited, those that fit into `limit` bytes and the number left. */
static void add_findings(Buf *out, const HookReport *report, Status status, Wanted wanted,
                         size_t limit)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const ShownFinding *shown = &report->findings.items[i];
        if (!is_wanted(shown->finding, status, wanted)) {
            continue;
        }
        size_t before = out->length;
        if (left == 0) {
            add_finding(out, shown);
        }
        if (left > 0 || (report->limited && out->length > limit)) {
            out->length = before;
            out->at[before] = '\0';
            left++;
        }
    }
    if (left > 0) {
        buf_addf(out, in(report, "  … and %u more\n", "  …… 另有 %u 条\n"), left);
    }
}

static void add_unchecked(Buf *out, const HookReport *report)
{
    enum { SHOWN = 10 };
    for (uint32_t i = 0; i < report->unchecked.count && i < SHOWN; i++) {
        const UncheckedPlace *place = &report->unchecked.items[i];
        buf_addf(out, "  [%s] ", in(report, "not checked", "未检查"));
        terminal_add(out, str_slice(place->file, 0, 400));
        buf_add(out, place->file.length > 0 ? STR(": ") : STR(""));
        terminal_add(out, str_slice(place->reason, 0, 600));
        buf_add_char(out, '\n');
    }
    if (report->unchecked.count > SHOWN) {
        buf_addf(out, in(report, "  … and %u more\n", "  …… 另有 %u 条\n"),
                 report->unchecked.count - SHOWN);
    }
}

/* --- rules that block */

typedef VEC(const Rule *) BlockingRules;

static int by_id(const void *a, const void *b)
{
    return strcmp((*(const Rule *const *)a)->id, (*(const Rule *const *)b)->id);
}

/* Each once, in rule order; sorted by id when `sorted`. */
static BlockingRules blocking_rules(const HookReport *report, bool sorted)
{
    BlockingRules rules = {0};
    bool seen[256] = {false}; /* by Rule.order, a byte */
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = report->findings.items[i].finding;
        if (finding_blocks(finding) && !seen[finding->rule->order]) {
            seen[finding->rule->order] = true;
            VEC_PUSH(report->arena, &rules, finding->rule);
        }
    }
    if (sorted && rules.count > 1) {
        qsort(rules.items, rules.count, sizeof *rules.items, by_id);
    }
    return rules;
}

static void add_rules(Buf *out, const HookReport *report, bool sorted)
{
    BlockingRules rules = blocking_rules(report, sorted);
    if (rules.count == 0) {
        return;
    }
    buf_add(out, STR("\nblocking_rules: "));
    for (uint32_t i = 0; i < rules.count; i++) {
        buf_addf(out, "%s%s", i == 0 ? "" : ", ", rules.items[i]->id);
    }
    buf_add(out, STR("\nfix_hints:\n"));
    for (uint32_t i = 0; i < rules.count; i++) {
        buf_addf(out, "  - %s: %s\n", rules.items[i]->id,
                 text_in(report->lang, rules.items[i]->hint));
    }
}

/* --- reasons */

static void add_stuck(Buf *out, const HookReport *report)
{
    if (report->stuck.count == 0) {
        return;
    }
    buf_add(out, STR("\n\n**⛔ "));
    buf_add(out, str_from(in(report, "Blocked five times in a row, or more, at the same place:",
                             "同一位置已连续被阻断五次或更多：")));
    for (uint32_t i = 0; i < report->stuck.count; i++) {
        buf_addf(out, "%s ", i == 0 ? "" : ",");
        terminal_add(out, report->stuck.items[i]);
    }
    buf_add(out, str_from(in(report,
                             ". Stop editing this file now. Report the rule, the place and what "
                             "was tried to whoever gave the task, and wait for the answer.**",
                             "。请立即停止修改该文件，向任务的发起方上报规则、位置和已尝试的做法，"
                             "等待答复。**")));
}

Str hook_edit_reason(const HookReport *report)
{
    Buf out = {.arena = report->arena};
    buf_add(&out, STR(EDIT_HEADER "\n"));
    add_unchecked(&out, report);
    add_findings(&out, report, STATUS_FAIL, WANT_BLOCKING, REASON_LIMIT - TAIL_ROOM);
    add_rules(&out, report, true);
    buf_add(&out, str_from(in(report,
                              "\n**⛔ Read the lines above, repair the places they name and write "
                              "the same file again with the editing tool: no writing through the "
                              "shell, no other path.**",
                              "\n**⛔ 请阅读以上提示，修复所列位置，并用编辑工具重新写入同一文件："
                              "不得通过 shell 写入，不得改用其他路径。**")));
    add_stuck(&out, report);
    return buf_str(&out);
}

Str hook_stop_reason(const HookReport *report)
{
    Buf out = {.arena = report->arena};
    buf_add(&out, STR(STOP_HEADER));
    buf_add(&out, str_from(in(report, ": there are errors of severity S0/S1\n",
                              "：存在 S0/S1 级错误\n")));
    add_unchecked(&out, report);
    add_findings(&out, report, STATUS_FAIL, WANT_BLOCKING, REASON_LIMIT - TAIL_ROOM);
    add_rules(&out, report, false);
    buf_add(&out, str_from(in(report,
                              "\ndocs_ref: pypto-lint explain OLxx\n\n**⛔ Not finished: repair "
                              "the places above, then run the checks again.**",
                              "\ndocs_ref: pypto-lint explain OLxx\n\n**⛔ 交付被阻断："
                              "请修复以上问题后重新运行检查。**")));
    return buf_str(&out);
}

/* --- context */

static bool any_with(const HookReport *report, Status status, Wanted wanted)
{
    for (uint32_t i = 0; i < report->findings.count; i++) {
        if (is_wanted(report->findings.items[i].finding, status, wanted)) {
            return true;
        }
    }
    return false;
}

static void begin_section(Buf *out, const char *title)
{
    buf_addf(out, "%s" HOOK_PREFIX " %s\n", out->length > 0 ? "\n" : "", title);
}

Str hook_context(const HookReport *report)
{
    Buf out = {.arena = report->arena};
    buf_add(&out, STR(""));
    Wanted wanted = report->in_reason ? WANT_OTHERS : WANT_ALL;
    if (report->unchecked.count > 0 && !report->in_reason) {
        begin_section(&out, in(report, "Not checked, so not known to be correct:",
                               "以下内容未能检查，不能视为正确："));
        add_unchecked(&out, report);
    }
    if (any_with(report, STATUS_FAIL, wanted)) {
        begin_section(&out, in(report, "以下规则违规 (rules violated):", "以下规则违规："));
        add_findings(&out, report, STATUS_FAIL, wanted, CONTEXT_LIMIT - 3000);
        buf_add(&out, str_from(in(report, "\nMore about a rule: pypto-lint explain OLxx\n",
                                  "\n规则说明：pypto-lint explain OLxx\n")));
    }
    if (any_with(report, STATUS_WARN, WANT_ALL)) {
        begin_section(&out, in(report, "Warnings; please confirm that each is intended:",
                               "警告，请逐条确认是否符合预期："));
        add_findings(&out, report, STATUS_WARN, WANT_ALL, CONTEXT_LIMIT - 1500);
    }
    if (any_with(report, STATUS_INFO, WANT_ALL)) {
        begin_section(
            &out, in(report, "For information; no gate depends on it:", "提示信息，不影响门禁："));
        add_findings(&out, report, STATUS_INFO, WANT_ALL, CONTEXT_LIMIT - 200);
    }
    if (report->statistics.length > 0) {
        begin_section(&out, in(report, "How far kernels were evaluated:", "kernel 的求值进度："));
        buf_add(&out, buf_str(&report->statistics));
    }
    return str_trim(buf_str(&out));
}
