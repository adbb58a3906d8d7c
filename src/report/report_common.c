/* What the report formats share: paths, levels, wording, totals. */
#include "report/report_common.h"

#include "base/file.h"
#include "report/terminal.h"

#include <stdio.h>

enum { MAX_ORDERS = 256 }; /* values of Rule.order */

Level rule_level(const Rule *rule)
{
    switch (rule->severity) {
    case S0:
    case S1:
        return LEVEL_ERROR;
    case S2:
        return LEVEL_WARNING;
    case S3:
    default:
        return LEVEL_NOTE;
    }
}

Level finding_level(const Finding *finding)
{
    Level level = rule_level(finding->rule);
    Level most = finding->status == STATUS_FAIL   ? LEVEL_ERROR
                 : finding->status == STATUS_WARN ? LEVEL_WARNING
                                                  : LEVEL_NOTE;
    return level < most ? level : most;
}

const char *level_name(Level level)
{
    static const char *const names[] = {
        [LEVEL_NOTE] = "note", [LEVEL_WARNING] = "warning", [LEVEL_ERROR] = "error"};
    return names[level];
}

const char *words(Lang lang, const char *en, const char *zh)
{
    return lang == LANG_ZH ? zh : en;
}

Str rule_label(Arena *arena, const Rule *rule)
{
    return rule->name == NULL ? str_from(rule->id)
                              : str_format(arena, "%s %s", rule->id, rule->name);
}

Str rule_title(const Rule *rule, Lang lang)
{
    const RulePage *page = rule_page(rule->id);
    const char *title = page == NULL ? NULL : words(lang, page->title, page->title_zh);
    return str_from(title == NULL ? rule->id : title);
}

Str finding_fix_hint(const Finding *finding, Lang lang)
{
    if (finding->hint.length > 0) {
        return finding->hint;
    }
    const char *hint = words(lang, finding->rule->hint.en, finding->rule->hint.zh);
    return str_from(hint == NULL ? "" : hint);
}

Str full_path(Arena *arena, const OperatorResult *op, Str file)
{
    Str path = str_starts(file, STR("/")) ? file : path_join(arena, op->op_dir, file);
    while (str_starts(path, STR("./"))) {
        path = str_slice(path, 2, path.length);
    }
    return path;
}

/* Appends the segments of `path` to an absolute or empty `to`, resolving "." and ".." by name. */
static void add_segments(Buf *to, Str path)
{
    size_t at = 0;
    while (at < path.length) {
        size_t slash = str_find(path, STR("/"), at);
        size_t end = slash == SIZE_MAX ? path.length : slash;
        Str segment = str_slice(path, at, end);
        at = end + 1;
        if (segment.length == 0 || str_is(segment, ".")) {
            continue;
        }
        if (str_is(segment, "..")) {
            while (to->length > 0 && to->at[--to->length] != '/') {
            }
            continue;
        }
        buf_add_char(to, '/');
        buf_add(to, segment);
    }
}

Str path_from(Arena *arena, Str working_dir, Str path)
{
    bool absolute = str_starts(path, STR("/"));
    if (!absolute && working_dir.length == 0) {
        return path;
    }
    Buf base = {.arena = arena};
    add_segments(&base, working_dir);
    size_t base_length = base.length;
    Buf full = {.arena = arena};
    if (!absolute) {
        buf_add(&full, buf_str(&base));
    }
    add_segments(&full, path);
    Str whole = buf_str(&full);
    if (base_length > 0 && whole.length > base_length && whole.at[base_length] == '/' &&
        str_starts(whole, buf_str(&base))) {
        return str_slice(whole, base_length + 1, whole.length);
    }
    if (base_length == 0 && str_is(working_dir, "/") && whole.length > 1) {
        return str_slice(whole, 1, whole.length);
    }
    return whole.length == 0 ? STR("/") : whole;
}

void path_add(Buf *out, Str path)
{
    if (terminal_is_command(path)) {
        buf_add(out, STR("./"));
    }
    terminal_add(out, path);
}

void place_add(Buf *out, Str path, Region region)
{
    path_add(out, path);
    if (region.line > 0) {
        buf_addf(out, ":%u:%u", region.line, region.column);
    }
}

