/* Rule sets; see rule_sets.h. Members are named by id: a set is a decision about a workflow, not a
 * property of its rules. */
#include "lint/rule_sets.h"

static const char *const impl_rules[] = {
    "OL01", "OL02", "OL03", "OL04", "OL05", "OL06", "OL07", "OL08", "OL16", "OL23", "OL25", "OL26",
    "OL28", "OL29", "OL37", "OL48", "OL49", "OL55", "OL56", "OL57", "OL58", "OL61", "OL62", NULL};
static const char *const golden_rules[] = {"OL15", NULL};
static const char *const test_rules[] = {"OL17", "OL18", "OL19", "OL20", "OL21",
                                         "OL22", "OL42", "OL60", NULL};
static const char *const consistency_rules[] = {"OL30", "OL31", "OL32", "OL33", "OL34",
                                                "OL39", "OL40", "OL41", "OL43", NULL};
static const char *const spec_rules[] = {"OL09", NULL};
static const char *const design_rules[] = {"OL55", "OL56", NULL};
static const char *const phase_extra[] = {"OL53", "OL54", NULL};
static const char *const design_gate[] = {"OL12", "OL55", "OL56", NULL};

bool rule_is_one_of(const Rule *rule, const char *const *ids)
{
    for (; *ids != NULL; ids++) {
        if (strcmp(rule->id, *ids) == 0) {
            return true;
        }
    }
    return false;
}

bool rule_has_stage(const Rule *rule, int stage)
{
    return stage >= 0 && stage <= 30 && (rule->stages & STAGE(stage)) != 0;
}

bool rule_is_in_gate(const Rule *rule, RuleSet set)
{
    switch (set) {
    case SET_PHASE_GATE:
        return rule->target == TARGET_IMPL || rule_is_one_of(rule, phase_extra);
    case SET_DESIGN_GATE:
        return rule_is_one_of(rule, design_gate);
    default:
        return true;
    }
}

static Rules gate_rules(Arena *arena, RuleSet set, int stage)
{
    Rules rules = {0};
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        const Rule *rule = rule_registry[i];
        if (rule_has_stage(rule, stage) && rule_is_in_gate(rule, set)) {
            VEC_PUSH(arena, &rules, rule);
        }
    }
    return rules;
}

Rules rule_set(Arena *arena, RuleSet set, int stage)
{
    static const char *const *const members[] = {
        [SET_IMPL] = impl_rules, [SET_GOLDEN] = golden_rules,
        [SET_TEST] = test_rules, [SET_CONSISTENCY] = consistency_rules,
        [SET_SPEC] = spec_rules, [SET_DESIGN] = design_rules,
    };
    if (set == SET_STAGE_GATE || set == SET_PHASE_GATE || set == SET_DESIGN_GATE) {
        return gate_rules(arena, set, stage);
    }
    Rules rules = {0};
    for (const char *const *id = members[set]; *id != NULL; id++) {
        const Rule *rule = rule_find(str_from(*id));
        if (rule != NULL) {
            VEC_PUSH(arena, &rules, rule);
        }
    }
    return rules;
}
