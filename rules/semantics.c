/* Semantics; see semantics.h. */
#include "rules/semantics.h"

#include "rules/data/api.h"
#include "rules/similar.h"

/* The nearest of the names that exist, or an empty Str. */
static Str nearest(const EvalFinding *found)
{
    Str best = STR("");
    unsigned edits = SIMILAR_NOT;
    for (uint32_t i = 0; i < found->near.count; i++) {
        unsigned one = similar_edits(found->near.items[i], found->name);
        if (one < edits) {
            edits = one;
            best = found->near.items[i];
        }
    }
    return best;
}

/* The list of names may have been replaced (--api): what it has exists. */
static bool is_in_list(const PyFile *file, const EvalFinding *found)
{
    const Api *api = api_current();
    bool of_package = found->rule == EVAL_NAME && pypto_attribute(file, found->node).length > 0;
    return of_package && (!api->available || api_find(api, found->name) != NULL);
}

static void report_one(RuleRun *run, const PyFile *file, const EvalFinding *found)
{
    Place place = found->end > found->start
                      ? at_focus_range(file, found->node, found->start, found->end)
                      : at_node(file, found->node);
    Status status = found->note ? STATUS_INFO : found->certain ? STATUS_FAIL : STATUS_WARN;
    Finding *finding = report(run, status, place, "%.*s", "%.*s",
                              STR_ARG(run->lang == LANG_ZH ? found->zh : found->en));
    Str near = nearest(found);
    if (found->hint_en.length > 0) {
        finding->hint = run->lang == LANG_ZH ? found->hint_zh : found->hint_en;
    } else if (near.length > 0) {
        finding_hint(run, finding, "Did you mean '%.*s'?", "是否想写 '%.*s'？", STR_ARG(near));
    }
}

void report_semantics(RuleRun *run, EvalRule rule)
{
    for (uint32_t i = 0; i < run->op->scan.count; i++) {
        PyFile *file = run->op->scan.items[i];
        if (pyfile_module(file) == NULL || file->kernels.count == 0) {
            continue;
        }
        if (file->evaluation == NULL) {
            file->evaluation = ARENA_NEW(run->arena, Evaluation);
            *file->evaluation = eval_file(file, &run->op->product, run->arena);
        }
        const EvalFindings *findings = &file->evaluation->findings;
        for (uint32_t k = 0; k < findings->count; k++) {
            if (findings->items[k].rule == rule && !is_in_list(file, &findings->items[k])) {
                report_one(run, file, &findings->items[k]);
            }
        }
    }
}