Totals run_totals(const RunResult *result)
{
    Totals totals = {0};
    bool answered[MAX_ORDERS] = {false};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        Counts counts = result_counts(op);
        totals.counts.fail += counts.fail;
        totals.counts.warn += counts.warn;
        totals.counts.info += counts.info;
        totals.counts.pass += counts.pass;
        totals.counts.skip += counts.skip;
        totals.findings += op->findings.count;
        for (uint32_t k = 0; k < op->findings.count; k++) {
            const Finding *finding = op->findings.items[k];
            Level level = finding_level(finding);
            totals.errors += level == LEVEL_ERROR;
            totals.warnings += level == LEVEL_WARNING;
            totals.fixable += finding->edits.count > 0 && finding->fix == FIX_SAFE;
            totals.suggested += finding->edits.count > 0 && finding->fix == FIX_SUGGEST;
        }
        /* Files of one operator that are named by themselves have a result each, side by side. */
        bool same = i > 0 && str_equal(op->op_dir, result->operators.items[i - 1]->op_dir);
        totals.operators += op->loose || same ? 0 : 1;
        totals.files += op->files;
        for (uint32_t k = 0; k < op->rules.count; k++) {
            const RuleResult *rule = &op->rules.items[k];
            if (rule->status != STATUS_SKIP && !answered[rule->rule->order]) {
                answered[rule->rule->order] = true;
                totals.rules++;
            }
        }
    }
    return totals;
}

bool run_is_incomplete(const RunResult *result)
{
    for (uint32_t i = 0; i < result->notices.count; i++) {
        if (result->notices.items[i].is_error) {
            return true;
        }
    }
    return false;
}

void statistics_add(Buf *out, const RunResult *result)
{
    const Rule *rules[MAX_ORDERS] = {NULL};
    uint32_t counts[MAX_ORDERS] = {0};
    uint32_t highest = 0;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const Findings *findings = &result->operators.items[i]->findings;
        for (uint32_t k = 0; k < findings->count; k++) {
            const Rule *rule = findings->items[k]->rule;
            rules[rule->order] = rule;
            uint32_t count = ++counts[rule->order];
            highest = count > highest ? count : highest;
        }
    }
    int width = snprintf(NULL, 0, "%u", highest);
    for (;;) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < MAX_ORDERS; i++) {
            best = counts[i] > counts[best] ? i : best;
        }
        if (counts[best] == 0) {
            return;
        }
        Str title = rule_title(rules[best], result->lang);
        Str label = rule_label(out->arena, rules[best]);
        buf_addf(out, "%*u %.*s %s: %.*s\n", width, counts[best], STR_ARG(label),
                 severity_name(rules[best]->severity), STR_ARG(title));
        counts[best] = 0;
    }
}

void count_add(Buf *out, Lang lang, uint32_t count, const char *noun, const char *noun_zh)
{
    if (lang == LANG_ZH) {
        buf_addf(out, "%u %s", count, noun_zh);
    } else {
        buf_addf(out, "%u %s%s", count, noun, count == 1 ? "" : "s");
    }
}

void fixable_add(Buf *out, Lang lang, const Totals *totals)
{
    buf_addf(out, words(lang, "%u fixable with --fix", "%u 个可用 --fix 修复"), totals->fixable);
    if (totals->suggested > 0) {
        buf_addf(out,
                 words(lang, ", %u more with --fix --suggestions",
                       "，另有 %u 个可用 --fix --suggestions 修复"),
                 totals->suggested);
    }
}

void tally_add(Buf *out, const RunResult *result)
{
    Lang lang = result->lang;
    Totals totals = run_totals(result);
    const char *comma = words(lang, ", ", "，");
    if (totals.findings == 0) {
        return;
    }
    count_add(out, lang, totals.errors, "error", "个错误");
    if (totals.warnings > 0) {
        buf_add(out, str_from(comma));
        count_add(out, lang, totals.warnings, "warning", "个警告");
    }
    buf_add(out, str_from(comma));
    fixable_add(out, lang, &totals);
    buf_add_char(out, '\n');
}

void verdict_add(Buf *out, const RunResult *result)
{
    if (result->verdict.length > 0) {
        buf_addf(out, "%.*s\n", STR_ARG(result->verdict));
    }
}

void beyond_add(Buf *out, const RunResult *result)
{
    if (result->beyond.length > 0) {
        buf_add(out, result->beyond);
    }
}

void notices_add(Buf *out, const RunResult *result, bool quiet)
{
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        if (quiet && !notice->is_error) {
            continue;
        }
        buf_add(out, str_from(notice->is_error ? words(result->lang, "error: ", "错误：")
                                               : words(result->lang, "notice: ", "提示：")));
        if (notice->file.length > 0) {
            terminal_add(out, notice->file);
            buf_add(out, STR(": "));
        }
        terminal_add(out, notice->message);
        buf_add_char(out, '\n');
    }
}
