/* What the pypto package has: names, members, signatures. The table is made at build time by
 * scripts/make_sim_ops.py from src/model/ops.def and rules/data/pypto-api.json. */
#ifndef PYPTO_LINT_EVAL_API_FACTS_H
#define PYPTO_LINT_EVAL_API_FACTS_H

#include "base/str.h"

typedef enum ApiFactKind {
    API_FACT_FUNCTION,
    API_FACT_CLASS,
    API_FACT_ENUM,
    API_FACT_CONSTANT,
    API_FACT_MODULE,
} ApiFactKind;

typedef struct ApiFact {
    const char *name; /* below pypto: "add", "experimental.nop" */
    ApiFactKind kind;
    bool gives_tensor; /* a call returns one tensor */
    /* Parameters, separated by blanks: "input shape? * valid_shape?": `?` marks a default, `*`
     * begins the keyword-only ones, `*x` and `**x` take any number. NULL: not known. For an enum
     * its members. */
    const char *parameters;
} ApiFact;

/* Sorted by name. */
extern const ApiFact api_facts[];
extern const size_t api_fact_count;

/* The entry of a name below pypto, or NULL. */
const ApiFact *api_fact_find(Str name);
/* Is `word` among the words of `list`, which are separated by blanks? */
bool api_words_have(const char *list, Str word);
/* The attributes and methods of tensors and of symbolic scalars, separated by blanks. */
extern const char api_tensor_members[];
extern const char api_symbol_members[];

#endif
