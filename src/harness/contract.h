/* Contract: eval/module_interfaces.yaml as scaffolding and composition need it: typed, complete,
 * with nothing in it that could not stand in a Python program. */
#ifndef PYPTO_LINT_HARNESS_CONTRACT_H
#define PYPTO_LINT_HARNESS_CONTRACT_H

#include "harness/dimension.h"
#include "operator/interfaces.h"

typedef struct ContractTensor {
    Str name;   /* an identifier */
    Strs shape; /* an expression for each dimension */
    Str dtype;  /* of the names of rule 6; an input may also be `float`, `int8`, `int16`, `uint8` */
    Str value;  /* of a scalar input: the golden's default, where it is known */
} ContractTensor;
typedef VEC(ContractTensor) ContractTensors;

typedef VEC(Variables) VariableSets;

typedef struct Contract {
    Str op;
    const Interfaces *interfaces;
    ContractTensors inputs; /* primary, in the order of the golden's parameters */
    uint32_t modules;       /* how many there are */
    Strs dimensions; /* every name in a shape of an input or output, in order of appearance */
    bool has_tolerance;
    double atol, rtol;   /* of composition_verification, else the defaults of a suite */
    VEC(int64_t) seeds;  /* never empty: 0, 1, 2 when it gives none */
    VariableSets shapes; /* those of composition_verification that give numbers */
} Contract;

/* A contract with more is refused: names are compared each with each. */
enum {
    CONTRACT_MAX_BYTES = 4 * 1024 * 1024,
    CONTRACT_MAX_NAMES = 1000, /* of primary inputs, dimensions and modules, each */
};

/* A name that Python takes: ASCII letters, digits and _, no digit first, no keyword. */
bool is_python_name(Str name);

/* "bfloat16" for "bf16" and the like, in any case; a name of rule 6 for itself; else empty. */
Str canonical_dtype(Str name);

/* Reads the text of the file and checks it: the wiring rules, and that names, shapes and dtypes of
 * the primary inputs can be used. False with one line in `*error`. */
bool contract_read(Arena *arena, Str text, Contract *contract, Str *error);
/* The same from the file of an operator directory. */
bool contract_load(Arena *arena, Str op_dir, Contract *contract, Str *error);

/* The names of the primary inputs that the modules 1 … `module` take, in order. */
Strs contract_phase_inputs(Arena *arena, const Contract *contract, uint32_t module);

/* What a phase returns: the outputs of its last module, of the last phase the final outputs. */
ContractTensors contract_phase_outputs(Arena *arena, const Contract *contract, uint32_t module);

/* "[B, T//BT]", in the arena. */
Str contract_shape_text(Arena *arena, const Strs *shape);

/* The input of that name, or NULL. */
const ContractTensor *contract_input(const Contract *contract, Str name);

#endif
