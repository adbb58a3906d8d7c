/* Contract; see contract.h. */
#include "harness/plan/contract.h"

#include "base/ascii.h"
#include "harness/plan/suite.h"
#include "harness/report/texts.h"
#include "operator/artifact.h"
#include "operator/text.h"

#include <math.h>

typedef struct Reading {
    Arena *arena;
    Contract *contract;
    Str *error;
} Reading;

/* --- names */

bool is_python_name(Str name)
{
    static const char *const keywords[] = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    size_t at = 0;
    return dimension_token_is_name(dimension_token(name, &at)) && at == name.length &&
           name.at[0] != ' ' && name.at[0] != '\t' && !STR_IS_ANY(name, keywords);
}

Str canonical_dtype(Str name)
{
    static const struct {
        const char *alias, *dtype;
    } names[] = {
        {"float32", "float32"}, {"fp32", "float32"},      {"dt_fp32", "float32"},
        {"float16", "float16"}, {"fp16", "float16"},      {"dt_fp16", "float16"},
        {"half", "float16"},    {"bfloat16", "bfloat16"}, {"bf16", "bfloat16"},
        {"int32", "int32"},     {"int64", "int64"},       {"dt_bf16", "bfloat16"},
        {"bool", "bool"},       {"int", "int"},           {"float", "float"},
        {"dt_int32", "int32"},  {"dt_int64", "int64"},    {"dt_bool", "bool"},
        {"int8", "int8"},       {"int16", "int16"},       {"uint8", "uint8"},
        {"dt_int8", "int8"},    {"dt_int16", "int16"},    {"dt_uint8", "uint8"},
    };
    Str plain = str_trim(name);
    plain = str_slice(plain, str_starts(plain, STR("torch.")) ? 6 : 0, plain.length);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Str alias = str_from(names[i].alias);
        if (plain.length == alias.length && text_contains_folded(plain, alias)) {
            return str_from(names[i].dtype);
        }
    }
    return STR("");
}

/* --- shapes */

static bool fail(Reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Reading *reading, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Str message = str_vformat(reading->arena, format, args);
    va_end(args);
    Buf out = {.arena = reading->arena};
    buf_add(&out, STR(INTERFACES_PATH ": "));
    for (size_t i = 0; i < message.length; i++) { /* it may quote several lines */
        buf_add_char(&out, message.at[i] == '\n' ? ' ' : message.at[i]);
    }
    *reading->error = buf_str(&out);
    return false;
}

/* The dimensions in "[B, T//BT, K]"; the brackets may be missing. */
static Strs split_shape(Arena *arena, Str text)
{
    Strs dimensions = {0};
    text = str_trim(text);
    text = str_slice(text, str_starts(text, STR("[")) ? 1 : 0, text.length);
    text = str_trim(str_slice(text, 0, text.length - (str_ends(text, STR("]")) ? 1 : 0)));
    for (size_t at = 0; at < text.length;) {
        size_t comma = str_find(text, STR(","), at);
        size_t end = comma == SIZE_MAX ? text.length : comma;
        VEC_PUSH(arena, &dimensions, str_trim(str_slice(text, at, end)));
        at = end + 1;
    }
    return dimensions;
}

static Strs read_shape(Arena *arena, const Value *shape)
{
    Strs dimensions = {0};
    if (value_is(shape, VALUE_STRING)) {
        return split_shape(arena, shape->text);
    }
    for (uint32_t i = 0; value_is(shape, VALUE_LIST) && i < shape->count; i++) {
        const Value *item = shape->items[i];
        Str text = item->kind == VALUE_INT || item->kind == VALUE_STRING ? item->text : STR("?");
        VEC_PUSH(arena, &dimensions, str_trim(text));
    }
    return dimensions;
}

/* --- tensors */

/* Can an input of this dtype be a number instead of a tensor? */
static bool is_scalar_dtype(Str dtype)
{
    static const char *const scalars[] = {"int", "float", "bool"};
    return STR_IS_ANY(dtype, scalars);
}

