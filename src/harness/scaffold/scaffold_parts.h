/* Scaffold parts: shared by the scaffolded files. Private to src/harness/scaffold. */
#ifndef PYPTO_LINT_HARNESS_SCAFFOLD_SCAFFOLD_PARTS_H
#define PYPTO_LINT_HARNESS_SCAFFOLD_SCAFFOLD_PARTS_H

#include "harness/plan/golden_source.h"
#include "harness/plan/shape_cases.h"
#include "harness/scaffold/scaffold.h"
#include "harness/scaffold/template.h"

/* The known facts about an operator. */
typedef struct ScaffoldFacts {
    Arena *arena;
    const ScaffoldRequest *request;
    Contract contract;
    SpecFacts spec;
    Strs dtypes; /* the main dtype of the inputs, then others that SPEC.md lists */
    double atol, rtol;
    ShapeCases cases;
} ScaffoldFacts;

/* A path below the operator directory, terminated. */
Str scaffold_path(const ScaffoldFacts *facts, Str relative);

/* Reads contract and SPEC.md. False with one line in `*error`. */
bool scaffold_facts_read(Arena *arena, const ScaffoldRequest *request, ScaffoldFacts *facts,
                         Scaffold *out, Str *error);
/* Derives dtypes, tolerances and cases from contract and SPEC.md. */
void scaffold_facts_complete(ScaffoldFacts *facts, Scaffold *out);

/* Infers a contract from a golden's parameters and SPEC.md: all inputs, one module, and shapes with
 * guessed names of dimensions. */
void contract_infer(Arena *arena, Str op_name, const GoldenSource *golden, const SpecFacts *spec,
                    Contract *contract, Strs *notes);

/* Gives scalar inputs the defaults of the golden. */
void scaffold_take_defaults(ScaffoldFacts *facts, const GoldenSource *golden);

/* A sentence for the user. */
void scaffold_note(Arena *arena, Scaffold *out, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- Python text; blocks have no line end after the last line */

/* Lines like `    "x",`. */
Str quoted_lines(Arena *arena, const Strs *names);
/* `"float32", "bfloat16"`. */
Str quoted_list(Arena *arena, const Strs *names);
Strs input_names(Arena *arena, const Contract *contract);
/* Lines like `    {"R": 16},` for the cases; with `small` capped, and each once. */
Str shape_lines(const ScaffoldFacts *facts, bool small);
/* Lines like `    {"x": [64, 1024]},`, one for each line of shape_lines(facts, false). */
Str declared_lines(const ScaffoldFacts *facts);
/* The constants and the functions of test_inputs.py. */
Str input_constants(const ScaffoldFacts *facts);
Str input_functions(const ScaffoldFacts *facts);
/* Lines like `    "float32": (0.00001, 0.001),` for dtypes with a tolerance of their own. */
Str tolerance_lines(const ScaffoldFacts *facts);
/* The tolerance of a case of this dtype. */
DtypeTolerance tolerance_of(const ScaffoldFacts *facts, Str dtype);
/* The functions that compare outputs; `label` is "module12". */
Str compare_functions(const ScaffoldFacts *facts, Str label);
/* The functions that find detailed_tensor_compare. */
Str comparison_path(const ScaffoldFacts *facts);
/* Is it a number, not a tensor: `int`, `float`, or `bool` without dimensions? */
bool is_scalar_input(const ContractTensor *input);
/* A filled template without the line end after its last line. */
Str template_block(Arena *arena, const char *name, const TemplateValue *values);

#endif
