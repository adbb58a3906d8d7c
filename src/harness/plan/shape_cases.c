/* Shape cases; see shape_cases.h. */
#include "harness/plan/shape_cases.h"

#include "harness/report/texts.h"

enum {
    MOST_CASES = 64,                   /* from P0 shapes */
    LARGE_ELEMENTS = 1024 * 1024 * 16, /* of an input; more take too long in a simulator */
};

/* --- P0 shapes */

static bool is_list_of_numbers(const Value *value)
{
    int64_t number;
    return value_is(value, VALUE_LIST) &&
           (value->count == 0 || value_to_int(value->items[0], &number));
}

const Value *p0_input_shape(const Value *item, Str name, uint32_t number)
{
    const Value *found = NULL;
    if (is_list_of_numbers(item)) {
        return item;
    }
    if (value_is(item, VALUE_LIST)) {
        found = number < item->count ? item->items[number] : NULL;
    }
    for (uint32_t i = 0; value_is(item, VALUE_MAPPING) && i < item->count; i++) {
        const Value *key = item->entries[i].key;
        if (key->kind == VALUE_STRING && str_equal(key->text, name)) {
            found = item->entries[i].value;
        }
    }
    return is_list_of_numbers(found) ? found : NULL;
}

typedef struct Filling {
    Arena *arena;
    const Contract *contract;
    ShapeCase made;
    Strs *notes;
} Filling;

