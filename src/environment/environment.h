/* Environment: what is installed for running kernels on a device, and whether it fits together.
 * Found by reading files; only the user's own Python is run, for its version and its folders of
 * packages, and only when the root is this machine's. */
#ifndef PYPTO_LINT_ENVIRONMENT_ENVIRONMENT_H
#define PYPTO_LINT_ENVIRONMENT_ENVIRONMENT_H

#include "environment/rooted.h"
#include "lint/rule.h"

/* ORDER FACT_STATE: names in environment.c. */
typedef enum FactState {
    FACT_OK,
    FACT_INFO,        /* nothing to judge */
    FACT_NOT_CHECKED, /* `value` says why */
    FACT_WARNING,
    FACT_BAD,
} FactState;
/* "ok", "info", "not checked", "warning", "bad". */
Text fact_state_text(FactState state);

typedef struct Fact {
    const char *id; /* "cann", "devices" … */
    Text label;
    FactState state;
    Str value;
    Strs details;
    Str recipe; /* what to do; empty when there is nothing */
} Fact;
typedef VEC(Fact) Facts;

typedef struct Environment {
    Arena *arena;
    const Rooted *root;
    Lang lang;
    Facts facts;                        /* in the order of the page */
    Str machine;                        /* "x86_64" */
    Str home, cann_version;             /* folder of the toolkit, or empty */
    Str python;                         /* path of the interpreter, or empty */
    Strs sites;                         /* folders of packages, in the order of imports */
    Str torch, torch_npu, numpy, pypto; /* versions, or empty */
} Environment;

/* Looks at everything. In the arena. */
Environment *environment_look(Arena *arena, const Rooted *root, Lang lang);
/* Is any fact bad? */
bool environment_is_bad(const Environment *environment);

/* --- for the files of this folder */

/* Adds a fact; the texts are copied. */
Fact *environment_add(Environment *environment, const char *id, Text label, FactState state,
                      Str value);
void environment_recipe(Environment *environment, Fact *fact, Text recipe);
/* The text after `key` and before the end of the line; empty without such a line. */
Str environment_value(Str text, Str key);

void environment_add_ascend(Environment *environment);   /* driver, firmware, CANN */
void environment_add_devices(Environment *environment);  /* devices, and who uses them */
void environment_add_packages(Environment *environment); /* Python, torch …, and how they fit */
void environment_add_libraries(Environment *environment);
void environment_add_host(Environment *environment); /* variables, disk, memory */

#endif
