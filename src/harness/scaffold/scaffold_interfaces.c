/* Scaffold: the skeleton of module_interfaces.yaml. */
#include "harness/scaffold/scaffold_parts.h"

#include "base/file.h"
#include "harness/report/texts.h"

/* Reads the named SPEC.md, else the one beside the golden, if it exists. */
static bool read_spec(Arena *arena, const ScaffoldRequest *request, SpecFacts *spec, Str *error)
{
    if (request->spec.length > 0) {
        return spec_facts_read(arena, request->spec, false, spec, error);
    }
    size_t name = path_basename(request->golden).length;
    Str folder = str_slice(request->golden, 0, request->golden.length - name);
    return spec_facts_read(arena, str_format(arena, "%.*sSPEC.md", STR_ARG(folder)), true, spec,
                           error);
}

static bool names_are_usable(Arena *arena, const GoldenSource *golden, Str *error)
{
    for (uint32_t i = 0; i < golden->parameters.count; i++) {
        Str name = golden->parameters.items[i].name;
        if (!is_python_name(name)) {
            *error = str_format(arena, "%.*s: parameter %.*s: only ASCII names can be used",
                                STR_ARG(golden->function), STR_ARG(name));
            return false;
        }
    }
    if (golden->parameters.count == 0) {
        *error = str_format(arena, "%.*s has no parameter", STR_ARG(golden->function));
    }
    return golden->parameters.count > 0;
}

static void add_item(Buf *out, const char *indent, Str text)
{
    buf_addf(out, "%s%s- {%.*s}", out->length == 0 ? "" : "\n", indent, STR_ARG(text));
}

/* The sizes for composition_verification; at least one line. */
static Str verification_lines(Arena *arena, const Contract *contract)
{
    Buf out = {.arena = arena};
    for (uint32_t i = 0; i < contract->shapes.count; i++) {
        add_item(&out, "    ", variables_text(arena, &contract->shapes.items[i], ""));
    }
    if (contract->shapes.count == 0) {
        Variables guess = {0};
        for (uint32_t i = 0; i < contract->dimensions.count; i++) {
            VEC_PUSH(arena, &guess, ((Variable){contract->dimensions.items[i], SHAPE_UNKNOWN}));
        }
        add_item(&out, "    ", variables_text(arena, &guess, ""));
    }
    return buf_str(&out);
}

/* The returned name of the golden if it can name an output, else "out0" and so on. */
static Str output_name(Arena *arena, const GoldenSource *golden, uint32_t index)
{
    const Strs *names = &golden->outputs.names;
    Str name = index < names->count ? names->items[index] : STR("");
    bool usable = is_python_name(name);
    for (uint32_t i = 0; i < golden->parameters.count; i++) {
        usable = usable && !str_equal(name, golden->parameters.items[i].name);
    }
    for (uint32_t i = 0; i < names->count; i++) {
        usable = usable && (i == index || !str_equal(name, names->items[i])) &&
                 !str_equal(name, str_format(arena, "out%u", i));
    }
    return usable ? name : str_format(arena, "out%u", index);
}

/* Adds the outputs, with shape and dtype of the first input tensor. */
static void add_outputs(Arena *arena, const GoldenSource *golden, const ContractTensor *first,
                        Buf *made, Buf *last)
{
    Str shape = strs_in_brackets(arena, &first->shape);
    Str dtype = str_is(first->dtype, "float") ? STR("float32") : first->dtype;
    for (uint32_t i = 0; i < golden->outputs.count; i++) {
        Str name = output_name(arena, golden, i);
        add_item(made, "      ",
                 str_format(arena, "name: %.*s, shape: \"%.*s\", dtype: %.*s", STR_ARG(name),
                            STR_ARG(shape), STR_ARG(dtype)));
        add_item(last, "  ", str_format(arena, "name: %.*s, source: module_1", STR_ARG(name)));
    }
}

static Str skeleton(Arena *arena, const Contract *contract, const GoldenSource *golden)
{
    Buf inputs = {.arena = arena}, taken = {.arena = arena};
    Buf made = {.arena = arena}, last = {.arena = arena};
    const ContractTensor *first = &contract->inputs.items[0];
    for (uint32_t i = 0; i < contract->inputs.count; i++) {
        const ContractTensor *input = &contract->inputs.items[i];
        Str shape = strs_in_brackets(arena, &input->shape);
        add_item(&inputs, "  ",
                 str_format(arena, "name: %.*s, shape: \"%.*s\", dtype: %.*s", STR_ARG(input->name),
                            STR_ARG(shape), STR_ARG(input->dtype)));
        add_item(&taken, "      ",
                 str_format(arena, "name: %.*s, source: primary", STR_ARG(input->name)));
        first = is_scalar_input(first) ? input : first;
    }
    add_outputs(arena, golden, first, &made, &last);
    TemplateValue values[] = {{"op", contract->op},
                              {"primary_inputs", buf_str(&inputs)},
                              {"module_inputs", buf_str(&taken)},
                              {"module_outputs", buf_str(&made)},
                              {"final_outputs", buf_str(&last)},
                              {"atol", number_text(arena, contract->atol)},
                              {"rtol", number_text(arena, contract->rtol)},
                              {"verification_shapes", verification_lines(arena, contract)},
                              {NULL, STR("")}};
    return template_fill(arena, "module_interfaces.yaml", values);
}

bool scaffold_interfaces(Arena *arena, const ScaffoldRequest *request, Scaffold *out, Str *error)
{
    GoldenSource golden;
    SpecFacts spec;
    if (!golden_source_read(arena, request->golden, &golden, error) ||
        !read_spec(arena, request, &spec, error) || !names_are_usable(arena, &golden, error)) {
        return false;
    }
    if (golden.variadic) {
        scaffold_note(arena, out, "%.*s takes *args or **kwargs, which are left out",
                      STR_ARG(golden.function));
    }
    if (!spec.present) {
        scaffold_note(arena, out, "no SPEC.md: shapes, dtypes and tolerances are guesses");
    }
    if (golden.outputs.differs) {
        scaffold_note(arena, out,
                      "%.*s does not always return the same number of outputs: %u are taken",
                      STR_ARG(golden.function), golden.outputs.count);
    }
    if (golden.outputs.count > 1) {
        scaffold_note(arena, out, "%.*s returns %u outputs: their shapes and dtypes are guesses",
                      STR_ARG(golden.function), golden.outputs.count);
    }
    Contract contract;
    contract_infer(arena, request->op_name, &golden, &spec, &contract, &out->notes);
    ScaffoldFile file = {.path = STR(""), .text = skeleton(arena, &contract, &golden)};
    VEC_PUSH(arena, &out->files, file);
    return true;
}
