/*
 * What of a run is written, decided before the first byte. */
#include "plan.h"

#include "uri.h"

#include <string.h>

/* The level of a result in the log. */
static SarifLevel level_of(const SarifRun *run, const SarifResult *result)
{
    SarifLevel level = result->level;
    if (level == SARIF_DEFAULT_LEVEL) {
        level = run->rules[result->rule].level;
    }
    return level == SARIF_DEFAULT_LEVEL ? SARIF_WARNING : level;
}

SarifText sarif_base_of(const SarifRun *run, SarifText path, SarifText base_id)
{
    if (sarif_path_is_absolute(path)) {
        return (SarifText){NULL, 0};
    }
    if (base_id.size == 0 && run->uri_base_count > 0) {
        return run->uri_bases[0].id;
    }
    return base_id;
}

static uint64_t place_hash(const SarifRun *run, SarifText path, SarifText base_id)
{
    return sarif_path_hash(sarif_hash_text(0, sarif_base_of(run, path, base_id)), path);
}

static bool same_place(const SarifRun *run, SarifText path, SarifText base_id, SarifText other_path,
                       SarifText other_base_id)
{
    return sarif_path_equal(path, other_path) &&
           sarif_text_equal(sarif_base_of(run, path, base_id),
                            sarif_base_of(run, other_path, other_base_id));
}

/* The rule's index in the run, or the free slot to put it in. */
static size_t find_rule(const SarifPlan *plan, SarifText id, size_t *slot)
{
    *slot = sarif_table_slot(&plan->rules, sarif_hash_text(0, id));
    size_t entry;
    while ((entry = plan->rules.slots[*slot]) != 0) {
        if (sarif_text_equal(plan->run->rules[entry - 1].id, id)) {
            return entry - 1;
        }
        *slot = sarif_table_next(&plan->rules, *slot);
    }
    return SARIF_NO_INDEX;
}

static size_t find_artifact(const SarifPlan *plan, SarifText path, SarifText base_id, size_t *slot)
{
    const SarifRun *run = plan->run;
    *slot = sarif_table_slot(&plan->artifacts, place_hash(run, path, base_id));
    size_t entry;
    while ((entry = plan->artifacts.slots[*slot]) != 0) {
        const SarifArtifact *artifact = &run->artifacts[entry - 1];
        if (same_place(run, path, base_id, artifact->path, artifact->base_id)) {
            return entry - 1;
        }
        *slot = sarif_table_next(&plan->artifacts, *slot);
    }
    return SARIF_NO_INDEX;
}

static SarifStatus index_rules(SarifPlan *plan)
{
    const SarifRun *run = plan->run;
    if (!sarif_table_init(&plan->rules, plan->allocator, run->rule_count)) {
        return SARIF_NO_MEMORY;
    }
    for (size_t i = 0; i < run->rule_count; i++) {
        size_t slot;
        if (run->rules[i].id.size == 0) {
            continue;
        }
        if (find_rule(plan, run->rules[i].id, &slot) != SARIF_NO_INDEX) {
            return SARIF_DUPLICATE_RULE;
        }
        plan->rules.slots[slot] = i + 1;
    }
    for (size_t i = 0; i < run->result_count; i++) {
        if (run->results[i].rule >= run->rule_count) {
            return SARIF_BAD_RULE_INDEX;
        }
    }
    return SARIF_OK;
}

static SarifStatus index_artifacts(SarifPlan *plan)
{
    const SarifRun *run = plan->run;
    plan->artifact_place = sarif_indices_new(plan->allocator, run->artifact_count);
    if (plan->artifact_place == NULL ||
        !sarif_table_init(&plan->artifacts, plan->allocator, run->artifact_count)) {
        return SARIF_NO_MEMORY;
    }
    size_t place = 0;
    for (size_t i = 0; i < run->artifact_count; i++) {
        size_t slot;
        const SarifArtifact *artifact = &run->artifacts[i];
        if (find_artifact(plan, artifact->path, artifact->base_id, &slot) == SARIF_NO_INDEX) {
            plan->artifacts.slots[slot] = i + 1;
            plan->artifact_place[i] = place++;
        }
    }
    return SARIF_OK;
}

/* Of one rule, in one file, on one line: those share a fingerprint, so GitHub sees one alert. */
static bool same_alert(const SarifRun *run, const SarifResult *left, const SarifResult *right)
{
    return left->rule == right->rule &&
           left->location.region.start_line == right->location.region.start_line &&
           same_place(run, left->location.path, left->location.base_id, right->location.path,
                      right->location.base_id);
}

/* Finds or enters the first result of the chain that result `i` belongs to. */
static size_t chain_head(const SarifRun *run, SarifTable *heads, size_t i)
{
    const SarifResult *result = &run->results[i];
    uint64_t hash = place_hash(run, result->location.path, result->location.base_id);
    hash = sarif_hash_number(hash, result->rule);
    hash = sarif_hash_number(hash, result->location.region.start_line);
    size_t slot = sarif_table_slot(heads, hash);
    size_t entry;
    while ((entry = heads->slots[slot]) != 0) {
        if (same_alert(run, &run->results[entry - 1], result)) {
            return entry - 1;
        }
        slot = sarif_table_next(heads, slot);
    }
    heads->slots[slot] = i + 1;
    return i;
}

/*
 * Chains the results and lists the chains' first ones in `kept`. `tail` and `heads` are scratch.
 * Whole-file results (line 0) of one rule merge too: they have line 1's hash. */
