/* Semantics; see semantics.h. */
#include "lint/semantics.h"

/* Does a rule that takes precedence report the same line? */
static bool is_reported(const Findings *findings, const Finding *finding)
{
    const char *others = finding->rule->yields_to;
    for (uint32_t i = 0; others != NULL && i < findings->count; i++) {
        const Finding *other = findings->items[i];
        if (other->region.line == finding->region.line && str_equal(other->file, finding->file) &&
            strstr(others, other->rule->id) != NULL) {
            return true;
        }
    }
    return false;
}

void semantics_settle(OperatorResult *result, bool mild)
{
    Findings *findings = &result->findings;
    uint32_t kept = 0;
    bool changed = false;
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
