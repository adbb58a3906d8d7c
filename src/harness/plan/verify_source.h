/* Names in Python sources: facts about a file before it is executed. */
#ifndef PYPTO_LINT_HARNESS_PLAN_VERIFY_SOURCE_H
#define PYPTO_LINT_HARNESS_PLAN_VERIFY_SOURCE_H

#include "harness/plan/suite.h"
#include "lint/rule.h" /* Region */
#include "python/parse.h"

enum { SOURCE_LIMIT = 16 * 1024 * 1024 }; /* bytes of a Python file that is parsed */

typedef enum NameState {
    NAME_BOUND,   /* the top level defines a function of that name */
    NAME_MAYBE,   /* maybe: the file does not parse, or defines names in other ways */
    NAME_ABSENT,  /* certainly not */
    NAME_NO_FILE, /* there is no regular file that can be read */
} NameState;

typedef struct SourceName {
    NameState state;
    Str text;         /* of the file; empty for NAME_NO_FILE */
    Region place;     /* of the last `def` of the name; all zero without one */
    uint32_t start;   /* its byte offset */
    bool inspectable; /* it has a parameter `inspection_…` */
} SourceName;

/* Does the module at `path` have `name`? Everything in the arena. */
SourceName source_find_name(Arena *arena, Str path, Str name);

/* The functions `test_…` on the top level as cases, in the order of the file: the id is the name,
 * the level that of its end (`_l0` is L0). False when the file cannot be read or does not parse. */
bool source_tests(Arena *arena, Str path, SuiteCases *cases);

#endif
