/* Public names of an installed package, resolved from its source. Private to product*.c. */
#ifndef PYPTO_LINT_KERNEL_PRODUCT_NAMES_H
#define PYPTO_LINT_KERNEL_PRODUCT_NAMES_H

#include "kernel/product.h"

/* What one package may cost: the real one has some 60 files and 1 MB. A file of the limit takes the
 * parser a tenth of a second and 50 MB, which are given back before the next one is read. */
enum {
    PRODUCT_MAX_FILES = 200,
    PRODUCT_MAX_FILE_BYTES = 512 * 1024,
    PRODUCT_MAX_BYTES = 4 * 1024 * 1024,
    PRODUCT_MAX_NAMES = 20000,
    PRODUCT_MAX_NAME = 128,
    PRODUCT_PARSE_BUDGET = 256 * 1024 * 1024, /* memory for one file */
};

/* A file that was read: what tells whether it is still the same. */
typedef struct ReadFile {
    Str path; /* absolute */
    int64_t seconds, nanoseconds, size;
} ReadFile;
typedef VEC(ReadFile) ReadFiles;

/* The names that `pypto.NAME` finds in the package in `folder`, sorted, each once, without
 * those that begin with an underscore: bindings of __init__.py, of the modules that it takes
 * with `*`, and sub-modules that some module of the package imports. `*files` are what was
 * read; `*partial`: some module could not be, so there may be more. False when there is no
 * __init__.py to read. No file outside the folder is read. */
bool product_names_read(Arena *arena, Str folder, Strs *names, ReadFiles *files, bool *partial);

/* The same out of the cache of the user's (XDG_CACHE_HOME, else ~/.cache), if all its files are as
 * they were; and into it. A cache that cannot be read or written is passed over. */
bool product_cache_read(Arena *arena, Str folder, Strs *names, bool *partial);
void product_cache_write(Arena *arena, Str folder, const Strs *names, const ReadFiles *files,
                         bool partial);

#endif
