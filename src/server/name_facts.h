/* NameFacts: what editors show of a name of the pypto package. The table is made at build time by
 * scripts/make_sim_ops.py from src/model/ops.def and rules/data/pypto-api.json. */
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

/* What is not known is an empty text. */
typedef struct NameFacts {
    NameKind kind;
    const char *name;      /* below pypto: "add", "experimental.nop" */
    const char *call;      /* "view(input, shape=None, …)" */
    const char *meaning;   /* a sentence */
    const char *dtypes;    /* of the first tensor, blanks between */
    const char *dtypes950; /* on top of those on the Ascend 950 */
    const char *rank;      /* of the first tensor: "1-4" */
    const char *limits;
    const char *members;       /* of an enum or a class, blanks between */
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