static void chain_results(SarifPlan *plan, const SarifOptions *options, size_t *tail,
                          SarifTable *heads)
{
    const SarifRun *run = plan->run;
    for (size_t i = 0; i < run->result_count; i++) {
        const SarifResult *result = &run->results[i];
        if (result->suppression_count > 0 && !options->keep_suppressed) {
            plan->suppressed++;
            continue;
        }
        SarifLevel level = level_of(run, result);
        size_t head = i;
        if (!options->separate_same_line && result->suppression_count == 0) {
            head = chain_head(run, heads, i);
        }
        if (head == i) {
            plan->kept[plan->kept_count++] = i;
            plan->level[i] = (uint8_t)level;
        } else {
            plan->next[tail[head]] = i;
            plan->merged++;
            if (level > (SarifLevel)plan->level[head]) {
                plan->level[head] = (uint8_t)level;
            }
        }
        tail[head] = i;
    }
}

/* Keeps at most `limit` results: the most severe, the earlier ones within the last level. */
static void keep_most_severe(SarifPlan *plan, size_t limit)
{
    size_t count[SARIF_ERROR + 1] = {0};
    for (size_t i = 0; i < plan->kept_count; i++) {
        count[plan->level[plan->kept[i]]]++;
    }
    for (int level = SARIF_ERROR; level >= 0; level--) {
        count[level] = count[level] < limit ? count[level] : limit;
        limit -= count[level];
    }
    size_t kept = 0;
    for (size_t i = 0; i < plan->kept_count; i++) {
        size_t result = plan->kept[i];
        if (count[plan->level[result]] > 0) {
            count[plan->level[result]]--;
            plan->kept[kept++] = result;
        }
    }
    plan->cut[SARIF_CUT_RESULTS] = plan->kept_count - kept;
    plan->kept_count = kept;
}

static SarifStatus choose_results(SarifPlan *plan, const SarifOptions *options)
{
    size_t count = plan->run->result_count;
    plan->next = sarif_indices_new(plan->allocator, count);
    plan->kept = sarif_indices_new(plan->allocator, count);
    plan->level = sarif_resize(plan->allocator, NULL, count, sizeof *plan->level);
    size_t *tail = sarif_indices_new(plan->allocator, count);
    SarifTable heads = {NULL, 0};
    bool complete = plan->next != NULL && plan->kept != NULL && plan->level != NULL &&
                    tail != NULL && sarif_table_init(&heads, plan->allocator, count);
    if (complete) {
        size_t limit = options->max_results;
        chain_results(plan, options, tail, &heads);
        keep_most_severe(plan, limit == 0 || limit > SARIF_MAX_RESULTS ? SARIF_MAX_RESULTS : limit);
    }
    sarif_table_free(&heads, plan->allocator);
    sarif_release(plan->allocator, tail);
    return complete ? SARIF_OK : SARIF_NO_MEMORY;
}

/* All rules that results name, and of the others the first ones that there is room for. */
static SarifStatus choose_rules(SarifPlan *plan)
{
    const SarifRun *run = plan->run;
    plan->rule_place = sarif_indices_new(plan->allocator, run->rule_count);
    if (plan->rule_place == NULL) {
        return SARIF_NO_MEMORY;
    }
    size_t used = 0;
    for (size_t i = 0; i < plan->kept_count; i++) {
        size_t *place = &plan->rule_place[run->results[plan->kept[i]].rule];
        used += *place == SARIF_NO_INDEX ? 1 : 0;
        *place = 0;
    }
    _Static_assert(SARIF_MAX_RESULTS <= SARIF_MAX_RULES, "every rule that is named has room");
    size_t room = SARIF_MAX_RULES - used;
    size_t written = 0;
    for (size_t i = 0; i < run->rule_count; i++) {
        if (plan->rule_place[i] != SARIF_NO_INDEX) {
            plan->rule_place[i] = written++;
        } else if (room > 0) {
            plan->rule_place[i] = written++;
            room--;
        }
    }
    plan->cut[SARIF_CUT_RULES] = run->rule_count - written;
    return SARIF_OK;
}

SarifStatus sarif_plan_init(SarifPlan *plan, const SarifRun *run, const SarifOptions *options)
{
    memset(plan, 0, sizeof *plan);
    plan->run = run;
    plan->allocator = &options->allocator;
    SarifStatus status = index_rules(plan);
    if (status == SARIF_OK) {
        status = index_artifacts(plan);
    }
    if (status == SARIF_OK) {
        status = choose_results(plan, options);
    }
    if (status == SARIF_OK) {
        status = choose_rules(plan);
    }
    if (status != SARIF_OK) {
        sarif_plan_free(plan);
    }
    return status;
}

void sarif_plan_free(SarifPlan *plan)
{
    sarif_release(plan->allocator, plan->next);
    sarif_release(plan->allocator, plan->level);
    sarif_release(plan->allocator, plan->kept);
    sarif_release(plan->allocator, plan->rule_place);
    sarif_release(plan->allocator, plan->artifact_place);
    sarif_table_free(&plan->rules, plan->allocator);
    sarif_table_free(&plan->artifacts, plan->allocator);
}

size_t sarif_plan_rule(const SarifPlan *plan, SarifText id)
{
    size_t slot;
    size_t rule = id.size == 0 ? SARIF_NO_INDEX : find_rule(plan, id, &slot);
    return rule == SARIF_NO_INDEX ? rule : plan->rule_place[rule];
}

size_t sarif_plan_artifact(const SarifPlan *plan, SarifText path, SarifText base_id)
{
    size_t slot;
    size_t artifact = find_artifact(plan, path, base_id, &slot);
    return artifact == SARIF_NO_INDEX ? artifact : plan->artifact_place[artifact];
}
