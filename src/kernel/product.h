/* Product: the version of PyPTO that kernels are judged by, and where it comes from. Found by
 * reading files only: an import of the package loads libraries and may start a compiler
 * (docs/kernel-authors/versions.md). */
#ifndef PYPTO_LINT_KERNEL_PRODUCT_H
#define PYPTO_LINT_KERNEL_PRODUCT_H

#include "kernel/kernel.h"

/* The versions that are described, oldest first. ORDER PRODUCT_VERSION: product_version_names. */
typedef enum ProductVersion { PRODUCT_9_1, PRODUCT_9_2 } ProductVersion;

/* Who says which version it is. What only another version has or allows is a warning while nobody
 * does, else what the product of that version makes of it. */
typedef enum ProductSource {
    PRODUCT_ASSUMED, /* nobody: the newest one */
    PRODUCT_INSTALLED,
    PRODUCT_SETTING,  /* `pypto` in .pypto-lint.yaml */
    PRODUCT_VARIABLE, /* PTOSIM_PYPTO */
    PRODUCT_OPTION,   /* --pypto */
} ProductSource;

typedef struct Product {
    ProductVersion version;
    ProductSource source;
    Str place;          /* the settings' path, or the installed package's folder; else empty */
    bool old_front_end; /* 9.2, but kernels that do not say new_ir= have the front end of 9.1 */
} Product;

/* An installed package. */
typedef struct InstalledProduct {
    Str place; /* its folder, or the file that told the version */
    ProductVersion version;
    Str number;    /* as the installation calls it, "9.2.0"; or empty */
    bool is_other; /* its version is not described: the nearest one counts */
    bool old_front_end;
    bool has_names;  /* `names` was read; else only the version is known */
    bool is_partial; /* some module could not be read: there may be more names */
    Strs names;      /* public ones, sorted */
} InstalledProduct;

extern const char *const product_version_names[]; /* "9.1", "9.2" */

/* "9.1" or "9.2". */
bool product_version_read(Str text, ProductVersion *version);
/* The nearest described version of a number such as "9.2.0" or "10.0"; false when it is none. */
bool product_version_nearest(Str number, ProductVersion *version, bool *is_other);

/* Adds the virtual environments that lie in a folder (absolute), in the order that counts. */
void product_environments(Arena *arena, Str folder, Strs *prefixes);
/* The installed package that a project with these virtual environments uses: of PYTHONPATH, the
 * interpreter `python` (a path; else that of PYPTO_LINT_PYTHON), the environments, python3 of PATH,
 * the toolkit of ASCEND_HOME_PATH. NULL when there is none. Everything is in the arena. */
const InstalledProduct *product_installed(Arena *arena, const Strs *environments, Str python);

/* The product by a request, the environment and the settings: `option` is --pypto, `setting` that
 * of the file `settings` (each empty = not given), `installed` may be NULL. A PTOSIM_PYPTO that is
 * not a version counts as not given. */
Product product_choose(Str option, Str setting, Str settings, const InstalledProduct *installed);

/* "9.2 (--pypto)" and the like, in the arena. */
Str product_text(Arena *arena, const Product *product, bool zh);

#endif
