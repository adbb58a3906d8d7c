/* Scaffold parts; see scaffold_parts.h. */
#include "harness/scaffold/scaffold_parts.h"

#include "base/file.h"

enum { LINE_WIDTH = 98 };

Str scaffold_path(const ScaffoldFacts *facts, Str relative)
{
    return path_join(facts->arena, facts->request->op_dir, relative);
}

void scaffold_note(Arena *arena, Scaffold *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Str text = str_vformat(arena, format, args);
    va_end(args);
    VEC_PUSH(arena, &out->notes, text);
}

bool is_scalar_input(const ContractTensor *input)
{
    return str_is(input->dtype, "int") || str_is(input->dtype, "float") ||
           (str_is(input->dtype, "bool") && input->shape.count == 0);
}

/* --- facts */

/* The dtype that cases vary: that of the first floating input, else of the first tensor. */
static Str main_dtype(const Contract *contract)
{
    Str found = STR("");
    for (uint32_t i = 0; i < contract->inputs.count; i++) {
        const ContractTensor *input = &contract->inputs.items[i];
        if (is_scalar_input(input)) {
            continue;
        }
        if (str_contains(input->dtype, STR("float"))) {
            return input->dtype;
        }
        found = found.length == 0 ? input->dtype : found;
    }
    return found.length == 0 ? STR("float32") : found;
}

void scaffold_facts_complete(ScaffoldFacts *facts, Scaffold *out)
{
    Arena *arena = facts->arena;
    Str main = main_dtype(&facts->contract);
    bool promised = facts->spec.dtypes.count == 0;
    VEC_PUSH(arena, &facts->dtypes, main);
    for (uint32_t i = 0; i < facts->spec.dtypes.count; i++) {
        if (str_equal(facts->spec.dtypes.items[i], main)) {
            promised = true;
        } else {
            VEC_PUSH(arena, &facts->dtypes, facts->spec.dtypes.items[i]);
        }
    }
    if (!promised) {
        scaffold_note(arena, out,
                      "the inputs are %.*s by the contract, which SPEC.md does not "
                      "list in supported_dtypes",
                      STR_ARG(main));
    }
    facts->atol = facts->spec.has_atol ? facts->spec.atol : facts->contract.atol;
    facts->rtol = facts->spec.has_rtol ? facts->spec.rtol : facts->contract.rtol;
    facts->cases = shape_cases(arena, &facts->contract, &facts->spec, &out->notes);
}

bool scaffold_facts_read(Arena *arena, const ScaffoldRequest *request, ScaffoldFacts *facts,
                         Scaffold *out, Str *error)
{
    *facts = (ScaffoldFacts){.arena = arena, .request = request};
    if (!contract_load(arena, request->op_dir, &facts->contract, error) ||
        !spec_facts_read(arena, scaffold_path(facts, STR("SPEC.md")), true, &facts->spec, error)) {
        return false;
    }
    if (facts->contract.op.length > 0 && !str_equal(facts->contract.op, request->op_name)) {
        *error = str_format(arena, INTERFACES_PATH ": op is %.*s, the operator is %.*s",
                            STR_ARG(facts->contract.op), STR_ARG(request->op_name));
        return false;
    }
    scaffold_facts_complete(facts, out);
    return true;
}

void scaffold_take_defaults(ScaffoldFacts *facts, const GoldenSource *golden)
{
    for (uint32_t i = 0; i < facts->contract.inputs.count; i++) {
        ContractTensor *input = &facts->contract.inputs.items[i];
        for (uint32_t k = 0; k < golden->parameters.count && is_scalar_input(input); k++) {
            const GoldenParameter *parameter = &golden->parameters.items[k];
            bool same = str_equal(parameter->name, input->name) && parameter->value.length > 0;
            input->value = same ? parameter->value : input->value;
        }
    }
}

/* --- Python text */

/* Adds a line; only lines after the first get a line end before them. */
static void add_line(Buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(Buf *out, const char *format, ...)
{
    buf_add(out, out->length == 0 ? STR("") : STR("\n"));
    va_list args;
    va_start(args, format);
    buf_vaddf(out, format, args);
    va_end(args);
}

Str quoted_lines(Arena *arena, const Strs *names)
{
    Buf out = {.arena = arena};
    for (uint32_t i = 0; i < names->count; i++) {
        add_line(&out, "    \"%.*s\",", STR_ARG(names->items[i]));
    }
    return buf_str(&out);
}

Str quoted_list(Arena *arena, const Strs *names)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < names->count; i++) {
        buf_addf(&out, "%s\"%.*s\"", i == 0 ? "" : ", ", STR_ARG(names->items[i]));
    }
    return buf_str(&out);
}

Strs input_names(Arena *arena, const Contract *contract)
{
    Strs names = {0};
    for (uint32_t i = 0; i < contract->inputs.count; i++) {
        VEC_PUSH(arena, &names, contract->inputs.items[i].name);
    }
    return names;
}

/* A dict of the entries, on one line where it fits. */
static void add_dict(Buf *out, const Strs *entries)
{
    size_t width = 7;
    for (uint32_t i = 0; i < entries->count; i++) {
        width += entries->items[i].length + 2;
    }
    if (width > LINE_WIDTH) {
        add_line(out, "    {");
        for (uint32_t i = 0; i < entries->count; i++) {
            add_line(out, "        %.*s,", STR_ARG(entries->items[i]));
        }
        add_line(out, "    },");
        return;
    }
    add_line(out, "    {");
    for (uint32_t i = 0; i < entries->count; i++) {
        buf_addf(out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(entries->items[i]));
    }
    buf_add(out, STR("},"));
}

