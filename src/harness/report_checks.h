/* Report checks: the key `checks` of the report, and how its trees are built. */
#ifndef PYPTO_LINT_HARNESS_REPORT_CHECKS_H
#define PYPTO_LINT_HARNESS_REPORT_CHECKS_H

#include "harness/judgement.h"

#include <jansson.h>

/* One failed step makes the whole tree useless. */
typedef struct ReportTree {
    bool failed;
    Arena *arena; /* for texts on the way */
} ReportTree;

/* Put a value, which is taken over (NULL = it could not be made), into an object or an array. */
void report_put(ReportTree *tree, json_t *object, const char *key, json_t *value);
void report_append(ReportTree *tree, json_t *array, json_t *value);
/* A number, or null: JSON has no NaN. */
void report_put_metric(ReportTree *tree, json_t *object, const char *key, Metric metric);

/* Code and line of an exception, where they are known. */
void report_put_raised(ReportTree *tree, json_t *object, const Cell *cell);

/* The list of all checks. */
json_t *report_checks(ReportTree *tree, const Judgement *judgement);

#endif