/* Reads an input or output; name, shape and dtype must be usable. */
static bool read_tensor(Reading *reading, const Value *item, bool is_input, ContractTensor *out)
{
    const char *kind = is_input ? "input" : "output";
    const Value *name = value_get(item, "name"), *dtype = value_get(item, "dtype");
    const Value *shape = value_get(item, "shape");
    if (!value_is(name, VALUE_STRING) || (is_input && !is_python_name(name->text))) {
        Str shown = name == NULL ? STR("?") : value_show(reading->arena, name, 60);
        return fail(reading, "line %u: %s `%.*s` does not have a name that is valid in Python",
                    item == NULL ? 0 : item->line, kind, STR_ARG(shown));
    }
    *out = (ContractTensor){
        .name = name->text, .shape = read_shape(reading->arena, shape), .value = STR("")};
    out->dtype = value_is(dtype, VALUE_STRING) ? canonical_dtype(dtype->text) : STR("float32");
    if (out->dtype.length == 0 || (dtype != NULL && dtype->kind != VALUE_STRING)) {
        Str shown = value_show(reading->arena, dtype, 60);
        return fail(reading, "line %u: %s `%.*s`: dtype `%.*s` is not known", item->line, kind,
                    STR_ARG(out->name), STR_ARG(shown));
    }
    if (is_input && (shape == NULL || shape->kind == VALUE_NULL) && !is_scalar_dtype(out->dtype)) {
        return fail(reading, "line %u: input `%.*s` has no shape", item->line, STR_ARG(out->name));
    }
    for (uint32_t i = 0; i < out->shape.count; i++) {
        if (!dimension_is_valid(out->shape.items[i])) {
            return fail(reading,
                        "line %u: %s `%.*s`: dimension `%.*s` is not arithmetic of names "
                        "and integers with + - * //",
                        item->line, kind, STR_ARG(out->name), STR_ARG(out->shape.items[i]));
        }
        dimension_names(reading->arena, out->shape.items[i], &reading->contract->dimensions);
        if (reading->contract->dimensions.count > CONTRACT_MAX_NAMES) {
            return fail(reading, "more than %d dimensions have names", CONTRACT_MAX_NAMES);
        }
    }
    return true;
}

static bool read_inputs(Reading *reading)
{
    Contract *contract = reading->contract;
    const Value *list = value_get(contract->interfaces->root, "primary_inputs");
    if (!value_is(list, VALUE_LIST) || list->count == 0) {
        return fail(reading, "primary_inputs must be a list of at least one input");
    }
    if (list->count > CONTRACT_MAX_NAMES) {
        return fail(reading, "primary_inputs has more than %d items", CONTRACT_MAX_NAMES);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        ContractTensor tensor;
        if (!read_tensor(reading, list->items[i], true, &tensor)) {
            return false;
        }
        if (contract_input(contract, tensor.name) != NULL) {
            return fail(reading, "input `%.*s` is named twice", STR_ARG(tensor.name));
        }
        VEC_PUSH(reading->arena, &contract->inputs, tensor);
    }
    return true;
}

/* Checks that the ids are 1 … N and reads the outputs for their dimensions. */
static bool read_modules(Reading *reading)
{
    Contract *contract = reading->contract;
    const Value *list = value_get(contract->interfaces->root, "modules");
    contract->modules = value_is(list, VALUE_LIST) ? list->count : 0;
    if (contract->modules > CONTRACT_MAX_NAMES) {
        return fail(reading, "modules has more than %d items", CONTRACT_MAX_NAMES);
    }
    for (uint32_t i = 0; i < contract->modules; i++) {
        const Value *id = value_get(list->items[i], "id");
        if (!value_is(id, VALUE_INT) || id->integer != (int64_t)i + 1) {
            return fail(reading, "line %u: the ids of the modules are not 1, 2, 3 and so on",
                        list->items[i]->line);
        }
        const Value *outputs = value_get(list->items[i], "outputs");
        for (uint32_t k = 0; value_is(outputs, VALUE_LIST) && k < outputs->count; k++) {
            ContractTensor ignored;
            if (!read_tensor(reading, outputs->items[k], false, &ignored)) {
                return false;
            }
        }
    }
    return contract->modules > 0 || fail(reading, "modules must be a list of at least one module");
}

/* Dimensions must not be keywords, because Python evaluates the expressions as well. */
static bool check_dimensions(Reading *reading)
{
    const Strs *names = &reading->contract->dimensions;
    for (uint32_t i = 0; i < names->count; i++) {
        if (!is_python_name(names->items[i])) {
            return fail(reading, "dimension `%.*s` is a keyword of Python",
                        STR_ARG(names->items[i]));
        }
    }
    return true;
}

/* --- verification */

static void read_shapes(Reading *reading, const Value *shapes)
{
    for (uint32_t i = 0; value_is(shapes, VALUE_LIST) && i < shapes->count; i++) {
        const Value *item = shapes->items[i];
        Variables variables = {0};
        for (uint32_t k = 0; item->kind == VALUE_MAPPING && k < item->count; k++) {
            const Value *key = item->entries[k].key, *value = item->entries[k].value;
            int64_t number;
            if (key->kind == VALUE_STRING && is_python_name(key->text) &&
                value_is(value, VALUE_INT) && value_to_int(value, &number)) {
                VEC_PUSH(reading->arena, &variables, ((Variable){key->text, number}));
            }
        }
        if (variables.count > 0) {
            VEC_PUSH(reading->arena, &reading->contract->shapes, variables);
        }
    }
}

static bool is_tolerance(const Value *value, double *number)
{
    return value_to_real(value, number) && isfinite(*number) && *number >= 0;
}

