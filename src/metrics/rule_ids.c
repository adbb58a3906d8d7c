/* Rule ids; see rule_ids.h. */
#include "metrics/rule_ids.h"

int rule_id_number(Str id)
{
    bool semantic = str_starts(id, STR("KS"));
    if (id.length != 4 || (!semantic && !str_starts(id, STR("OL")))) {
        return -1;
    }
    unsigned tens = (unsigned)(unsigned char)id.at[2] - '0';
    unsigned ones = (unsigned)(unsigned char)id.at[3] - '0';
    return tens > 9 || ones > 9 ? -1 : (int)(tens * 10 + ones) + (semantic ? RULE_ID_KS : 0);
}

RuleIdName rule_id_name(int number)
{
    bool semantic = number >= RULE_ID_KS;
    int digits = number % RULE_ID_KS;
    return (RuleIdName){{semantic ? 'K' : 'O', semantic ? 'S' : 'L', (char)('0' + digits / 10),
                         (char)('0' + digits % 10), '\0'}};
}

void rule_ids_add(RuleIds *ids, Str id)
{
    int number = rule_id_number(id);
    if (number >= 0) {
        ids->has[number] = true;
    }
}

void rule_ids_join(RuleIds *ids, const RuleIds *more)
{
    for (int i = 0; i < RULE_ID_COUNT; i++) {
        ids->has[i] = ids->has[i] || more->has[i];
    }
}

bool rule_ids_any(const RuleIds *ids)
{
    for (int i = 0; i < RULE_ID_COUNT; i++) {
        if (ids->has[i]) {
            return true;
        }
    }
    return false;
}
