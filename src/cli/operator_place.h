/* Which operator a command is about: --op, --op-dir, or where it was started. */
#ifndef PYPTO_LINT_CLI_OPERATOR_PLACE_H
#define PYPTO_LINT_CLI_OPERATOR_PLACE_H

#include "cli/cli.h"

typedef struct OperatorPlace {
    Str dir;  /* as given or found */
    Str name; /* of the state file, else of the folder; Python takes it as a name */
} OperatorPlace;

/* `op`: a name below ./custom or here, or a path; `op_dir`: a path; both empty: the operator
 * directory around the working directory. False after a message. */
bool operator_place(Arena *arena, Str op, Str op_dir, OperatorPlace *place);

/* The name alone, for an operator whose directory need not exist. False after a message. */
bool operator_name_of(Arena *arena, Str op, Str *name);

#endif
