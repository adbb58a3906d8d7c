/* Rule ids: a set of rules by the two digits of their ids, as the metrics list them. */
#ifndef PYPTO_LINT_HOOK_RULE_IDS_H
#define PYPTO_LINT_HOOK_RULE_IDS_H

#include "base/str.h"

enum { RULE_ID_COUNT = 100 };

typedef struct RuleIds {
    bool has[RULE_ID_COUNT];
} RuleIds;

/* The number in "OL48", or -1 for any other text. */
int rule_id_number(Str id);
/* Adds an id; others than "OLnn" are passed over. */
void rule_ids_add(RuleIds *ids, Str id);
void rule_ids_join(RuleIds *ids, const RuleIds *more);
bool rule_ids_any(const RuleIds *ids);

#endif
