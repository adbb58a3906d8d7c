/* Report checks: the key `checks` of the report, and how its trees are built. */
#ifndef PYPTO_LINT_HARNESS_REPORT_CHECKS_H
#define PYPTO_LINT_HARNESS_REPORT_CHECKS_H

#include "document/json.h"
#include "harness/judgement.h"

/* A number, or null: JSON has no NaN. */
void report_put_metric(JsonTree *tree, json_t *object, const char *key, Metric metric);

/* Code and line of an exception, where they are known. */
void report_put_raised(JsonTree *tree, json_t *object, const CaseResult *case_result);

/* The list of all checks. */
json_t *report_checks(JsonTree *tree, const Judgement *judgement);

#endif
