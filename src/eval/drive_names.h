/* Names that a recorded loop binds. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_DRIVE_NAMES_H
#define PYPTO_LINT_EVAL_DRIVE_NAMES_H

#include "eval/drive.h"

typedef struct Carried {
    Str name;
    Value value;
    bool read_first; /* the body may read it before it binds it */
    bool is_new;     /* it had no value before the loop */
    bool changes;    /* a turn gives it another shape or data type */
} Carried;

typedef struct CarriedNames {
    VEC(Carried) names;
} CarriedNames;

void drive_collect_names(Eval *eval, NodeId loop, CarriedNames *carried);
/* At the end of a turn: which names have another form than before the loop? */
void drive_note_changes(Eval *eval, CarriedNames *carried);
/* What the names are at the start of a turn, and behind the loop. */
void drive_set_names(Eval *eval, const CarriedNames *carried, bool behind);

#endif
