/*
 * The results that became one alert, read as one. */
#include "chain.h"

#include "region.h"
#include "uri.h"

SarifRelatedCursor sarif_related_start(const SarifPlan *plan, size_t head)
{
    return (SarifRelatedCursor){.plan = plan, .result = head};
}

bool sarif_related_next(SarifRelatedCursor *cursor, SarifRelated *related)
{
    while (cursor->result != SARIF_NO_INDEX && cursor->id < SARIF_MAX_RELATED) {
        const SarifResult *result = &cursor->plan->run->results[cursor->result];
        if (cursor->own_pending) {
            cursor->own_pending = false;
            cursor->id++;
            cursor->offset = cursor->id;
            *related = (SarifRelated){&result->location, result->message,       cursor->id,
                                      cursor->offset,    result->related_count, true};
            return true;
        }
        if (cursor->index < result->related_count) {
            const SarifLocation *location = &result->related[cursor->index];
            cursor->index++;
            cursor->id++;
            *related = (SarifRelated){location,       location->message,     cursor->id,
                                      cursor->offset, result->related_count, false};
            return true;
        }
        cursor->result = cursor->plan->next[cursor->result];
        cursor->index = 0;
        cursor->own_pending = true;
    }
    return false;
}

size_t sarif_related_total(const SarifPlan *plan, size_t head)
{
    const SarifResult *results = plan->run->results;
    size_t total = results[head].related_count;
    for (size_t i = plan->next[head]; i != SARIF_NO_INDEX; i = plan->next[i]) {
        total += 1 + results[i].related_count;
    }
    return total;
}

static bool same_replacement(const SarifLocation *file, const SarifReplacement *left,
                             const SarifReplacement *right)
{
    SarifText left_path = left->path.size > 0 ? left->path : file->path;
    SarifText right_path = right->path.size > 0 ? right->path : file->path;
    SarifText left_base = left->path.size > 0 ? left->base_id : file->base_id;
    SarifText right_base = right->path.size > 0 ? right->base_id : file->base_id;
    return sarif_path_equal(left_path, right_path) && sarif_text_equal(left_base, right_base) &&
           sarif_region_equal(left->deleted, right->deleted) &&
           sarif_text_equal(left->inserted, right->inserted);
}

static bool same_fix(const SarifLocation *file, const SarifFix *left, const SarifFix *right)
{
    if (left->replacement_count != right->replacement_count ||
        !sarif_text_equal(left->description, right->description)) {
        return false;
    }
    for (size_t i = 0; i < left->replacement_count; i++) {
        if (!same_replacement(file, &left->replacements[i], &right->replacements[i])) {
            return false;
        }
    }
    return true;
}

static void collect_fix(SarifFixList *list, const SarifLocation *file, const SarifFix *fix)
{
    if (fix->replacement_count == 0) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (same_fix(file, list->fixes[i], fix)) {
            return;
        }
    }
    if (list->count == SARIF_MAX_FIXES) {
        list->cut++;
    } else {
        list->fixes[list->count++] = fix;
    }
}

void sarif_fixes_collect(const SarifPlan *plan, size_t head, SarifFixList *list)
{
    list->count = 0;
    list->cut = 0;
    for (size_t i = head; i != SARIF_NO_INDEX; i = plan->next[i]) {
        const SarifResult *result = &plan->run->results[i];
        for (size_t fix = 0; fix < result->fix_count; fix++) {
            collect_fix(list, &plan->run->results[head].location, &result->fixes[fix]);
        }
    }
}
