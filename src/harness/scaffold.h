/* Scaffold: files of the verification workflow made from what an operator directory says
 * (docs/kernel-authors/scaffolding.md). Nothing is run, and nothing is written but by
 * scaffold_write. */
#ifndef PYPTO_LINT_HARNESS_SCAFFOLD_H
#define PYPTO_LINT_HARNESS_SCAFFOLD_H

#include "harness/contract.h"
#include "harness/spec_facts.h"

typedef struct ScaffoldRequest {
    Str op_dir;      /* as given */
    Str op_name;     /* a name that Python takes */
    uint32_t module; /* scaffold_module: the phase */
    Str golden;      /* scaffold_interfaces: the golden's path */
    Str spec;        /* scaffold_interfaces: path of SPEC.md; empty: the one beside the golden, if
                        there is one */
} ScaffoldRequest;

typedef struct ScaffoldFile {
    Str path;
    Str text;
    bool keep; /* what is there is never replaced */
} ScaffoldFile;

typedef struct Scaffold {
    VEC(ScaffoldFile) files;
    Strs notes; /* sentences about what was guessed or is missing */
} Scaffold;

/* These make the texts. False with one line in `*error` when the command has to refuse. */

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

/* Writes all files or none: without `force` a file that exists is a refusal that names it; when one
 * cannot be written, those before it are as they were. False with one line in `*error`. */
bool scaffold_write(Arena *arena, const Scaffold *scaffold, bool force, ScaffoldWritten *done,
                    Str *error);

#endif
