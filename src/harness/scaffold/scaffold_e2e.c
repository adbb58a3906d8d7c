/* Scaffold: test_<op>.py. Its inputs come from eval/test_inputs.py; an operator of one module
 * without that file gets a test that makes them itself. */
#include "harness/scaffold/scaffold_parts.h"

#include "base/file.h"

/* Reads the contract, or infers one from golden and SPEC.md. */
static bool read_facts(Arena *arena, const ScaffoldRequest *request, ScaffoldFacts *facts,
                       Scaffold *out, Str *error)
{
    *facts = (ScaffoldFacts){.arena = arena, .request = request};
    GoldenSource golden;
    Str path = scaffold_path(facts, artifact_file(arena, KIND_GOLDEN, request->op_name));
    bool has_golden = golden_source_read(arena, path, &golden, error);
    if (file_exists(scaffold_path(facts, STR(INTERFACES_PATH)).at)) {
        bool read = scaffold_facts_read(arena, request, facts, out, error);
        if (read && has_golden) {
            scaffold_take_defaults(facts, &golden);
        }
        return read;
    }
    if (!has_golden ||
        !spec_facts_read(arena, scaffold_path(facts, STR("SPEC.md")), true, &facts->spec, error)) {
        return false;
    }
    contract_infer(arena, request->op_name, &golden, &facts->spec, &facts->contract, &out->notes);
    for (uint32_t i = 0; i < facts->contract.inputs.count; i++) {
        if (!is_python_name(facts->contract.inputs.items[i].name)) {
            *error = str_format(arena, "%.*s: only ASCII names of parameters can be used",
                                STR_ARG(golden.function));
            return false;
        }
    }
    scaffold_facts_complete(facts, out);
    return true;
}

/* The section of a test that makes its inputs itself. */
static Str own_inputs(const ScaffoldFacts *facts)
{
    TemplateValue values[] = {{"constants", input_constants(facts)},
                              {"functions", input_functions(facts)},
                              {NULL, STR("")}};
    return template_block(facts->arena, "own_inputs.py", values);
}

static Str test_text(const ScaffoldFacts *facts, bool own)
{
    Arena *arena = facts->arena;
    Strs names = input_names(arena, &facts->contract);
    TemplateValue values[] = {
        {"op", facts->request->op_name},
        {"standard_imports",
         own ? STR("import ast\nimport importlib.util\nimport operator\nimport os\n"
                   "import shutil\nimport sys")
             : STR("import importlib.util\nimport os\nimport shutil\nimport sys")},
        {"comparison_path", comparison_path(facts)},
        {"path_lines", own ? STR("_prepend(HERE)")
                           : STR("for _folder in (os.path.join(HERE, \"eval\"), HERE):\n"
                                 "    _prepend(_folder)")},
        {"inputs_import", own ? STR("") : STR("from test_inputs import make_inputs  # noqa: E402")},
        {"atol", number_text(arena, facts->atol)},
        {"rtol", number_text(arena, facts->rtol)},
        {"tolerances", tolerance_lines(facts)},
        {"dtypes", quoted_list(arena, &facts->dtypes)},
        {"inputs", quoted_lines(arena, &names)},
        {"small_shapes", shape_lines(facts, true)},
        {"p0_shapes", shape_lines(facts, false)},
        {"p0_inputs", declared_lines(facts)},
        {"input_section", own ? own_inputs(facts) : STR("")},
        {"compare_leaves", compare_functions(facts, facts->request->op_name)},
        {NULL, STR("")}};
    return template_fill(arena, "test_e2e.py", values);
}

bool scaffold_e2e(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error)
{
    ScaffoldFacts facts = {.arena = arena, .request = request};
    Str impl = scaffold_path(&facts, artifact_file(arena, KIND_IMPL, request->op_name));
    if (!file_is_regular(impl.at)) {
        *error = str_format(arena, "the implementation is missing: %.*s", STR_ARG(impl));
        return false;
    }
    if (!read_facts(arena, request, &facts, out, error)) {
        return false;
    }
    bool has_inputs = file_is_regular(scaffold_path(&facts, STR("eval/test_inputs.py")).at) &&
                      facts.contract.interfaces != NULL;
    bool own = !has_inputs && facts.contract.modules == 1;
    if (!has_inputs && !own) {
        scaffold_note(arena, out, "the test needs eval/test_inputs.py: pypto-lint scaffold eval");
    }
    ScaffoldFile file = {
        .path = scaffold_path(&facts, artifact_file(arena, KIND_TEST, request->op_name)),
        .text = test_text(&facts, own),
    };
    VEC_PUSH(arena, &out->files, file);
    return true;
}
