/* Names that a recorded loop binds. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_DRIVE_NAMES_H
#define PYPTO_LINT_EVAL_DRIVE_NAMES_H

#include "eval/drive.h"

/* --- how the source uses them (drive_uses.c) */

/* A name that the body of a loop binds. */
typedef struct LoopName {
    Str name;
    bool read_first; /* the body reads it before binding it */
    bool read_later; /* so does the code after the loop */
} LoopName;
typedef struct LoopNames {
    VEC(LoopName) names;
} LoopNames;

/* The names that a loop of the current function binds. */
const LoopNames *loop_names(Eval *eval, NodeId loop);

/* --- what the names mean (drive_names.c) */

typedef struct Carried {
    Str name;
    Value value; /* before the loop */
    Value slot;  /* under 9.2: the tensor that carries it between iterations; VALUE_NONE: none */
    Value left;  /* its value at the end of the last path */
    Value bound; /* its value at the end of the last path that binds it */
    bool read_first, read_later;
    bool is_new;  /* it had no value before the loop */
    bool changes; /* an iteration gives it another shape or data type */
    bool varies;  /* paths leave it with different values */
    bool differs; /* those that bind it do */
} Carried;

/* What happens to a tensor that an iteration binds to a name. */
typedef enum Carry {
    CARRY_OLD,    /* 9.1: the next iteration does not see it */
    CARRY_NEW,    /* 9.2: it does */
    CARRY_UNSURE, /* a helper of 9.1, which Python runs unchanged */
} Carry;

typedef struct CarriedNames {
    VEC(Carried) names;
    Carry carry;
    NodeId node; /* the loop, to which operations recorded here are attributed */
    bool once;   /* there is exactly one iteration */
} CarriedNames;

/* The version's way, for the current body. */
Carry drive_carry(const Eval *eval);
/* Before the loop begins. */
void drive_collect_names(Eval *eval, NodeId loop, bool once, CarriedNames *carried);
/* To be called at the start of a path of the body, at the end of an iteration, at the end of a
 * path, and after the loop. */
void drive_names_start(Eval *eval, CarriedNames *carried);
void drive_names_end_turn(Eval *eval, CarriedNames *carried);
void drive_names_end_path(Eval *eval, CarriedNames *carried);
void drive_names_behind(Eval *eval, const CarriedNames *carried);

/* --- names without a value (drive_unbound.c) */

/* Represents "bound on another path only"; not `sure`: it may have the value of that path. */
Value drive_unset(bool sure);
/* Is it that, or NULL? */
bool drive_is_unset(const Value *value);

#endif
