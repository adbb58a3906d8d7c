/* Selection of rules; see select.h. */
#include "lint/select.h"

#include "lint/rule_sets.h"
#include "lint/semantics.h"

static bool any_matches(Strs selectors, const Rule *rule)
{
    for (uint32_t i = 0; i < selectors.count; i++) {
        if (selector_matches(selectors.items[i], rule)) {
            return true;
        }
    }
    return false;
}

/* Rules that judge a file of this kind by itself or as part of its operator. */
static bool fits_kind(const Rule *rule, FileKind kind)
{
    bool any = rule_is_in(rule, SET_PYTHON);
    switch (kind) {
    case KIND_IMPL:
        return any || rule->target == TARGET_IMPL || rule_is_in(rule, SET_IMPL);
    case KIND_GOLDEN:
        return any || rule->target == TARGET_GOLDEN;
    case KIND_TEST:
        return any || rule->target == TARGET_TEST;
    case KIND_SPEC:
        return rule_is_in(rule, SET_SPEC);
    case KIND_DESIGN:
        return rule_is_in(rule, SET_DESIGN);
    case KIND_NONE:
        break;
    }
    return false;
}

bool rule_is_due(const Rule *rule, Operator *op)
{
    if (rule_has_stage(rule, op->stage)) {
        return true;
    }
    if (!op->stage_guessed || op->scope != SCOPE_DEFAULT) {
        return false;
    }
    /* The stages by which these files are judged by themselves: stage_from_file. */
    enum { GOLDEN_STAGE = 3, BUILD_STAGE = 5 };
    bool built = rule_has_stage(rule, BUILD_STAGE);
    if (built && op->scan.count > 0 && fits_kind(rule, KIND_IMPL)) {
        return true;
    }
    if (built && fits_kind(rule, KIND_TEST)) {
        Str modules =
            artifact_name(op->arena, KIND_TEST, artifact_base(op->arena, op->name, STR("")));
        return operator_has_file(op, operator_artifact(op, KIND_TEST)) ||
               operator_modules(op, modules, STR(".py")).count > 0;
    }
    return rule_has_stage(rule, GOLDEN_STAGE) && fits_kind(rule, KIND_GOLDEN) &&
           operator_has_file(op, operator_artifact(op, KIND_GOLDEN));
}

static bool needs_siblings(const Rule *rule)
{
    return (rule->needs & NEEDS_OPERATOR) != 0 || rule->target == TARGET_GATE;
}

static bool fits_scope(const Rule *rule, const Request *request, const Operator *op)
{
    if (request->what.design) {
        return rule_is_in(rule, SET_DESIGN_GATE);
    }
    if (op->loose && op->plain) {
        return !needs_siblings(rule) && fits_kind(rule, KIND_IMPL);
    }
    if (op->loose) {
        FileKind kind = file_kind(path_basename(op->file));
        return !needs_siblings(rule) && fits_kind(rule, kind == KIND_NONE ? KIND_IMPL : kind);
    }
    switch (op->scope) {
    case SCOPE_FILE:
        return (op->bridge && rule_is_in(rule, SET_CONSISTENCY)) ||
               fits_kind(rule, file_kind(path_basename(op->file)));
    case SCOPE_PHASE:
        return rule_is_in(rule, SET_PHASE_GATE);
    case SCOPE_DEFAULT:
        break;
    }
    return true;
}

/* A stage gate at a stage that nobody said: its rules and those of the files that are there. */
static Rules guessed_gate(Arena *arena, Operator *op)
{
    Rules rules = {0};
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        if (rule_is_due(rule_registry[i], op)) {
            VEC_PUSH(arena, &rules, rule_registry[i]);
        }
    }
    return rules;
}

/* Every rule that the request could mean, before selectors are asked. */
static Rules candidates(Arena *arena, const Request *request, Operator *op)
{
    if (request->what.set == SET_STAGE_GATE && op->stage_guessed &&
        request->what.rules.count == 0) {
        return guessed_gate(arena, op);
    }
    if (request->what.set != SET_SCOPE && request->what.rules.count == 0) {
        bool bridge = request->who.hook == HOOK_POST_EDIT && op->bridge;
        return bridge ? rule_set(arena, SET_CONSISTENCY, op->stage)
               : request->who.hook == HOOK_POST_EDIT
                   ? rule_set_after_edit(arena, request->what.set, op->stage, request->what.edited)
                   : rule_set(arena, request->what.set, op->stage);
    }
    Rules rules = {0};
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        const Rule *rule = rule_registry[i];
        if (request->what.rules.count > 0 || fits_scope(rule, request, op)) {
            VEC_PUSH(arena, &rules, rule);
        }
    }
    return rules;
}

Profile profile_of(const Request *request, const Config *config, bool loose)
{
    if (request_is_strict(request) || request->who.upstream) {
        return PROFILE_OPERATOR;
    }
    if (request->what.profile != PROFILE_UNSET) {
        return request->what.profile;
    }
    return config->profile != PROFILE_UNSET ? config->profile
           : loose                          ? PROFILE_KERNEL
                                            : PROFILE_OPERATOR;
}

/* Without --rules: `select`, else the profile; `extend-select` adds to it, `ignore` wins. */
static bool is_selected(const Request *request, const Config *config, const Operator *op,
                        const Rule *rule)
{
    Strs select = request->what.select.count > 0 ? request->what.select : config->select;
    bool selected =
        select.count > 0 ? any_matches(select, rule) : !op->plain || rule_is_in(rule, SET_KERNEL);
    return (selected || any_matches(config->extend_select, rule) ||
            any_matches(request->what.extend_select, rule)) &&
           !any_matches(config->ignore, rule);
}

Rules select_rules(Arena *arena, const Request *request, const Config *config, Operator *op)
{
    Rules all = candidates(arena, request, op);
    Rules rules = {0};
    for (uint32_t i = 0; i < all.count; i++) {
        const Rule *rule = all.items[i];
        bool wanted = request->what.rules.count > 0 ? any_matches(request->what.rules, rule)
                                                    : is_selected(request, config, op, rule);
        bool off = is_semantics_rule(rule) && config->semantics == SEMANTICS_OFF;
        if (wanted && !off && !any_matches(request->what.ignore, rule)) {
            VEC_PUSH(arena, &rules, rule);
        }
    }
    return rules;
}

bool select_has_no_candidate(const Request *request, Operator *op)
{
    return op->scope == SCOPE_FILE && candidates(op->arena, request, op).count == 0;
}

bool select_ol00(const Request *request, const Config *config)
{
    /* The Python linter has none; a file that was just written and does not parse must not pass. */
    bool unknown = request->who.upstream && request->who.hook != HOOK_POST_EDIT;
    if (unknown || any_matches(request->what.ignore, &rule_ol00)) {
        return false;
    }
    /* A file that could not be parsed was not checked: no setting lets it through a gate. */
    return request_is_strict(request) || any_matches(request->what.rules, &rule_ol00) ||
           !any_matches(config->ignore, &rule_ol00);
}