static void note(Filling *filling, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(Filling *filling, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Str text = str_vformat(filling->arena, format, args);
    va_end(args);
    strs_add(filling->arena, filling->notes, text);
}

static void bind(Filling *filling, Str name, int64_t value)
{
    if (variable_find(&filling->made.sizes, name) == NULL && value > 0) {
        VEC_PUSH(filling->arena, &filling->made.sizes, ((Variable){name, value}));
    }
}

/* Gives values to dimensions that are plain names, from the sizes of one input. */
static Str bind_input(Filling *filling, const ContractTensor *input, const Value *sizes)
{
    Buf text = {.arena = filling->arena};
    bool same_rank = sizes->count == input->shape.count;
    buf_add(&text, STR("["));
    for (uint32_t i = 0; i < sizes->count; i++) {
        int64_t size = 0;
        value_to_int(sizes->items[i], &size);
        buf_addf(&text, "%s%lld", i == 0 ? "" : ", ", (long long)size);
        if (same_rank && dimension_is_name(input->shape.items[i])) {
            bind(filling, input->shape.items[i], size);
        }
    }
    buf_add(&text, STR("]"));
    return same_rank ? buf_str(&text) : STR("");
}

static void bind_item(Filling *filling, const Value *item)
{
    const Contract *contract = filling->contract;
    for (uint32_t i = 0; value_is(item, VALUE_MAPPING) && i < item->count; i++) {
        const ValueEntry *entry = &item->entries[i];
        int64_t size;
        if (entry->key->kind == VALUE_STRING && value_is(entry->value, VALUE_INT) &&
            value_to_int(entry->value, &size)) {
            bind(filling, entry->key->text, size);
        }
    }
    for (uint32_t i = 0; i < contract->inputs.count; i++) {
        const ContractTensor *input = &contract->inputs.items[i];
        const Value *sizes = p0_input_shape(item, input->name, i);
        Str declared = sizes == NULL ? STR("") : bind_input(filling, input, sizes);
        VEC_PUSH(filling->arena, &filling->made.declared, declared);
    }
}

/* --- completing */

/* Gives values to all dimensions of the contract, in its order; missing ones come from
 * composition_verification. */
static void complete(Filling *filling, uint32_t number)
{
    const Contract *contract = filling->contract;
    Variables all = {0};
    for (uint32_t i = 0; i < contract->dimensions.count; i++) {
        Str name = contract->dimensions.items[i];
        const Variable *known = variable_find(&filling->made.sizes, name);
        for (uint32_t k = 0; k < 2 && known == NULL && contract->shapes.count > 0; k++) {
            uint32_t at = k == 0 && number < contract->shapes.count ? number : 0;
            known = variable_find(&contract->shapes.items[at], name);
        }
        bool given = known != NULL && known->value > 0;
        if (!given) {
            note(filling,
                 "neither SPEC.md nor the contract gives a size of dimension %.*s: %d is "
                 "taken",
                 STR_ARG(name), SHAPE_UNKNOWN);
        }
        VEC_PUSH(filling->arena, &all, ((Variable){name, given ? known->value : SHAPE_UNKNOWN}));
    }
    filling->made.sizes = all;
}

/* Checks that the shapes in SPEC.md are those that the contract gives for the same sizes. */
static void check_declared(Filling *filling)
{
    for (uint32_t i = 0; i < filling->made.declared.count; i++) {
        const ContractTensor *input = &filling->contract->inputs.items[i];
        Buf text = {.arena = filling->arena};
        buf_add(&text, STR("["));
        for (uint32_t k = 0; k < input->shape.count; k++) {
            int64_t size = -1;
            dimension_value(input->shape.items[k], &filling->made.sizes, &size);
            buf_addf(&text, "%s%lld", k == 0 ? "" : ", ", (long long)size);
        }
        buf_add(&text, STR("]"));
        Str *declared = &filling->made.declared.items[i];
        if (declared->length > 0 && !str_equal(*declared, buf_str(&text))) {
            note(filling, "SPEC.md declares %.*s for %.*s, by the contract it is %.*s",
                 STR_ARG(*declared), STR_ARG(input->name), STR_ARG(buf_str(&text)));
            *declared = STR("");
        }
    }
}

static void add_case(ShapeCases *cases, Filling *filling, const Value *item)
{
    filling->made = (ShapeCase){0};
    bind_item(filling, item);
    complete(filling, cases->count);
    check_declared(filling);
    VEC_PUSH(filling->arena, cases, filling->made);
}

ShapeCases shape_cases(Arena *arena, const Contract *contract, const SpecFacts *spec, Strs *notes)
{
    Filling filling = {.arena = arena, .contract = contract, .notes = notes};
    ShapeCases cases = {0};
    const Value *p0 = spec->p0_shapes;
    for (uint32_t i = 0; value_is(p0, VALUE_LIST) && i < p0->count && i < MOST_CASES; i++) {
        add_case(&cases, &filling, p0->items[i]);
    }
    for (uint32_t i = 0; p0 == NULL && i < contract->shapes.count && i < MOST_CASES; i++) {
        add_case(&cases, &filling, NULL);
    }
    if (cases.count == 0) {
        add_case(&cases, &filling, NULL);
    }
    if (value_is(p0, VALUE_LIST) && p0->count > MOST_CASES) {
        note(&filling, "only the first %d P0 shapes are used", MOST_CASES);
    }
    return cases;
}

/* --- variations */

Variables shape_capped(Arena *arena, const Variables *sizes)
{
    Variables out = {0};
    for (uint32_t i = 0; i < sizes->count; i++) {
        Variable variable = sizes->items[i];
        variable.value = variable.value < SHAPE_SMALL ? variable.value : SHAPE_SMALL;
        VEC_PUSH(arena, &out, variable);
    }
    return out;
}

typedef struct Division {
    bool divides; /* something is divided by it */
    int64_t step; /* the least common multiple of its divisors */
} Division;

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b, product;
    while (y != 0) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x <= 0 || __builtin_mul_overflow(a / x, b, &product) ? a : product;
}

/* Finds `NAME // ATOM` in an expression, as divisor or dividend. */
static void read_division(Str expression, Str name, const Variables *sizes, Division *division)
{
    Str first = STR(""), second = STR("");
    size_t at = 0;
    for (Str third; (third = dimension_token(expression, &at)).length > 0;) {
        int64_t divisor;
        bool divided = str_is(second, "//");
        division->divides = division->divides || (divided && str_equal(third, name));
        if (divided && str_equal(first, name) && dimension_value(third, sizes, &divisor) &&
            divisor > 0) {
            division->step = common_multiple(division->step, divisor);
        }
        first = second;
        second = third;
    }
}

static Division find_division(const Contract *contract, Str name, const Variables *sizes)
{
    Division division = {.step = 1};
    for (uint32_t i = 0; i < contract->inputs.count; i++) {
        const Strs *shape = &contract->inputs.items[i].shape;
        for (uint32_t k = 0; k < shape->count; k++) {
            read_division(shape->items[k], name, sizes, &division);
        }
    }
    return division;
}

/* Is at least one dimension of the contract a dynamic axis? */
static bool knows_dynamic_axes(const Contract *contract, const SpecFacts *spec)
{
    for (uint32_t i = 0; i < contract->dimensions.count; i++) {
        if (strs_have(&spec->dynamic_axes, contract->dimensions.items[i])) {
            return true;
        }
    }
    return false;
}

