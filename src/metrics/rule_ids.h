/* Rule ids: a set of rules by prefix and digits of their ids, as the metrics list them. */
#ifndef PYPTO_LINT_METRICS_RULE_IDS_H
#define PYPTO_LINT_METRICS_RULE_IDS_H

#include "base/str.h"

/* OL00 to OL99, then KS00 to KS99. */
enum { RULE_ID_COUNT = 200, RULE_ID_KS = 100 };

typedef struct RuleIds {
    bool has[RULE_ID_COUNT];
} RuleIds;

/* The place of an id in the set: 48 for "OL48", 112 for "KS12", -1 for any other text. */
int rule_id_number(Str id);
/* The id at a place, terminated. */
typedef struct RuleIdName {
    char text[5];
} RuleIdName;
RuleIdName rule_id_name(int number);
/* Adds an id; others than "OLnn" and "KSnn" are passed over. */
void rule_ids_add(RuleIds *ids, Str id);
void rule_ids_join(RuleIds *ids, const RuleIds *more);
bool rule_ids_any(const RuleIds *ids);

#endif
