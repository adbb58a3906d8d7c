/* Api: the names that the pypto package exports, built in from pypto-api.json (by
 * scripts/make_api_table.py) or replaced at run time.
 *
 * The list in use is set once, before threads start, and only read afterwards. */
#ifndef PYPTO_LINT_RULES_DATA_API_H
#define PYPTO_LINT_RULES_DATA_API_H

#include "kernel/product.h"

typedef enum ApiKind {
    API_UNKNOWN, /* from a plain list of names */
    API_FUNCTION,
    API_CLASS,
    API_ENUM,
    API_CONSTANT,
    API_MODULE,
} ApiKind;

typedef enum ApiOrigin {
    API_OWN,       /* made to be used */
    API_LEAK,      /* a helper name that leaked into the namespace */
    API_SUBMODULE, /* a module of the package */
} ApiOrigin;

typedef struct ApiName {
    Str name;
    ApiKind kind;
    ApiOrigin origin;
    bool accepts_element; /* some parameter takes an Element */
    bool documented;
    ProductVersion since, until; /* the versions that have it */
} ApiName;

typedef struct Api {
    bool available;       /* false: replaced by `none`, the package counts as not importable */
    Str version;          /* of the list, for messages */
    bool is_replaced;     /* not the one that is built in */
    const ApiName *names; /* sorted by name */
    uint32_t count;
} Api;

/* Made by scripts/make_api_table.py. */
extern const Api api_builtin;

/* Sets the list in use, by the variable PYPTO_LINT_ATTRS_FILE: absent or empty for the built-in
 * list, "none" for no list at all, else the path of a JSON file: an object in the form of
 * pypto-api.json, an array of names, or an object with such an array in `attrs`. Names that start
 * with an underscore are dropped. False if the file cannot be read or has another form; `*error`
 * says why and names the variable, and the list in use is as before. The list lives in `arena`. To
 * be called before threads start; without a call the built-in list is in use. */
bool api_load(Arena *arena, Str *error);

/* The list in use. */
const Api *api_current(void);
/* The entry of a name in a list, or NULL. */
const ApiName *api_find(const Api *api, Str name);

#endif
