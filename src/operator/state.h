/* State: `.orchestrator_state.json` of an operator directory, and what is inferred without it
 * (docs/operator-directory.md). */
#ifndef PYPTO_LINT_OPERATOR_STATE_H
#define PYPTO_LINT_OPERATOR_STATE_H

#include "operator/operator.h"

typedef struct OperatorState {
    bool exists;       /* a regular file of that name */
    bool valid;        /* JSON whose top is an object */
    Str operator_name; /* empty when absent or not a string */
    int current_stage; /* 0 when absent or unusable */
} OperatorState;

/* Reads the state file in `dir`; everything in the arena. */
OperatorState state_read(Arena *arena, Str dir);

/* Last component of the absolute form of `dir`; in the arena. */
Str directory_name(Arena *arena, Str dir);

/* Stage by the artifacts that are there (1 and 6, 7 are never inferred); 0 = unknown. */
int stage_from_artifacts(Arena *arena, Str dir, Str name);
/* Stage by the name of an edited file; 0 = unknown. */
int stage_from_file(Str basename);

#endif
