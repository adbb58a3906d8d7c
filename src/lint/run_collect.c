/* Run: the results of all units as one. */
#include "base/path.h"
#include "lint/run_parts.h"

#include <stdlib.h>

/* --- loose files: one result for all */

static void merge_semantics(Run *run, const SemanticsSummary *one, Str dir)
{
    if (one == NULL) {
        return;
    }
    if (run->loose.semantics == NULL) {
        run->loose.semantics = ARENA_NEW(run->arena, SemanticsSummary);
    }
    SemanticsSummary *all = run->loose.semantics;
    kernel_counts_add(&all->counts, &one->counts);
    for (uint32_t i = 0; i < one->unfinished.count; i++) {
        UnfinishedKernel kernel = one->unfinished.items[i];
        kernel.file = path_join(run->arena, dir, kernel.file);
        VEC_PUSH(run->arena, &all->unfinished, kernel);
    }
    for (uint32_t i = 0; i < one->types.count; i++) {
        ShownType type = one->types.items[i];
        type.file = path_join(run->arena, dir, type.file);
        VEC_PUSH(run->arena, &all->types, type);
    }
    for (uint32_t i = 0; i < one->tilings.count; i++) {
        ShownTiling tiling = one->tilings.items[i];
        tiling.file = path_join(run->arena, dir, tiling.file);
        VEC_PUSH(run->arena, &all->tilings, tiling);
    }
}

static void merge_loose(Run *run, const Unit *unit)
{
    OperatorResult *all = &run->loose;
    all->loose = true;
    all->op_name = STR("");
    all->op_dir = STR(".");
    all->settings = all->settings.at == NULL ? STR("") : all->settings;
    all->stage = unit->result.stage > all->stage ? unit->result.stage : all->stage;
    all->files += unit->result.files;
    all->plain = unit->result.plain;
    for (uint32_t i = 0; i < unit->result.paths.count; i++) {
        VEC_PUSH(run->arena, &all->paths, unit->result.paths.items[i]);
    }
    all->settings = unit->result.settings.length > 0 ? unit->result.settings : all->settings;
    merge_semantics(run, unit->result.semantics, unit->shown_dir);
    all->duration_ms += unit->result.duration_ms;
    for (uint32_t i = 0; i < unit->result.findings.count; i++) {
        Finding *finding = unit->result.findings.items[i];
        finding->file = path_join(run->arena, unit->shown_dir, finding->file);
        for (uint32_t j = 0; j < finding->related.count; j++) {
            finding->related.items[j].file =
                path_join(run->arena, unit->shown_dir, finding->related.items[j].file);
        }
        VEC_PUSH(run->arena, &all->findings, finding);
    }
    for (uint32_t i = 0; i < unit->result.rules.count; i++) {
        const RuleResult *rule = &unit->result.rules.items[i];
        uint32_t at = 0;
        while (at < all->rules.count && all->rules.items[at].rule->order != rule->rule->order) {
            at++;
        }
        if (at == all->rules.count) {
            VEC_PUSH(run->arena, &all->rules, *rule);
        } else if (rule->status > all->rules.items[at].status) {
            all->rules.items[at] = *rule;
        }
    }
}

static int by_order(const void *a, const void *b)
{
    const RuleResult *x = a;
    const RuleResult *y = b;
    return x->rule->order < y->rule->order ? -1 : x->rule->order > y->rule->order;
}

static int by_dir(const void *a, const void *b)
{
    const OperatorResult *x = *(OperatorResult *const *)a;
    const OperatorResult *y = *(OperatorResult *const *)b;
    if (x->loose != y->loose) {
        return x->loose ? 1 : -1;
    }
    return str_compare(x->op_dir, y->op_dir);
}

/* --- the result */

/* As far as the exit status is concerned. */
static Severity severity_of(const Request *request, const Rule *rule)
{
    bool holds =
        request->what.gate && !request->who.upstream && rule->holds_gate && rule->severity > S1;
    return holds ? S1 : rule->severity;
}

static bool is_failing(const Unit *unit)
{
    for (uint32_t i = 0; i < unit->result.findings.count && !unit->fail_never; i++) {
        const Finding *finding = unit->result.findings.items[i];
        if (finding->status == STATUS_FAIL &&
            severity_of(unit->request, finding->rule) <= unit->fail_on) {
            return true;
        }
    }
    return false;
}

/* What the settings have to say, once for all of their units. */
static void take_remarks(Run *run, const Settings *settings)
{
    const Strs *remarks = &settings->config.remarks;
    Notices *notices = &run->result.notices;
    if (settings->error.length == 0 && remarks->count == 0) {
        return;
    }
    for (uint32_t i = 0; i < run->told.count; i++) {
        if (run->told.items[i] == settings) {
            return;
        }
    }
    VEC_PUSH(run->arena, &run->told, settings);
    if (settings->error.length > 0) {
        notice_add_text(notices, STR(""), true, settings->error);
    }
    for (uint32_t i = 0; i < remarks->count; i++) {
        notice_add_text(notices, settings->config.path, false, remarks->items[i]);
    }
}

static void take_notices(Run *run, const Unit *unit)
{
    take_remarks(run, unit->settings);
    for (uint32_t i = 0; i < unit->notices.count; i++) {
        VEC_PUSH(run->arena, &run->result.notices, unit->notices.items[i]);
    }
    if (unit->out_of_memory) {
        notice_add(&run->result.notices, unit->shown_dir, true, "out of memory while checking this",
                   "检查时内存不足");
    }
}

void run_note_errors(RunResult *result)
{
    result->exit_status = notices_have_error(&result->notices) ? 2 : result->exit_status;
}

void run_collect(Run *run)
{
    RunResult *result = &run->result;
    result->lang = run->request.who.lang;
    bool loose = false;
    for (uint32_t i = 0; i < run->units.count; i++) {
        Unit *unit = &run->units.items[i];
        take_notices(run, unit);
        if (unit->nothing) {
            continue;
        }
        if (is_failing(unit)) {
            result->exit_status = 1;
        }
        result->fail_on = unit->fail_on;
        result->fail_never = unit->fail_never;
        if (unit->loose) {
            merge_loose(run, unit);
            loose = true;
        } else {
            VEC_PUSH(run->arena, &result->operators, &unit->result);
        }
    }
    if (loose) {
        if (run->loose.rules.count > 1) {
            qsort(run->loose.rules.items, run->loose.rules.count, sizeof *run->loose.rules.items,
                  by_order);
        }
        VEC_PUSH(run->arena, &result->operators, &run->loose);
    }
    if (result->operators.count > 1) {
        qsort(result->operators.items, result->operators.count, sizeof *result->operators.items,
              by_dir);
    }
    run_note_errors(result);
}
