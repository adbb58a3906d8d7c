/* NameFacts: what editors show for a name of the pypto package. At build time
 * scripts/make_sim_ops.py makes the table from src/model/ops.def and rules/data/pypto-api.json. */
#ifndef PYPTO_LINT_SERVER_NAME_FACTS_H
#define PYPTO_LINT_SERVER_NAME_FACTS_H

#include "base/str.h"

typedef enum NameKind {
    NAME_FUNCTION,
    NAME_CLASS,
    NAME_ENUM,
    NAME_CONSTANT,
    NAME_MODULE,
} NameKind;

/* Unknown facts are empty texts. */
typedef struct NameFacts {
    NameKind kind;
    const char *name;      /* below pypto: "add", "experimental.nop" */
    const char *call;      /* "view(input, shape=None, …)" */
    const char *meaning;   /* a sentence */
    const char *dtypes;    /* of the first tensor, separated by blanks */
    const char *dtypes950; /* additional ones on the Ascend 950 */
    const char *rank;      /* of the first tensor: "1-4" */
    const char *limits;
    const char *members;       /* of an enum or a class, separated by blanks */
    const char *since, *until; /* the first and last version that has it; empty: all */
} NameFacts;

/* Sorted by name. */
extern const NameFacts name_facts[];
extern const size_t name_fact_count;

static inline const NameFacts *name_facts_find(Str name)
{
    for (size_t i = 0; i < name_fact_count; i++) {
        if (str_is(name, name_facts[i].name)) {
            return &name_facts[i];
        }
    }
    return NULL;
}

#endif
