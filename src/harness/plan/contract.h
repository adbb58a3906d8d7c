/* Contract: eval/module_interfaces.yaml as scaffolding and composition need it: typed, complete,
 * and with names and expressions that can be written into a Python program. */
#ifndef PYPTO_LINT_HARNESS_PLAN_CONTRACT_H
#define PYPTO_LINT_HARNESS_PLAN_CONTRACT_H

#include "harness/plan/dimension.h"
#include "operator/interfaces.h"

typedef struct ContractTensor {
    Str name;   /* an identifier */
    Strs shape; /* an expression for each dimension */
    Str dtype;  /* a name of rule 6; an input may also be `float`, `int8`, `int16`, `uint8` */
    Str value;  /* of a scalar input: the golden's default, if it is known */
} ContractTensor;
typedef VEC(ContractTensor) ContractTensors;

typedef VEC(Variables) VariableSets;

typedef struct Contract {
    Str op;
    const Interfaces *interfaces;
    ContractTensors inputs; /* primary, in the order of the golden's parameters */
    uint32_t modules;       /* how many there are */
    Strs dimensions;        /* all names in shapes of inputs and outputs, in order of appearance */
    bool has_tolerance;
    double atol, rtol;   /* of composition_verification, else the defaults of a suite */
    VEC(int64_t) seeds;  /* never empty: 0, 1, 2 if it has none */
    VariableSets shapes; /* those of composition_verification with numbers */
} Contract;

/* A contract with more is refused, because names are compared each with each. */
enum {
    CONTRACT_MAX_BYTES = 4 * 1024 * 1024,
    CONTRACT_MAX_NAMES = 1000, /* of primary inputs, dimensions and modules, each */
};

/* An ASCII name in Python: letters, digits and _, no digit first, no keyword. */
bool is_python_name(Str name);

/* The usual name of a dtype: "bfloat16" for "bf16", "BF16" and so on; empty if it is unknown. */
Str canonical_dtype(Str name);

/* Reads the text of the file and checks it: the wiring rules, and whether names, shapes and dtypes
 * of the primary inputs are usable. False with one line in `*error`. */
bool contract_read(Arena *arena, Str text, Contract *contract, Str *error);
/* The same from the file of an operator directory. */
bool contract_load(Arena *arena, Str op_dir, Contract *contract, Str *error);

/* The names of the primary inputs of the modules 1 … `module`, in order. */
Strs contract_phase_inputs(Arena *arena, const Contract *contract, uint32_t module);

/* The outputs of a phase: those of its last module; for the last phase the final outputs. */
ContractTensors contract_phase_outputs(Arena *arena, const Contract *contract, uint32_t module);

/* The input of that name, or NULL. */
const ContractTensor *contract_input(const Contract *contract, Str name);

#endif
