/* Interfaces: the module contract eval/module_interfaces.yaml: reading, what rules extract from it,
 * and the wiring check. */
#ifndef PYPTO_LINT_OPERATOR_INTERFACES_H
#define PYPTO_LINT_OPERATOR_INTERFACES_H

#include "operator/operator.h"
#include "operator/value.h"

#define INTERFACES_PATH "eval/module_interfaces.yaml"

typedef struct Interfaces {
    const Value *root; /* a mapping; NULL = no interfaces, see `reason` */
    Str reason;        /* why there are none, a clause with the path and for YAML errors the line */
    Str reason_zh;
    uint32_t line; /* of a YAML error, else 0 */
} Interfaces;

Interfaces operator_interfaces(Operator *op);
/* From the text of the file. */
Interfaces interfaces_read(Arena *arena, Str text);

/* --- names of modules */

/* Number of modules that a cumulative suffix stands for: "123" is 3 (the modules 1 … 3); 0 = no
 * valid suffix. */
uint32_t suffix_module_count(Str suffix);
/* The suffix of `modules/<op>_module<digits>_impl.py` (any folder); empty for any other name. */
Str implementation_suffix(Str op_name, Str path);

/* --- what rules extract */

typedef struct NameList {
    bool judged;   /* false: the key has the wrong type, the file is not to be judged */
    bool present;  /* the key exists */
    uint32_t line; /* of the key, 0 when absent */
    Strs names;
} NameList;

/* Names in `primary_inputs`. Absent: judged and empty. Not a list: not judged. */
NameList interfaces_primary_inputs(Arena *arena, const Interfaces *interfaces);
/* The primary inputs that the modules 1 … `modules` take, in the order of `primary_inputs`. Always
 * judged. */
NameList interfaces_module_inputs(Arena *arena, const Interfaces *interfaces, uint32_t modules);
/* Names of the outputs of module `module`. */
NameList interfaces_module_outputs(Arena *arena, const Interfaces *interfaces, uint32_t module);
/* Names in `final_outputs`. */
NameList interfaces_final_outputs(Arena *arena, const Interfaces *interfaces);

/* --- wiring */

typedef struct Violation {
    unsigned rule; /* 1 … 6 */
    uint32_t line;
    Str message; /* one line, names module, item and rule; below in Chinese */
    Str message_zh;
} Violation;
typedef VEC(Violation) Violations;

/* All violations of the six wiring rules, in the order modules, final outputs, outputs. */
Violations interfaces_validate(Arena *arena, const Interfaces *interfaces);

#endif
