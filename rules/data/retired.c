/* Ids that name no rule, and why: a request for one gets an answer instead of a guess. */
#include "lint/result.h"

const RetiredRule retired_rules[] = {
    {"OL27",
     {"OL27 has no rule: the number was never assigned", "OL27 没有对应规则：该编号从未分配"}},
    {"OL35",
     {"OL35 has no rule: the number was never assigned", "OL35 没有对应规则：该编号从未分配"}},
    {"OL36",
     {"OL36 has no rule: the number was never assigned", "OL36 没有对应规则：该编号从未分配"}},
    {"OL38",
     {"OL38 was withdrawn: its check, a tensor annotation without a dtype, is the WARN of OL25",
      "OL38 已撤销：其检查（张量注解缺少 dtype）并入 OL25 的 WARN"}},
};
const uint32_t retired_rule_count = sizeof retired_rules / sizeof *retired_rules;
