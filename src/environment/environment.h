/* Environment: what is installed for running kernels on a device, and whether the versions are
 * compatible. Found by reading files; the only program run is the user's own Python, for its
 * version and package folders, and only when the root is this machine's. */
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
    Facts facts;                        /* in the order in which they are shown */
    Str machine;                        /* "x86_64" */
    Str home, cann_version;             /* of the toolkit: folder and version, or empty */
    Str python;                         /* path of the interpreter, or empty */
    Strs sites;                         /* package folders, in the order of sys.path */
    Str torch, torch_npu, numpy, pypto; /* versions, or empty */
} Environment;

/* Collects all facts. Everything is in the arena; `root` must stay open and valid. */
Environment *environment_look(Arena *arena, const Rooted *root, Lang lang);
/* Is any fact bad? */
bool environment_is_bad(const Environment *environment);

/* --- for the files of this folder */

/* Adds a fact and copies `value`; `id` and `label` must be constants. The pointer is valid until
 * the next call. */
Fact *environment_add(Environment *environment, const char *id, Text label, FactState state,
                      Str value);
void environment_recipe(Environment *environment, Fact *fact, Text recipe);
/* One that is about a shell: another text where another root is examined, whose shells cannot be
 * seen from here. */
void environment_recipe_in(Environment *environment, Fact *fact, Text here, Text in_root);
/* The rest of the first line that starts with `key`, both trimmed; empty without such a line. */
Str environment_value(Str text, Str key);

void environment_add_ascend(Environment *environment);   /* driver, firmware, CANN */
void environment_add_devices(Environment *environment);  /* devices, and who uses them */
void environment_add_packages(Environment *environment); /* Python, torch …, and how they fit */
void environment_add_libraries(Environment *environment);
void environment_add_host(Environment *environment); /* variables, disk, memory */

#endif
