/* Category: what kind of failure, in the two vocabularies of the report: `failure_category` for
 * whoever reads it, `verdict_category` for the tools that route it (docs/kernel-authors/verify.md,
 * "Categories"). */
#ifndef PYPTO_LINT_HARNESS_CATEGORY_H
#define PYPTO_LINT_HARNESS_CATEGORY_H

#include "harness/mode.h"

/* In the order of precedence: of several failures of one case the first here is the case's. */
typedef enum Category {
    CATEGORY_STRUCTURAL, /* shape, dtype, count or naming contract; no kernel launched */
    CATEGORY_RUNTIME,    /* the dispatch crashed */
    CATEGORY_PRECISION,  /* wrong values */
    CATEGORY_OTHER,      /* inputs or reference failed: nothing is known of the kernel */
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

/* Where the failure of a dispatch belongs by what is known of it: PyPTO's error code (`F21003`;
 * may be empty), the exception's type and message, and the log. ROUTE_OTHER when nothing is
 * recognised. */
VerdictCategory verdict_category_of(Str code, Str message, Str log);
/* The same for a kernel that ran through but whose values differ: only what a log says of the
 * device counts. ROUTE_PRECISION when it says nothing. */
VerdictCategory verdict_category_of_values(Str log);

#endif
