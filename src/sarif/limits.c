/*
 * The limits that concern one rule or one result: what fits, and what had to go. */
#include "limits.h"

#include "chain.h"
#include "utf8.h"

bool sarif_snippet_is_cut(SarifText snippet)
{
    return snippet.size > SARIF_MAX_SNIPPET_SIZE;
}

static bool has_tag(const SarifTagList *list, SarifText tag)
{
    for (size_t i = 0; i < list->count; i++) {
        if (sarif_text_equal(list->tags[i], tag)) {
            return true;
        }
    }
    return false;
}

void sarif_tags_collect(const SarifRule *rule, SarifTagList *list)
{
    list->count = 0;
    list->cut = 0;
    for (size_t i = 0; i < rule->tag_count; i++) {
        if (rule->tags[i].size == 0 || has_tag(list, rule->tags[i])) {
            continue;
        }
        if (list->count == SARIF_MAX_TAGS) {
            list->cut++;
        } else {
            list->tags[list->count++] = rule->tags[i];
        }
    }
}

static size_t cut_snippets(const SarifLocation *location)
{
    return (sarif_snippet_is_cut(location->region.snippet) ? 1U : 0U) +
           (sarif_snippet_is_cut(location->context.snippet) ? 1U : 0U);
}

static void count_rule_cuts(SarifPlan *plan, const SarifRule *rule)
{
    SarifText texts[] = {rule->short_description, rule->full_description};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (sarif_utf8_prefix(texts[i], SARIF_MAX_DESCRIPTION) < texts[i].size) {
            plan->cut[SARIF_CUT_TEXTS]++;
        }
    }
    SarifTagList tags;
    sarif_tags_collect(rule, &tags);
    plan->cut[SARIF_CUT_TAGS] += tags.cut;
}

static size_t over(size_t count, size_t limit)
{
    return count > limit ? count - limit : 0;
}

static void count_result_cuts(SarifPlan *plan, size_t head)
{
    const SarifResult *result = &plan->run->results[head];
    SarifFixList fixes;
    sarif_fixes_collect(plan, head, &fixes);
    plan->cut[SARIF_CUT_FIXES] += fixes.cut;
    plan->cut[SARIF_CUT_RELATED] += over(sarif_related_total(plan, head), SARIF_MAX_RELATED);
    plan->cut[SARIF_CUT_FLOW_STEPS] += over(result->flow_count, SARIF_MAX_FLOW_STEPS);

    size_t snippets = cut_snippets(&result->location);
    SarifRelatedCursor cursor = sarif_related_start(plan, head);
    SarifRelated related;
    while (sarif_related_next(&cursor, &related)) {
        snippets += cut_snippets(related.location);
    }
    for (size_t i = 0; i < result->flow_count && i < SARIF_MAX_FLOW_STEPS; i++) {
        snippets += cut_snippets(&result->flow[i]);
    }
    plan->cut[SARIF_CUT_SNIPPETS] += snippets;
}

void sarif_limits_count(SarifPlan *plan)
{
    const SarifRun *run = plan->run;
    for (size_t i = 0; i < run->rule_count; i++) {
        if (plan->rule_place[i] != SARIF_NO_INDEX) {
            count_rule_cuts(plan, &run->rules[i]);
        }
    }
    for (size_t i = 0; i < run->tool.notification_count; i++) {
        count_rule_cuts(plan, &run->tool.notifications[i]);
    }
    for (size_t i = 0; i < plan->kept_count; i++) {
        count_result_cuts(plan, plan->kept[i]);
    }
}