static bool is_first_of_its_kind(const VariableSets *seen, const Variables *sizes)
{
    for (uint32_t i = 0; i < seen->count; i++) {
        if (variables_equal(&seen->items[i], sizes)) {
            return false;
        }
    }
    return true;
}

Str shape_lines(const ScaffoldFacts *facts, bool small)
{
    Arena *arena = facts->arena;
    Buf out = {.arena = arena};
    VariableSets seen = {0};
    for (uint32_t i = 0; i < facts->cases.count; i++) {
        Variables sizes = facts->cases.items[i].sizes;
        sizes = small ? shape_capped(arena, &sizes) : sizes;
        if (small && !is_first_of_its_kind(&seen, &sizes)) {
            continue;
        }
        VEC_PUSH(arena, &seen, sizes);
        Strs entries = {0};
        for (uint32_t k = 0; k < sizes.count; k++) {
            const Variable *size = &sizes.items[k];
            Str entry =
                str_format(arena, "\"%.*s\": %lld", STR_ARG(size->name), (long long)size->value);
            VEC_PUSH(arena, &entries, entry);
        }
        add_dict(&out, &entries);
    }
    return buf_str(&out);
}

Str declared_lines(const ScaffoldFacts *facts)
{
    Arena *arena = facts->arena;
    Buf out = {.arena = arena};
    for (uint32_t i = 0; i < facts->cases.count; i++) {
        const Strs *declared = &facts->cases.items[i].declared;
        Strs entries = {0};
        for (uint32_t k = 0; k < declared->count; k++) {
            const ContractTensor *input = &facts->contract.inputs.items[k];
            if (declared->items[k].length > 0 && !is_scalar_input(input)) {
                Str entry = str_format(arena, "\"%.*s\": %.*s", STR_ARG(input->name),
                                       STR_ARG(declared->items[k]));
                VEC_PUSH(arena, &entries, entry);
            }
        }
        add_dict(&out, &entries);
    }
    return buf_str(&out);
}

/* --- parts of templates */

Str template_block(Arena *arena, const char *name, const TemplateValue *values)
{
    Str text = template_fill(arena, name, values);
    return str_slice(text, 0, text.length > 0 ? text.length - 1 : 0);
}

Str input_constants(const ScaffoldFacts *facts)
{
    Arena *arena = facts->arena;
    const Contract *contract = &facts->contract;
    Buf shapes = {.arena = arena}, dtypes = {.arena = arena}, scalars = {.arena = arena};
    buf_add(&scalars, STR(""));
    for (uint32_t i = 0; i < contract->inputs.count; i++) {
        const ContractTensor *input = &contract->inputs.items[i];
        add_line(&shapes, "    \"%.*s\": [%.*s],", STR_ARG(input->name),
                 STR_ARG(quoted_list(arena, &input->shape)));
        add_line(&dtypes, "    \"%.*s\": \"%.*s\",", STR_ARG(input->name), STR_ARG(input->dtype));
        if (is_scalar_input(input)) {
            Str usual = str_is(input->dtype, "int")     ? STR("1")
                        : str_is(input->dtype, "float") ? STR("1.0")
                                                        : STR("True");
            Str value = input->value.length > 0 ? input->value : usual;
            add_line(&scalars, "    \"%.*s\": %.*s,", STR_ARG(input->name), STR_ARG(value));
        }
    }
    Strs names = input_names(arena, contract);
    TemplateValue values[] = {
        {"order", quoted_lines(arena, &names)}, {"shapes", buf_str(&shapes)},
        {"dtypes", buf_str(&dtypes)},           {"scalars", buf_str(&scalars)},
        {"main_dtype", facts->dtypes.items[0]}, {NULL, STR("")}};
    return template_block(arena, "input_constants.py", values);
}

Str input_functions(const ScaffoldFacts *facts)
{
    TemplateValue values[] = {{NULL, STR("")}};
    return template_block(facts->arena, "input_functions.py", values);
}

Str tolerance_lines(const ScaffoldFacts *facts)
{
    Buf out = {.arena = facts->arena};
    for (uint32_t i = 0; i < facts->spec.tolerances.count; i++) {
        const DtypeTolerance *one = &facts->spec.tolerances.items[i];
        add_line(&out, "    \"%.*s\": (%.*s, %.*s),", STR_ARG(one->dtype),
                 STR_ARG(number_text(facts->arena, one->atol)),
                 STR_ARG(number_text(facts->arena, one->rtol)));
    }
    return buf_str(&out);
}

DtypeTolerance tolerance_of(const ScaffoldFacts *facts, Str dtype)
{
    for (uint32_t i = 0; i < facts->spec.tolerances.count; i++) {
        if (str_equal(facts->spec.tolerances.items[i].dtype, dtype)) {
            return facts->spec.tolerances.items[i];
        }
    }
    return (DtypeTolerance){dtype, facts->atol, facts->rtol};
}

Str compare_functions(const ScaffoldFacts *facts, Str label)
{
    TemplateValue values[] = {{"label", label}, {NULL, STR("")}};
    return template_block(facts->arena, "compare_leaves.py", values);
}

Str comparison_path(const ScaffoldFacts *facts)
{
    TemplateValue values[] = {{NULL, STR("")}};
    return template_block(facts->arena, "comparison_path.py", values);
}
