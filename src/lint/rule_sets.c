/* Rule sets; see rule_sets.h. The members say themselves what they belong to. */
#include "lint/rule_sets.h"

#include "lint/semantics.h"

#include <stdlib.h>

bool rule_has_stage(const Rule *rule, int stage)
{
    return stage >= 0 && stage <= 30 && (rule->stages & STAGE(stage)) != 0;
}

bool rule_is_in(const Rule *rule, RuleSet set)
{
    if ((rule->sets & IN(set)) != 0) {
        return true;
    }
    switch (set) {
    case SET_PHASE_GATE:
        return rule->target == TARGET_IMPL;
    case SET_GOLDEN:
        return rule->target == TARGET_GOLDEN;
    case SET_TEST:
        return rule->target == TARGET_TEST;
    default:
        return set == SET_SCOPE || set == SET_STAGE_GATE;
    }
}

static void add_members(Rules *rules, Arena *arena, RuleSet set)
{
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        if (rule_is_in(rule_registry[i], set)) {
            VEC_PUSH(arena, rules, rule_registry[i]);
        }
    }
}

static int compare_ids(const void *a, const void *b)
{
    const Rule *const *left = a;
    const Rule *const *right = b;
    bool later = is_semantics_rule(*left); /* after the rules of the workflow */
    if (later != is_semantics_rule(*right)) {
        return later ? 1 : -1;
    }
    return strcmp((*left)->id, (*right)->id);
}

Rules rule_set(Arena *arena, RuleSet set, int stage)
{
    Rules rules = {0};
    add_members(&rules, arena, set);
    if (set != SET_STAGE_GATE && set != SET_PHASE_GATE && set != SET_DESIGN_GATE) {
        if (rules.count > 1) {
            qsort(rules.items, rules.count, sizeof(const Rule *), compare_ids);
        }
        return rules;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rules.count; i++) {
        if (rule_has_stage(rules.items[i], stage)) {
            rules.items[kept++] = rules.items[i];
        }
    }
    rules.count = kept;
    return rules;
}

Rules rule_set_after_edit(Arena *arena, RuleSet set, int stage, Str file)
{
    Rules rules = rule_set(arena, set, stage);
    if (str_ends(file, STR(".py"))) {
        add_members(&rules, arena, SET_PYTHON);
    }
    for (uint32_t i = 0; set == SET_TEST && i < rule_registry_count; i++) {
        if (is_semantics_rule(rule_registry[i])) { /* what its launches bring into the kernel */
            VEC_PUSH(arena, &rules, rule_registry[i]);
        }
    }
    return rules;
}
