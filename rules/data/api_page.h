/* ApiPage: what `pypto-lint api` shows of a name of the pypto package. Made at build time by
 * scripts/make_api_pages.py from src/model/ops.def, pypto-api.json and api_examples.def, so every
 * text but the name may be NULL. */
#ifndef PYPTO_LINT_RULES_DATA_API_PAGE_H
#define PYPTO_LINT_RULES_DATA_API_PAGE_H

#include "base/str.h"

typedef struct ApiPage {
    const char *name;      /* below pypto: "add", "experimental.nop" */
    const char *kind;      /* "operation", "function", "class", "enum", "constant", "module" */
    const char *group;     /* of an operation: "Arithmetic" */
    const char *call;      /* "pypto.add(input_tensor, other)" */
    const char *meaning;   /* a sentence */
    const char *dtypes;    /* of the first tensor: "FP16, FP32; 950: HF8" */
    const char *axes;      /* of the first tensor: "1–4" */
    const char *result;    /* dtype, in the words of ops.def */
    const char *limits;    /* further limits */
    const char *simulator; /* what the simulator does with it */
    const char *versions;  /* "since PyPTO 9.2" */
    const char *soc;       /* hardware that the example needs: "950DT" */
    const char *example;   /* a whole program */
} ApiPage;

/* Sorted by name. */
extern const ApiPage api_pages[];
extern const size_t api_page_count;

/* The page of a name below pypto, or NULL. */
const ApiPage *api_page_find(Str name);

#endif
