/* The version of PyPTO that a project's programs and kernels are judged by. */
#ifndef PYPTO_LINT_LINT_PROJECT_PRODUCT_H
#define PYPTO_LINT_LINT_PROJECT_PRODUCT_H

#include "lint/config.h"

typedef struct ProjectProduct {
    Product product;
    const InstalledProduct *installed; /* NULL = none */
    Str error; /* why the settings cannot be used, in `lang`; then they say nothing. Else empty */
} ProjectProduct;

/* For what is in `folder`: by `option` (--pypto, or empty), PTOSIM_PYPTO, the settings, the package
 * that is installed for `python` (--python, or empty) or for the project. In the arena. */
ProjectProduct project_product(Arena *arena, Str folder, Str option, Str python, Lang lang);

/* What must be said of an installed package of a version that is not described, else empty. */
Str installed_remark(Arena *arena, const InstalledProduct *installed, Lang lang);

#endif
