/* Category: the kind of a failure, in the two vocabularies of the report: `failure_category` for
 * readers, `verdict_category` for tools that route failures (docs/kernel-authors/verify-report.md,
 * "Categories"). */
#ifndef PYPTO_LINT_HARNESS_JUDGE_CATEGORY_H
#define PYPTO_LINT_HARNESS_JUDGE_CATEGORY_H

#include "harness/plan/mode.h"

/* In order of precedence: a case with several failures has the first of their categories. */
typedef enum Category {
    CATEGORY_STRUCTURAL, /* shape, dtype, count or naming contract; no kernel launched */
    CATEGORY_RUNTIME,    /* the dispatch crashed */
    CATEGORY_PRECISION,  /* wrong values */
    CATEGORY_OTHER,      /* inputs or reference failed: nothing is known about the kernel */
    CATEGORY_INFRA,      /* the host's environment */
    CATEGORY_NONE,       /* no failure */
} Category;

typedef enum VerdictCategory {
    ROUTE_PRECISION,
    ROUTE_AICORE,
    ROUTE_HOST_CRASH,
    ROUTE_WORKSPACE_OVERLAP,
    ROUTE_OOM,
    ROUTE_TILE_SHAPE,
    ROUTE_STRUCTURE,
    ROUTE_LAYOUT,
    ROUTE_TIMEOUT,
    ROUTE_OTHER,
} VerdictCategory;

/* "structural", "runtime" …; "other" for CATEGORY_NONE. */
const char *category_name(Category category);
/* "precision", "aicore" … */
const char *verdict_category_name(VerdictCategory route);

/* The route of a failed dispatch by PyPTO's error code (`F21003`; may be empty), the exception's
 * type and message, and the log. ROUTE_OTHER when nothing is recognised. */
VerdictCategory verdict_category_of(Str code, Str message, Str log);
/* The same for a kernel that ended normally with other values: only what the log says about the
 * device counts. ROUTE_PRECISION if it says nothing. */
VerdictCategory verdict_category_of_values(Str log);

#endif
