/* Scaffold: the test of a phase, and the skeleton of its golden. */
#include "harness/scaffold/scaffold_parts.h"

#include "base/file.h"
#include "harness/plan/phase.h"
#include "harness/report/texts.h"

enum { MOST_LABEL = 60 };

/* --- golden skeleton */

static const char *annotation_of(const ContractTensor *input)
{
    return !is_scalar_input(input)         ? "torch.Tensor"
           : str_is(input->dtype, "int")   ? "int"
           : str_is(input->dtype, "float") ? "float"
                                           : "bool";
}

static Str parameter_lines(const ScaffoldFacts *facts, const Strs *names)
{
    Buf out = {.arena = facts->arena};
    for (uint32_t i = 0; i < names->count; i++) {
        const ContractTensor *input = contract_input(&facts->contract, names->items[i]);
        buf_addf(&out, "%s    %.*s: %s,", i == 0 ? "" : "\n", STR_ARG(input->name),
                 annotation_of(input));
        if (!is_scalar_input(input)) {
            Str shape = strs_in_brackets(facts->arena, &input->shape);
            buf_addf(&out, "  # %.*s, %.*s", STR_ARG(shape), STR_ARG(input->dtype));
        }
    }
    return buf_str(&out);
}

static Str output_lines(const ScaffoldFacts *facts, const ContractTensors *outputs)
{
    Buf out = {.arena = facts->arena};
    for (uint32_t i = 0; i < outputs->count; i++) {
        const ContractTensor *output = &outputs->items[i];
        Str shape = strs_in_brackets(facts->arena, &output->shape);
        Str name =
            is_python_name(output->name) ? output->name : str_format(facts->arena, "output %u", i);
        buf_addf(&out, "%s    %.*s: %.*s, %.*s", i == 0 ? "" : "\n", STR_ARG(name), STR_ARG(shape),
                 STR_ARG(output->dtype));
    }
    return buf_str(&out);
}

/* The names of the modules, if they can be written into a docstring. */
static Str outline(const ScaffoldFacts *facts, uint32_t count)
{
    Buf out = {.arena = facts->arena};
    const Value *modules = value_get(facts->contract.interfaces->root, "modules");
    for (uint32_t i = 0; i < count; i++) {
        const Value *name = value_get(modules->items[i], "name");
        bool usable = value_is(name, VALUE_STRING) && is_python_name(name->text) &&
                      name->text.length <= MOST_LABEL;
        buf_addf(&out, "%sModule %u: %.*s.", i == 0 ? "" : "\n", i + 1,
                 STR_ARG(usable ? name->text : STR("see eval/module_interfaces.yaml")));
    }
    return buf_str(&out);
}

/* --- the test */

static Str number(Arena *arena, uint32_t value)
{
    return str_format(arena, "%u", value);
}

static Str test_text(const ScaffoldFacts *facts, Str suffix, const Strs *inputs)
{
    Arena *arena = facts->arena;
    TemplateValue values[] = {
        {"op", facts->request->op_name},
        {"phase", number(arena, facts->request->module)},
        {"suffix", suffix},
        {"comparison_path", comparison_path(facts)},
        {"atol", number_text(arena, facts->atol)},
        {"rtol", number_text(arena, facts->rtol)},
        {"tolerances", tolerance_lines(facts)},
        {"dtypes", quoted_list(arena, &facts->dtypes)},
        {"inputs", quoted_lines(arena, inputs)},
        {"small_shapes", shape_lines(facts, true)},
        {"p0_shapes", shape_lines(facts, false)},
        {"compare_leaves",
         compare_functions(facts, str_format(arena, "module%.*s", STR_ARG(suffix)))},
        {NULL, STR("")}};
    return template_fill(arena, "test_module.py", values);
}

static Str golden_text(const ScaffoldFacts *facts, Str suffix, const Strs *inputs)
{
    Arena *arena = facts->arena;
    uint32_t module = facts->request->module;
    ContractTensors outputs = contract_phase_outputs(arena, &facts->contract, module);
    TemplateValue values[] = {{"op", facts->request->op_name},
                              {"phase", number(arena, module)},
                              {"suffix", suffix},
                              {"outline", outline(facts, module)},
                              {"parameters", parameter_lines(facts, inputs)},
                              {"outputs", output_lines(facts, &outputs)},
                              {NULL, STR("")}};
    return template_fill(arena, "module_golden.py", values);
}

/* Without `./` in front, like the paths of scaffold_path. */
static Str shown(Str path)
{
    return str_slice(path, str_starts(path, STR("./")) ? 2 : 0, path.length);
}

bool scaffold_module(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error)
{
    ScaffoldFacts facts;
    if (!scaffold_facts_read(arena, request, &facts, out, error)) {
        return false;
    }
    if (request->module > facts.contract.modules) {
        *error = str_format(arena, "there is no phase M%u: " INTERFACES_PATH " has %u modules",
                            request->module, facts.contract.modules);
        return false;
    }
    Str suffix = phase_suffix(arena, (int)request->module);
    Str impl = phase_file(arena, request->op_dir, request->op_name, suffix, KIND_IMPL);
    if (!file_is_regular(impl.at)) {
        *error = str_format(arena, "the implementation of phase M%u is missing: %.*s",
                            request->module, STR_ARG(impl));
        return false;
    }
    if (!file_is_regular(scaffold_path(&facts, STR("eval/test_inputs.py")).at)) {
        scaffold_note(arena, out, "the test needs eval/test_inputs.py: pypto-lint scaffold eval");
    }
    Strs inputs = contract_phase_inputs(arena, &facts.contract, request->module);
    ScaffoldFile test = {
        .path = shown(phase_file(arena, request->op_dir, request->op_name, suffix, KIND_TEST)),
        .text = test_text(&facts, suffix, &inputs),
    };
    ScaffoldFile golden = {
        .path = shown(phase_file(arena, request->op_dir, request->op_name, suffix, KIND_GOLDEN)),
        .text = golden_text(&facts, suffix, &inputs),
        .keep = true,
    };
    VEC_PUSH(arena, &out->files, test);
    VEC_PUSH(arena, &out->files, golden);
    return true;
}
