/* Names that a recorded loop binds. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_DRIVE_NAMES_H
#define PYPTO_LINT_EVAL_DRIVE_NAMES_H

#include "eval/drive.h"

/* --- what the source says (drive_uses.c) */

/* A name that the body of a loop binds. */
typedef struct LoopName {
    Str name;
    bool read_first; /* the body reads it before it binds it */
    bool read_later; /* so does what follows the loop */
} LoopName;
typedef struct LoopNames {
    VEC(LoopName) names;
} LoopNames;

/* Those of a loop of the function that is walked. */
const LoopNames *loop_names(Eval *eval, NodeId loop);

/* --- what the names mean (drive_names.c) */

typedef struct Carried {
    Str name;
    Value value; /* before the loop */
    Value
        slot; /* under 9.2: the tensor that takes it from turn to turn; VALUE_NONE: there is none */
    Value left; /* what the last path has left it with */
    bool read_first, read_later;
    bool is_new;  /* it had no value before the loop */
    bool changes; /* a turn gives it another shape or data type */
    bool varies;  /* paths leave it with different values */
} Carried;

/* What happens to a tensor that a turn binds to a name. */
typedef enum Carry {
    CARRY_OLD,    /* 9.1: the next turn does not see it */
    CARRY_NEW,    /* 9.2: it does */
    CARRY_UNSURE, /* a helper of 9.1, which Python runs as it stands */
} Carry;

typedef struct CarriedNames {
    VEC(Carried) names;
    Carry carry;
    NodeId node; /* of the loop, for what is recorded here */
    bool once;   /* there is exactly one turn */
} CarriedNames;

/* Before the loop begins. */
void drive_collect_names(Eval *eval, NodeId loop, bool once, CarriedNames *carried);
/* At the start of a path of the body; at the end of a turn; at the end of a path; behind the
 * loop. */
void drive_names_start(Eval *eval, CarriedNames *carried);
void drive_names_end_turn(Eval *eval, CarriedNames *carried);
void drive_names_end_path(Eval *eval, CarriedNames *carried);
void drive_names_behind(Eval *eval, const CarriedNames *carried);

#endif
