/* Looking rules and their pages up by id. */
#include "lint/pages.h"

const RulePage *rule_page(const char *id)
{
    for (uint32_t i = 0; i < rule_page_count; i++) {
        if (strcmp(rule_pages[i].id, id) == 0) {
            return &rule_pages[i];
        }
    }
    return NULL;
}

const Rule *rule_find(Str id)
{
    if (str_is(id, rule_ol00.id)) {
        return &rule_ol00;
    }
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        if (str_is(id, rule_registry[i]->id)) {
            return rule_registry[i];
        }
    }
    return NULL;
}
