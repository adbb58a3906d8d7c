/* Semantics; see semantics.h. */
#include "lint/semantics.h"

/* Does a rule that takes precedence report the same line (with a `*` after its id: the same
 * file)? */
static bool is_reported(const Findings *findings, const Finding *finding)
{
    const char *others = finding->rule->yields_to;
    for (uint32_t i = 0; others != NULL && i < findings->count; i++) {
        const Finding *other = findings->items[i];
        const char *named = strstr(others, other->rule->id);
        bool same_line = other->region.line == finding->region.line;
        if (named != NULL && str_equal(other->file, finding->file) &&
            (same_line || named[strlen(other->rule->id)] == '*')) {
            return true;
        }
    }
    return false;
}

/* Does a rule KS report the line of a finding that yields to it? */
static bool is_left_to_semantics(const Findings *findings, const Finding *finding)
{
    for (uint32_t i = 0; finding->yields && i < findings->count; i++) {
        const Finding *other = findings->items[i];
        if (is_semantics_rule(other->rule) && other->region.line == finding->region.line &&
            str_equal(other->file, finding->file)) {
            return true;
        }
    }
    return false;
}

/* Drops those findings; true when there was one. */
static bool drop_yielding(Findings *findings)
{
    Findings all = *findings;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        all.items[i]->yields = is_left_to_semantics(&all, all.items[i]);
    }
    for (uint32_t i = 0; i < all.count; i++) {
        if (!all.items[i]->yields) {
            findings->items[kept++] = all.items[i];
        }
    }
    findings->count = kept;
    return kept < all.count;
}

void semantics_settle(OperatorResult *result, bool mild)
{
    Findings *findings = &result->findings;
    uint32_t kept = 0;
    bool changed = drop_yielding(findings);
    for (uint32_t i = 0; i < findings->count; i++) {
        Finding *finding = findings->items[i];
        if (!is_semantics_rule(finding->rule)) {
            findings->items[kept++] = finding;
            continue;
        }
        bool softened = mild && finding->status == STATUS_FAIL;
        finding->status = softened ? STATUS_WARN : finding->status;
        bool reported = is_reported(findings, finding);
        changed = changed || softened || reported;
        if (!reported) {
            findings->items[kept++] = finding;
        }
    }
    findings->count = kept;
    if (changed) {
        result_update_statuses(result);
    }
}

void semantics_hide_passed(OperatorResult *result)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < result->rules.count; i++) {
        const RuleResult *entry = &result->rules.items[i];
        if (!is_semantics_rule(entry->rule) || entry->status >= STATUS_INFO) {
            result->rules.items[kept++] = *entry;
        }
    }
    result->rules.count = kept;
}