static void read_verification(Reading *reading)
{
    Contract *contract = reading->contract;
    const Value *verification = value_get(contract->interfaces->root, "composition_verification");
    bool atol = is_tolerance(value_get(verification, "atol"), &contract->atol);
    bool rtol = is_tolerance(value_get(verification, "rtol"), &contract->rtol);
    contract->has_tolerance = atol && rtol;
    contract->atol = atol ? contract->atol : SUITE_DEFAULT_TOLERANCE;
    contract->rtol = rtol ? contract->rtol : SUITE_DEFAULT_TOLERANCE;
    const Value *seeds = value_get(verification, "seeds");
    for (uint32_t i = 0; value_is(seeds, VALUE_LIST) && i < seeds->count; i++) {
        int64_t seed;
        if (value_is(seeds->items[i], VALUE_INT) && value_to_int(seeds->items[i], &seed)) {
            VEC_PUSH(reading->arena, &contract->seeds, seed);
        }
    }
    if (contract->seeds.count == 0) {
        for (int64_t seed = 0; seed < 3; seed++) {
            VEC_PUSH(reading->arena, &contract->seeds, seed);
        }
    }
    read_shapes(reading, value_get(verification, "shapes"));
}

bool contract_read(Arena *arena, Str text, Contract *contract, Str *error)
{
    *contract = (Contract){.op = STR("")};
    Reading reading = {arena, contract, error};
    Interfaces *interfaces = ARENA_NEW(arena, Interfaces);
    *interfaces = interfaces_read(arena, text);
    contract->interfaces = interfaces;
    if (interfaces->root == NULL) {
        *error = interfaces->reason;
        return false;
    }
    Violations violations = interfaces_validate(arena, interfaces);
    if (violations.count > 0) {
        const Violation *first = &violations.items[0];
        return fail(&reading, "line %u: %.*s%s", first->line, STR_ARG(first->message),
                    violations.count > 1 ? "; there is more: see pypto-lint interfaces" : "");
    }
    const Value *op = value_get(interfaces->root, "op");
    contract->op = value_is(op, VALUE_STRING) ? op->text : STR("");
    if (!read_inputs(&reading) || !read_modules(&reading) || !check_dimensions(&reading)) {
        return false;
    }
    read_verification(&reading);
    return true;
}

bool contract_load(Arena *arena, Str op_dir, Contract *contract, Str *error)
{
    Str text;
    Str reason = STR("");
    FileStatus status = artifact_read(arena, path_join(arena, op_dir, STR(INTERFACES_PATH)),
                                      CONTRACT_MAX_BYTES, &text, &reason);
    if (status == FILE_OK) {
        return contract_read(arena, text, contract, error);
    }
    *error = status == FILE_MISSING
                 ? STR(INTERFACES_PATH ": the file does not exist")
                 : str_format(arena, INTERFACES_PATH ": cannot be read: %.*s", STR_ARG(reason));
    return false;
}

/* --- phases */

Strs contract_phase_inputs(Arena *arena, const Contract *contract, uint32_t module)
{
    return interfaces_module_inputs(arena, contract->interfaces, module).names;
}

static ContractTensor output_of(Arena *arena, const Value *item)
{
    const Value *name = value_get(item, "name"), *dtype = value_get(item, "dtype");
    return (ContractTensor){
        .name = value_is(name, VALUE_STRING) ? name->text : STR("?"),
        .shape = read_shape(arena, value_get(item, "shape")),
        .dtype = value_is(dtype, VALUE_STRING) ? canonical_dtype(dtype->text) : STR("float32"),
        .value = STR(""),
    };
}

/* The output to which an item of final_outputs refers; the wiring rules make sure that it
 * exists. */
static const Value *final_source(const Contract *contract, const Value *item)
{
    const Value *name = value_get(item, "name"), *source = value_get(item, "source");
    const Value *modules = value_get(contract->interfaces->root, "modules");
    int64_t id = 0;
    if (!value_is(source, VALUE_STRING) || !value_is(name, VALUE_STRING) ||
        !text_to_int(str_slice(source->text, sizeof "module_" - 1, source->text.length), &id) ||
        id < 1 || id > contract->modules) {
        return item;
    }
    const Value *outputs = value_get(modules->items[id - 1], "outputs");
    for (uint32_t i = 0; value_is(outputs, VALUE_LIST) && i < outputs->count; i++) {
        const Value *other = value_get(outputs->items[i], "name");
        if (value_is(other, VALUE_STRING) && str_equal(other->text, name->text)) {
            return outputs->items[i];
        }
    }
    return item;
}

ContractTensors contract_phase_outputs(Arena *arena, const Contract *contract, uint32_t module)
{
    ContractTensors out = {0};
    const Value *root = contract->interfaces->root;
    const Value *final = value_get(root, "final_outputs");
    bool last = module == contract->modules && value_is(final, VALUE_LIST) && final->count > 0;
    const Value *list =
        last ? final : value_get(value_get(root, "modules")->items[module - 1], "outputs");
    for (uint32_t i = 0; value_is(list, VALUE_LIST) && i < list->count; i++) {
        const Value *item = last ? final_source(contract, list->items[i]) : list->items[i];
        VEC_PUSH(arena, &out, output_of(arena, item));
    }
    return out;
}

const ContractTensor *contract_input(const Contract *contract, Str name)
{
    for (uint32_t i = 0; i < contract->inputs.count; i++) {
        if (str_equal(contract->inputs.items[i].name, name)) {
            return &contract->inputs.items[i];
        }
    }
    return NULL;
}
