/* Error codes of PyPTO by number and by the name of their enum. Numbers moved between versions, so
 * that the name says which error it is. */
#ifndef PYPTO_LINT_LINT_PRODUCT_CODES_H
#define PYPTO_LINT_LINT_PRODUCT_CODES_H

#include "lint/rule.h"

typedef struct ProductCode {
    const char *name;                  /* of the enum; NULL = not known */
    unsigned numbers[PRODUCT_9_2 + 1]; /* by version; 0 = that one does not have it */
    Text meaning;
} ProductCode;

/* The next one from `*at` on (0 at first) that a word means: a name, or the number in any version,
 * "F74007". NULL at the end. */
const ProductCode *product_code_find(Str word, size_t *at);

/* The code with this index, from 0 on; NULL after the last. */
const ProductCode *product_code_at(size_t index);

/* Has the word the form of a number or of a name that product_code_find knows? */
bool is_product_code(Str word);

#endif
