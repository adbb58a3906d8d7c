/* What the static evaluation knows of kernels, and how far it came, for the reports. */
#ifndef PYPTO_LINT_REPORT_REPORT_KERNELS_H
#define PYPTO_LINT_REPORT_REPORT_KERNELS_H

#include "document/json.h"
#include "report/report_common.h"

/* Appends a line for each assignment and call (--show-types); nothing when it was not asked for. */
void kernel_types_add(Buf *out, const RunResult *result);
/* Appends how many kernels were evaluated, and where the evaluation ended early (--statistics). */
void kernel_statistics_add(Buf *out, const RunResult *result);
/* Adds the members `types` and, with `statistics`, `semantics` to the object of an operator. */
void kernel_json_add(JsonTree *tree, json_t *object, const SemanticsSummary *summary, Lang lang,
                     bool statistics);

#endif
