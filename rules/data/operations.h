/* What the simulator's src/model/ops.def says of PyPTO's operations, for rules: which dtypes and
 * ranks they take, whether they need a vector tile. The table is made at build time by
 * scripts/make_sim_ops.py, so that rules and simulator cannot disagree. */
#ifndef PYPTO_LINT_RULES_DATA_OPERATIONS_H
#define PYPTO_LINT_RULES_DATA_OPERATIONS_H

#include "base/str.h"

typedef struct OperationFacts {
    const char *name;       /* below pypto: "add", "experimental.nop" */
    const char *dtypes;     /* of the first tensor: " DT_FP16 DT_FP32 "; "" = any, or not known */
    const char *dtypes950;  /* on top of those on the Ascend 950, the same way */
    int min_rank, max_rank; /* of the first tensor; 0 = not known */
    bool is_vector;         /* works in vector tiles */
    bool is_simulated;
} OperationFacts;

/* Sorted by name. */
extern const OperationFacts operation_facts[];
extern const size_t operation_fact_count;

/* The facts of an operation, or NULL. */
static inline const OperationFacts *operation_facts_find(Str name)
{
    size_t low = 0, high = operation_fact_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_compare(str_from(operation_facts[middle].name), name);
        if (order == 0) {
            return &operation_facts[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

#endif
