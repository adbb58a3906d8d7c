/* Scaffold: makes files of the verification workflow from the contents of an operator directory
 * (docs/kernel-authors/scaffolding.md). Runs nothing; only scaffold_write writes. */
#ifndef PYPTO_LINT_HARNESS_SCAFFOLD_SCAFFOLD_H
#define PYPTO_LINT_HARNESS_SCAFFOLD_SCAFFOLD_H

#include "harness/plan/contract.h"
#include "harness/plan/spec_facts.h"

typedef struct ScaffoldRequest {
    Str op_dir;      /* as given */
    Str op_name;     /* a valid Python name */
    uint32_t module; /* scaffold_module: the phase */
    Str golden;      /* scaffold_interfaces: the golden's path */
    Str spec;        /* scaffold_interfaces: path of SPEC.md; empty: the one beside the golden, if
                        there is one */
} ScaffoldRequest;

typedef struct ScaffoldFile {
    Str path;
    Str text;
    bool keep; /* an existing file is never replaced */
} ScaffoldFile;

typedef struct Scaffold {
    VEC(ScaffoldFile) files;
    Strs notes; /* sentences about guesses and missing parts */
} Scaffold;

/* These make the texts. False with one line in `*error` when the command must refuse. */

/* One file without a path: the skeleton of module_interfaces.yaml. */
bool scaffold_interfaces(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error);
/* eval/test_inputs.py, eval/adversarial_suite.json, eval/adversarial_runner.py. */
bool scaffold_eval(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error);
/* The test of a phase, and its golden's skeleton, which is kept when it exists. */
bool scaffold_module(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error);
/* test_<op>.py. */
bool scaffold_e2e(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error);

typedef struct ScaffoldWritten {
    Strs written, kept; /* paths */
} ScaffoldWritten;

/* Writes all files or none. Without `force` an existing file is refused; when a file cannot be
 * written, those before it are restored. False with one line in `*error`. */
bool scaffold_write(Arena *arena, const Scaffold *scaffold, bool force, ScaffoldWritten *done,
                    Str *error);

#endif