/* Sizes and steps are below INT32_MAX. */
static int64_t vary(int64_t size, int64_t step, ShapeVariation variation, int64_t large)
{
    int64_t half = size / 2 / step;
    switch (variation) {
    case SHAPE_HALVED:
        return half > 0 ? half * step : step;
    case SHAPE_ODD:
        return (half | 1) * step == size ? size + 2 * step : (half | 1) * step;
    case SHAPE_DOUBLED:
        return size * 2;
    case SHAPE_LARGE:
        return size * large;
    case SHAPE_LARGE_TAIL:
        return size * large + step;
    case SHAPE_ZERO:
        return 0;
    case SHAPE_SINGLE:
        return step;
    case SHAPE_BEFORE:
        return common_multiple(step, SHAPE_TILE) * 2 - step;
    case SHAPE_AFTER:
        return common_multiple(step, SHAPE_TILE) * 2 + step;
    }
    return size;
}

static Variables vary_all(Arena *arena, const Contract *contract, const SpecFacts *spec,
                          const Variables *sizes, ShapeVariation variation, int64_t large)
{
    bool dynamic = knows_dynamic_axes(contract, spec);
    Variables out = {0};
    for (uint32_t i = 0; i < sizes->count; i++) {
        Variable variable = sizes->items[i];
        Division division = find_division(contract, variable.name, sizes);
        if (!division.divides && variable.value < INT32_MAX && division.step < INT32_MAX &&
            (!dynamic || strs_have(&spec->dynamic_axes, variable.name))) {
            variable.value = vary(variable.value, division.step, variation, large);
            variation = variation == SHAPE_ZERO ? SHAPE_SINGLE : variation; /* one 0 is enough */
        }
        VEC_PUSH(arena, &out, variable);
    }
    return out;
}

/* The elements of an input; INT64_MAX when they are too many to count, or a size is unknown. */
static int64_t elements_of(const ContractTensor *input, const Variables *sizes)
{
    int64_t elements = 1, size;
    for (uint32_t k = 0; k < input->shape.count; k++) {
        if (!dimension_value(input->shape.items[k], sizes, &size) ||
            __builtin_mul_overflow(elements, size, &elements)) {
            return INT64_MAX;
        }
    }
    return elements;
}

/* The elements of the largest input. */
static int64_t most_elements(const Contract *contract, const Variables *sizes)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < contract->inputs.count; i++) {
        int64_t elements = elements_of(&contract->inputs.items[i], sizes);
        most = elements > most ? elements : most;
    }
    return most;
}

/* Has an input more elements than a simulated run should have? */
static bool is_too_large(const Contract *contract, const Variables *sizes)
{
    return most_elements(contract, sizes) > LARGE_ELEMENTS;
}

const Variables *shape_largest(const Contract *contract, const ShapeCases *cases)
{
    const Variables *largest = &cases->items[0].sizes;
    int64_t most = most_elements(contract, largest);
    for (uint32_t i = 1; i < cases->count; i++) {
        int64_t elements = most_elements(contract, &cases->items[i].sizes);
        if (elements > most) {
            largest = &cases->items[i].sizes;
            most = elements;
        }
    }
    return largest;
}

Variables shape_varied(Arena *arena, const Contract *contract, const SpecFacts *spec,
                       const Variables *sizes, ShapeVariation variation)
{
    int64_t large = 4;
    if (variation >= SHAPE_ZERO && !knows_dynamic_axes(contract, spec)) {
        return *sizes; /* nothing allows such small sizes */
    }
    Variables out = vary_all(arena, contract, spec, sizes, variation, large);
    while (large > 1 && is_too_large(contract, &out)) {
        large /= 2;
        out = vary_all(arena, contract, spec, sizes, variation, large);
    }
    return out;
}

/* --- text */

Str variables_text(Arena *arena, const Variables *variables, const char *quote)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < variables->count; i++) {
        buf_addf(&out, "%s%s%.*s%s: %lld", i == 0 ? "" : ", ", quote,
                 STR_ARG(variables->items[i].name), quote, (long long)variables->items[i].value);
    }
    return buf_str(&out);
}

bool variables_equal(const Variables *a, const Variables *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++) {
        same =
            str_equal(a->items[i].name, b->items[i].name) && a->items[i].value == b->items[i].value;
    }
    return same;
}
